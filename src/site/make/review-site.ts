import { surveyDocsDirectory } from '../../docs/check/survey-docs-directory.ts'
import { readDocsDirectory } from '../../docs/read/read-docs-directory.ts'
import type { CheckTerms, DocsAccess } from '../../docs/types.ts'
import { hideRestricted } from '../../docs/update/public-files.ts'
import { hideInOlder, toHidden } from '../../docs/versions/changelogs.ts'
import {
  type CompareDocumentsOptions,
  compareDocumentVersions,
  readDocumentVersions,
  type Versions,
} from '../../docs/versions/compare-documents.ts'
import { withoutFiles } from '../../files/files.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { listGuides, reviewGuides } from '../page/review/review-guides.tsx'
import { type ReviewDocument, renderReview, reviewPages } from '../page/review/review-page.tsx'
import { noAssets } from '../page/site-context.ts'
import { readReviewStyles } from './assets/read-site-assets.ts'
import { readSite } from './read-site.ts'

export { type ReviewDocument, renderReview, reviewPages }

/** What a review is made from, besides the files. Plain data. */
export interface ReviewSiteOptions extends Omit<CompareDocumentsOptions, 'root'> {
  readonly baseSha: string
  /** Those that count instead of the audiences in both configuration files. */
  readonly audiences?: CheckTerms['audiences']
  /** The page of the app with the button that accepts changes. */
  readonly acceptUrl?: string
  /** Default: `index.html`. */
  readonly fileName?: string
}

/**
 * Renders the review of a commit for everyone who can read its site: both versions lack what the commit restricts, and the base also what it
 * restricted itself. Returns no files without changes, or if it is not known what is restricted.
 */
export async function reviewSite(
  root: string,
  access: Versions<DocsAccess>,
  { baseSha, today, audiences, acceptUrl, fileName = 'index.html', ...options }: ReviewSiteOptions,
): Promise<ReadonlyMap<string, string>> {
  const shown = await hideRestricted(root, access.revision, { audiences })
  const older = await shown.restrictedIn(access.base.files)
  if (!older) return new Map()
  const docsDirectory = await readDocsDirectory(root, shown.access)
  const current = await surveyDocsDirectory(docsDirectory, { directory: '', extra: [] }, shown.access, shown.terms)
  if (current.documents.some(({ check }) => check.restricted === 'unknown')) return new Map()
  const hidden = current.documents.flatMap(({ check }) => toHidden(check))
  const before = { ...access.base, files: withoutFiles(access.base.files, (path) => older.documents.has(path)) }
  const terms = { base: { publicOnly: hideInOlder(older.publicOnly, hidden) }, revision: shown.terms }
  const roots = { base: root, revision: root }
  const versions = { base: before, revision: shown.access }
  const { base, revision } = await readDocumentVersions({ ...options, roots }, versions, undefined, terms)
  // Everyone can read a public site, so it names no clients and no people.
  const entries = revision.accepted.entries.map((entry) => ({ ...entry, author: '' }))
  const compared = await compareDocumentVersions(
    { base: { ...base, clients: [] }, revision: { ...revision, clients: [], accepted: { ...revision.accepted, entries } } },
    { today, settings: options.settings ?? revision.settings, accepted: base.accepted.entries },
  )
  const documents: ReviewDocument[] = []
  for (const pair of compared) {
    const subjects = await reviewPages(pair)
    if (subjects?.length !== 0) documents.push({ title: pair.document, subjects })
  }
  documents.push(...(await reviewDocs(roots, access, { audiences })))
  if (documents.length === 0) return new Map()
  const accept = `openapi-pages accept ${baseSha.slice(0, 7)} --reason '…' --fingerprint`
  return renderReview(documents, { accept, acceptUrl, stylesheet: readReviewStyles(), fileName })
}

/** Compares the guides and the navigation of a docs directory as readers of its sites see them. Empty if a version has no readable `docs.json`. */
export async function reviewDocs(
  roots: Versions<string>,
  access: Versions<DocsAccess>,
  terms: CheckTerms = {},
): Promise<readonly ReviewDocument[]> {
  const options = { base: '/', url: undefined, assets: noAssets, isPreview: false, knowsIcons: false }
  const { source: base } = await readSite({ ...options, root: roots.base }, access.base, terms)
  const { source: revision } = await readSite({ ...options, root: roots.revision }, access.revision, terms)
  if (!base || !revision) return []
  const guides = { base: new Map(listGuides(base)), revision: listGuides(revision) }
  for (const path of guides.base.keys()) {
    // A page that the revision hides is not shown as removed.
    const isThere = async () => (await access.revision.files.read(joinPath(roots.revision, path))).kind !== 'missing'
    if (!guides.revision.has(path) && (await isThere())) guides.base.delete(path)
  }
  const subjects = reviewGuides({ base, revision }, guides)
  const title = roots.revision === '' ? 'Guides' : `Guides in ${roots.revision}`
  return subjects.length === 0 ? [] : [{ title, subjects }]
}
