import { type NodeBudget, spendNodes, startBudget } from '../../text/plain/limits.ts'
import { emptySchemaView, mergeFacts, withoutNull } from './schema-outline.ts'
import { endsWithNull, textPart } from './type-words.ts'
import type { MediaTypeView, OperationView, SchemaCut, SchemaPart, SchemaSide, SchemaTarget, SchemaView } from './types.ts'

/** Creates a view with other views of nested schemas. Returns the same object if all of them are the same. */
function mapSchemas(view: SchemaView, map: (schema: SchemaView, isRow: boolean) => SchemaView): SchemaView {
  if (isLeaf(view)) return view
  let isSame = true
  const toOther = (schema: SchemaView, isRow: boolean) => {
    const other = map(schema, isRow)
    if (other !== schema) isSame = false
    return other
  }
  const toRow = <Part extends { readonly schema: SchemaView }>(part: Part) => {
    const schema = toOther(part.schema, true)
    return schema === part.schema ? part : { ...part, schema }
  }
  const mapped = {
    properties: view.properties.map(toRow),
    otherKeys: view.otherKeys.map(toRow),
    prefixItems: view.prefixItems.map((schema) => toOther(schema, true)),
    items: view.items && toOther(view.items, false),
    choices: view.choices.map((choice) => ({
      ...choice,
      options: choice.options.map((option) => ({ ...option, schema: toOther(option.schema, false) })),
    })),
    conditions: view.conditions.map(toRow),
  }
  return isSame ? view : { ...view, ...mapped }
}

/** The nested schemas of a view. */
function listSchemas(view: SchemaView): { readonly schema: SchemaView; readonly isRow: boolean }[] {
  const found: { schema: SchemaView; isRow: boolean }[] = []
  mapSchemas(view, (schema, isRow) => {
    found.push({ schema, isRow })
    return schema
  })
  return found
}

const rowCounts = new WeakMap<SchemaView, number>()

/** The number of rows below a schema, at all levels. */
export function countRows(view: SchemaView): number {
  if (isLeaf(view)) return 0
  const known = rowCounts.get(view)
  if (known !== undefined) return known
  let count = 0
  for (const { schema } of listSchemas(view)) count += (schema === view.items ? 0 : 1) + countRows(schema)
  rowCounts.set(view, count)
  return count
}

/** Whether a view has no nested schemas. */
function isLeaf({ properties, items, otherKeys, prefixItems, choices, conditions }: SchemaView): boolean {
  return !items && properties.length + otherKeys.length + prefixItems.length + choices.length + conditions.length === 0
}

/** What identifies the parts of views that can be cut. */
const parts = new WeakMap<SchemaView, Omit<SchemaPart, 'view'>>()

/** Notes how to cut a view, if that is necessary. */
export function notePart(view: SchemaView, part: Omit<SchemaPart, 'view'>): void {
  if (countRows(view) > 0) parts.set(view, part)
}

/** The row of a schema, whose content is on its own page. */
export function cutPart(row: SchemaView, part: SchemaPart): SchemaView {
  const cut: SchemaCut = { kind: 'part', part, count: row.properties.length }
  return { ...row, ...toContent(emptySchemaView), cut }
}

/** What is below the row of a schema. */
function toContent({ properties, otherKeys, prefixItems, items, choices, conditions, bases }: SchemaView) {
  return { properties, otherKeys, prefixItems, items, choices, conditions, bases }
}

/** The most rows of a named schema, a body or a part. Larger ones are split. Schemas with more properties have more rows. */
const maxOwnRows = 200
/** Smaller schemas are never split off. */
const minPartRows = 8

/**
 * Splits a schema with many rows: the largest schemas without a name become parts, at every level. The result depends only on the schema, so all pages
 * agree on the parts.
 */
export function splitSchema(view: SchemaView, owner: SchemaTarget | undefined): SchemaView {
  if (countRows(view) <= maxOwnRows) return view
  const split = mapSchemas(view, (schema) => (schema.cut ? schema : splitSchema(schema, owner)))
  if (split !== view) {
    const part = parts.get(view)
    if (part) parts.set(split, part)
  }
  return splitLargest(split, owner)
}

