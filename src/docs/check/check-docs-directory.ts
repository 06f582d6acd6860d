import type { Finding, Severity } from '../../diagnostics/diagnostic.ts'
import { applyRules } from '../../diagnostics/finish-diagnostics.ts'
import type { Files } from '../../files/files.ts'
import { joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { docsConfigNames } from '../config/config-files.ts'
import { listEntries, listLinkedPages, type PageEntry } from '../navigation/config-entries.ts'
import { checkConfigKeys } from '../navigation/docs-config-keys.ts'
import { locateFindings } from '../navigation/parse-docs-config.ts'
import { defaultDirectory } from '../navigation/read-divisions.ts'
import type { DocsConfig } from '../navigation/types.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import { checkPageBindings } from '../pages/page-bindings.ts'
import { findFrontmatterFault, parsePageFrontmatter } from '../pages/page-frontmatter.ts'
import { toPagePath, withoutPageExtension } from '../pages/page-path.ts'
import { filterDocuments } from '../read/find-docs.ts'
import { overrideRules } from '../read/read-config.ts'
import { listDeclaredDivisions, readDocsDirectory } from '../read/read-docs-directory.ts'
import { toFailure } from '../read/to-load-document.ts'
import type { UpdateEnvironment } from '../types.ts'
import type { CheckedDocument } from './check-documents.ts'
import {
  checkMissingEntries,
  checkPageUrls,
  checkRepeatedEntries,
  checkUnlistedPages,
  findMissingEntries,
} from './check-listed-pages.ts'
import { type Survey, surveyDocsDirectory } from './survey-docs-directory.ts'

/** The result of checking a docs directory. `sourceOf` returns the files of its diagnostics. */
export interface DocsDirectoryCheck {
  readonly documents: readonly CheckedDocument[]
  /** See `Config.baseline`. */
  readonly baseline: string | undefined
  readonly findings: readonly Finding[]
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** Checks the links of the pages in a docs directory. Needs the site, so the caller provides it. */
export type CheckLinks = (
  survey: Survey,
  environment: UpdateEnvironment,
) => Promise<Pick<DocsDirectoryCheck, 'findings' | 'sourceOf'>>

/** Checks the documents of a docs directory and the pages bound to them. */
export async function checkDocsDirectory(
  root: string,
  surroundings: UpdateEnvironment,
  checkLinks?: CheckLinks,
): Promise<DocsDirectoryCheck> {
  const environment = checkLinks ? { ...surroundings, checkedDescriptions: new Map() } : surroundings
  const asRead = await readDocsDirectory(root, environment)
  const docsDirectory = { ...asRead, config: overrideRules(asRead.config, environment.rules) }
  const divisions = listDeclaredDivisions(docsDirectory, [], { directory: defaultDirectory })
  const survey = await surveyDocsDirectory(docsDirectory, divisions, [], environment)
  const links = await checkLinks?.(survey, environment)
  const bindings = checkBindings(survey, 'error', new Set())
  const findings = [
    ...survey.findings,
    ...bindings,
    ...checkFrontmatter(survey, new Set(bindings.map(({ file }) => file))),
    ...(await checkEntries(survey, environment.files, new Set())),
    ...checkUnlistedPagesAndKeys(survey),
    ...(survey.hasDocsConfig ? [] : [await missingDocsConfig(survey, environment.files)]),
    ...bindNavigation(survey.docsConfig, divisions, survey.documents, survey.boundPages).findings,
    ...(links?.findings ?? []),
  ]
  const { rules, ignore } = docsDirectory.config
  return {
    documents: survey.documents,
    baseline: docsDirectory.config.baseline,
    findings: applyRules(locateFindings(findings, survey.docsConfig), { severities: rules, ignores: ignore }),
    sourceOf: (file) => survey.sourceOf(file) ?? links?.sourceOf(file),
  }
}

/**
 * Reports navigation entries without a page, duplicate entries and pages with the same URL. Skips `settled` pages (with extension), which
 * the current update changes anyway.
 */
export async function checkEntries(survey: Survey, files: Files, settled: ReadonlySet<string>): Promise<Finding[]> {
  const { docsConfig, root, docsFiles } = survey
  if (!docsConfig) return []
  const file = docsConfig.source.path
  const entries = listEntries(docsConfig).filter(({ path }) => !settled.has(`${path}.mdx`))
  const known = new Set([...docsFiles.pages.keys()].map(withoutPageExtension))
  const absent = findMissingEntries(entries, new Set([...known, ...listHostPages(survey, docsConfig)]))
  const { missing, findings } = await findLinkedEntries(absent, root, files, file)
  return [
    ...findings,
    ...checkMissingEntries(missing, known, new Set(entries.map(({ path }) => path)), file),
    ...checkRepeatedEntries(entries, file),
    ...checkPageUrls(listPages(survey, entries), (path) => joinPath(root, path)),
  ]
}

/** Reports the first error in the frontmatter of each page, unless the check of its binding has reported one. */
function checkFrontmatter(survey: Survey, reported: ReadonlySet<string>): Finding[] {
  const entries = survey.docsConfig ? listEntries(survey.docsConfig) : []
  return listPages(survey, entries).flatMap((path): Finding[] => {
    const file = joinPath(survey.root, path)
    const text = survey.docsFiles.pages.get(path) ?? ''
    const fault = reported.has(file) ? undefined : findFrontmatterFault(text, parsePageFrontmatter(text))
    return fault ? [{ code: 'page-frontmatter', file, pointer: '', ...fault }] : []
  })
}

/** Reports pages missing from the navigation and `docs.json` keys that hosts ignore. `update` does not report these. */
function checkUnlistedPagesAndKeys(survey: Survey): Finding[] {
  const { docsConfig } = survey
  if (!docsConfig) return []
  const entries = listEntries(docsConfig)
  const pages = listPages(survey, entries)
  const unlisted = findUnlisted(survey, docsConfig, pages, new Set(entries.map(({ path }) => path)))
  return [...checkConfigKeys(docsConfig), ...checkUnlistedPages(pages, unlisted, docsConfig.source.path)]
}

/** Lists the pages of the site. A file in the navigation is always a page. */
function listPages({ docsFiles, notPages }: Survey, entries: readonly PageEntry[]): string[] {
  const listed = new Set(entries.map(({ path }) => path))
  return [...docsFiles.pages.keys()].filter((path) => !notPages.has(path) || listed.has(withoutPageExtension(path)))
}

/** Lists the paths, without extension, of the pages that the host generates for divisions with `openapi`. */
function listHostPages({ documents }: Survey, { divisions }: DocsConfig): string[] {
  const bySource = new Map(documents.map(({ source, index }) => [source, index?.subjects ?? []]))
  return divisions.flatMap(({ sources }) =>
    sources.flatMap(({ source, directory }) => (bySource.get(source) ?? []).map((subject) => toPagePath(subject, directory))),
  )
}

/** Looks up listed pages in folders that are symbolic links, because the search for pages does not follow links. */
async function findLinkedEntries(
  absent: readonly PageEntry[],
  root: string,
  files: Files,
  file: string,
): Promise<{ missing: PageEntry[]; findings: Finding[] }> {
  const missing: PageEntry[] = []
  const findings: Finding[] = []
  const folders = new Map<string, Promise<boolean>>()
  const hasFolder = (folder: string) => {
    const known = folders.get(folder) ?? files.read(joinPath(root, folder)).then(({ kind }) => kind !== 'missing')
    folders.set(folder, known)
    return known
  }
  for (const entry of absent) {
    if (!(await hasFolder(parentPath(entry.path)))) {
      missing.push(entry)
      continue
    }
    let refused: Finding | undefined
    let isThere = false
    for (const extension of ['.mdx', '.md']) {
      const result = await files.read(joinPath(root, entry.path + extension))
      if (result.kind === 'file') isThere = true
      else if (result.kind !== 'missing' && result.kind !== 'folder') {
        const { reason, hint } = toFailure(result)
        const message = `Cannot read the page \`${entry.path}${extension}\`: ${reason}`
        refused = { code: 'page-missing', message, file, pointer: entry.pointer, ...(hint === undefined ? {} : { hint }) }
      }
    }
    if (!isThere && refused) findings.push(refused)
    else if (!isThere) missing.push(entry)
  }
  return { missing, findings }
}

function findUnlisted(
  { docsFiles }: Survey,
  docsConfig: DocsConfig,
  pages: readonly string[],
  listed: ReadonlySet<string>,
): Set<string> {
  // With an empty navigation, every page would be reported.
  if (listed.size === 0) return new Set()
  const linked = listLinkedPages(docsConfig)
  const isUnlisted = (path: string) => {
    const route = withoutPageExtension(path)
    if (listed.has(route) || linked.has(route)) return false
    if (linked.has(route.replace(/\/?index$/, ''))) return false
    // Files about the repository, such as AGENTS.md.
    return !/(^|\/)[A-Z0-9_-]+\.md$/.test(path) && !isHidden(docsFiles.pages.get(path) ?? '')
  }
  return new Set(pages.filter(isUnlisted))
}

function isHidden(text: string): boolean {
  return text.includes('hidden') && parsePageFrontmatter(text)?.values['hidden'] === true
}

/**
 * Reports a missing `docs.json`. The hint names the nearest `docs.json` below or above. If there is none, it shows the smallest one to paste
 * for an existing document.
 */
export async function missingDocsConfig({ root, docsFiles }: Survey, files: Files): Promise<Finding> {
  const finding: Finding = {
    code: 'docs-config-missing',
    message: `Cannot find \`docs.json\` in ${root === '' ? 'this directory' : `\`${root}\``}`,
    file: joinPath(root, 'docs.json'),
    pointer: '',
  }
  const below = docsFiles.otherDocsConfigs.map((path) => joinPath(root, path))
  const near = below.toSorted((a, b) => a.split('/').length - b.split('/').length)[0] ?? (await findParentDocsConfig(root, files))
  if (near !== undefined) {
    const hint = `Did you mean the directory of \`${relativePath(root, near)}\`?`
    return { ...finding, hint, related: [{ file: near, pointer: '', message: 'found here' }] }
  }
  const [openapi] = await filterDocuments(root, docsFiles.documents, files)
  if (openapi === undefined) {
    return { ...finding, hint: 'Add an OpenAPI document, such as `openapi.yaml`, and run `openapi-pages init`' }
  }
  const smallest = {
    theme: 'mint',
    name: 'Documentation',
    colors: { primary: '#0F766E' },
    navigation: { tabs: [{ tab: 'API Reference', openapi }] },
  }
  return {
    ...finding,
    hint: `Run \`openapi-pages init\` to write one, or create it:\n\`${JSON.stringify(smallest, undefined, 2)}\``,
  }
}

async function findParentDocsConfig(root: string, files: Files): Promise<string | undefined> {
  for (let folder = root; folder !== ''; ) {
    folder = parentPath(folder)
    for (const name of docsConfigNames) {
      const path = joinPath(folder, name)
      if ((await files.read(path)).kind === 'file') return path
    }
  }
  return undefined
}

/** Checks the bindings of all pages except unchanged generated ones and `settled` pages, whose binding the current update changes. */
export function checkBindings(survey: Survey, severity: Severity, settled: ReadonlySet<string>): Finding[] {
  const operationIds = new Map((survey.lock?.pages ?? []).map(({ path, operationId }) => [path, operationId]))
  const pages = [...survey.readings].flatMap(([path, reading]) => {
    if (settled.has(path)) return []
    const file = joinPath(survey.root, path)
    return { file, path, text: survey.docsFiles.pages.get(path) ?? '', reading, operationId: operationIds.get(path) }
  })
  return checkPageBindings(pages, survey.bindableDocuments, severity)
}
