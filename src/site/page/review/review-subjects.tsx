import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type Change, type ChangedOperation, toChangedKey } from '../../../changes/change.ts'
import { toComparable, withoutOperations } from '../../../changes/compare/compare.ts'
import { matchAllOperations } from '../../../changes/match/match-operations.ts'
import type { DescriptionCheck } from '../../../checks/check-description.ts'
import { readBody, readResponses } from '../../../model/bodies.ts'
import { readHeaders } from '../../../model/content.ts'
import { readParameters } from '../../../model/parameters.ts'
import type { CollectedOperation } from '../../../openapi/read/collect-operations.ts'
import { childPlace, toPlaceKey } from '../../../openapi/references/follow-reference.ts'
import { equalJson } from '../../../openapi/schema/json-schema.ts'
import { parentPointer, pointerChild } from '../../../text/json/json-values.ts'
import { addTo } from '../../../text/plain/lists.ts'
import { toOrigin } from '../../../text/plain/source-file.ts'
import { english } from '../../messages/messages.ts'
import { toGeneratedPage } from '../../plan/plan-site.ts'
import { readSettings } from '../../plan/read-settings.ts'
import { createReference, type Reference } from '../../reference/create-reference.ts'
import { toOperationView } from '../../reference/to-operation-view.ts'
import type { OperationView, WrittenAt } from '../../reference/types.ts'
import { type ApiContext, toApiContext } from '../api/api-context.ts'
import { OperationArticle } from '../api/operation-article.tsx'
import { Part } from '../api/part.tsx'
import { requestTabs, responseTabs } from '../api/samples.tsx'
import { SchemaArticle } from '../api/schema-article.tsx'
import { Description } from '../components/markdown-text.tsx'
import { toElementId } from '../element-ids.ts'
import type { SiteContext } from '../site-context.ts'
import { type Element, findPath, markDifferences, parseRendered } from './html-tree.ts'

/** Something in both versions. */
interface Sides<One> {
  readonly base: One
  readonly revision: One
}

export type Side = keyof Sides<unknown>

/** An operation, a webhook or a schema with the part of its page in each version. */
export interface Subject {
  /** `GET /pets`, or the name of a schema. */
  readonly name: string
  readonly method: string | undefined
  readonly base: Element | undefined
  readonly revision: Element | undefined
  readonly changes: readonly PlacedChange[]
}

export interface PlacedChange {
  readonly change: Change
  /** The element that the change is about, and the elements around it, innermost first. Empty for a change of the whole subject. */
  readonly path: readonly Element[]
}

/** The changed pages of a document. */
export interface ReviewedPages {
  readonly subjects: readonly Subject[]
  /** The changes that no page shows. */
  readonly others: readonly Change[]
}

interface RowPlace {
  readonly id: string
  readonly place: WrittenAt
}

interface RenderedPage {
  readonly html: string
  readonly rows: readonly RowPlace[]
}

/** One version of a description. */
interface Version {
  readonly check: DescriptionCheck
  readonly reference: Reference
}

/** A page that a change can be on. */
interface Page {
  readonly name: string
  readonly method: string | undefined
  readonly render: (side: Side) => RenderedPage | undefined
}

/** A change, with the names of its files as they are shown and as they are in the checked description. */
export interface ReviewedChange {
  readonly shown: Change
  readonly checked: Change
}

/** Finds the page of each change: that of its schema, else that of its operation. Pages whose own words differ without a change are listed too. */
export async function reviewPages(
  checks: Sides<DescriptionCheck | undefined>,
  changes: readonly ReviewedChange[],
  ignoredPrefixes: readonly string[] = [],
): Promise<ReviewedPages> {
  const versions = { base: await readVersion(checks.base), revision: await readVersion(checks.revision) }
  const [before, after] = [checks.base && toComparable(checks.base), checks.revision && toComparable(checks.revision)]
  const existing = before ?? after
  if (!existing) return { subjects: [], others: changes.map(({ shown }) => shown) }
  const none = withoutOperations(existing)
  const matched = matchAllOperations(before ?? none, after ?? none, ignoredPrefixes)
  const pages = new Map<string, Page>()
  const changed = new Map<string, ReviewedChange[]>()
  for (const { operation, isWebhook, ...sides } of matched) {
    const key = toChangedKey(operation)
    const kind = isWebhook ? 'webhook' : 'operation'
    const { method, path } = operation
    pages.set(key, {
      name: isWebhook ? path.slice('webhook:'.length) : path,
      method: method.toUpperCase(),
      render: (side) => renderOperation(sides[side], kind, versions[side]),
    })
    const [one, other] = [sides.base, sides.revision]
    if (one && other && !equalJson(one.operation.value, other.operation.value)) changed.set(key, [])
  }
  const named = { base: placesOf(versions.base), revision: placesOf(versions.revision) }
  for (const name of new Set([...named.base.keys(), ...named.revision.keys()])) {
    const key = `schema ${name}`
    pages.set(key, { name, method: undefined, render: (side) => renderSchema(name, versions[side]) })
    const [one, other] = [named.base.get(name), named.revision.get(name)]
    if (one && other && !equalJson(one.value, other.value)) changed.set(key, [])
  }
  const others: Change[] = []
  for (const change of changes) {
    const key = findPage(change.checked, versions)
    if (key === undefined || !pages.has(key)) others.push(change.shown)
    else addTo(changed, key, change)
  }
  const subjects = [...changed].flatMap(([key, own]) => {
    const page = pages.get(key)
    return page ? (toSubject(page, own, checks) ?? []) : []
  })
  return { subjects, others }
}

