import type { Files } from '../../files/files.ts'
import { joinPath, parentPath, withoutDocumentExtension } from '../../text/plain/paths.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { type PageBindingReading, resolveBinding } from '../pages/page-bindings.ts'
import { filterDocuments } from '../read/find-docs.ts'
import type { DocsDirectory, DocsFiles } from '../read/read-docs-directory.ts'
import type { DocumentChecks } from './check-documents.ts'

/** Resolves the document of a binding relative to the docs directory, else relative to the page. */
export function resolveBindingFile(
  reading: PageBindingReading,
  path: string,
  documents: ReadonlySet<string>,
): PageBindingReading {
  const file = reading.kind === 'bound' ? reading.binding.file : undefined
  if (reading.kind !== 'bound' || file === undefined || isUrl(file)) return reading
  const findIn = (folder: string) =>
    extensions.map((extension) => joinPath(folder, file) + extension).find((candidate) => documents.has(candidate))
  const found = findIn('') === undefined ? findIn(parentPath(path)) : undefined
  return found === undefined ? reading : { ...reading, binding: { ...reading.binding, file: found } }
}

/** Extensions that a binding may omit. */
const extensions = ['', '.json', '.yaml', '.yml']

/** Checks documents named only by pages or navigation entries. Skips URLs, because a page must not trigger requests. */
export async function checkBoundDocuments(
  { root, docsConfig }: DocsDirectory,
  readings: ReadonlyMap<string, PageBindingReading>,
  { documents }: DocsFiles,
  checks: DocumentChecks,
  files: Files,
): Promise<void> {
  const entries = (docsConfig?.divisions ?? []).flatMap((division) => division.entries)
  const inEntries = entries.flatMap((entry) => (entry.kind === 'explicit' ? entry.binding : []))
  const inPages = [...readings.values()].flatMap((reading) => (reading.kind === 'bound' ? reading.binding : []))
  for (const [bindings, named] of [[inEntries, 'named'] as const, [inPages, 'not-named'] as const]) {
    for (const file of new Set(bindings.flatMap((binding) => binding.file ?? []))) {
      if (isUrl(file) || [...checks.documents.keys()].some((source) => matchesDocument(file, source))) continue
      const found = extensions.map((extension) => file + extension).find((path) => documents.includes(path))
      const [only, ...others] =
        found === undefined
          ? await filterDocuments(
              root,
              documents.filter((path) => matchesDocument(file, path, 'in-any-folder')),
              files,
            )
          : [found]
      if (only !== undefined && others.length === 0) await checks.check(only, named)
    }
  }
}

/** Whether the file of a binding matches a document. The binding may omit the extension, and with `in-any-folder` the folders. */
export function matchesDocument(file: string, source: string, where: 'here' | 'in-any-folder' = 'here'): boolean {
  const isAt = (path: string) => path === file || (where === 'in-any-folder' && path.endsWith(`/${file}`))
  return isAt(source) || isAt(withoutDocumentExtension(source))
}

/** If no named document has the operation of a binding without a file, checks every document in the docs directory. */
export async function discoverDocuments(
  root: string,
  readings: ReadonlyMap<string, PageBindingReading>,
  docsFiles: DocsFiles,
  checks: DocumentChecks,
  files: Files,
): Promise<void> {
  const isOpen = [...readings.values()].some((reading) => {
    if (reading.kind !== 'bound' || reading.binding.file !== undefined) return false
    const { kind } = resolveBinding(reading.binding, [...checks.documents.values()])
    return kind === 'missing' || kind === 'no-document'
  })
  if (!isOpen) return
  const unknown = docsFiles.documents.filter((path) => !checks.documents.has(path))
  for (const path of await filterDocuments(root, unknown, files)) await checks.check(path, 'not-named')
}