function splitLargest(view: SchemaView, owner: SchemaTarget | undefined): SchemaView {
  // Lists and choices are part of their row, so the parts are the schemas in their rows.
  const candidates = new Map<SchemaView, number>()
  const collect = (schema: SchemaView) => {
    for (const one of listSchemas(schema)) {
      const part = parts.get(one.schema)
      const count = countRows(one.schema)
      if (part && part.owner?.name === owner?.name && count >= minPartRows) candidates.set(one.schema, count)
      else if (!one.isRow && count > 0) collect(one.schema)
    }
  }
  collect(view)
  let left = countRows(view) - maxOwnRows
  const chosen = new Set<SchemaView>()
  for (const [schema, count] of [...candidates].toSorted((a, b) => b[1] - a[1])) {
    if (left <= 0) break
    chosen.add(schema)
    left -= count
  }
  if (chosen.size === 0) return view
  const replace = (schema: SchemaView): SchemaView => {
    const part = chosen.has(schema) ? parts.get(schema) : undefined
    if (part) return cutPart(schema, { ...part, view: () => schema })
    return countRows(schema) === 0 ? schema : mapSchemas(schema, (one, isRow) => (isRow && !chosen.has(one) ? one : replace(one)))
  }
  return replace(view)
}

/** How much of the schemas that have a page a page shows in place: levels of properties, and rows. */
const inlineLimits = {
  request: { levels: 1, rows: 150 },
  response: { levels: 0, rows: 100 },
  error: { levels: 0, rows: 20 },
  both: { levels: 0, rows: 120 },
} as const

interface ExpandInput {
  /** The named schema that the page shows. */
  readonly page: string | undefined
  readonly size: keyof typeof inlineLimits
  readonly contentOf: (target: SchemaTarget) => SchemaView | undefined
}

/**
 * Adds the content of schemas with their own page to the view of another page, completely or not at all: near ones first, as long as there are rows left. Marks
 * schemas that repeat an enclosing one.
 */
export function expandSchemas(view: SchemaView, { page, size, contentOf }: ExpandInput): SchemaView {
  const { levels, rows } = inlineLimits[size]
  let left = rows - countRows(view)
  let isFirst = true
  const expand = (schema: SchemaView, at: number, wanted: number, around: ReadonlySet<string>): SchemaView => {
    const { cut } = schema
    const name = nameOf(schema)
    if (!cut || cut.kind === 'recursive') {
      const inner = name === undefined ? around : new Set([...around, name])
      if (at === wanted + 1) return schema
      return mapSchemas(schema, (one, isRow) => expand(one, at + (isRow ? 1 : 0), wanted, inner))
    }
    if (name !== undefined && around.has(name)) return { ...schema, cut: { kind: 'recursive' } }
    if (at !== wanted) return schema
    const content = cut.kind === 'part' ? cut.part.view() : schema.target && contentOf(schema.target)
    const count = content ? countRows(content) : 0
    // The schema is another name of one whose page has the content.
    if (!content || content.cut || (count > left && !(isFirst && wanted === 0))) return schema
    left -= count
    isFirst = false
    return expand(withContent(schema, content), at, wanted, around)
  }
  const around = new Set(page === undefined ? [] : [page])
  let expanded = view
  for (let level = 0; level <= levels; level++) expanded = expand(expanded, 0, level, around)
  return markRecursion(addPlainContent(expanded, contentOf, startBudget('content')), around)
}

/** Shows the content of schemas in place that have no rows to open, such as a choice between constants, and a list of strings. */
function addPlainContent(
  view: SchemaView,
  contentOf: ExpandInput['contentOf'],
  budget: NodeBudget,
  around: ReadonlySet<string> = new Set(),
): SchemaView {
  const { cut, target } = view
  if (!cut) return mapSchemas(view, (schema) => addPlainContent(schema, contentOf, budget, around))
  if (cut.kind !== 'page' || !target || around.has(target.name)) return view
  const found = contentOf(target)
  if (!found || hasOwnRows(found) || !spendNodes(budget)) return view
  const content = addPlainContent(found, contentOf, budget, new Set([...around, target.name]))
  if (hasRows(content)) return view
  const at = view.type.findIndex((part) => part.kind === 'schema' && part.target.name === target.name)
  const words = endsWithNull(view.type) ? withoutNull(content.type) : content.type
  return {
    ...withContent(view, content),
    type: at < 0 ? view.type : [...words, textPart(' · '), ...view.type.slice(at)],
    enum: view.enum.length > 0 ? view.enum : content.enum,
    facts: mergeFacts([view.facts, content.facts]),
  }
}

