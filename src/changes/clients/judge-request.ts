import { keywordsOf } from '../../model/schema.ts'
import { includesType, listTypes } from '../../openapi/references/follow-reference.ts'
import { schemaKeywords } from '../../openapi/schema/json-schema.ts'
import { isObject, type Place, parsePointer, readOwn, readText, valueAtPointer } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import type { OperationRecord } from '../../traffic/record-client.ts'
import { countValues, nameAlternative, type Shape } from '../../traffic/shapes.ts'
import type { ChangePlace, ClientEffect, ComparableDescription, UnlocatedChange } from '../change.ts'
import type { Seen } from './place-shapes.ts'

/** What a change does to a client, and why: completes "`checkout-web` …". */
export type Verdict = Pick<ClientEffect, 'effect' | 'why'>

/** A change, and what of its request a client is known to send. */
export interface RequestCase {
  readonly change: UnlocatedChange
  readonly record: OperationRecord
  readonly seen: Seen
  /** The pointer from the place of `seen` to that of the change. */
  readonly rest: string
  readonly base: ComparableDescription
  readonly revision: ComparableDescription
}

const safe = (why: string): Verdict => ({ effect: 'safe', why })
const hurts = (why: string): Verdict => ({ effect: 'hurts', why })
const mayHurt = (why: string): Verdict => ({ effect: 'may-hurt', why })
const unused = (why: string): Verdict => ({ effect: 'unused', why })

/** What a change of requests does to a client, by what it sends at the place of the change. */
export function judgeRequest(given: RequestCase): Verdict {
  const verdict = judges[given.seen.kind](given)
  const isSure = verdict.effect !== 'hurts' || !given.seen.isShared
  return isSure ? verdict : mayHurt(verdict.why)
}

const judges: { readonly [kind in Seen['kind']]: (given: RequestCase) => Verdict } = {
  operation({ change, record, revision }) {
    if (/^operation-(?:removed|moved)/.test(change.code)) return hurts('calls it')
    if (change.code === 'required-parameter-added') {
      const name = `\`${shorten(readText(valueAt(change.revision, revision), 'name') ?? '')}\``
      return record.undocumented > 0 ? mayHurt('sends undocumented parameters') : hurts(`never sends ${name}`)
    }
    if (change.code === 'required-body-added')
      return record.withoutBody > 0 ? hurts(countOf(record.withoutBody, record, 'have no body')) : safe('always sends a body')
    return mayHurt('calls it')
  },

  parameter({ change, record, seen, ...given }) {
    const { name, shape } = seen
    const lacking = record.count - (shape ? countValues(shape) : 0)
    if (change.code === 'parameter-became-required')
      return lacking > 0 ? hurts(countOf(lacking, record, `lack ${name}`)) : safe(`always sends ${name}`)
    if (/default-changed$/.test(change.code))
      return lacking > 0 ? mayHurt(countOf(lacking, record, `omit ${name}`)) : safe(`always sends ${name}`)
    if (!shape) return unused(`never sends ${name}`)
    if (/^parameter-removed/.test(change.code))
      return change.level === 'risky' ? mayHurt(`sends ${name}`) : hurts(`sends ${name}`)
    return judgeValues({ change, record, seen, ...given })
  },

  body({ change, record }) {
    if (change.code === 'body-became-required')
      return record.withoutBody > 0 ? hurts(countOf(record.withoutBody, record, 'have no body')) : safe('always sends a body')
    if (record.sends.size === 0) return unused('never sends a body')
    return change.code === 'body-removed' ? hurts('sends a body') : mayHurt('sends a body')
  },

  content({ change, record, seen: { name, shape } }) {
    if (!shape) return record.sends.size > 0 ? safe('sends another media type') : unused('never sends a body')
    return change.code === 'media-type-removed' ? hurts(`sends ${name}`) : mayHurt(`sends ${name}`)
  },

  schema: judgeValues,
}

/** What is written at a place. */
function writtenAt(place: ChangePlace | null, { files = [], root }: ComparableDescription): Place | undefined {
  const file = [root, ...files].find((one) => one.file === place?.file)
  return place && file ? { ...place, value: valueAtPointer(file.value, place.pointer) } : undefined
}

