import type { Finding } from '../../diagnostics/diagnostic.ts'
import { applyRules } from '../../diagnostics/finish-diagnostics.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { listEntries, listLinkedPages, type PageEntry } from '../navigation/docs-config.ts'
import { checkConfigKeys } from '../navigation/key-support.ts'
import { locateFindings } from '../navigation/parse-docs-config.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'
import { bindNavigation } from '../pages/listed-operations.ts'
import { findFrontmatterFault, parsePageFrontmatter } from '../pages/page-bindings.ts'
import { overrideRules } from '../read/find-docs.ts'
import { readDocsDirectory } from '../read/read-docs-directory.ts'
import type { CheckTerms, DocsAccess, Reporting, TrafficCounts } from '../types.ts'
import { checkUnlistedPages } from './check-divisions.ts'
import { followDocuments } from './follow-documents.ts'
import {
  type CheckLinks,
  checkBindings,
  checkEntries,
  type DocsDirectoryLinks,
  listPages,
  missingDocsConfig,
  type Survey,
  surveyDocsDirectory,
} from './survey-docs-directory.ts'

/** The result of checking a docs directory. `sourceOf` returns the files of its diagnostics. */
export interface DocsDirectoryCheck extends DocsDirectoryLinks {
  /** See `Config.baseline`. */
  readonly baseline: string | undefined
  readonly traffic: TrafficCounts | undefined
}

/** Checks the documents of a docs directory and the pages bound to them. */
export async function checkDocsDirectory(
  root: string,
  given: DocsAccess,
  terms: CheckTerms = {},
  { onProgress }: Reporting = {},
  checkLinks?: CheckLinks,
): Promise<DocsDirectoryCheck> {
  const shared = checkLinks ? { ...given, checkedDescriptions: new Map() } : given
  const asRead = await readDocsDirectory(root, shared)
  const overridden = { ...asRead, config: overrideRules(asRead.config, terms.rules) }
  const { docsDirectory, access, findings: ofMoved } = await followDocuments(overridden, shared, terms)
  const survey = await surveyDocsDirectory(docsDirectory, { extra: [], onProgress }, access, terms)
  const links = await checkLinks?.(survey, access, terms, { onProgress })
  const bindings = checkBindings(survey, 'error', new Set())
  const { docsConfig } = survey
  const entries = docsConfig ? listEntries(docsConfig) : []
  const pages = listPages(survey, entries)
  const findings = [
    ...ofMoved,
    ...survey.findings,
    ...bindings,
    ...checkFrontmatter(survey, pages, new Set(bindings.map(({ file }) => file))),
    ...(await checkEntries(survey, access.files, new Set())),
    // `update` reports neither.
    ...(docsConfig ? checkConfigKeys(docsConfig) : []),
    ...checkUnlistedPages(findUnlisted(survey, pages, entries), docsConfig?.source.path ?? ''),
    ...(survey.hasDocsConfig ? [] : [await missingDocsConfig(survey, access.files)]),
    ...bindNavigation(docsConfig, survey.divisions, survey.documents, survey.boundPages).findings,
    ...(links?.findings ?? []),
  ]
  const { rules, ignore } = docsDirectory.config
  const openOf = new Map(links?.documents.map(({ source, open }) => [source, open]))
  return {
    documents: survey.documents.map((document) => ({ ...document, open: openOf.get(document.source) })),
    baseline: docsDirectory.config.baseline,
    traffic: survey.traffic,
    findings: applyRules(locateFindings(findings, docsConfig), { severities: rules, ignores: ignore }),
    sourceOf: (file) => survey.sourceOf(file) ?? links?.sourceOf(file),
  }
}

/** Reports the first error in the frontmatter of each page, unless the check of its binding has reported one. */
function checkFrontmatter(survey: Survey, pages: readonly string[], reported: ReadonlySet<string>): Finding[] {
  return pages.flatMap((path): Finding[] => {
    const file = joinPath(survey.root, path)
    const text = survey.docsFiles.pages.get(path) ?? ''
    const fault = reported.has(file) ? undefined : findFrontmatterFault(text, parsePageFrontmatter(text))
    return fault ? [{ code: 'page-frontmatter', file, pointer: '', ...fault }] : []
  })
}

function findUnlisted({ docsFiles, docsConfig }: Survey, pages: readonly string[], entries: readonly PageEntry[]): string[] {
  const listed = new Set(entries.map(({ path }) => path))
  // With an empty navigation, every page would be reported.
  if (!docsConfig || listed.size === 0) return []
  const linked = listLinkedPages(docsConfig)
  const isUnlisted = (path: string) => {
    const route = withoutPageExtension(path)
    if (listed.has(route) || linked.has(route)) return false
    if (linked.has(route.replace(/\/?index$/, ''))) return false
    // Files about the repository, such as AGENTS.md.
    return !/(^|\/)[A-Z0-9_-]+\.md$/.test(path) && !isHidden(docsFiles.pages.get(path) ?? '')
  }
  return pages.filter(isUnlisted)
}

function isHidden(text: string): boolean {
  return text.includes('hidden') && parsePageFrontmatter(text)?.values['hidden'] === true
}
