import { readBody, readResponses } from '../../model/bodies.ts'
import { readContent, readHeaders } from '../../model/content.ts'
import { readParameters } from '../../model/parameters.ts'
import { readMapping } from '../../model/schema.ts'
import type { CollectedOperation } from '../../openapi/read/collect-operations.ts'
import {
  childPlace,
  findKeywords,
  isMapping,
  isReference,
  listPlaces,
  listProperties,
  mapPlaces,
  valueIn,
} from '../../openapi/references/follow-reference.ts'
import { type Place, parentPointer } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes, startBudget } from '../../text/plain/limits.ts'
import { addTo } from '../../text/plain/lists.ts'
import { keyOfParameter, nameAlternative, type OperationRecord, type Shape } from '../../traffic/client-file.ts'
import type { ChangePlace, ComparableDescription } from '../change.ts'

/** What a client is known to send or receive at a place of the document. */
export interface Seen {
  readonly direction: 'request' | 'response'
  readonly kind: 'operation' | 'parameter' | 'body' | 'content' | 'schema'
  /** Completes "sends …" and "receives …". */
  readonly name: string
  /** Absent if there were no values. */
  readonly shape?: Shape | undefined
  /** The values around a property, and its name. */
  readonly around?: Shape
  readonly property?: string
  /** The values were text, such as those of a query. */
  readonly isText?: boolean | undefined
  /** The schema is a condition, or excludes values, so that what it allows says nothing. */
  readonly isCondition?: boolean | undefined
  /** Some of the values can belong to another schema. */
  readonly isShared?: boolean | undefined
  /** The property of a response, as `reads` names it. */
  readonly path?: string
}

/** The places of an operation, with what a client sends and receives there. */
export interface SeenPlaces {
  /** What is known at a place, or at the nearest one around it, and the rest of its pointer. */
  readonly find: (place: ChangePlace) => { readonly seen: readonly Seen[]; readonly rest: string }
  /** Not all of the places are known, because a schema cannot be followed. */
  readonly isOpen: boolean
}

/** Finds the places of the document for everything that a client sends to an operation and receives from it. */
export function placeShapes(operation: CollectedOperation, record: OperationRecord, api: ComparableDescription): SeenPlaces {
  const places = new Map<string, Seen[]>()
  const walk: Walk = { places, api, budget: startBudget('values'), isOpen: false }
  const add = (at: readonly Place[], seen: Seen) => addSeen(walk, at, seen)
  add([operation.fields as unknown as Place, operation.operation], { direction: 'request', kind: 'operation', name: '' })
  for (const parameter of readParameters(operation, api).known) {
    const { entry, place, schema, name } = parameter
    const shape = record.parameters.get(keyOfParameter(parameter))
    const seen = { direction: 'request', name: `\`${name}\``, shape, isText: !parameter.content } as const
    add([entry, place], { ...seen, kind: 'parameter' })
    if (!schema) continue
    if (shape) placeSchema(walk, schema, { ...seen, kind: 'parameter', shape })
    else add(api.follow.chain(schema), { ...seen, kind: 'parameter' })
  }
  const placeContent = (owner: Place, bodies: ReadonlyMap<string, Shape>, direction: Seen['direction']) => {
    for (const { name, entry, place, schema, itemSchema } of readContent(owner, api)) {
      const shape = bodies.get(name)
      add([entry, place], { direction, kind: 'content', name: `\`${name}\``, shape })
      const seen = {
        direction,
        kind: 'schema',
        name: 'the body',
        shape,
        path: '',
        isText: /form|multipart|xml/.test(name),
      } as const
      for (const one of [schema, itemSchema]) if (one && shape) placeSchema(walk, one, { ...seen, shape })
    }
  }
  const body = readBody(operation.operation, api)
  if (body) {
    add([body.entry, body.place], { direction: 'request', kind: 'body', name: 'a body' })
    placeContent(body.place, record.sends, 'request')
  }
  for (const { entry, place, key, statusCode } of readResponses(operation.operation, api)) {
    const received = [...record.receives].filter(([status]) => isOf(status, key))
    if (received.length === 0) continue
    add([entry, place], { direction: 'response', kind: 'body', name: `\`${statusCode}\`` })
    for (const header of readHeaders(place, api)) {
      const shape = received.map(([, { headers }]) => headers.get(header.name)).find((one) => one !== undefined)
      const at = [header.entry, header.place, ...(header.schema ? api.follow.chain(header.schema) : [])]
      if (shape) add(at, { direction: 'response', kind: 'parameter', name: `\`${header.name}\``, shape })
    }
    for (const [, { body: bodies }] of received) placeContent(place, bodies, 'response')
  }
  return {
    isOpen: walk.isOpen || walk.budget.isShortened,
    find({ file, pointer }) {
      for (let around = pointer; ; around = parentPointer(around)) {
        const seen = places.get(`${file}\n${around}`)
        if (seen) return { seen, rest: pointer.slice(around.length) }
        if (around === '') return { seen: [], rest: pointer }
      }
    },
  }
}

