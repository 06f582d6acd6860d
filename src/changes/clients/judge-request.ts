import { keywordIn, keywordsOf } from '../../model/schema.ts'
import { includesType, listTypes, valueIn } from '../../openapi/references/follow-reference.ts'
import { equalJson, schemaKeywords } from '../../openapi/schema/json-schema.ts'
import { type Place, parentPointer, parsePointer, valueAtPointer } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { countValues, nameAlternative, type OperationRecord, type Shape } from '../../traffic/client-file.ts'
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
  const { isShared, isCondition } = given.seen
  const isUnsure = verdict.effect === 'hurts' && (isShared || !isSamePart(given.change))
  return isCondition || isUnsure ? mayHurt(verdict.why) : verdict
}

/** Whether a change is in the same alternative, or in the same values of a map or list, in both versions. Otherwise, another part can allow the values. */
function isSamePart({ base, revision }: RequestCase['change']): boolean {
  const [from = '', to = ''] = [base?.pointer, revision?.pointer]
  const alternative = /^.*\/(?:oneOf|anyOf)\/[^/]+/.exec(from)?.[0]
  const isSame = alternative === undefined || to.startsWith(alternative) || to === parentPointer(alternative)
  return isSame && ofSome.exec(from)?.[0] === ofSome.exec(to)?.[0]
}

/** Keywords for some of the values that a record has together. */
const ofSome = /\/(?:(?:additional|unevaluated)Properties|patternProperties\/[^/]*|prefixItems\/\d+)/

