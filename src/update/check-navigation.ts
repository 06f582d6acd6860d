import type { Finding } from '../diagnostic/diagnostic.ts'
import { listEntries, listLinked, type PageEntry } from '../docs/config-entries.ts'
import { checkConfigKeys } from '../docs/docs-config-keys.ts'
import { parsePageFrontmatter } from '../docs/page-frontmatter.ts'
import type { DocsConfig } from '../docs/types.ts'
import type { Files } from '../files/files.ts'
import {
  checkMissingEntries,
  checkPageUrls,
  checkRepeatedEntries,
  checkUnlistedPages,
  findMissingEntries,
} from '../pages/check-listed-pages.ts'
import { toPagePath } from '../pages/page-path.ts'
import { joinPath, parentPath } from '../text/relative-path.ts'
import type { Survey } from './survey-docs-root.ts'
import { toFailure } from './to-load-document.ts'

/**
 * Checks the entries of the navigation and the addresses of pages: without a page, twice in a list, one address for two. Nothing is said about
 * `settled` pages (with extension), which the same update adds, changes or takes away.
 */
export async function checkEntries(survey: Survey, files: Files, settled: ReadonlySet<string>): Promise<Finding[]> {
  const { docsConfig, root, docsFiles } = survey
  if (!docsConfig) return []
  const file = docsConfig.source.path
  const entries = listEntries(docsConfig).filter(({ path }) => !settled.has(`${path}.mdx`))
  const known = new Set([...docsFiles.pages.keys()].map(withoutExtension))
  const absent = findMissingEntries(entries, new Set([...known, ...listMadeByHost(survey, docsConfig)]))
  const { missing, findings } = await lookBehindLinks(absent, root, files, file)
  return [
    ...findings,
    ...checkMissingEntries(missing, known, new Set(entries.map(({ path }) => path)), file),
    ...checkRepeatedEntries(entries, file),
    ...checkPageUrls(listPages(survey, entries), (path) => joinPath(root, path)),
  ]
}

/** Checks what an update has nothing to do with: pages in no navigation, and keys that hosts pass over. */
export function checkLeftOut(survey: Survey): Finding[] {
  const { docsConfig } = survey
  if (!docsConfig) return []
  const entries = listEntries(docsConfig)
  const pages = listPages(survey, entries)
  const unlisted = findUnlisted(survey, docsConfig, pages, new Set(entries.map(({ path }) => path)))
  return [...checkConfigKeys(docsConfig), ...checkUnlistedPages(pages, unlisted, docsConfig.source.path)]
}

/** The pages of the site: what somebody lists is one, wherever it stands. */
function listPages({ docsFiles, notPages }: Survey, entries: readonly PageEntry[]): string[] {
  const listed = new Set(entries.map(({ path }) => path))
  return [...docsFiles.pages.keys()].filter((path) => !notPages.has(path) || listed.has(withoutExtension(path)))
}

/** Addresses, without extension, of pages that the host makes of the documents that divisions name. */
function listMadeByHost({ documents }: Survey, { divisions }: DocsConfig): string[] {
  const bySource = new Map(documents.map(({ source, index }) => [source, index?.subjects ?? []]))
  return divisions.flatMap(({ sources }) =>
    sources.flatMap(({ source, directory }) => (bySource.get(source) ?? []).map((subject) => toPagePath(subject, directory))),
  )
}

/** A folder that is a link is not searched for pages, but a page in it can be listed. */
async function lookBehindLinks(
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
  // Somebody who lists nothing has not begun to.
  if (listed.size === 0) return new Set()
  const linked = listLinked(docsConfig)
  const isUnlisted = (path: string) => {
    const address = withoutExtension(path)
    if (listed.has(address) || linked.has(address)) return false
    if (linked.has(address.replace(/\/?index$/, ''))) return false
    // Files about the repository, such as AGENTS.md.
    return !/(^|\/)[A-Z0-9_-]+\.md$/.test(path) && !isHidden(docsFiles.pages.get(path) ?? '')
  }
  return new Set(pages.filter(isUnlisted))
}

function isHidden(text: string): boolean {
  return text.includes('hidden') && parsePageFrontmatter(text)?.values['hidden'] === true
}

function withoutExtension(path: string): string {
  return path.replace(/\.mdx?$/i, '')
}
