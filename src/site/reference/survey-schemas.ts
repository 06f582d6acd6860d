import { collectCallbackOperations } from '../../checks/check-description.ts'
import { readBody, readResponses } from '../../model/bodies.ts'
import { type DescribedValue, type MediaType, readContent, readEncodings, readHeaders } from '../../model/content.ts'
import { readParameters } from '../../model/parameters.ts'
import { readKeywords, readMapping } from '../../model/schema.ts'
import type { CollectedOperation } from '../../openapi/read/collect-operations.ts'
import { isReference, listProperties, schemasIn } from '../../openapi/references/follow-reference.ts'
import { schemaKeywords } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { findSchemaTarget, nameSchema, type ReferenceContext } from './context.ts'
import { hasInnerSchemas } from './merge-schema.ts'
import type { SchemaUse, UsePlace } from './types.ts'

/** Everything that can use schemas, by its name in links. */
interface SchemaUsers {
  readonly operations: ReadonlyMap<string, CollectedOperation>
  readonly webhooks: ReadonlyMap<string, readonly CollectedOperation[]>
}

/** What uses each named schema. */
export interface SchemaSurvey {
  /** The names that operations and webhooks reach, in document order; then those of schemas outside of `components.schemas`. */
  readonly used: readonly string[]
  /** By name, the places that use it. */
  readonly uses: ReadonlyMap<string, readonly SchemaUse[]>
}

/**
 * Finds the places that use each named schema, through unnamed schemas at any depth and in any file. A place that reaches a schema only through
 * another named one is a use of that one. Names the schemas that only references name (see `nameSchema`).
 *
 * Reads every schema once: the cost depends on the description, not on the number of pages.
 */
export function surveySchemas({ operations, webhooks }: SchemaUsers, context: ReferenceContext): SchemaSurvey {
  const uses = new Map<string, Map<string, SchemaUse>>()
  const reach = toReach(context, true)
  const used = new Set<string>()
  const add = (name: string, use: SchemaUse) => {
    getOrMake(uses, name, () => new Map<string, SchemaUse>()).set(JSON.stringify(use), use)
  }
  const addOperation = (operation: CollectedOperation, from: Pick<SchemaUse, 'kind' | 'target'>) => {
    for (const { place, schema } of listOperationSchemas(operation, context)) {
      for (const { name } of reach(schema)) {
        add(name, { ...from, place })
        used.add(name)
      }
    }
  }
  for (const [target, operation] of operations) addOperation(operation, { kind: 'operation', target })
  for (const [target, methods] of webhooks) for (const method of methods) addOperation(method, { kind: 'webhook', target })
  const inner = new Map<string, ReturnType<typeof reach>>()
  const innerOf = (name: string, list = reach) => {
    const place = context.named.places.get(name)
    return getOrMake(inner, name, () => (place ? list(place) : []))
  }
  // Iterating a set includes values that are added meanwhile.
  for (const name of used) for (const found of innerOf(name)) used.add(found.name)
  // What only unused schemas name would have no page.
  const reachNamed = toReach(context, false)
  for (const target of context.named.places.keys()) {
    for (const { name, within } of innerOf(target, reachNamed)) {
      // A schema in a separate file does not use itself.
      if (name !== target || within !== itself) add(name, { kind: 'schema', target, place: within })
    }
  }
  return {
    used: [...context.named.places.keys()].filter((name) => used.has(name)),
    uses: new Map([...uses].map(([name, places]) => [name, [...places.values()]])),
  }
}

/** Returns a function that lists the named schemas that a schema reaches without passing another one. */
function toReach(context: ReferenceContext, isNaming: boolean): (schema: Place) => { name: string; within: UsePlace }[] {
  const direct = new Map<unknown, DirectSchemas>()
  return (schema) => {
    const found: { name: string; within: UsePlace }[] = []
    const seen = new Set<unknown>()
    const waiting: { readonly place: Place; readonly within: UsePlace | undefined }[] = [{ place: schema, within: undefined }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { place, within } = next
      if (seen.has(place.value)) continue
      seen.add(place.value)
      const { named, others } = getOrMake(direct, place.value, () => listDirectSchemas(place, context, isNaming))
      for (const one of named) found.push({ name: one.name, within: joinWithin(within, one.within) ?? itself })
      for (const one of others) waiting.push({ place: one.place, within: joinWithin(within, one.within) })
    }
    return found
  }
}

/** The schemas that a schema and everything written in it refer to. */
interface DirectSchemas {
  /** Named schemas and their place in the schema: `property owner.address`, `all of`, `items`. */
  readonly named: readonly { readonly name: string; readonly within: UsePlace }[]
  /** Unnamed schemas, which have to be searched. */
  readonly others: readonly { readonly place: Place; readonly within: UsePlace | undefined }[]
}

