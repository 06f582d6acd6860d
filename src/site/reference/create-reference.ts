import type { DescriptionCheck } from '../../openapi/check-description.ts'
import { type CollectedOperation, childPlace, collectOperations, collectPathItems } from '../../openapi/collect-operations.ts'
import type { Description } from '../../openapi/types.ts'
import { isObject } from '../../source/is-object.ts'
import { type ReferenceContext, toReferenceContext } from './context.ts'
import { findSchemaUses } from './find-schema-uses.ts'
import { toSchemaExamples } from './schema-examples.ts'
import { type ApiView, toApiView } from './to-api-view.ts'
import { toOperationView } from './to-operation-view.ts'
import { toTopSchemaView } from './to-schema-view.ts'
import type { OperationView, SchemaPageView } from './types.ts'

/** A description as the site reads it. Views are created on demand, because each page needs only a few. */
export interface Reference {
  readonly description: Description
  readonly context: ReferenceContext
  /** By their name in a binding: `GET /pets`, with the methods of OpenAPI in upper case. */
  readonly operations: ReadonlyMap<string, CollectedOperation>
  /** By name, each with all its methods: `webhooks`, and `x-webhooks` of 3.0 documents. */
  readonly webhooks: ReadonlyMap<string, readonly CollectedOperation[]>
  /** Names under `components.schemas` of the entry document, in order. */
  readonly schemaNames: readonly string[]
  /** What applies to the whole API. */
  readonly apiView: () => ApiView
  readonly operationView: (target: string) => OperationView | undefined
  /** All methods of a webhook. */
  readonly webhookViews: (name: string) => readonly OperationView[]
  readonly schemaView: (name: string) => SchemaPageView | undefined
}

/**
 * Creates the reference of a checked description. Returns `undefined` if the description could not be read at all.
 *
 * @param hasPage whether a schema has a page. Deeply nested schemas with a page are linked, all others are expanded in place.
 */
export function createReference(
  { description, documents, follow }: DescriptionCheck,
  hasPage: (schemaName: string) => boolean = () => false,
): Reference | undefined {
  if (!description || !follow) return undefined
  const value = documents.get(description.entryPath)?.parsed.value
  const root = { file: description.entryPath, pointer: '', value }
  const context = toReferenceContext({
    root,
    release: description.release,
    follow,
    hasPage,
    documentValue: (file) => documents.get(file)?.parsed.value,
  })
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
  const { schemas } = context
  let uses: ReturnType<typeof findSchemaUses> | undefined
  return {
    description,
    context,
    operations,
    webhooks,
    schemaNames: isObject(schemas.value) ? Object.keys(schemas.value) : [],
    apiView: () => toApiView(context),
    operationView: cacheLast((target) => {
      const operation = operations.get(target)
      return operation && toOperationView(operation, 'operation', context)
    }),
    webhookViews: cacheLast((name) =>
      (webhooks.get(name) ?? []).map((operation) => toOperationView(operation, 'webhook', context)),
    ),
    schemaView: cacheLast((name) => {
      const place = childPlace(schemas, name)
      if (place.value === undefined) return undefined
      const schema = toTopSchemaView(place, context, { side: 'both', own: name })
      // A single pass finds all uses when the first page needs them.
      uses ??= findSchemaUses({ operations, webhooks }, context)
      return { name, schema, examples: toSchemaExamples(place, context), usedBy: uses.get(name) ?? [] }
    }),
  }
}

/** Caches the last view, since the HTML, the Markdown and the search entry of a page are rendered one after another. */
function cacheLast<Value>(make: (name: string) => Value): (name: string) => Value {
  let last: { readonly name: string; readonly value: Value } | undefined
  return (name) => {
    if (last?.name !== name) last = { name, value: make(name) }
    return last.value
  }
}

/** The name of an operation in bindings and links. */
function toTarget(method: string, pathTemplate: string): string {
  return `${/^[a-z]+$/.test(method) ? method.toUpperCase() : method} ${pathTemplate}`
}
