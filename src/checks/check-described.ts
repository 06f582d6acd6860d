import { toExample } from '../model/content.ts'
import { foundOf, hintOf, listMismatches, startMatch, toMatchSelected } from '../model/instances/match-schema.ts'
import { selectSchema } from '../model/schema.ts'
import {
  childPlace,
  type FollowReference,
  findKeywords,
  includesType,
  listPlaces,
  mapPlaces,
  toPlaceKey,
  typesIn,
  valueIn,
} from '../openapi/references/follow-reference.ts'
import { typeOfValue } from '../openapi/schema/json-schema.ts'
import type { DescribedValues } from '../openapi/walk.ts'
import { type Place, parseJson, parsePointer, pointerChild } from '../text/json/json-values.ts'
import { spendNodes, startBudget } from '../text/plain/limits.ts'
import { shorten } from '../text/plain/suggest.ts'
import type { Check, CheckContext } from './check-context.ts'

type MatchState = ReturnType<typeof startMatch>
type Mismatch = ReturnType<typeof listMismatches>[number]

/**
 * Reports examples, defaults and enum values that do not match their schemas, with all their mismatches.
 *
 * @see OpenAPI 3.1.1, "Media Type Object", "Parameter Object" and "Schema Object": `example`, `examples`, `default`, `enum`
 */
export function checkDescribed(
  { collected, follow, release, root, suggest }: CheckContext,
  reportAs: (code: DescribedValue['code']) => Parameters<Check>[1],
): void {
  const budget = startBudget('values')
  const state = startMatch(release, follow.find, () => spendNodes(budget), {
    findsAll: true,
    matchSelected: toMatchSelected((schema, file, value) => selectSchema(schema, file, value, { root, release, follow })),
  })
  /** Media types can share an example in `components`. */
  const reported = new Set<string>()
  for (const object of collected.described) {
    for (const described of object.kind === 'Schema' ? listOfSchema(object, follow) : listOfHolder(object, follow)) {
      for (const mismatch of matchDescribed(state, described)) {
        const problem = toProblem(described, mismatch, hintOf(mismatch, state, suggest))
        const key = `${toPlaceKey(problem.at)}\n${problem.message}`
        if (!reported.has(key)) reportAs(described.code)({ ...problem, section: `${object.kind} Object` })
        reported.add(key)
      }
    }
  }
}

function matchDescribed(state: MatchState, { place, schema, serialized }: DescribedValue): readonly Mismatch[] {
  const mismatches = listMismatches(state, schema, place.value)
  if (mismatches.length === 0 || serialized === 'never' || typeof place.value !== 'string') return mismatches
  const parsed = parseJson(place.value)
  const other = mismatches.find(isOfOtherType)
  // `a,b` may be a list that `style` serializes.
  if (parsed === undefined)
    return serialized === 'parameter' && /^a (?:list|mapping)/.test(other?.expected ?? '') ? [] : mismatches
  const ofParsed = listMismatches(state, schema, parsed)
  return ofParsed.length === 0 || (other && !ofParsed.some(isOfOtherType)) ? ofParsed : mismatches
}

function isOfOtherType({ path, keyword }: Mismatch): boolean {
  return path.length === 0 && keyword === 'type'
}

const fields = {
  'example-mismatch': 'an example',
  'default-mismatch': '`default`',
  'enum-mismatch': 'an entry of `enum`',
} as const

function toProblem({ code, place, schema }: DescribedValue, mismatch: Mismatch, hint: string | undefined) {
  const { path, on, expected } = mismatch
  const field = fields[code]
  const last = path.at(-1)
  const name = last === undefined ? field : typeof last === 'number' ? `an entry of ${field}` : `\`${shorten(last)}\` in ${field}`
  const message =
    on === 'key'
      ? `Unexpected ${foundOf(mismatch)} in ${field}, expected ${expected}`
      : `Unexpected ${foundOf(mismatch)} for ${name}, expected ${expected}`
  // The parts of JSON in a string have no location.
  const pointer = typeof place.value === 'string' ? place.pointer : path.reduce<string>(pointerChild, place.pointer)
  // The schema is visible if it contains the value.
  const isVisible = place.pointer.startsWith(`${schema.pointer}/`) && place.file === schema.file
  const related = isVisible ? [] : [{ file: schema.file, pointer: schema.pointer, on: 'key', message: 'the schema' } as const]
  return { at: { file: place.file, pointer }, message, on, related, hint }
}

/** One value with the schema that describes it. */
interface DescribedValue {
  readonly code: 'example-mismatch' | 'default-mismatch' | 'enum-mismatch'
  readonly place: Place
  readonly schema: Place
  /** Whether the value may be written as it is sent: a serialized parameter or header, or JSON in a string. */
  readonly serialized: 'parameter' | 'json' | 'never'
}

/** The examples, default and enum values of a schema. */
function listOfSchema(schema: DescribedValues, follow: FollowReference): DescribedValue[] {
  const examples = [childPlace(schema, 'example'), ...listPlaces(schema, 'examples')].flatMap((at) => findValue(at, follow))
  const types = typesIn(schema)
  const ofType = { ...schema, value: { type: valueIn(schema, 'type'), nullable: valueIn(schema, 'nullable') } }
  // Only those that may be wrong are compared, because documents have very many choices.
  const choices = types.length === 0 ? [] : listPlaces(schema, 'enum')
  const doubtful = choices.filter(({ value }) => !includesType(types, typeOfValue(value)))
  const describe = (code: DescribedValue['code'], places: readonly Place[], by: Place = schema) =>
    places.map((place) => ({ code, place, schema: by, serialized: 'never' }) as const)
  return [
    ...describe('example-mismatch', examples),
    ...describe('default-mismatch', findKeywords([schema], 'default')),
    ...describe('enum-mismatch', doubtful, ofType),
  ]
}

function listOfHolder(holder: DescribedValues, follow: FollowReference): DescribedValue[] {
  const schema = childPlace(holder, 'schema')
  const serialized = serializationOf(holder)
  if (schema.value === undefined || serialized === undefined) return []
  const named = mapPlaces(follow.end(childPlace(holder, 'examples')), undefined).map(({ place }) => follow.end(place))
  const written = [childPlace(holder, 'example'), ...named.map((example) => childPlace(example, 'value'))]
  const data = named.map((example) => childPlace(example, 'dataValue'))
  const toDescribed = (at: Place, how: DescribedValue['serialized']) =>
    findValue(at, follow).map((place) => ({ code: 'example-mismatch', place, schema, serialized: how }) as const)
  return [...written.flatMap((at) => toDescribed(at, serialized)), ...data.flatMap((at) => toDescribed(at, 'never'))]
}

function findValue(example: Place, follow: FollowReference): Place[] {
  return toExample(example, { follow }).flatMap(({ place }) => place ?? [])
}

/** Examples of media types other than JSON are strings that the schema does not describe. */
function serializationOf({ kind, pointer }: DescribedValues): DescribedValue['serialized'] | undefined {
  if (kind !== 'Media Type') return 'parameter'
  const name = parsePointer(pointer).at(-1) ?? ''
  return /[/+]json\b/i.test(name) || name === '*/*' ? 'json' : undefined
}
