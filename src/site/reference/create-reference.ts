import type { DescriptionCheck } from '../../checks/check-description.ts'
import { readSchemaExamples } from '../../model/content.ts'
import { readKeywords } from '../../model/schema.ts'
import { type CollectedOperation, collectOperations, collectPathItems } from '../../openapi/read/collect-operations.ts'
import { childPlace, keepOrder, mapPlaces } from '../../openapi/references/follow-reference.ts'
import type { Description } from '../../openapi/types.ts'
import { type DescribedOperation, type GeneratedValues, readOperation } from '../../playground/request/read-operation.ts'
import { type Place, pointerChild } from '../../text/json/json-values.ts'
import { locatePointers } from '../../text/parse-source.ts'
import { groupBy } from '../../text/plain/lists.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { listGenerated } from './code-samples.ts'
import { findNamedSchemas, type ReferenceContext } from './context.ts'
import { toExampleView } from './schema-examples.ts'
import { listParts } from './schema-parts.ts'
import { sliceDescription } from './slice-description.ts'
import { surveySchemas } from './survey-schemas.ts'
import { type ApiView, toApiView } from './to-api-view.ts'
import { listSharedHeaders, toOperationView } from './to-operation-view.ts'
import { contentOf, toPartView, toTopSchemaView } from './to-schema-view.ts'
import type { OperationView, SchemaPageView, SchemaPart, SchemaView } from './types.ts'

/** A description as the site reads it. Views are created on demand, because each page needs only a few. */
export interface Reference {
  readonly description: Description
  readonly context: ReferenceContext
  /** By their name in a binding: `GET /pets`, with the methods of OpenAPI in upper case. */
  readonly operations: ReadonlyMap<string, CollectedOperation>
  /** By name, each with all its methods: `webhooks`, and `x-webhooks` of 3.0 documents. */
  readonly webhooks: ReadonlyMap<string, readonly CollectedOperation[]>
  /** Names under `components.schemas` of the entry document, in order, then those of schemas that other references lead to. */
  readonly schemaNames: readonly string[]
  /** Those of `schemaNames` that an operation or webhook reaches. */
  readonly usedSchemas: readonly NamedSchema[]
  /** The names, in lower case, of the headers that all responses have. */
  readonly sharedHeaders: ReadonlySet<string>
  /** What applies to the whole API. */
  readonly apiView: () => ApiView
  readonly operationView: (target: string) => OperationView | undefined
  /** @param documentUrl see `sliceDescription`; the same for all operations. */
  readonly describe: (target: string, documentUrl?: string) => DescribedPage | undefined
  /** All methods of a webhook. */
  readonly webhookViews: (name: string) => readonly OperationView[]
  readonly schemaView: (name: string) => SchemaPageView | undefined
  /** The parts of a named schema that have their own pages. */
  readonly schemaParts: (name: string) => readonly SchemaPart[]
  /** Adds the content of other schemas to the view of a part. */
  readonly partView: (part: SchemaPart) => SchemaView
}

/** An operation as the playground reads it, from its slice. */
interface DescribedPage {
  readonly json: string
  /** What the samples have and the slice does not. */
  readonly generated: GeneratedValues
  readonly operation: DescribedOperation | undefined
}

/** A schema with a page. */
export interface NamedSchema {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly deprecated: boolean
}

/**
 * Creates the reference of a checked description. Returns `undefined` if the description could not be read at all.
 *
 * @param labelFields See `ReferenceContext`. Default: none.
 */
