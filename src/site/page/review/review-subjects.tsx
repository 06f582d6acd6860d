import type { VNode } from 'preact'
import { type Change, type DocumentComparison, toChangedKey } from '../../../changes/change.ts'
import { matchVersions } from '../../../changes/compare/compare.ts'
import type { DescriptionCheck } from '../../../checks/check-description.ts'
import { readBody, readResponses } from '../../../model/bodies.ts'
import { readParameters } from '../../../model/parameters.ts'
import type { CollectedOperation } from '../../../openapi/read/collect-operations.ts'
import { childPlace, toPlaceKey } from '../../../openapi/references/follow-reference.ts'
import { equalJson } from '../../../openapi/schema/json-schema.ts'
import { type Place, parentPointer } from '../../../text/json/json-values.ts'
import { addTo } from '../../../text/plain/lists.ts'
import { english } from '../../messages/messages.ts'
import { emptyNode } from '../../plan/plan-navigation-tree.ts'
import { toGeneratedPage } from '../../plan/plan-site.ts'
import { readSettings } from '../../plan/read-settings.ts'
import { createReference, type Reference } from '../../reference/create-reference.ts'
import { toOperationView } from '../../reference/to-operation-view.ts'
import { toTopSchemaView } from '../../reference/to-schema-view.ts'
import type { OperationView, PropertyView } from '../../reference/types.ts'
import { type ApiContext, toApiContext } from '../api/api-context.ts'
import { OperationArticle, OperationWords } from '../api/operation-article.tsx'
import { Part } from '../api/part.tsx'
import { SchemaArticle } from '../api/schema-article.tsx'
import { toElementId } from '../element-ids.ts'
import { noAssets, type SiteContext } from '../site-context.ts'
import { type Element, findPath, markDifferences, toTree } from './element-tree.tsx'

export type Side = 'base' | 'revision'
export type Sides<One> = { readonly [side in Side]: One }

type Versions = Sides<Reference | undefined>

/** A document in both versions, and its changes; without them if a version cannot be read as OpenAPI. */
type ComparedPair = Sides<{ readonly check: DescriptionCheck } | undefined> & Pick<DocumentComparison, 'comparison'>

/** An operation, a webhook, a schema, a guide or the navigation with its part of a page in each version that has it. */
export interface Subject extends Sides<Element | undefined> {
  readonly name: string
  /** Only for operations and webhooks. */
  readonly method: string | undefined
  /** The first tag of an operation. All schemas have one, and all guides. Absent for changes that no page shows. */
  readonly tag: string | undefined
  /** With the element that each is about and the elements around it, innermost first; none for a change of the whole subject. */
  readonly changes: readonly { readonly change: Change; readonly path: readonly Element[] }[]
}

/** A page that changes can be on. */
interface Page extends Pick<Subject, 'name' | 'method' | 'tag'> {
  readonly read: (side: Side) => { readonly root: Element; readonly rows?: readonly Row[] } | undefined
  /** Whether its own words differ, or only one version has it. */
  readonly state: 'different' | 'equal' | 'alone'
}

/** An element of a page, and where its content is written. */
interface Row extends Pick<PropertyView, 'place'> {
  readonly id: string
}

/** For changes such as those of servers. */
const noPage = { name: 'Changes that no page shows', method: undefined, tag: undefined, read: () => undefined }

/**
 * Finds the page of each change: that of its schema, else that of its operation, and marks its changed words. Pages of which only texts differ
 * are among them, unless only some operations were compared.
 */
