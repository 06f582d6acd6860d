import { childPlace, valueIn } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { type StabilityLevel, stabilityLevels } from '../change.ts'
import { type ComparisonState, type Difference, fieldPlace, fieldPlaces, report, type Scope } from './comparison.ts'
import { type PlacePair, toText } from './name-place.ts'

/** The `x-stability-level` of an operation or property. Without one it is `stable`, and an unknown one is `undefined`. */
export function readStability(owner: Place): StabilityLevel | undefined {
  const level = valueIn(owner, 'x-stability-level')
  return level === undefined ? 'stable' : stabilityLevels.find((known) => known === level)
}

/** Whether parts with this level are compared. */
export function isCompared(level: StabilityLevel | undefined, { stability = 'beta' }: ComparisonState['options']): boolean {
  return level === undefined || stabilityLevels.indexOf(level) >= stabilityLevels.indexOf(stability)
}

type Owner = 'operation' | 'parameter' | 'header' | 'property'

/** Compares `deprecated`, `x-sunset` and `x-stability-level` of an operation, parameter, header or property. */
export function compareDeprecation(state: ComparisonState, scope: Scope, owner: Owner, base: Place, revision: Place): void {
  const tell: Tell = (code, { message, ...places }) =>
    report(scope, {
      code,
      at: revision,
      ...(owner === 'operation' && { subject: 'operation' }),
      ...places,
      message: (at) => message(owner === 'operation' ? 'the operation' : at),
    })
  const level = compareStability(state, tell, { base, revision })
  const [was, is] = [isDeprecated(base), isDeprecated(revision)]
  if (was && !is) {
    const message = (name: string) => `${capitalize(name)} is no longer deprecated`
    tell(`${owner}-reactivated`, { base: fieldPlace(base, 'deprecated'), revision, message })
  }
  if (is) compareSunset(state, tell, { owner, base, revision, was, level })
}

/** Reports a difference. Its message gets the name of the owner. */
type Tell = (code: Difference['code'], difference: Pick<Difference, 'message' | 'hint'> & PlacePair) => void

interface DeprecatedPair extends PlacePair {
  readonly owner: Owner
  /** Whether it was already deprecated. */
  readonly was: boolean
  readonly level: StabilityLevel
}

function compareSunset(state: ComparisonState, tell: Tell, { owner, base, revision, was, level }: DeprecatedPair): void {
  const { deprecationDays = { beta: 0, stable: 0 }, today } = state.options
  const days = level === 'beta' ? deprecationDays.beta : level === 'stable' ? deprecationDays.stable : 0
  const [from, to] = [readSunset(base), readSunset(revision)]
  const places = {
    base: was ? fieldPlace(base, 'x-sunset') : base,
    revision: fieldPlace(revision, to === undefined ? 'deprecated' : 'x-sunset'),
  }
  const isTooSoon = to !== undefined && days > 0 && to - toDay(today) < days
  if (Number.isNaN(to) || (was && Number.isNaN(from))) {
    tell('sunset-invalid', { ...places, message: (name) => `\`x-sunset\` of ${name} is not a date` })
  } else if (!was && to === undefined && days > 0) {
    const message = (name: string) => `${capitalize(name)} was deprecated without a sunset date`
    tell('sunset-missing', { ...places, message, hint: `Add \`x-sunset\` with a date at least ${days} days ahead` })
  } else if (!was && isTooSoon) {
    tell('sunset-too-soon', { ...places, message: (name) => `Sunset date of ${name} is less than ${days} days ahead` })
  } else if (!was) {
    const until = to === undefined ? '' : `, until ${toText(valueIn(revision, 'x-sunset')).slice(0, 10)}`
    tell(`${owner}-deprecated`, { ...places, message: (name) => `${capitalize(name)} was deprecated${until}` })
  } else if (from !== undefined && to === undefined) {
    tell('sunset-removed', { ...places, message: (name) => `Sunset date was removed from ${name}` })
  } else if (from !== undefined && to !== undefined && to < from && (days === 0 || isTooSoon)) {
    tell('sunset-moved-up', { ...places, message: (name) => `Sunset date of ${name} was moved to an earlier day` })
  } else if (from === undefined && to !== undefined) {
    tell('sunset-added', { ...places, message: (name) => `Sunset date was added to ${name}` })
  } else if (from !== to) {
    tell('sunset-postponed', { ...places, message: (name) => `Sunset date of ${name} was changed` })
  }
}

/** Compares `x-stability-level`. Returns that of the revision. */
function compareStability({ options }: ComparisonState, tell: Tell, pair: PlacePair): StabilityLevel {
  const [from, to] = [readStability(pair.base), readStability(pair.revision)]
  if (from === to && from !== undefined) return from
  const places = fieldPlaces(pair, 'x-stability-level')
  if (from === undefined || to === undefined) {
    tell('stability-invalid', { ...places, message: (name) => `Unknown stability level of ${name}` })
  } else if (isCompared(from, options)) {
    const code = stabilityLevels.indexOf(to) < stabilityLevels.indexOf(from) ? 'stability-lowered' : 'stability-raised'
    tell(code, { ...places, message: (name) => `Stability level of ${name} changed from \`${from}\` to \`${to}\`` })
  }
  return to ?? 'stable'
}

/** The code for a removed operation or parameter: unannounced, or deprecated with or without a sunset date in the future. */
export function removalCode(owner: 'operation' | 'parameter', place: Place, today: string): Difference['code'] {
  if (!isDeprecated(place)) return `${owner}-removed`
  const sunset = readSunset(place)
  if (Number.isNaN(sunset)) return 'sunset-invalid'
  if (owner === 'operation' && sunset === undefined) return 'operation-removed-undated'
  return sunset !== undefined && sunset > toDay(today) ? `${owner}-removed-early` : `${owner}-removed-deprecated`
}

/** The `x-sunset` in days since 1970: a date, or a date and time as in RFC 3339. `NaN` for anything else. */
function readSunset(owner: Place): number | undefined {
  const { value } = childPlace(owner, 'x-sunset')
  if (value === undefined) return undefined
  const isDate = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})?)?$/.test(toText(value))
  return isDate ? toDay(toText(value).slice(0, 10)) : Number.NaN
}

function isDeprecated(owner: Place): boolean {
  return valueIn(owner, 'deprecated') === true
}

const dayMs = 86_400_000

function toDay(date: string): number {
  return Math.floor(Date.parse(date) / dayMs)
}
