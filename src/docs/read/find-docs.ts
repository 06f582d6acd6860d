import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import { type Files, listBelow, type ReadResult, readEach } from '../../files/files.ts'
import type { OverlayOptions } from '../../openapi/overlays/parse-overlay.ts'
import type { LoadDocument, LoadedDocument } from '../../openapi/types.ts'
import { isObject, readOwn } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { defaultLimits, type Limits, limitHint } from '../../text/plain/limits.ts'
import { compareText } from '../../text/plain/lists.ts'
import { baseName, isDataFile, isUrl, joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { configFileNames, docsConfigNames, isDocsConfigPath, lockFileName, oldDocsConfigName } from '../config/config-files.ts'
import { type Config, parseConfig, toDefaultConfig, toUnreadConfig } from '../config/project-config.ts'
import type { DocsAccess } from '../types.ts'

/** What commands find in a directory. All paths are relative to the boundary, and those nearest to the directory come first. */
export interface FoundDocs {
  /** The directory itself if it has a `docs.json` or `mint.json`, else all directories below it that have one. */
  readonly docsDirectories: readonly string[]
  /** OpenAPI documents of version 3, whatever their names are. Those that Git ignores count only if there are no others. */
  readonly documents: readonly string[]
  /** Swagger 2.0 documents, which have to be converted first. */
  readonly swaggerDocuments: readonly string[]
}

/** What the search reads. */
export type SearchedFiles = Pick<DocsAccess, 'files' | 'git'>

/**
 * Finds the docs directories and OpenAPI documents of a directory and of all directories below it, except hidden ones, `node_modules` and
 * built sites. Reads every JSON and YAML file.
 */
export async function findDocs(folder: string, { files, git }: SearchedFiles): Promise<FoundDocs> {
  const paths = (await listVisible(folder, files)).sort(byDepth)
  const docsDirectories = (await hasDocsConfig(folder, files)) ? [folder] : await findDocsDirectories(paths, files)
  const found = await classifyDocuments(paths.filter(isDataFile), files)
  const documents = found.filter(([, kind]) => kind === 'openapi').map(([path]) => path)
  const ignored = documents.length > 1 ? await git?.findIgnored?.(documents) : undefined
  const others = ignored?.kind === 'known' ? documents.filter((path) => !ignored.value.includes(path)) : documents
  return {
    docsDirectories,
    documents: others.length > 0 ? others : documents,
    swaggerDocuments: found.filter(([, kind]) => kind === 'swagger').map(([path]) => path),
  }
}

/**
 * Chooses what a command checks of a directory: the directory itself if it has a `docs.json`, else the docs directories that name OpenAPI
 * documents, else all documents, else the other docs directories.
 */
export async function listChecked(
  folder: string,
  { docsDirectories, documents }: FoundDocs,
  files: Files,
): Promise<readonly string[]> {
  if (docsDirectories.includes(folder)) return [folder]
  const naming = await filterNaming(docsDirectories, files)
  if (naming.length > 0) return naming
  return documents.length > 0 ? documents : docsDirectories
}

/**
 * Finds what a run in a CI system works on: the docs directories of a folder, as `listDocsDirectories` does, and without any the documents
 * below it. They are only checked, because no `docs.json` says where their pages go.
 */
export async function findUpdateTargets(folder: string, searched: SearchedFiles) {
  const { files } = searched
  const isOwn = await hasGeneratedPages(folder, files)
  const roots = isOwn ? [folder] : await listDocsDirectories(folder, files)
  const isBare = !isOwn && roots[0] === folder
  return { roots, checkedDocuments: isBare ? (await findDocs(folder, searched)).documents : [] }
}

/** Whether a directory has a `docs.json`, readable or not, or a lock file with pages that were generated without one. */
export async function hasGeneratedPages(folder: string, files: Files): Promise<boolean> {
  for (const name of [docsConfigNames[0], lockFileName]) {
    if ((await files.read(joinPath(folder, name), 0)).kind !== 'missing') return true
  }
  return await isMintConfig(joinPath(folder, oldDocsConfigName), files)
}

/**
 * Lists the docs directories of a folder: the folder itself if it has a `docs.json`, else all folders below it with a `docs.json` that
 * mentions OpenAPI. Without any, the folder itself.
 */
export async function listDocsDirectories(folder: string, files: Files): Promise<readonly string[]> {
  if (await hasDocsConfig(folder, files)) return [folder]
  const found = await filterNaming(await findDocsDirectories(await listVisible(folder, files), files), files)
  return found.length === 0 ? [folder] : found
}

/** Whether a directory has a `docs.json`, or a `mint.json`, whose directory has an error then. */
export async function hasDocsConfig(folder: string, files: Files): Promise<boolean> {
  const { kind } = await files.read(joinPath(folder, 'docs.json'), 0)
  if (kind === 'file' || kind === 'too-large' || kind === 'unreadable') return true
  return await isMintConfig(joinPath(folder, oldDocsConfigName), files)
}

/** The nearest `docs.json` or `mint.json` above a folder. */
export async function findDocsConfigAbove(folder: string, files: Files): Promise<string | undefined> {
  for (let above = folder; above !== ''; ) {
    above = parentPath(above)
    for (const path of docsConfigNames.map((name) => joinPath(above, name)))
      if ((await files.read(path)).kind === 'file') return path
  }
  return undefined
}

/** Whether a file is a `mint.json` with a navigation. Projects in the Mint programming language have a file with this name too. */
export async function isMintConfig(path: string, files: Files): Promise<boolean> {
  return await mentions(path, '"navigation"', files)
}

/** Lists the OpenAPI documents below a directory. Paths are relative to it. */
export async function listDocuments(root: string, searched: SearchedFiles): Promise<readonly string[]> {
  return (await findDocs(root, searched)).documents.map((path) => relativePath(root, path))
}

/** Returns the files that are OpenAPI documents. Paths are relative to the docs directory. */
export async function filterDocuments(root: string, paths: readonly string[], files: Files): Promise<string[]> {
  const found = await classifyDocuments(
    paths.map((path) => joinPath(root, path)),
    files,
  )
  return found.filter(([, kind]) => kind === 'openapi').map(([path]) => relativePath(root, path))
}

/** The folders of the `docs.json` files among some paths. */
async function findDocsDirectories(paths: readonly string[], files: Files): Promise<string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    if (isDocsConfigPath(path) && (await mentions(path, '"navigation"', files))) found.add(parentPath(path))
  }
  return [...found]
}

