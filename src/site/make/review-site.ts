import { surveyDocsDirectory } from '../../docs/check/survey-docs-directory.ts'
import type { ChangesSetting } from '../../docs/config/project-config.ts'
import { readDocsDirectory } from '../../docs/read/read-docs-directory.ts'
import type { DocsAccess } from '../../docs/types.ts'
import { hideRestricted } from '../../docs/update/public-files.ts'
import { hideInOlder, toHidden } from '../../docs/versions/changelogs.ts'
import { compareDocumentVersions, readDocumentVersions } from '../../docs/versions/compare-documents.ts'
import { withoutFiles } from '../../files/files.ts'
import { type ReviewDocument, renderReview, reviewPages } from '../page/review/review-page.tsx'
import { readReviewStyles } from './assets/read-site-assets.ts'

/** What a review is made from, besides the files. Plain data. */
export interface ReviewSiteOptions {
  readonly baseSha: string
  /** `YYYY-MM-DD`. */
  readonly today: string
  /** The settings of the revision are those of its configuration file by default. */
  readonly settings: ChangesSetting | undefined
  /** The page of the app with the button that accepts changes. */
  readonly acceptUrl: string
}

/**
 * Renders the review of a commit for everyone who can read its site: both versions lack what the commit restricts, and the base also what it
 * restricted itself. Returns no files without changes, or if it is not known what is restricted.
 */
export async function reviewSite(
  root: string,
  access: { readonly base: DocsAccess; readonly revision: DocsAccess },
  { baseSha, today, acceptUrl, ...options }: ReviewSiteOptions,
): Promise<ReadonlyMap<string, string>> {
  const shown = await hideRestricted(root, access.revision)
  const older = await shown.restrictedIn(access.base.files)
  if (!older) return new Map()
  const docsDirectory = await readDocsDirectory(root, shown.access)
  const current = await surveyDocsDirectory(docsDirectory, { directory: '', extra: [] }, shown.access, shown.terms)
  if (current.documents.some(({ check }) => check.restricted === 'unknown')) return new Map()
  const hidden = current.documents.flatMap(({ check }) => toHidden(check))
  const before = { ...access.base, files: withoutFiles(access.base.files, (path) => older.documents.has(path)) }
  const terms = { base: { publicOnly: hideInOlder(older.publicOnly, hidden) }, revision: shown.terms }
  const roots = { base: root, revision: root }
  const { base, revision } = await readDocumentVersions({ roots }, { base: before, revision: shown.access }, undefined, terms)
  // Everyone can read a public site, so it names no clients and no people.
  const entries = revision.accepted.entries.map((entry) => ({ ...entry, author: '' }))
  const compared = await compareDocumentVersions(
    { base: { ...base, clients: [] }, revision: { ...revision, clients: [], accepted: { ...revision.accepted, entries } } },
    { today, settings: options.settings ?? revision.settings, accepted: base.accepted.entries },
  )
  const documents: ReviewDocument[] = []
  for (const { document: title, comparison, ...pair } of compared) {
    const changes = comparison?.changes ?? []
    const checks = { base: pair.base?.check, revision: pair.revision?.check }
    const pages = comparison && (await reviewPages(checks, changes))
    if (!pages || pages.subjects.length + pages.others.length > 0) documents.push({ title, changes, pages })
  }
  if (documents.length === 0) return new Map()
  const accept = `openapi-pages accept ${baseSha.slice(0, 7)} --reason '…' --fingerprint`
  return renderReview(documents, { accept, acceptUrl, stylesheet: readReviewStyles(), fileName: 'index.html' })
}