const judges: { readonly [kind in Seen['kind']]: (given: RequestCase) => Verdict } = {
  operation({ change, record, rest, revision }) {
    if (rest.startsWith('/responses/')) return unused('never receives it')
    if (/^operation-(?:removed|moved)/.test(change.code)) return hurts('calls it')
    if (change.code === 'required-parameter-added') {
      const added = findPlace(change.revision, revision)
      const name = `\`${shorten(String(added && valueIn(revision.follow.end(added), 'name')))}\``
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

/** The place of a change in one of the documents, with what is written there. */
function findPlace(place: ChangePlace | null, { files = [], root }: ComparableDescription): Place | undefined {
  const file = [root, ...files].find((one) => one.file === place?.file)
  return place && file ? { ...place, value: valueAtPointer(file.value, place.pointer) } : undefined
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
  [/^additional-properties-forbidden$/, judgeOthers],
  // Without a place of its own, the property is one of several.
  [
    /^property-removed-from-closed-object$/,
    (_, { seen, change }) => (change.base?.pointer.endsWith(`/properties/${seen.property}`) ? hurts('sends it') : undefined),
  ],
  [/^(?:alternative-removed$|discriminator-value-)/, judgeAlternative],
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
  const [inner = '', ...others] = parsePointer(rest)
  const { use } = schemaKeywords.get(inner) ?? {}
  if (use === undefined || change.code === 'additional-properties-forbidden') {
    const rule = rules.find(([codes]) => codes.test(change.code))
    const verdict = rule?.[1](shape, given)
    if (verdict) return verdict
  }
  // No value has reached a schema inside of this one. Conditions apply to the value itself.
  const isUnreached = use === 'other' || (others.length > 0 && (use === 'named' || /^(?:oneOf|anyOf)$/.test(inner)))
  return isUnreached ? unused('never sends it') : mayHurt(`sends ${name}`)
}

function countObjects({ types }: Shape): number {
  return types.get('object') ?? 0
}

function judgeRequired({ change, seen, rest, revision, base }: RequestCase): Verdict {
  const places = [findPlace(change.revision, revision), findPlace(change.base, base)].flatMap((place) => place ?? [])
  // A property, or its name in a list.
  const [property] = places.flatMap(({ pointer, value }) => {
    const [around, name] = parsePointer(pointer).slice(-2)
    return around === 'properties' && name !== undefined ? name : typeof value === 'string' ? value : []
  })
  // A property of these values, or these values as a property.
  const isInside = /^\/(?:properties\/[^/]*|required(?:\/\d+)?)$/.test(rest)
  if (!isInside && schemaKeywords.has(parsePointer(rest)[0] ?? '')) return unused('never sends it')
  const owner = !isInside && seen.property === property && seen.around ? seen.around : seen.shape
  if (!owner || countObjects(owner) === 0) return unused(`never sends ${seen.name}`)
  const field = owner.fields.get(String(property))
  const lacking = countObjects(owner) - (field ? countValues(field) : 0)
  const name = `\`${shorten(String(property))}\``
  if (lacking === 0) return safe(`always sends ${name}`)
  const why = `${lacking} of ${countObjects(owner)} values lack ${name}`
  // It can be one of those that the document does not have.
  const wasHidden = !field && (owner.undocumented > 0 || owner.entries !== undefined)
  return wasHidden ? mayHurt(why) : hurts(why)
}

function judgeOthers({ entries, undocumented }: Shape, { change, rest }: RequestCase): Verdict {
  const isOther = rest === '' && change.base?.pointer.endsWith('/additionalProperties')
  return isOther || entries || undocumented > 0 ? hurts('sends other properties') : safe('sends no other properties')
}

/** Keywords that say more about the type. */
const others = ['$ref', 'allOf', 'oneOf', 'anyOf', 'multipleOf']

function judgeTypes({ types }: Shape, given: RequestCase): Verdict | undefined {
  const { change, seen, base, revision } = given
  const nulls = types.get('null') ?? 0
  if (change.code === 'became-not-nullable') return nulls > 0 ? hurts('sends `null`') : safe('never sends `null`')
  const [was, is] = [findPlace(change.base, base), findPlace(change.revision, revision)]
  const allowed = is ? listTypes(is.value) : []
  // Otherwise, the type is that of other schemas, or other keywords came with it.
  const around = is && findPlace({ ...is, pointer: parentPointer(is.pointer) }, revision)
  const isOwn = allowed.length > 0 && was?.pointer.endsWith('/type') && !equalJson(was.value, is?.value)
  const isAlone = around && !is.pointer.includes('/allOf/') && others.every((keyword) => valueIn(around, keyword) === undefined)
  if (!isOwn || !isAlone) return undefined
  const other = [...types.keys()].find((one) => one !== 'null' && !includesType(allowed, one))
  if (other === undefined) {
    const isNull = nulls > 0 && valueIn(around, 'nullable') !== true && !allowed.includes('null')
    return isNull ? hurts('sends `null`') : safe(`sends ${[...types.keys()].map((one) => `\`${one}\``).join(' and ')}`)
  }
  return seen.isText ? undefined : hurts(`sends \`${other}\``)
}

/** A value of an `enum` or a `const`, or one that only an alternative allows. */
function judgeWord({ words }: Shape, { change, base }: RequestCase): Verdict | undefined {
  const place = findPlace(change.base, base)
  const keywords = place ? keywordsOf(place) : {}
  const word = keywordIn(keywords, 'const') ?? keywords.enum?.[0] ?? place?.value
  return words.has(word) ? hurts(`sends \`${shorten(String(word))}\``) : undefined
}

const sizeLimits: readonly (readonly [RegExp, 'length' | 'items' | 'keys'])[] = [
  [/^(?:min|max)Length$/, 'length'],
  [/^(?:min|max)Items$/, 'items'],
  [/^(?:min|max)Properties$/, 'keys'],
]

function judgeLimit({ sizes, types }: Shape, given: RequestCase): Verdict | undefined {
  const keyword = parsePointer(given.change.revision?.pointer ?? '').at(-1) ?? ''
  const limit = findPlace(given.change.revision, given.revision)?.value
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

function judgeAlternative({ as }: Shape, { change, base, seen }: RequestCase): Verdict | undefined {
  const { value, pointer = '' } = findPlace(change.base, base) ?? {}
  // The entry of a mapping, or the alternative itself.
  const name =
    typeof value === 'string' ? value.replace(/^.*[/#]/s, '') : nameAlternative({ value, name: pointer.replace(/^.*\//s, '') })
  if (!as.has(name)) return undefined
  const sends = `sends \`${shorten(name)}\``
  // A text can match several.
  return as.size === 1 && !seen.isText ? hurts(sends) : mayHurt(sends)
}
