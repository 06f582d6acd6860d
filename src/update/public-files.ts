import type { Finding } from '../diagnostics/diagnostic.ts'
import { isDocsConfigPath } from '../docs-config/config-files.ts'
import { parsePageFrontmatter } from '../docs-config/page-frontmatter.ts'
import { isRestrictedPage, listDocuments, toPublicNavigation } from '../docs-config/restricted-pages.ts'
import { cacheFileLists, type Files, type ReadResult, readEach } from '../files/files.ts'
import type { FetchDocument } from '../openapi/document-set.ts'
import { toPublicDocument } from '../openapi/restricted-parts.ts'
import { parseSource } from '../source/parse-source.ts'
import { isUrl, joinPath, normalizePath } from '../source/relative-path.ts'
import { toSourceFile } from '../source/source-file.ts'
import { readDocsDirectory } from './read-docs-directory.ts'
import type { UpdateEnvironment } from './types.ts'

/** The files of a docs directory as every reader of its site may see them. */
export interface PublicEnvironment {
  readonly environment: UpdateEnvironment
  /** Reports what was left out so far, with the names of all pages and parts. Empty with `site.restricted: publish`. */
  readonly findings: () => readonly Finding[]
}

/**
 * Hides what `groups`, `public: false`, `x-mint.groups` and `x-mint-enum` restrict, unless the configuration publishes it: pages, divisions and
 * entries of `docs.json`, and parts of OpenAPI documents. Whatever reads a site through these files cannot publish it.
 *
 * @param root The docs directory, relative to the boundary.
 */
export async function hideRestricted(root: string, environment: UpdateEnvironment): Promise<PublicEnvironment> {
  const files = cacheFileLists(environment.files)
  const { config, docsConfig, sources } = await readDocsDirectory(root, { ...environment, files })
  if (!docsConfig || config.site.restricted === 'publish') return { environment: { ...environment, files }, findings: () => [] }
  const navigation = toPublicNavigation(docsConfig.value, () => false)
  const inDivisions = new Set(navigation.pages.map(toPageName))
  const hidden = new Set(
    navigation.documents.filter((path) => !isUrl(path)).map((path) => joinPath(root, normalizePath(path.replace(/^\/+/, '')))),
  )
  const pages = new Set<string>()
  const paths = (await files.list(root)).filter((path) => /\.mdx?$/i.test(path))
  for await (const [path, result] of readEach(paths, (one) => files.read(one))) {
    const restriction = result.kind === 'file' ? readRestriction(path, result.bytes) : 'none'
    const name = toPageName(root === '' ? path : path.slice(root.length + 1))
    const isHidden =
      restriction === 'restricted' || (restriction !== 'public' && (inDivisions.has(name) || inDivisions.has(toIndexName(name))))
    if (isHidden) pages.add(path)
  }
  const names = new Set([...pages].map((path) => toPageName(root === '' ? path : path.slice(root.length + 1))))
  const parts = new Map<string, readonly string[]>()
  const configs = new Set(sources.map(({ path }) => path))
  const shown = hideParts(files, parts)
  // Entries such as `GET /admin` need the restricted operations.
  const documents = listDocuments(docsConfig.value).filter((path) => !isUrl(path) && /\.(?:json|ya?ml)$/i.test(path))
  for (const path of new Set(documents)) await shown.read(joinPath(root, normalizePath(path.replace(/^\/+/, ''))))
  const operations = new Set([...parts.values()].flat().flatMap(toEntries))
  const isEntryHidden = (entry: string) => {
    const name = toPageName(entry)
    return names.has(name) || names.has(`${name}/index`) || operations.has(toOperationEntry(entry) ?? '')
  }
  const { fetchDocument } = environment
  const publicFiles: Files = {
    ...shown,
    read: async (path, limitBytes) => {
      if (pages.has(path) || hidden.has(path)) return { kind: 'missing' }
      const isConfig = configs.has(path) && (isDocsConfigPath(path) || path.endsWith('.json'))
      return isConfig ? toPublicConfig(await files.read(path, limitBytes), isEntryHidden) : await shown.read(path, limitBytes)
    },
    list: async (folder) => (await files.list(folder)).filter((path) => !pages.has(path) && !hidden.has(path)),
  }
  return {
    environment: {
      ...environment,
      files: publicFiles,
      ...(fetchDocument && { fetchDocument: hideFetchedParts(fetchDocument, parts) }),
    },
    findings: () => toFindings(docsConfig.source.path, [...pages, ...hidden], parts),
  }
}

