import { createHash } from 'node:crypto'
import type { CheckedDocument } from '../../docs/types.ts'
import { entriesOf, escapePointerSegment, valueAtPointer } from '../../text/json/json-values.ts'
import { lazy } from '../../text/plain/lists.ts'
import { bytesOf } from '../../text/plain/source-file.ts'
import { findRoutes } from '../page/api/api-context.ts'
import { findLastChange } from '../page/api/changelog-entries.ts'
import { listCandidates } from '../page/api/first-operation.ts'
import { findImageSize, type SiteContext, type SiteSource, toLinkedPages } from '../page/site-context.ts'
import { resolveLink } from '../plan/site-links.ts'
import type { SitePage } from '../plan/types.ts'
import type { Reference } from '../reference/create-reference.ts'
import { type DescriptionPart, hashClosures, readParts, toPart } from './description-parts.ts'
import { hashOf } from './render-memory.ts'

/**
 * Creates a function that returns the key of a page. The rendered page is the same if the key, the texts of its files and the sizes
 * of its images are. A key may change too often, which only costs rendering time, but must never miss a change. Returns `undefined` for pages that
 * show an error.
 *
 * @param stamp identifies the program.
 */
export function createPageKeys(
  { context, references, changelogs, downloads, otherFormats }: SiteSource,
  stamp: string,
  documents: readonly CheckedDocument[],
): (page: SitePage) => string | undefined {
  const { plan, hosting, assets } = context
  // Position and title are also shown on other pages.
  const others = plan.pages.map(({ trail, frontmatter, description, path, ...shown }) => shown)
  const published = [[...downloads.values()].map(({ path }) => path), [...(otherFormats ?? [])]]
  const site = [hosting, assets, plan.settings, plan.navigation]
  const around = hashOf([stamp, site, others, published])
  const keysOf = new Map(
    [...references].map(([source, reference]) => {
      // If dependencies between parts are unsupported, every page depends on the whole document.
      return [source, createReferenceKeys(source, reference, context) ?? lazy(() => hashSources(documents, source))] as const
    }),
  )
  return (page) => {
    const { trail, ...shown } = page
    const { subject } = page
    // These pages show the error of their document or binding.
    if (subject.kind === 'unreadable' || subject.kind === 'unbound') return undefined
    const part = 'source' in subject ? keysOf.get(subject.source)?.(subject, page) : ''
    const changelog = 'source' in subject ? changelogs.get(subject.source) : undefined
    const changes = changelog && (subject.kind === 'changelog' ? changelog : findLastChange(changelog, subject))
    return hashOf([around, shown, trail.map((node) => ('id' in node ? node.id : node.kind)), part, changes])
  }
}

function hashSources(documents: readonly CheckedDocument[], wanted: string): string {
  const check = documents.find(({ source }) => source === wanted)?.check
  const hash = createHash('sha256')
  hash.update(JSON.stringify(check?.restricted ?? []))
  for (const [path, source] of check?.sources ?? []) hash.update(`${path}\n`).update(bytesOf(source)).update('\n')
  return hash.digest('hex')
}

type ReferenceSubject = Extract<
  SitePage['subject'],
  { readonly kind: 'operation' | 'webhook' | 'schema' | 'schemas' | 'description' | 'tag' | 'changelog' }
>

function createReferenceKeys(
  source: string,
  reference: Reference,
  site: SiteContext,
): ((subject: ReferenceSubject, page: SitePage) => string) | undefined {
  const { context, usedSchemas, sharedHeaders } = reference
  const root = context.root.value
  const parts = readParts(Object.fromEntries(entriesOf(root)))
  if (!parts) return undefined
  const top = entriesOf(root).filter(([key]) => !['paths', 'webhooks', 'x-webhooks', 'components'].includes(key))
  const shared = hashOf([top, valueAtPointer(root, '/components/securitySchemes'), [...sharedHeaders]])
  // "Used by" follows references backwards and names their locations, so the page depends on all references.
  const uses = hashOf([...parts].map(([pointer, { places }]) => [pointer, places]))
  const closures = hashClosures(parts)
  const listParts = (subject: ReferenceSubject, page: SitePage) => {
    if (subject.kind !== 'description') return findParts(subject, parts, context)
    // It shows the first request of one of them.
    const { simple, other } = listCandidates({ reference, site, routes: findRoutes(site, page, reference, source) })
    return [...simple, ...(other ? [other] : [])].map(({ target }) => toOperationPart(target))
  }
  return (subject, page) => {
    const own = listParts(subject, page).map((pointer) => [pointer, closures.get(pointer)])
    return hashOf([shared, subject.kind === 'schema' ? uses : subject.kind === 'schemas' ? usedSchemas : '', own])
  }
}

function findParts(
  subject: Exclude<ReferenceSubject, { readonly kind: 'description' }>,
  parts: ReadonlyMap<string, DescriptionPart>,
  { named }: Reference['context'],
): string[] {
  if (subject.kind === 'operation') return [toOperationPart(subject.target)]
  // Their content is outside of paths and components, and in the navigation.
  if (subject.kind === 'tag' || subject.kind === 'changelog' || subject.kind === 'schemas') return []
  if (subject.kind === 'schema') return [toPart(named.places.get(subject.name)?.pointer ?? '') ?? '']
  return ['webhooks', 'x-webhooks']
    .map((field) => `/${field}/${escapePointerSegment(subject.name)}`)
    .filter((pointer) => parts.has(pointer))
}

/** The part of an operation, `GET /pets`. */
function toOperationPart(target: string): string {
  return `/paths/${escapePointerSegment(target.slice(target.indexOf(' ') + 1))}`
}

/** Hashes the sizes of the images among the links of a page, and the pages of the operations that they name. */
export function hashImageSizes(links: readonly string[], page: SitePage, { context }: SiteSource): string {
  const ofLink = (link: string) => {
    if (!link.includes('operation/')) return link.includes('.') ? (findImageSize(context, link, page) ?? []) : []
    const target = resolveLink(link, page, toLinkedPages(context.plan))
    return target.kind === 'page' ? target.route : []
  }
  return hashOf(links.flatMap(ofLink))
}