function valueAt(place: ChangePlace | null, api: ComparableDescription): unknown {
  const written = writtenAt(place, api)
  return written && api.follow.end(written).value
}

function countOf(count: number, { count: all }: { readonly count: number }, what: string): string {
  return `${count} of ${all} requests ${what}`
}

/** Codes with what they mean for values that are known to be sent. The first that matches counts; others may hurt. */
const rules: readonly (readonly [RegExp, (values: Shape, given: RequestCase) => Verdict | undefined])[] = [
  [/^type-|^became-not-nullable$/, judgeTypes],
  [/^(?:extensible-)?enum-value-removed$/, (values, given) => judgeWord(values, given) ?? safe('never sends it')],
  [/^const-changed$/, judgeWord],
  [/^limit-/, judgeLimit],
  [
    /^additional-properties-forbidden$/,
    ({ entries, undocumented }) => (entries || undocumented > 0 ? hurts('sends others') : safe('sends no others')),
  ],
  [/^property-removed-from-closed-object$/, () => hurts('sends it')],
  [/^alternative-removed$/, judgeAlternative],
  [/^discriminator-value-/, judgeAlternative],
]

/** The values at a schema. */
function judgeValues(given: RequestCase): Verdict {
  const { change, seen, rest } = given
  const { shape, around, name } = seen
  if (/^(?:required-property-(?:added|no-longer)|property-became-required)/.test(change.code)) return judgeRequired(given)
  if (change.code === 'default-changed' && around) {
    const lacking = countObjects(around) - (shape ? countValues(shape) : 0)
    return lacking > 0 ? mayHurt(`${lacking} of ${countObjects(around)} values omit ${name}`) : safe(`always sends ${name}`)
  }
  if (!shape || countValues(shape) === 0) return unused(`never sends ${name}`)
  const rule = rules.find(([codes]) => codes.test(change.code))
  const verdict = rule?.[1](shape, given)
  if (verdict) return verdict
  // No value has reached a schema inside of this one. Conditions apply to the value itself.
  const [inner = ''] = parsePointer(rest)
  const { use } = schemaKeywords.get(inner) ?? {}
  const isUnreached = use === 'named' || use === 'other' || (use === 'case' && /^(?:oneOf|anyOf)$/.test(inner))
  return isUnreached ? unused('never sends it') : mayHurt(`sends ${name}`)
}

function countObjects({ types }: Shape): number {
  return types.get('object') ?? 0
}

function judgeRequired({ change, seen, revision, base }: RequestCase): Verdict {
  const places = [change.revision, change.base].flatMap((place) => (place ? parsePointer(place.pointer) : []))
  const at = places.lastIndexOf('properties')
  const listed = [valueAt(change.revision, revision), valueAt(change.base, base)].find((one) => typeof one === 'string')
  const last = [change.revision, change.base].map((place) => (place ? parsePointer(place.pointer).slice(-2) : []))
  const property = last.find(([keyword]) => keyword === 'properties')?.[1] ?? listed ?? (at === -1 ? undefined : places[at + 1])
  const owner = seen.property === property && seen.around ? seen.around : seen.shape
  if (!owner || countObjects(owner) === 0) return unused(`never sends ${seen.name}`)
  const field = owner.fields.get(String(property))
  const lacking = countObjects(owner) - (field ? countValues(field) : 0)
  const name = `\`${shorten(String(property))}\``
  if (lacking === 0) return safe(`always sends ${name}`)
  const why = `${lacking} of ${countObjects(owner)} values lack ${name}`
  // A property that is new can be one of those that the document did not have.
  const wasHidden = change.code === 'required-property-added' && (owner.undocumented > 0 || owner.entries !== undefined)
  return wasHidden ? mayHurt(why) : hurts(why)
}