/** Lists the references of a schema, followed up to the first named schema. */
function listDirectSchemas(schema: Place, context: ReferenceContext, isNaming: boolean): DirectSchemas {
  const named: { name: string; within: UsePlace }[] = []
  const others: { place: Place; within: UsePlace | undefined }[] = []
  const visit = (place: Place, within: UsePlace | undefined) => {
    // Most schemas have and name no others.
    if (!hasInnerSchemas(place)) return
    if (isReference(place.value)) {
      const [, ...chain] = context.follow.chain(place)
      const targets = chain.flatMap((one) => findSchemaTarget(context, one) ?? [])
      const end = chain.at(-1)
      // A body that is the content of another response or request is shown in its place.
      const isContent = within === undefined && /\/content\/[^/]+\/(?:schema|itemSchema)$/.test(end?.pointer ?? '')
      if (isNaming && targets.length === 0 && !isContent && end && hasNestedSchemas(end)) targets.push(nameSchema(context, end))
      for (const { name } of targets) named.push({ name, within: within ?? itself })
      if (targets.length === 0 && end) others.push({ place: end, within })
    }
    for (const [key, words] of innerWords)
      for (const member of schemasIn(place, key, schemaKeywords.get(key)?.holds)) visit(member, within ?? word(words))
    for (const { name, place: property } of listProperties(place, context.follow))
      visit(property, joinWithin(within, { kind: 'property', name }))
    const { property = '', mapped } = readMapping(place, context)
    for (const one of mapped) {
      const target = findSchemaTarget(context, one.place)
      if (target) named.push({ name: target.name, within: within ?? { kind: 'by', name: property } })
    }
  }
  visit(schema, undefined)
  return { named, others }
}

/** Whether a schema has content below its row. Values without any do not need a page. */
function hasNestedSchemas({ value }: Place): boolean {
  return Object.entries(readKeywords(Object(value))).some(([key, one]) => schemaKeywords.has(key) && typeof one === 'object')
}

/** Joins two places. Only steps through properties are shown. */
function joinWithin(outer: UsePlace | undefined, inner: UsePlace | undefined): UsePlace | undefined {
  if (inner?.kind !== 'property') return outer ?? inner
  return outer?.kind === 'property' ? { kind: 'property', name: `${outer.name}.${inner.name}` } : inner
}

const word = (name: string): UsePlace => ({ kind: 'word', name })

const itself = word('the same')

/** What the schemas in a keyword are for. */
const innerWords = [
  ['items', 'items'],
  ['contains', 'items'],
  ['unevaluatedItems', 'items'],
  ['additionalProperties', 'other keys'],
  ['unevaluatedProperties', 'other keys'],
  ['propertyNames', 'keys'],
  ['contentSchema', 'content'],
  ['not', 'not'],
  ['if', 'condition'],
  ['then', 'condition'],
  ['else', 'condition'],
  ['allOf', 'all of'],
  ['oneOf', 'one of'],
  ['anyOf', 'any of'],
  ['prefixItems', 'items'],
  ['patternProperties', 'other keys'],
  ['dependentSchemas', 'condition'],
] as const

/** A schema of an operation and its role. */
interface OperationSchema {
  readonly place: UsePlace
  readonly schema: Place
}

/** The schemas of an operation and its callbacks in document order. */
function listOperationSchemas(operation: CollectedOperation, context: ReferenceContext): OperationSchema[] {
  const callbacks = collectCallbackOperations([operation], context)
  return [
    ...listOwnSchemas(operation, context),
    ...callbacks.flatMap((callback) =>
      listOwnSchemas(callback, context).map(({ place, schema }) => ({ place: { ...place, isCallback: true }, schema })),
    ),
  ]
}

function listOwnSchemas(operation: CollectedOperation, context: ReferenceContext): OperationSchema[] {
  const mediaTypeSchemas = (mediaType: MediaType, place: UsePlace) => {
    const headers = readEncodings(mediaType.place, context).named.flatMap((encoding) => encoding.headers)
    return toSchemas([mediaType.schema, mediaType.itemSchema, ...headers.map((header) => header.schema)], place)
  }
  const contentSchemas = (owner: Place, place: UsePlace) =>
    readContent(owner, context).flatMap((mediaType) => mediaTypeSchemas(mediaType, place))
  const valueSchemas = ({ schema, content }: DescribedValue, place: UsePlace) =>
    content ? mediaTypeSchemas(content, place) : toSchemas([schema], place)
  const body = readBody(operation.operation, context)
  return [
    ...readParameters(operation, context).known.flatMap((one) => valueSchemas(one, { kind: 'parameter', name: one.name })),
    ...(body ? contentSchemas(body.place, word('body')) : []),
    ...readResponses(operation.operation, context).flatMap(({ statusCode, place }) => [
      ...contentSchemas(place, { kind: 'response', name: statusCode }),
      ...readHeaders(place, context).flatMap((header) => valueSchemas(header, { kind: 'header', name: header.name })),
    ]),
  ]
}

function toSchemas(schemas: readonly (Place | undefined)[], place: UsePlace): OperationSchema[] {
  return schemas.flatMap((schema) => (schema ? [{ place, schema }] : []))
}
