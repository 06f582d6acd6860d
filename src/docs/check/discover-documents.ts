import type { Finding } from '../../diagnostics/diagnostic.ts'
import { type Files, readEach } from '../../files/files.ts'
import { isOverlayDocument } from '../../openapi/overlays/parse-overlay.ts'
import { isWithin } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { decodePercent, isUrl, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { type DocsConfig, listSources } from '../navigation/docs-config.ts'
import { findNamed } from '../pages/binding-files.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'
import type { PageBindingReading, ResolvePageBinding } from '../pages/page-bindings.ts'
import type { DeclaredDivision } from '../pages/subjects.ts'
import { filterDocuments } from '../read/find-docs.ts'
import type { DocsDirectory } from '../read/read-docs-directory.ts'
import type { DocumentChecks } from './check-documents.ts'

/**
 * Checks documents named only by pages or navigation entries. If no named document has the operation of a binding without a file, checks every document in the
 * docs directory. Skips URLs, because a page must not trigger requests.
 */
export async function discoverDocuments(
  { root, docsConfig }: DocsDirectory,
  readings: ReadonlyMap<string, PageBindingReading>,
  documents: readonly string[],
  checks: DocumentChecks,
  files: Files,
  resolve: ResolvePageBinding,
): Promise<void> {
  const entries = (docsConfig?.divisions ?? []).flatMap((division) => division.entries)
  const inEntries = entries.flatMap((entry) => (entry.kind === 'explicit' ? entry.binding : []))
  const inPages = [...readings.values()].flatMap((reading) => (reading.kind === 'bound' ? reading.binding : []))
  const known = new Set([...checks.documents.keys(), ...documents])
  for (const [bindings, named] of [[inEntries, 'named'] as const, [inPages, 'not-named'] as const]) {
    for (const file of new Set(bindings.flatMap((binding) => binding.file ?? []))) {
      const found = findNamed(file, known)
      const isAt = found.some((path) => parentPath(path) === parentPath(file))
      const [only, ...others] = isUrl(file) ? [] : isAt ? found : await filterDocuments(root, found, files)
      if (only !== undefined && others.length === 0) await checks.check(only, named)
    }
  }
  const isOpen = [...readings].some(([page, reading]) => {
    if (reading.kind !== 'bound' || reading.binding.file !== undefined) return false
    const { kind } = resolve(reading.binding, page)
    return kind === 'missing' || kind === 'no-document'
  })
  if (!isOpen) return
  const unknown = documents.filter((path) => !checks.documents.has(path))
  for (const path of await filterDocuments(root, unknown, files)) await checks.check(path, 'not-named')
}

/** The largest file that is examined for an overlay that `docs.json` does not name. Overlays are written by people. */
const maxBytes = 4 * 1024 * 1024

/**
 * Finds the overlays of each document: those that `docs.json` lists for it, else all Overlay documents of the docs directory that name it
 * in `extends`, sorted by path.
 *
 * @param candidates the JSON and YAML files of the docs directory, relative to it.
 * @returns `of`: the overlays of a document, in the order in which they apply: URLs, or paths relative to the boundary. `locations`: where
 * `docs.json` names an overlay, by path.
 */
export async function findOverlays(
  root: string,
  docsConfig: DocsConfig | undefined,
  candidates: readonly string[],
  files: Files,
  overlays: readonly string[] | undefined,
) {
  const findings: Finding[] = []
  const locations = new Map<string, Pick<Finding, 'file' | 'pointer'>>()
  if (overlays) return { of: (_source: string) => overlays, findings, locations }
  const listed = new Map<string, readonly string[]>()
  const file = docsConfig?.source.path ?? ''
  for (const { source, overlays: named } of listSources(docsConfig)) {
    if (!named) continue
    const paths = named.paths.map((path) => (isUrl(path) ? path : joinPath(root, path)))
    for (const [index, path] of paths.entries()) locations.set(path, { file, pointer: `${named.pointer}/${index}` })
    const first = listed.get(source)
    if (!first) listed.set(source, paths)
    else if (first.join('\n') !== paths.join('\n')) {
      const message = `Unexpected \`overlays\` of \`${source}\`, expected the same list as in the entry before`
      const hint = 'Use the same overlays in all entries of a document, or copy the document'
      findings.push({ code: 'overlay-lists', message, file, pointer: named.pointer, on: 'key', hint })
    }
  }
  const extending = await findExtending(root, candidates, files)
  return { of: (source: string) => listed.get(source) ?? extending.get(source) ?? [], findings, locations }
}

/** Finds the Overlay documents that name a document in `extends`: source → paths relative to the boundary. */
async function findExtending(
  root: string,
  candidates: readonly string[],
  files: Files,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for await (const [path, result] of readEach(candidates.toSorted(), (path) => files.read(joinPath(root, path), maxBytes))) {
    if (result.kind !== 'file' || !mayExtend(result.bytes)) continue
    const { value } = await parseSource(toSourceFile(path, result.bytes))
    const target = isOverlayDocument(value) ? value['extends'] : undefined
    if (typeof target !== 'string') continue
    for (const source of resolveExtends(target, path)) found.set(source, [...(found.get(source) ?? []), joinPath(root, path)])
  }
  return found
}

function mayExtend(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return text.includes('overlay') && text.includes('extends') && text.includes('actions')
}

/** The sources that `extends` can mean: relative to the overlay, or to the docs directory with a leading `/`. */
function resolveExtends(target: string, path: string): string[] {
  if (isUrl(target)) return [target]
  const written = decodePercent(target.replace(/#.*$/s, ''))
  return [written.startsWith('/') ? normalizePath(written.slice(1)) : joinPath(parentPath(path), written)]
}

/** Returns a function that finds the documents that `docs.json` names for the language, version and product of a page. The lock file remembers what it named. */
export function createBranchSources(docsConfig: DocsConfig | undefined, declared: readonly DeclaredDivision[]) {
  const divisions = docsConfig?.divisions ?? []
  const lockedSources = new Map(declared.map(({ id, sources }) => [id, sources]))
  const byPage = new Map<string, readonly string[]>()
  for (const { branch, entries } of divisions) {
    const around = divisions.filter((one) => one.branch !== '' && isWithin(branch, one.branch))
    const sources = around.flatMap((one) => [...one.sources, ...(lockedSources.get(one.id) ?? [])].map(({ source }) => source))
    for (const entry of entries)
      if (entry.kind === 'page') byPage.set(entry.path, [...(byPage.get(entry.path) ?? []), ...sources])
  }
  return (page: string) => byPage.get(withoutPageExtension(page)) ?? []
}