/** The schema of the revision that has the changed keyword. */
function schemaIn({ change, revision }: RequestCase) {
  const { revision: place } = change
  if (!place) return {}
  const segments = parsePointer(place.pointer)
  const tail = /^\d+$/.test(segments.at(-1) ?? '') ? -2 : -1
  const isKeyword = /^(?:type|nullable|enum|const|(?:min|max)\w*|exclusive\w*|uniqueItems|multipleOf|x-extensible-enum)$/
  const isInKeyword =
    isKeyword.test(segments.at(tail) ?? '') &&
    !/^(?:properties|patternProperties|\$defs|schemas)$/.test(segments.at(tail - 1) ?? '')
  const around = isInKeyword ? segments.slice(0, tail) : segments
  const pointer = around.map((one) => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const value = valueAt({ ...place, pointer }, revision)
  return isObject(value) ? keywordsOf({ file: place.file, pointer, value } satisfies Place) : {}
}

function judgeTypes({ types }: Shape, given: RequestCase): Verdict | undefined {
  const { change, seen } = given
  const nulls = types.get('null') ?? 0
  if (change.code === 'became-not-nullable') return nulls > 0 ? hurts('sends `null`') : safe('never sends `null`')
  const { type, nullable, $ref, allOf, oneOf, anyOf } = schemaIn(given)
  const allowed = listTypes(type)
  // Other schemas apply, too.
  const isAlone = !($ref ?? allOf ?? oneOf ?? anyOf) && !change.revision?.pointer.includes('/allOf/')
  if (allowed.length === 0 || !isAlone) return undefined
  const other = [...types.keys()].find((one) => one !== 'null' && !includesType(allowed, one))
  if (other === undefined) {
    const isNull = nulls > 0 && nullable !== true && !allowed.includes('null')
    return isNull ? hurts('sends `null`') : safe(`sends ${[...types.keys()].map((one) => `\`${one}\``).join(' and ')}`)
  }
  return seen.isText ? undefined : hurts(`sends \`${other}\``)
}

/** A value of an `enum` or a `const`, or one that only an alternative allows. */
function judgeWord({ words }: Shape, { change, base }: RequestCase): Verdict | undefined {
  const value = valueAt(change.base, base)
  const word: unknown = isObject(value) ? (readOwn(value, 'const') ?? [readOwn(value, 'enum')].flat()[0]) : value
  return words.has(word) ? hurts(`sends \`${shorten(String(word))}\``) : undefined
}

const sizeLimits: readonly (readonly [RegExp, 'length' | 'items' | 'keys'])[] = [
  [/^(?:min|max)Length$/, 'length'],
  [/^(?:min|max)Items$/, 'items'],
  [/^(?:min|max)Properties$/, 'keys'],
]

function judgeLimit({ sizes, types }: Shape, given: RequestCase): Verdict | undefined {
  const keyword = parsePointer(given.change.revision?.pointer ?? '').at(-1) ?? ''
  const limit = schemaIn(given)[keyword]
  if (keyword === 'uniqueItems') return (sizes.get('items')?.[1] ?? 0) > 1 ? undefined : safe('sends no list of several items')
  const counted = sizeLimits.find(([keywords]) => keywords.test(keyword))?.[1]
  if (/^(?:min|max|exclusive|multiple)/.test(keyword) && !counted)
    return types.has('integer') || types.has('number') ? undefined : safe('sends no number')
  if (!counted || typeof limit !== 'number') return undefined
  const range = sizes.get(counted)
  if (!range) return safe('sends none')
  const [least, most] = range
  const size = keyword.startsWith('min') ? least : most
  const isBroken = keyword.startsWith('min') ? least < limit : most > limit
  const what = counted === 'length' ? `length ${size}` : `${size} ${counted}`
  return isBroken ? hurts(`sends ${what}`) : safe(`sends ${what}`)
}

function judgeAlternative({ as }: Shape, { change, base }: RequestCase): Verdict | undefined {
  const { value, pointer = '' } = writtenAt(change.base, base) ?? {}
  // The entry of a mapping, or the alternative itself.
  const name =
    typeof value === 'string'
      ? value.replace(/^.*[/#]/s, '')
      : nameAlternative({ value, name: pointer.replace(/^.*\//s, '') })
  if (!as.has(name)) return undefined
  const sends = `sends \`${shorten(name)}\``
  return as.size === 1 ? hurts(sends) : mayHurt(sends)
}