/** Whether a response is for a status code. One for all of them can also be for those that have their own. */
function isOf(status: string, key: string): boolean {
  return key === 'default' || status === key || (key.endsWith('XX') && status.slice(0, 1) === key.slice(0, 1))
}

interface Walk {
  readonly places: Map<string, Seen[]>
  readonly api: ComparableDescription
  readonly budget: NodeBudget
  isOpen: boolean
}

type SeenValues = Seen & { readonly shape: Shape }

function addSeen({ places }: Walk, at: readonly Pick<Place, 'file' | 'pointer'>[], seen: Seen): void {
  for (const key of new Set(at.map(({ file, pointer }) => `${file}\n${pointer}`))) addTo(places, key, seen)
}

/** Keywords of one schema, which may apply to the same value. */
const conditions = ['not', 'if', 'then', 'else']
const itemKeywords = ['items', 'additionalItems', 'unevaluatedItems', 'contains']
const restKeywords = ['additionalProperties', 'unevaluatedProperties']

/** Adds values at a schema, and their parts at the schemas in it. */
function placeSchema(walk: Walk, schema: Place, seen: SeenValues, open: readonly unknown[] = []): void {
  const { api, budget } = walk
  const { follow } = api
  const chain = follow.chain(schema)
  addSeen(walk, chain, seen)
  if (!spendNodes(budget)) return
  for (const part of chain) {
    if (!isMapping(part) || open.includes(part.value)) continue
    if (isReference(part.value) && !follow.next(part)) walk.isOpen = true
    if (!follow.counts(part)) continue
    if (['$dynamicRef', '$recursiveRef'].some((keyword) => valueIn(part, keyword) !== undefined)) walk.isOpen = true
    const inside = [...open, part.value]
    for (const one of listPlaces(part, 'allOf')) placeSchema(walk, one, seen, inside)
    for (const keyword of conditions)
      for (const one of findKeywords([part], keyword)) placeSchema(walk, one, { ...seen, isCondition: true }, inside)
    for (const keyword of ['dependentSchemas', 'dependencies'])
      for (const { place } of mapPlaces(part, keyword)) placeSchema(walk, place, { ...seen, isCondition: true }, inside)
    for (const option of listOptions(part, seen.shape, api))
      placeSchema(walk, option, { ...seen, isShared: seen.isShared || seen.shape.as.size !== 1 }, inside)
    placeParts(walk, part, seen)
  }
}

/** The alternatives that values match; all of them if it is unknown. */
function listOptions(part: Place, { as }: Shape, api: ComparableDescription): Place[] {
  const options = ['anyOf', 'oneOf'].flatMap((keyword) =>
    listPlaces(part, keyword).map((place, index) => ({ place, name: nameAlternative({ value: place.value, name: index }) })),
  )
  const selected = readMapping(part, api).mapped.map(({ place }) => ({
    place,
    name: nameAlternative({ value: undefined, pointer: api.follow.end(place).pointer }),
  }))
  const all = [...options, ...selected]
  const known = all.filter(({ name }) => as.has(name))
  return (known.length > 0 ? known : all).map(({ place }) => place)
}

function placeParts(walk: Walk, part: Place, seen: SeenValues): void {
  const { shape, isText, isShared, isCondition, direction, path = '' } = seen
  const own = { direction, kind: 'schema', isText, isShared, isCondition } as const
  const properties = listProperties(part, walk.api.follow)
  for (const { name, place } of properties) {
    const field = shape.fields.get(name)
    const inner = { ...own, around: shape, property: name, name: `\`${name}\``, path: path === '' ? name : `${path}.${name}` }
    if (field) placeSchema(walk, place, { ...inner, shape: field })
    else addSeen(walk, walk.api.follow.chain(place).slice(0, 1), inner)
  }
  const { each, entries } = shape
  // All items of a list have one shape.
  const isTuple = ['prefixItems', 'contains'].some((keyword) => valueIn(part, keyword) !== undefined)
  if (each) {
    const items = [...findKeywords([part], 'items'), ...itemKeywords.slice(1).flatMap((keyword) => findKeywords([part], keyword))]
    const all = [
      ...items.flatMap((one) => (Array.isArray(one.value) ? one.value.map((_, index) => childPlace(one, index)) : one)),
      ...listPlaces(part, 'prefixItems'),
    ]
    for (const item of all)
      placeSchema(walk, item, {
        ...own,
        name: `items of ${seen.name}`,
        shape: each,
        path: `${path}[]`,
        isShared: isShared || isTuple,
      })
  }
  const named = new Set(properties.map(({ name }) => name))
  const others = [...shape.fields].flatMap(([name, field]) => (named.has(name) ? [] : field))
  const rest = [
    ...restKeywords.flatMap((keyword) => findKeywords([part], keyword)),
    ...mapPlaces(part, 'patternProperties').map(({ place }) => place),
  ]
  for (const inner of [...(entries ? [entries] : []), ...others])
    for (const place of rest)
      placeSchema(walk, place, { ...own, name: `values of ${seen.name}`, shape: inner, path: `${path}.*` })
}