async function readVersion(check: DescriptionCheck | undefined): Promise<Version | undefined> {
  const reference = check && (await createReference(check))
  return check && reference && { check, reference }
}

function placesOf(version: Version | undefined) {
  return version?.reference.context.named.places ?? new Map<string, never>()
}

/** The places of a change, that in the revision first. */
function placesIn({ base, revision }: Change): readonly { readonly side: Side; readonly place: WrittenAt }[] {
  return [
    ...(revision ? [{ side: 'revision', place: revision } as const] : []),
    ...(base ? [{ side: 'base', place: base } as const] : []),
  ]
}

/** The page of the innermost schema that has the place, else that of the first operation. */
function findPage(change: Change, versions: Sides<Version | undefined>): string | undefined {
  for (const { side, place } of placesIn(change)) {
    const targets = versions[side]?.reference.context.named.targets
    for (let { pointer } = place; pointer !== '' && targets; pointer = parentPointer(pointer)) {
      const target = targets.get(toPlaceKey({ file: place.file, pointer }))
      if (target) return `schema ${target.name}`
    }
  }
  const { method, path, operations } = change
  const isShared = placesIn(change).some(({ place: { pointer } }) => pointer.startsWith('/components/'))
  const [first] = isShared ? operations : []
  const operation: ChangedOperation | undefined = method !== null && path !== null ? { method, path } : first
  return operation && toChangedKey(operation)
}

/** Renders the page in both versions, marks its words, and finds the element of each change. */
function toSubject(
  page: Page,
  changes: readonly ReviewedChange[],
  checks: Sides<DescriptionCheck | undefined>,
): Subject | undefined {
  const rendered = { base: page.render('base'), revision: page.render('revision') }
  if (changes.length === 0 && rendered.base?.html === rendered.revision?.html) return undefined
  const trees = {
    base: rendered.base && parseRendered(rendered.base.html),
    revision: rendered.revision && parseRendered(rendered.revision.html),
  }
  const { base, revision } = trees
  if (base && revision) markDifferences(base, revision)
  const rowsOf = (side: Side) =>
    (rendered[side]?.rows ?? []).map((row) => ({ ...row, place: toOrigin(row.place, (file) => checks[side]?.sources.get(file)) }))
  const rows = { base: rowsOf('base'), revision: rowsOf('revision') }
  const placed = changes.map(({ shown: change, checked }): PlacedChange => {
    const found = placesIn(checked).map(({ side, place }) => findRow(rows[side], place))
    const id = found.reduce(deeperRow, undefined)?.id
    const paths = id === undefined ? [] : [revision, base].map((root) => (root ? findPath(root, id) : []))
    return { change, path: paths.find((path) => path.length > 0) ?? [] }
  })
  return { name: page.name, method: page.method, base, revision, changes: placed }
}

/** The innermost row that has a place. */
function findRow(rows: readonly RowPlace[], { file, pointer }: WrittenAt): RowPlace | undefined {
  const around = rows.filter(({ place }) => place.file === file && `${pointer}/`.startsWith(`${place.pointer}/`))
  return around.reduce(deeperRow, undefined)
}

/** The row that is more precise. Of two, the first can be the only one that the revision has. */
function deeperRow(one: RowPlace | undefined, other: RowPlace | undefined): RowPlace | undefined {
  return one && (other?.place.pointer.length ?? -1) <= one.place.pointer.length ? one : other
}

