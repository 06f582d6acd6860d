import type { Finding } from '../diagnostics/diagnostic.ts'
import { findExampleValue } from '../model/content.ts'
import { hintOf, listMismatches, startMatch } from '../model/instances/match-schema.ts'
import { childPlace, type FollowReference } from '../openapi/references/follow-reference.ts'
import { citedEdition, type DescribedValues } from '../openapi/walk.ts'
import { isObject, type Place, parseJson, parsePointer, pointerChild } from '../text/json/json-values.ts'
import { spendNodes, startBudget } from '../text/plain/limits.ts'
import { shorten } from '../text/plain/suggest.ts'
import type { CheckContext } from './check-context.ts'

type MatchState = ReturnType<typeof startMatch>
type Mismatch = ReturnType<typeof listMismatches>[number]

/**
 * Reports examples, defaults and enum values that do not match their schemas, with all their mismatches.
 *
 * @see OpenAPI 3.1.1, "Media Type Object", "Parameter Object" and "Schema Object": `example`, `examples`, `default`, `enum`
 */
export function checkDescribed(
  { collected, follow, release, suggest }: CheckContext,
  find: (file: string, reference: string) => Place | undefined,
  report: (finding: Finding) => void,
): void {
  const budget = startBudget('values')
  const state = startMatch(release, find, () => spendNodes(budget), { findsAll: true })
  /** Media types can share an example in `components`. */
  const reported = new Set<string>()
  for (const object of collected.described) {
    for (const described of listDescribed(object, follow)) {
      for (const mismatch of matchDescribed(state, described)) {
        const section = `OpenAPI ${citedEdition[release]}, ${object.kind} Object`
        const finding = { ...toFinding(described, mismatch, hintOf(mismatch, state, suggest)), section }
        const key = `${finding.file}\n${finding.pointer}\n${finding.message}`
        if (!reported.has(key)) report(finding)
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

function toFinding({ code, place, schema }: DescribedValue, { path, on, found, expected }: Mismatch, hint: string | undefined) {
  const field = fields[code]
  const last = path.at(-1)
  const name = last === undefined ? field : typeof last === 'number' ? `an entry of ${field}` : `\`${shorten(last)}\` in ${field}`
  const message =
    on === 'key'
      ? `Unexpected ${found} in ${field}, expected ${expected}`
      : `Unexpected ${found} for ${name}, expected ${expected}`
  // The parts of JSON in a string have no location.
  const pointer = typeof place.value === 'string' ? place.pointer : path.reduce<string>(pointerChild, place.pointer)
  // The schema is visible if it contains the value.
  const isVisible = place.pointer.startsWith(`${schema.pointer}/`) && place.file === schema.file
  const related = isVisible ? [] : [{ file: schema.file, pointer: schema.pointer, on: 'key', message: 'the schema' } as const]
  return { code, message, file: place.file, pointer, on, related, ...(hint === undefined ? {} : { hint }) }
}

/** One value with the schema that describes it. */
interface DescribedValue {
  readonly code: 'example-mismatch' | 'default-mismatch' | 'enum-mismatch'
  readonly place: Place
  readonly schema: Place
  /** Whether the value may be written as it is sent: a serialized parameter or header, or JSON in a string. */
  readonly serialized: 'parameter' | 'json' | 'never'
}

/** Lists the examples, defaults and enum values of a collected object. */
function listDescribed(object: DescribedValues, follow: FollowReference): DescribedValue[] {
  return object.kind === 'Schema' ? listOfSchema(object, follow) : listOfHolder(object, follow)
}

function listOfSchema(schema: DescribedValues, follow: FollowReference): DescribedValue[] {
  const found: DescribedValue[] = []
  const add = (code: DescribedValue['code'], at: Place) => {
    const place = code === 'example-mismatch' ? findExampleValue(at, { follow }) : at
    if (place) found.push({ code, place, schema, serialized: 'never' })
  }
  if (Object.hasOwn(schema.value, 'example')) add('example-mismatch', childPlace(schema, 'example'))
  if (Array.isArray(schema.value['examples'])) {
    const examples = childPlace(schema, 'examples')
    for (const index of schema.value['examples'].keys()) add('example-mismatch', childPlace(examples, index))
  }
  if (Object.hasOwn(schema.value, 'default')) add('default-mismatch', childPlace(schema, 'default'))
  const { type, nullable } = schema.value
  const listed = schema.value['enum']
  if (type !== undefined && Array.isArray(listed)) {
    const choices = childPlace(schema, 'enum')
    const ofType = { ...schema, value: { type, nullable } }
    listed.forEach((_, index) => {
      found.push({ code: 'enum-mismatch', place: childPlace(choices, index), schema: ofType, serialized: 'never' })
    })
  }
  return found
}

function listOfHolder(holder: DescribedValues, follow: FollowReference): DescribedValue[] {
  const schema = childPlace(holder, 'schema')
  const serialized = serializationOf(holder)
  if (schema.value === undefined || serialized === undefined) return []
  const found: DescribedValue[] = []
  const add = (at: Place, how = serialized) => {
    const place = findExampleValue(at, { follow })
    if (place) found.push({ code: 'example-mismatch', place, schema, serialized: how })
  }
  if (Object.hasOwn(holder.value, 'example')) add(childPlace(holder, 'example'))
  const examples = follow.end(childPlace(holder, 'examples'))
  for (const name of isObject(examples.value) ? Object.keys(examples.value) : []) {
    const example = follow.end(childPlace(examples, name))
    if (!isObject(example.value)) continue
    if (Object.hasOwn(example.value, 'value')) add(childPlace(example, 'value'))
    if (Object.hasOwn(example.value, 'dataValue')) add(childPlace(example, 'dataValue'), 'never')
  }
  return found
}

/** Examples of media types other than JSON are strings that the schema does not describe. */
function serializationOf({ kind, pointer }: DescribedValues): DescribedValue['serialized'] | undefined {
  if (kind !== 'Media Type') return 'parameter'
  const name = parsePointer(pointer).at(-1) ?? ''
  return /[/+]json\b/i.test(name) || name === '*/*' ? 'json' : undefined
}