export async function reviewPages(
  { base, revision, comparison }: ComparedPair,
  {
    ignoredPrefixes = [],
    isFiltered = false,
  }: { readonly ignoredPrefixes?: readonly string[]; readonly isFiltered?: boolean } = {},
): Promise<readonly Subject[] | undefined> {
  if (!comparison) return undefined
  const versions = { base: await readVersion(base?.check), revision: await readVersion(revision?.check) }
  const operations = matchVersions(base?.check, revision?.check, ignoredPrefixes)
  const pages = new Map([...listSchemaPages(versions), ...operations.map((matched) => toOperationPage(matched, versions))])
  const changed = new Map<string, Change[]>(
    [...pages].flatMap(([key, { state }]) => (state !== 'different' || isFiltered ? [] : [[key, []]])),
  )
  for (const change of comparison.changes) {
    const keys = listPagesOf(change, versions).filter((one) => pages.has(one))
    // A schema that is used instead of another one has not changed itself.
    const states = change.base && change.revision ? ['different'] : ['different', 'alone']
    addTo(changed, keys.find((one) => states.includes(pages.get(one)?.state ?? '')) ?? keys.at(-1) ?? '', change)
  }
  return [...changed].flatMap(([key, own]) => toSubject(pages.get(key) ?? noPage, own) ?? [])
}

/** Each named schema is only on its own page. */
async function readVersion(check: DescriptionCheck | undefined): Promise<Reference | undefined> {
  const reference = check && (await createReference(check))
  return reference && { ...reference, context: { ...reference.context, isApart: true } }
}

function listSchemaPages({ base, revision }: Versions): [string, Page][] {
  const placesOf = (version: Reference | undefined) => version?.context.named.places ?? new Map<string, Place>()
  const [before, after] = [placesOf(base), placesOf(revision)]
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    const [one, other] = [before.get(name), after.get(name)]
    const read = (side: Side) => readSchema(name, side === 'base' ? base : revision)
    return [`schema ${name}`, { name, method: undefined, tag: 'Schemas', state: toState(one, other), read }]
  })
}

function toOperationPage(matched: ReturnType<typeof matchVersions>[number], versions: Versions): [string, Page] {
  const { operation, base, revision, isWebhook } = matched
  const [tag = 'Other operations'] = (revision ?? base)?.fields.tags ?? []
  const state = toState(base?.operation, revision?.operation)
  const kind = isWebhook ? 'webhook' : 'operation'
  const read = (side: Side) => readOperation(matched[side], kind, versions[side])
  return [toChangedKey(operation), { name: operation.path, method: operation.method.toUpperCase(), tag, state, read }]
}

function toState(base: Place | undefined, revision: Place | undefined): Page['state'] {
  if (!base || !revision) return 'alone'
  return equalJson(base.value, revision.value) ? 'equal' : 'different'
}

/** The places of a change, that in the revision first. */
function placesIn(change: Change) {
  return (['revision', 'base'] as const).flatMap((side) => {
    const place = change[side]
    return place ? [{ side, place }] : []
  })
}