async function filterNaming(docsDirectories: readonly string[], files: Files): Promise<string[]> {
  const naming: string[] = []
  for (const folder of docsDirectories) {
    const names = ['docs.json', oldDocsConfigName].map((name) => joinPath(folder, name))
    const are = await Promise.all(names.map((path) => mentions(path, '"openapi"', files)))
    if (are.includes(true)) naming.push(folder)
  }
  return naming
}

async function mentions(path: string, text: string, files: Files): Promise<boolean> {
  const result = await files.read(path)
  return result.kind === 'file' && new TextDecoder().decode(result.bytes).includes(text)
}

async function listVisible(folder: string, files: Files): Promise<string[]> {
  const start = folder === '' ? 0 : folder.length + 1
  return (await files.list(folder)).filter((path) => !/(?:^|\/)(?:\.[^/]*|node_modules)\//.test(path.slice(start)))
}

/** Lists the files below the boundary that can be parts of descriptions. */
export async function listDataFiles(files: Files): Promise<readonly string[]> {
  return (await listVisible('', files)).filter(isDataFile)
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || compareText(a, b)
}

async function classifyDocuments(
  paths: readonly string[],
  files: Files,
): Promise<(readonly [path: string, kind: 'openapi' | 'swagger'])[]> {
  const found: (readonly [string, 'openapi' | 'swagger'])[] = []
  for await (const [path, result] of readEach(paths, (path) => files.read(path))) {
    const kind = result.kind === 'file' ? await classify(path, result.bytes) : undefined
    if (kind) found.push([path, kind])
  }
  return found
}

/** Tells a document from other data files by the version in its top-level field, which can stand anywhere in the file. */
export async function classify(path: string, bytes: Uint8Array): Promise<'openapi' | 'swagger' | undefined> {
  const source = toSourceFile(path, bytes)
  // Parsing takes longer, and few files contain the field at any depth.
  const inText = /\b(openapi|swagger)["']?\s*:\s*["']?\d/.exec(source.text)?.[1]
  if (inText === undefined) return undefined
  const lead = /^(?:\s|[#%].*[\n\r]|---|[!&]\S*\s)*/.exec(source.text)?.[0] ?? ''
  if (source.text[lead.length] === '{') {
    const { value } = await parseSource(source)
    if (value === undefined) return names.find((name) => name === inText)
    return names.find((name) => isObject(value) && /^\d/.test(String(readOwn(value, name))))
  }
  const indent = lead.length - lead.lastIndexOf('\n') - 1
  const found = new RegExp(`^ {${indent}}["']?(openapi|swagger)["']?\\s*:\\s*["']?\\d`, 'm').exec(source.text)?.[1]
  return names.find((name) => name === found)
}

const names = ['openapi', 'swagger'] as const

type Failure = Extract<LoadedDocument, { kind: 'failed' }>

/**
 * Creates the loader of one description. It reads paths inside the boundary and fetches only the URLs of the entry document and of its
 * overlays, so that a document cannot trigger requests to other hosts.
 *
 * @param overlays See `OverlayOptions.paths`.
 */
export function toLoadDocument(
  { files, fetchDocument }: Pick<DocsAccess, 'files' | 'fetchDocument'>,
  entryPath: string,
  limits: Limits,
  overlays: readonly string[] = [],
): LoadDocument {
  return async (path) => {
    if (isUrl(path)) {
      return path === entryPath || overlays.includes(path) ? await fetchDocument(path, limits) : refusedReference
    }
    const result = await files.read(path, limits.values['document-size'])
    if (result.kind === 'missing') return { ...toFailure(result), ...(await explainMissing(files, path, path === entryPath)) }
    if (result.kind !== 'file') return toFailure(result, limitHint('document-size', limits, 'Split the document'))
    const { bytes, identity } = result
    if (isLfsPointer(bytes)) return lfsPointer
    return { kind: 'loaded', bytes, ...(identity === undefined ? {} : { identity }) }
  }
}

/** Returns the options to apply overlays. Loads the library for their queries only if there are any. */
export async function toOverlayOptions(
  paths: readonly string[],
  { skipsMissing = false, onReplaced }: Pick<OverlayOptions, 'skipsMissing' | 'onReplaced'> = {},
): Promise<OverlayOptions | undefined> {
  if (paths.length === 0) return undefined
  const { createQueryNodes } = await import('./query-json-path.ts')
  return { paths, query: createQueryNodes(), skipsMissing, onReplaced }
}

const refusedReference: Failure = {
  kind: 'failed',
  code: 'url-refused',
  reason: 'a `$ref` to a URL is not followed',
  hint: 'Commit the file next to the document and reference its path',
}

/** The first line of every pointer file. Source: Git LFS specification, "The Pointer". */
const lfsStart = 'version https://git-lfs.github.com/spec/'

/** Whether a file is a pointer of Git LFS, in place of the content that was not downloaded. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length < 1_024 && Buffer.from(bytes.subarray(0, lfsStart.length)).toString('latin1') === lfsStart
}

const lfsPointer: Failure = {
  kind: 'failed',
  code: 'file-unreadable',
  reason: 'it is a Git LFS pointer, and the content was not downloaded',
  hint: 'Run `git lfs pull`. In a workflow, set `lfs: true` for `actions/checkout`',
}

/** Suggests why a file is missing: its submodule is not checked out, or its name has a typo. */
async function explainMissing(files: Files, path: string, isEntry: boolean): Promise<{ readonly hint?: string | undefined }> {
  const submodule = (await listSubmodules(files)).find((folder) => path.startsWith(`${folder}/`))
  if (submodule !== undefined && (await files.list(submodule)).every((file) => file === `${submodule}/.git`)) {
    const hint = `\`${submodule}\` is a Git submodule that is not checked out: run \`git submodule update --init\`. In a workflow, set \`submodules: true\` for \`actions/checkout\``
    return { hint }
  }
  const near = isEntry ? await findNearName(files, path) : undefined
  return { hint: didYouMean(near) }
}

/** Returns the JSON or YAML file in the same folder with the most similar name. */
export async function findNearName(files: Files, path: string): Promise<string | undefined> {
  const below = await listBelow(parentPath(path), files)
  const beside = below.filter((name) => !name.includes('/') && isDataFile(name))
  return suggest(baseName(path), beside)
}

/** Lists the submodule folders in `.gitmodules` at the top of the work tree. */
async function listSubmodules(files: Files): Promise<readonly string[]> {
  const result = await files.read('.gitmodules')
  if (result.kind !== 'file') return []
  const text = Buffer.from(result.bytes).toString('utf8')
  return text.split('\n').flatMap((line) => {
    const [, path] = /^[ \t]*path[ \t]*=(.*)$/.exec(line.trimEnd()) ?? []
    return path === undefined ? [] : [path.trim().replace(/^"|"$/g, '')]
  })
}

/** Returns the reason why a file could not be read, for a diagnostic. `sizeHint` is the hint for a file that is too large. */
export function toFailure(result: Exclude<ReadResult, { kind: 'file' }>, sizeHint?: string): Failure {
  switch (result.kind) {
    case 'missing':
      return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    case 'folder':
      return { kind: 'failed', code: 'file-unreadable', reason: 'it is a directory', hint: 'Name a file in it' }
    case 'outside':
      return {
        kind: 'failed',
        code: 'file-outside-boundary',
        reason: 'it is outside the boundary for reading files',
        hint: 'Move it into the repository, or widen the boundary',
      }
    case 'unreadable':
      return { kind: 'failed', code: 'file-unreadable', reason: result.reason }
    case 'too-large':
      return {
        kind: 'failed',
        code: 'file-too-large',
        reason: `it has ${result.sizeBytes} bytes, more than the limit of ${result.limitBytes}`,
        ...(sizeHint === undefined ? {} : { hint: sizeHint }),
      }
  }
}

/** Reports a file that cannot be read. */
export function reportUnread(path: string, { code, reason, hint }: Failure): Finding {
  return { code, message: `Cannot read \`${path}\`: ${reason}`, file: path, pointer: '', hint }
}

/** Reads the nearest configuration file, searching from a folder upward within the boundary. Without one, `source` is absent. */
export async function readNearestConfig(
  folder: string,
  { files, limitCeilings = defaultLimits.ceilings }: Pick<DocsAccess, 'files' | 'limitCeilings'>,
) {
  const byDefault = toDefaultConfig(limitCeilings)
  for (let current = folder; ; current = parentPath(current)) {
    for (const name of configFileNames) {
      const path = joinPath(current, name)
      const result = await files.read(path)
      if (result.kind === 'missing' || result.kind === 'folder' || result.kind === 'outside') continue
      if (result.kind === 'file') {
        const source = toSourceFile(path, result.bytes)
        return { ...(await parseConfig(source, limitCeilings)), source }
      }
      return { config: toUnreadConfig(limitCeilings), findings: [reportUnread(path, toFailure(result))], source: undefined }
    }
    if (current === '') return { config: byDefault, findings: [], source: undefined }
  }
}

/** Overrides the rules of a configuration. */
export function overrideRules(config: Config, rules: RuleSettings['severities'] | undefined): Config {
  return rules === undefined || rules.size === 0 ? config : { ...config, rules: new Map([...config.rules, ...rules]) }
}
