import { isObject, type JsonObject, type Place } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { type StabilityLevel, stabilityLevels } from '../change.ts'
import { type ComparisonState, type Difference, fieldPlace, fieldPlaces, report, type Scope } from './comparison.ts'
import type { PlacePair } from './name-place.ts'

/** The `x-stability-level` of an operation or property. Without one it is `stable`, and an unknown one is `undefined`. */
export function readStability(value: unknown): StabilityLevel | undefined {
  const level = isObject(value) ? value['x-stability-level'] : undefined
  return level === undefined ? 'stable' : stabilityLevels.find((known) => known === level)
}

/** Whether parts with this level are compared. */
export function isCompared(level: StabilityLevel | undefined, { stability = 'beta' }: ComparisonState['options']): boolean {
  return level === undefined || stabilityLevels.indexOf(level) >= stabilityLevels.indexOf(stability)
}

type Owner = 'operation' | 'parameter' | 'header' | 'property'

/** Compares `deprecated`, `x-sunset` and `x-stability-level` of an operation, parameter, header or property. */
export function compareDeprecation(state: ComparisonState, scope: Scope, owner: Owner, base: Place, revision: Place): void {
  if (!isObject(base.value) || !isObject(revision.value)) return
  const subject = owner === 'operation' ? ({ subject: 'operation' } as const) : {}
  const level = compareStability(state, scope, owner, base, revision)
  const [was, is] = [base.value['deprecated'] === true, revision.value['deprecated'] === true]
  const places = { base, revision: fieldPlace(revision, 'deprecated'), at: revision, ...subject }
  if (was && !is) {
    const message = (at: string) => `${capitalize(shortName(owner, at))} is no longer deprecated`
    report(scope, { code: `${owner}-reactivated`, ...places, base: fieldPlace(base, 'deprecated'), revision, message })
  }
  if (is) compareSunset(state, scope, { owner, base, revision, was, level, subject })
}

interface DeprecatedPair extends PlacePair {
  readonly owner: Owner
  /** Whether it was already deprecated. */
  readonly was: boolean
  readonly level: StabilityLevel
  readonly subject: { readonly subject?: 'operation' }
}

function compareSunset(state: ComparisonState, scope: Scope, pair: DeprecatedPair): void {
  const { owner, base, revision, was, level, subject } = pair
  const { deprecationDays = { beta: 0, stable: 0 }, today } = state.options
  const days = level === 'beta' ? deprecationDays.beta : level === 'stable' ? deprecationDays.stable : 0
  const [from, to] = [readSunset(base.value), readSunset(revision.value)]
  const places = {
    base: was ? fieldPlace(base, 'x-sunset') : base,
    revision: fieldPlace(revision, to === undefined ? 'deprecated' : 'x-sunset'),
    at: revision,
    ...subject,
  }
  const isTooSoon = typeof to === 'number' && days > 0 && to - toDay(today) < days
  if (to === 'invalid' || (was && from === 'invalid')) {
    const message = (at: string) => `\`x-sunset\` of ${shortName(owner, at)} is not a date`
    report(scope, { code: 'sunset-invalid', ...places, message })
  } else if (!was) {
    if (to === undefined && days > 0) {
      const message = (at: string) => `${capitalize(shortName(owner, at))} was deprecated without a sunset date`
      report(scope, {
        code: 'sunset-missing',
        ...places,
        message,
        hint: `Add \`x-sunset\` with a date at least ${days} days ahead`,
      })
    } else if (isTooSoon) {
      const message = (at: string) => `Sunset date of ${shortName(owner, at)} is less than ${days} days ahead`
      report(scope, { code: 'sunset-too-soon', ...places, message })
    } else {
      const until = to === undefined ? '' : `, until ${String((revision.value as JsonObject)['x-sunset']).slice(0, 10)}` // It is readable, so the value is a mapping.
      report(scope, {
        code: `${owner}-deprecated`,
        ...places,
        message: (at) => `${capitalize(shortName(owner, at))} was deprecated${until}`,
      })
    }
  } else if (typeof from === 'number' && to === undefined) {
    const message = (at: string) => `Sunset date was removed from ${shortName(owner, at)}`
    report(scope, { code: 'sunset-removed', ...places, message })
  } else if (typeof from === 'number' && typeof to === 'number' && to < from && (days === 0 || isTooSoon)) {
    const message = (at: string) => `Sunset date of ${shortName(owner, at)} was moved to an earlier day`
    report(scope, { code: 'sunset-moved-up', ...places, message })
  } else if (to !== undefined && from !== to) {
    const isAdded = from === undefined
    const message = (at: string) =>
      `Sunset date ${isAdded ? 'was added to' : 'of'} ${shortName(owner, at)}${isAdded ? '' : ' was changed'}`
    report(scope, { code: isAdded ? 'sunset-added' : 'sunset-postponed', ...places, message })
  }
}

function shortName(owner: Owner, at: string): string {
  return owner === 'operation' ? 'the operation' : at
}

/** Compares `x-stability-level`. Returns that of the revision. */
function compareStability(state: ComparisonState, scope: Scope, owner: Owner, base: Place, revision: Place): StabilityLevel {
  const [from, to] = [readStability(base.value), readStability(revision.value)]
  if (from === to && from !== undefined) return from
  const places = {
    ...fieldPlaces({ base, revision }, 'x-stability-level'),
    at: revision,
    ...(owner === 'operation' ? ({ subject: 'operation' } as const) : {}),
  }
  if (from === undefined || to === undefined) {
    const message = (at: string) => `Unknown stability level of ${shortName(owner, at)}`
    report(scope, { code: 'stability-invalid', ...places, message })
  } else if (isCompared(from, state.options)) {
    const code = stabilityLevels.indexOf(to) < stabilityLevels.indexOf(from) ? 'stability-lowered' : 'stability-raised'
    const message = (at: string) => `Stability level of ${shortName(owner, at)} changed from \`${from}\` to \`${to}\``
    report(scope, { code, ...places, message })
  }
  return to ?? 'stable'
}

/** The code for a removed operation or parameter: unannounced, or deprecated with or without a sunset date in the future. */
export function removalCode(owner: 'operation' | 'parameter', value: unknown, today: string): Difference['code'] {
  if (!isObject(value) || value['deprecated'] !== true) return `${owner}-removed`
  const sunset = readSunset(value)
  if (sunset === 'invalid') return 'sunset-invalid'
  if (owner === 'operation' && sunset === undefined) return 'operation-removed-undated'
  return sunset !== undefined && sunset > toDay(today) ? `${owner}-removed-early` : `${owner}-removed-deprecated`
}

/** The `x-sunset` in days since 1970: a date, or a date and time as in RFC 3339. */
function readSunset(value: unknown): number | 'invalid' | undefined {
  const text = isObject(value) ? value['x-sunset'] : undefined
  if (text === undefined) return undefined
  const isDate =
    typeof text === 'string' && /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})?)?$/.test(text)
  const time = isDate ? Date.parse(text.slice(0, 10)) : Number.NaN
  return Number.isNaN(time) ? 'invalid' : time / dayMs
}

const dayMs = 86_400_000

function toDay(date: string): number {
  return Math.floor(Date.parse(date) / dayMs)
}