export async function createReference(
  { description, documents, follow, sources, numbered = [] }: DescriptionCheck,
  labelFields: readonly string[] = [],
): Promise<Reference | undefined> {
  if (!description || !follow) return undefined
  for (const [file, schemas] of groupBy(numbered, (schema) => schema.file)) {
    const source = sources.get(file)
    if (source) await keepWrittenOrder(schemas, source)
  }
  const { entryPath, release } = description
  const root = { file: entryPath, pointer: '', value: documents.get(entryPath)?.parsed.value }
  const api = { root, release, follow }
  const context: ReferenceContext = { ...api, labelFields, named: findNamedSchemas(api) }
  const operations = new Map<string, CollectedOperation>()
  for (const entry of collectPathItems(root, 'paths', follow)) {
    for (const operation of collectOperations(entry, follow))
      operations.set(toTarget(operation.fields.method, entry.name), operation)
  }
  const webhooks = new Map<string, readonly CollectedOperation[]>()
  for (const field of ['webhooks', 'x-webhooks'] as const) {
    for (const entry of collectPathItems(root, field, follow)) {
      if (!webhooks.has(entry.name)) webhooks.set(entry.name, collectOperations(entry, follow))
    }
  }
  const operationView = cacheLast((target) => {
    const operation = operations.get(target)
    return operation && toOperationView(operation, 'operation', context)
  })
  // A single pass finds all uses. It also names schemas, so it comes before all views.
  const { used, uses } = surveySchemas({ operations, webhooks }, context)
  return {
    description,
    context,
    operations,
    webhooks,
    schemaNames: [...context.named.places.keys()],
    usedSchemas: used.flatMap((name) => toNamedSchema(name, context)),
    sharedHeaders: listSharedHeaders(operations.values(), context),
    apiView: () => toApiView(context),
    operationView,
    describe: cacheLast((target, documentUrl) => {
      const operation = operations.get(target)
      const view = operationView(target)
      if (!operation || !view) return undefined
      const { json, value } = sliceDescription({ kind: 'operation', operation }, context, documentUrl)
      const generated = listGenerated(view)
      return { json, generated, operation: readOperation(value, generated) }
    }),
    webhookViews: cacheLast((name) =>
      (webhooks.get(name) ?? []).map((operation) => toOperationView(operation, 'webhook', context)),
    ),
    schemaParts: (name) => {
      const content = contentOf({ name }, context)
      return content ? listParts([content], { name }) : []
    },
    partView: (part) => toPartView(part, context),
    schemaView: cacheLast((name) => {
      const place = context.named.places.get(name)
      if (!place) return undefined
      const schema = toTopSchemaView(place, context, { side: 'both', page: name })
      return { name, schema, examples: readSchemaExamples(place, context).map(toExampleView), usedBy: uses.get(name) ?? [] }
    }),
  }
}

function toNamedSchema(name: string, { named, follow }: ReferenceContext): NamedSchema[] {
  const place = named.places.get(name)
  if (!place) return []
  const own = readKeywords(Object(place.value))
  const whole = readKeywords(Object(follow.end(place).value))
  const [words, title] = [own.description ?? whole.description, own.title ?? whole.title]
  return [{ name, title, description: words?.trim() ? words : undefined, deprecated: whole.deprecated === true }]
}

/** Caches the last view, since the HTML, the Markdown and the search entry of a page are rendered one after another. */
function cacheLast<Value>(make: (name: string, url?: string) => Value): (name: string, url?: string) => Value {
  let last: { readonly name: string; readonly url: string | undefined; readonly value: Value } | undefined
  return (name, url) => {
    if (last?.name !== name || last.url !== url) last = { name, url, value: make(name, url) }
    return last.value
  }
}

/** The name of an operation in bindings and links. */
function toTarget(method: string, pathTemplate: string): string {
  return `${/^[a-z]+$/.test(method) ? method.toUpperCase() : method} ${pathTemplate}`
}

/** Makes the properties of schemas keep the order of their file. What an overlay added comes last. */
async function keepWrittenOrder(schemas: readonly Place[], source: SourceFile): Promise<void> {
  const maps = schemas.map((schema) => childPlace(schema, 'properties'))
  const names = maps.map((map) => mapPlaces(map, undefined).map(({ name }) => name))
  const pointers = maps.flatMap((map, index) => [
    map.pointer,
    ...(names[index] ?? []).map((name) => pointerChild(map.pointer, name)),
  ])
  const places = await locatePointers(source, pointers)
  for (const [index, map] of maps.entries()) {
    const around = places.get(map.pointer)
    const startOf = (name: string) => {
      const place = places.get(pointerChild(map.pointer, name))
      return place && place !== around ? place.value.start : Number.POSITIVE_INFINITY
    }
    const starts = new Map(names[index]?.map((name) => [name, startOf(name)]))
    const inOrder = [...starts].sort(([, left], [, right]) => (left === right ? 0 : left - right)).map(([name]) => name)
    keepOrder(map, inOrder)
  }
}