/** Hides the restricted parts of OpenAPI documents. */
export function hideRestrictedParts(files: Files): Files {
  return hideParts(files, new Map())
}

/** @param found Receives the pointers of hidden parts by path. */
function hideParts(files: Files, found: Map<string, readonly string[]>): Files {
  return {
    ...files,
    read: async (path, limitBytes) => {
      const result = await files.read(path, limitBytes)
      // Most documents restrict nothing, and parsing one twice takes long.
      if (result.kind !== 'file' || !/\.(?:json|ya?ml)$/i.test(path)) return result
      const bytes = await toPublicBytes(path, result.bytes, found)
      return bytes ? { kind: 'file', bytes } : result
    },
  }
}

function hideFetchedParts(fetchDocument: FetchDocument, found: Map<string, readonly string[]>): FetchDocument {
  return async (url, limits) => {
    const loaded = await fetchDocument(url, limits)
    const bytes = loaded.kind === 'loaded' ? await toPublicBytes(url, loaded.bytes, found) : undefined
    return loaded.kind === 'loaded' && bytes ? { ...loaded, bytes } : loaded
  }
}

/** The document without its restricted parts; `undefined` if it has none, or cannot be read. */
async function toPublicBytes(
  path: string,
  bytes: Uint8Array,
  found: Map<string, readonly string[]>,
): Promise<Uint8Array | undefined> {
  // Most documents restrict nothing, and parsing one twice takes long.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('x-mint')) return undefined
  const { value, faults } = await parseSource(toSourceFile(path, bytes))
  const { value: shown, parts } = toPublicDocument(faults.length > 0 ? undefined : value)
  if (parts.length === 0) return undefined
  found.set(path, parts)
  return new TextEncoder().encode(`${JSON.stringify(shown, undefined, 2)}\n`)
}

/** The entries that a restricted operation, path item or webhook has in the navigation, without their document. */
function toEntries(pointer: string): string[] {
  const [, kind, name = '', method] = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (pointer.split('/').length > 4) return []
  if (kind === 'webhooks') return [`webhook ${name}`]
  if (kind !== 'paths') return []
  const methods = method === undefined ? ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] : [method]
  return methods.map((one) => `${one.toUpperCase()} ${name}`)
}

/** `openapi.yaml get /pets` becomes `GET /pets`; `undefined` for the entry of a page. */
function toOperationEntry(entry: string): string | undefined {
  const [, method = '', path = ''] = /^(?:\S+\s+)?([A-Za-z]+)\s+(\S.*)$/.exec(entry.trim()) ?? []
  if (method === '') return undefined
  return method.toLowerCase() === 'webhook' ? `webhook ${path}` : `${method.toUpperCase()} ${path}`
}

function readRestriction(path: string, bytes: Uint8Array): 'restricted' | 'public' | 'none' {
  const { text } = toSourceFile(path, bytes)
  if (!/^[ \t]*["']?(?:groups|public)["']?[ \t]*:/m.test(text)) return 'none'
  const values = parsePageFrontmatter(text)?.values ?? {}
  return isRestrictedPage(values) ? 'restricted' : values['public'] === true ? 'public' : 'none'
}

function toPublicConfig(result: ReadResult, isRestricted: (entry: string) => boolean): ReadResult {
  if (result.kind !== 'file') return result
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(result.bytes))
  } catch {
    // The reader of the configuration reports it.
    return result
  }
  const pruned = JSON.stringify(toPublicNavigation(value, isRestricted).value, undefined, 2)
  return pruned === JSON.stringify(value, undefined, 2)
    ? result
    : { kind: 'file', bytes: new TextEncoder().encode(`${pruned}\n`) }
}

/** The name of a page in the navigation: without a leading slash and an extension. */
function toPageName(path: string): string {
  return normalizePath(path).replace(/\.mdx?$/i, '')
}

function toIndexName(name: string): string {
  return name.replace(/(?:^|\/)index$/, '')
}

function toFindings(file: string, pages: readonly string[], parts: ReadonlyMap<string, readonly string[]>): readonly Finding[] {
  const named = [
    ...pages.map((path) => `\`${path}\``),
    ...[...parts].flatMap(([path, pointers]) => pointers.map((one) => `\`${path}#${one}\``)),
  ]
  if (named.length === 0) return []
  const message = `Not published, because only some readers may see it: ${named.join(', ')}`
  const hint = 'To publish it for everyone, set `site: { restricted: publish }` in the configuration file'
  return [{ code: 'content-restricted', message, file, pointer: '', hint }]
}