/** A site without pages, so that nothing links to one. */
const site: SiteContext = {
  plan: {
    settings: { ...readSettings({}), redirects: [] },
    navigation: {
      ...{ kind: 'navigation', id: '', label: '', icon: undefined, description: undefined, tag: undefined, hidden: false },
      ...{
        isDefault: false,
        searchable: false,
        expanded: false,
        root: undefined,
        href: undefined,
        directory: 'none',
        children: [],
      },
    },
    pages: [],
    pageByRoute: new Map(),
    operationRoutes: new Map(),
  },
  hosting: { base: '/', url: undefined, isPreview: false },
  assets: { stylesheet: '', theme: '', page: '', oauth: '', diagrams: '', feedback: '', playground: '' },
  media: { icons: { find: () => undefined, symbolOf: () => '', suggest: () => [] } },
  messages: english,
}

function renderPage(title: string, { reference }: Version, toElements: (api: ApiContext) => VNode): RenderedPage {
  const rows: RowPlace[] = []
  const page = { ...toGeneratedPage({ kind: 'guide' }, '', { title }), trail: [] }
  const api: ApiContext = {
    ...toApiContext({ site, page, reference, source: '', headingIds: [] }),
    hasForeignIds: false,
    onRow: (id, place) => rows.push({ id, place }),
  }
  return { html: renderToString(toElements(api)), rows }
}

function renderSchema(name: string, version: Version | undefined): RenderedPage | undefined {
  const view = version?.reference.schemaView(name)
  if (!version || !view) return undefined
  return renderPage(name, version, (api) => (
    <>
      <SchemaArticle view={{ ...view, usedBy: [] }} api={api} />
      <Codes codes={view.examples.map(({ name: label, text }) => ({ label, code: text ?? '' }))} />
    </>
  ))
}

function renderOperation(
  operation: CollectedOperation | undefined,
  kind: OperationView['kind'],
  version: Version | undefined,
): RenderedPage | undefined {
  if (!version || !operation) return undefined
  const { reference } = version
  const view = toOperationView(operation, kind, reference.context)
  const { method, path, summary = path, description, deprecated } = view
  const described = kind === 'operation' ? reference.describe(`${method} ${path}`)?.operation : undefined
  const requests = described ? requestTabs(view, described, { site }) : []
  const codes = [...requests.filter(({ sample }, index) => sample === undefined || index === 0), ...responseTabs(view)]
  const page = renderPage(summary, version, (api) => (
    <>
      <p class="lead">
        <code>
          {method} {path}
        </code>{' '}
        {summary !== path && summary} {deprecated && <span class="tag dep">{english.reference.deprecated}</span>}
      </p>
      <Description text={description} api={api} class="prose" />
      <OperationArticle operation={view} api={api} prefix="" shown={new Set()} />
      <Codes codes={codes} />
    </>
  ))
  return { ...page, rows: [...listPlaces(operation, reference), ...page.rows] }
}

/** The parts of an operation with their element IDs, where they are used and where they are written. */
function listPlaces({ operation, pathItem }: CollectedOperation, { context }: Reference): RowPlace[] {
  const toRows = (id: string, ...places: readonly WrittenAt[]) => places.map((place) => ({ id, place }))
  const body = readBody(operation, context)
  const schemes = childPlace(childPlace(context.root, 'components'), 'securitySchemes')
  return [
    ...toRows('authorization', childPlace(operation, 'security')),
    ...readParameters({ operation, pathItem }, context).known.flatMap((parameter) =>
      toRows(toElementId(parameter.in, parameter.name), parameter.entry, parameter.place),
    ),
    ...(body ? toRows('body', body.entry, body.place) : []),
    ...readResponses(operation, context).flatMap(({ statusCode, entry, place }) => [
      ...toRows(`r${toElementId(statusCode)}`, entry, place),
      ...readHeaders(place, context).flatMap((header) =>
        toRows(toElementId(`r${statusCode}`, 'header', header.name), header.entry, header.place),
      ),
    ]),
    ...Object.keys(Object(schemes.value)).flatMap((name) =>
      toRows(toElementId('auth', name), { file: schemes.file, pointer: pointerChild(schemes.pointer, name) }),
    ),
  ]
}

/** Samples without colors, whose words can be compared. */
function Codes({ codes }: { readonly codes: readonly { readonly label: string; readonly code: string }[] }) {
  if (codes.length === 0) return null
  return (
    <Part messages={english} id="samples" heading={english.reference.samples}>
      {codes.map(({ label, code }) => (
        <figure id={toElementId('sample', label)}>
          <figcaption>{label}</figcaption>
          <pre>{code}</pre>
        </figure>
      ))}
    </Part>
  )
}
