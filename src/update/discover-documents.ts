import { isDocsConfigPath, oldDocsConfigName } from '../docs-config/config-files.ts'
import type { PageBindingReading } from '../docs-config/page-frontmatter.ts'
import { type Files, readEach } from '../files/files.ts'
import { resolveBinding } from '../pages/page-bindings.ts'
import { isUrl, joinPath, parentPath, withoutDocumentExtension } from '../source/relative-path.ts'
import type { DocumentChecks } from './check-documents.ts'
import { type DocsDirectory, isMintConfig } from './read-docs-directory.ts'
import type { DocsFiles } from './read-pages.ts'
import type { UpdateEnvironment } from './types.ts'

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
  { files }: UpdateEnvironment,
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
          ? await findDocuments(
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
  environment: UpdateEnvironment,
): Promise<void> {
  const isOpen = [...readings.values()].some((reading) => {
    if (reading.kind !== 'bound' || reading.binding.file !== undefined) return false
    const { kind } = resolveBinding(reading.binding, [...checks.documents.values()])
    return kind === 'missing' || kind === 'no-document'
  })
  if (!isOpen) return
  const unknown = docsFiles.documents.filter((path) => !checks.documents.has(path))
  for (const path of await findDocuments(root, unknown, environment.files)) await checks.check(path, 'not-named')
}

/** Finds all OpenAPI documents below a directory. Paths are relative to it. */
export async function listDocuments(root: string, files: Files): Promise<readonly string[]> {
  const paths = (await files.list(root)).map((path) => (root === '' ? path : path.slice(root.length + 1)))
  return await findDocuments(
    root,
    paths.filter((path) => /\.(json|ya?ml)$/i.test(path)),
    files,
  )
}

/** Whether a directory has a `docs.json`, or a `mint.json`, whose directory has an error then. */
export async function hasDocsConfig(folder: string, files: Files): Promise<boolean> {
  const { kind } = await files.read(joinPath(folder, 'docs.json'), 0)
  return kind === 'file' || kind === 'too-large' || (await isMintConfig(joinPath(folder, oldDocsConfigName), files))
}

async function mentions(path: string, text: string, files: Files): Promise<boolean> {
  const result = await files.read(path)
  return result.kind === 'file' && new TextDecoder().decode(result.bytes).includes(text)
}

/**
 * Lists the docs directories of a folder: the folder itself if it has a `docs.json`, else all folders below it with a `docs.json` that
 * mentions OpenAPI. Without any, the folder itself.
 */
export async function listDocsDirectories(folder: string, files: Files): Promise<readonly string[]> {
  if (await hasDocsConfig(folder, files)) return [folder]
  const found: string[] = []
  for (const path of await files.list(folder)) {
    if (!isDocsConfigPath(path) || /(?:^|\/)(?:\.[^/]*|node_modules)\//.test(path)) continue
    // Other tools use this file name too.
    if (await mentions(path, '"openapi"', files)) found.push(parentPath(path))
  }
  return found.length === 0 ? [folder] : [...new Set(found)]
}

/** Returns the files that have a top-level `openapi` key. Paths are relative to the docs directory. */
export async function findDocuments(root: string, paths: readonly string[], files: Files): Promise<string[]> {
  const found: string[] = []
  for await (const [path, result] of readEach(paths, (path) => files.read(joinPath(root, path)))) {
    if (result.kind === 'file' && isDocument(result.bytes)) found.push(path)
  }
  return found
}

function isDocument(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return /^\uFEFF?\s*\{/.test(text) ? hasOpenApiKey(text) : /^(\uFEFF)?["']?openapi["']?\s*:/m.test(text)
}

/** Parses the JSON only if the text contains the key at any depth. */
function hasOpenApiKey(text: string): boolean {
  if (!/"openapi"\s*:\s*"/.test(text)) return false
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && 'openapi' in value
  } catch {
    return false
  }
}