function hasOwnRows({ properties, prefixItems, choices, conditions }: SchemaView): boolean {
  return properties.length + prefixItems.length + choices.length + conditions.length > 0
}

/** Whether a schema has rows, or choices with rows. */
function hasRows(view: SchemaView): boolean {
  const { cut, items, otherKeys } = view
  if (cut !== undefined || hasOwnRows(view)) return true
  return (items !== undefined && hasRows(items)) || otherKeys.some(({ schema }) => hasRows(schema))
}

function nameOf({ target, cut }: SchemaView): string | undefined {
  return cut?.kind === 'part' ? cut.part.key : target?.name
}

/** Marks what repeats an enclosing schema below the levels that were expanded. */
function markRecursion(view: SchemaView, around: ReadonlySet<string>): SchemaView {
  const { cut } = view
  const name = nameOf(view)
  if (cut && cut.kind !== 'recursive' && name !== undefined && around.has(name)) return { ...view, cut: { kind: 'recursive' } }
  if (cut) return view
  const inner = name === undefined ? around : new Set([...around, name])
  return mapSchemas(view, (schema) => markRecursion(schema, inner))
}

function withContent(row: SchemaView, content: SchemaView): SchemaView {
  return { ...row, ...toContent(content), isClosed: row.isClosed || content.isClosed, cut: undefined }
}

const sides = { request: new WeakMap<SchemaView, SchemaView>(), response: new WeakMap<SchemaView, SchemaView>() }

/** Leaves out read-only properties of requests, and write-only ones of responses. */
export function forSide(view: SchemaView, side: SchemaSide): SchemaView {
  if (side === 'both') return view
  const { cut } = view
  // The parts of named schemas are published for both sides.
  if (cut?.kind === 'part' && !cut.part.owner) {
    const { part } = cut
    return { ...view, cut: { ...cut, part: { ...part, view: () => forSide(part.view(), side) } } }
  }
  if (isLeaf(view)) return view
  const known = sides[side].get(view)
  if (known) return known
  const mapped = mapSchemas(view, (schema) => forSide(schema, side))
  const isHidden = ({ readOnly, writeOnly }: SchemaView) => (side === 'request' ? readOnly : writeOnly)
  const shown = mapped.properties.filter(({ schema }) => !isHidden(schema))
  const made = shown.length === mapped.properties.length ? mapped : { ...mapped, properties: shown }
  sides[side].set(view, made)
  return made
}

/** Lists the parts of a view that are published with its page, also those of parts. */
export function listParts(views: readonly SchemaView[], owner: SchemaTarget | undefined): SchemaPart[] {
  const found = new Map<string, SchemaPart>()
  const seen = new Set<SchemaView>()
  const visit = (view: SchemaView) => {
    if (seen.has(view)) return
    seen.add(view)
    if (view.cut?.kind === 'part') {
      const { part } = view.cut
      if (part.owner?.name !== owner?.name || found.has(part.key)) return
      found.set(part.key, part)
      visit(part.view())
    } else for (const { schema } of listSchemas(view)) visit(schema)
  }
  for (const view of views) visit(view)
  return [...found.values()]
}

/** The schemas of an operation and of its callbacks. */
export function listOperationViews({ parameters, requestBody, responses, callbacks }: OperationView): SchemaView[] {
  const ofContent = (content: readonly MediaTypeView[]): SchemaView[] =>
    content.flatMap(({ schema, itemSchema, encoding }) => [
      ...(schema ? [schema] : []),
      ...(itemSchema ? [itemSchema] : []),
      ...encoding.flatMap(({ headers }) => headers.map((header) => header.schema)),
    ])
  return [
    ...parameters.map(({ schema }) => schema),
    ...ofContent(requestBody?.content ?? []),
    ...responses.flatMap(({ headers, content }) => [...headers.map(({ schema }) => schema), ...ofContent(content)]),
    ...callbacks.flatMap(({ operations }) => operations.flatMap(listOperationViews)),
  ]
}