/** The pages of the innermost schemas that have the places, and that of the operation. Other parts that operations share are on the first one. */
function listPagesOf(change: Change, versions: Versions): readonly string[] {
  const places = placesIn(change)
  const schemas = places.flatMap(({ side, place }) => findSchema(place, versions[side]) ?? [])
  const { method, path, operations } = change
  const isShared = places.some(({ place }) => /^\/(?:components|paths|webhooks)\//.test(place.pointer))
  const operation = method !== null && path !== null ? { method, path } : isShared ? operations[0] : undefined
  return [
    ...(schemas.length === places.length ? schemas.map((name) => `schema ${name}`) : []),
    ...(operation ? [toChangedKey(operation)] : []),
  ]
}

function findSchema({ file, ...place }: Row['place'], version: Reference | undefined): string | undefined {
  for (let { pointer } = place; pointer !== ''; pointer = parentPointer(pointer)) {
    const target = version?.context.named.targets.get(toPlaceKey({ file, pointer }))
    if (target) return target.name
  }
  return undefined
}

/** Reads a page in both versions, marks its words, and finds the element of each change. */
export function toSubject({ name, method, tag, read }: Omit<Page, 'state'>, changes: readonly Change[]): Subject | undefined {
  const found = { base: read('base'), revision: read('revision') }
  const [base, revision] = [found.base?.root, found.revision?.root]
  if (base && revision && base.content !== revision.content) markDifferences(base, revision)
  if (base && revision && changes.length === 0 && !base.isChanged) return undefined
  const placed = changes.map((change) => {
    const around = placesIn(change).flatMap(({ side, place: { file, pointer } }) => {
      const isAround = ({ place }: Row) => place.file === file && `${pointer}/`.startsWith(`${place.pointer}/`)
      return found[side]?.rows?.filter(isAround) ?? []
    })
    // The innermost rows are the most precise: two if another response applies now, one of which can be the same in both versions.
    const depth = Math.max(...around.map(depthOf))
    const paths = around.flatMap((row) => {
      return depthOf(row) < depth ? [] : [revision, base].map((root) => (root ? findPath(root, row.id) : []))
    })
    return { change, path: paths.find(([element]) => element?.isChanged) ?? paths.find(({ length }) => length > 0) ?? [] }
  })
  for (const { path } of placed) for (const element of path) element.isChanged = true
  return { name, method, tag, base, revision, changes: placed }
}

const depthOf = ({ place }: Row) => place.pointer.split('/').length

/** A site without pages, so that nothing links to one. */
const site: SiteContext = {
  plan: {
    settings: { ...readSettings({}), redirects: [] },
    navigation: { ...emptyNode, kind: 'navigation', id: '' },
    pages: [],
    pageByRoute: new Map(),
    operationRoutes: new Map(),
  },
  hosting: { base: '/', url: undefined, isPreview: false },
  assets: noAssets,
  media: { icons: { find: () => undefined, symbolOf: () => '', suggest: () => [] } },
  messages: english,
}

function readPage(title: string, reference: Reference, rows: Row[], toElements: (api: ApiContext) => VNode) {
  const page = { ...toGeneratedPage({ kind: 'guide' }, '', { title }), trail: [] }
  const notes = { onRow: (id: string, place: Row['place']) => void rows.push({ id, place }) }
  const context = toApiContext({ site: { ...site, notes }, page, reference, source: '', headingIds: [] })
  return { root: toTree(toElements({ ...context, hasForeignIds: false })), rows }
}

function readSchema(name: string, version: Reference | undefined) {
  const place = version?.context.named.places.get(name)
  if (!version || !place) return undefined
  const schema = toTopSchemaView(place, version.context, { side: 'both', page: name })
  const view = { name, schema, examples: [], usedBy: [] }
  return readPage(name, version, [], (api) => <SchemaArticle view={view} api={api} />)
}

function readOperation(operation: CollectedOperation | undefined, kind: OperationView['kind'], version: Reference | undefined) {
  if (!version || !operation) return undefined
  const view = toOperationView(operation, kind, version.context)
  return readPage(view.summary ?? '', version, listRows(operation, version), (api) => (
    <>
      <p class="lead">
        <code>
          {view.method} {view.path}
        </code>
      </p>
      <OperationWords operation={view} api={api} />
      <OperationArticle operation={view} api={api} prefix="" shown={new Set()} />
      {/* Generated samples only repeat what the other parts of the page say. */}
      {view.codeSamples.map(({ label, source }) => (
        <Part messages={english} id={toElementId('sample', label)} heading={label}>
          <pre>{source}</pre>
        </Part>
      ))}
    </>
  ))
}

/** The parts of an operation that are no properties, where they are used and where they are written. */
function listRows({ operation, pathItem }: CollectedOperation, { context }: Reference): Row[] {
  const toRows = (id: string, ...places: Row['place'][]) => places.map((place) => ({ id, place }))
  const body = readBody(operation, context)
  const schemes = { file: context.root.file, pointer: '/components/securitySchemes' }
  return [
    ...toRows('authorization', childPlace(operation, 'security'), schemes),
    ...(body ? toRows('body', body.entry, body.place) : []),
    ...readParameters({ operation, pathItem }, context).known.flatMap((one) => {
      return toRows(toElementId(one.in, one.name), one.entry, one.place)
    }),
    ...readResponses(operation, context).flatMap((one) => toRows(`r${toElementId(one.statusCode)}`, one.entry, one.place)),
  ]
}
