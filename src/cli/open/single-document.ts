import type { Files } from '../../files/files.ts'
import { isRestrictedPart } from '../../openapi/public/restriction-marks.ts'
import { isObject, type JsonObject, readOwn, readText } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { baseName, isUrl, joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'

/**
 * Generates a docs directory for building a site from a single document, as if its directory had only the document, a `docs.json` that
 * names it, and a start page. Files referenced by the document are read as usual.
 *
 * @param document path relative to the boundary, or URL. @param bytes content of the document. Absent if it cannot be read, which
 * the build reports. @param folder the docs directory for a URL.
 */
export async function createSingleDocumentDocs(document: string, bytes: Uint8Array | undefined, files: Files, folder: string) {
  const root = isUrl(document) ? folder : parentPath(document)
  const source = isUrl(document) ? document : relativePath(root, document)
  const info = bytes === undefined ? {} : await readInfo(document, bytes)
  const title = textOf(info, 'title') ?? baseName(source)
  const docsConfig = {
    name: title,
    navigation: { openapi: { source, directory: '/' }, pages: ['index'] },
  }
  const made = new Map([
    [joinPath(root, 'docs.json'), JSON.stringify(docsConfig, undefined, 2)],
    [joinPath(root, 'index.mdx'), renderStart(title, info)],
  ])
  const shown: Files = {
    read: async (path) => {
      const content = made.get(path)
      if (content !== undefined) return { kind: 'file', bytes: new TextEncoder().encode(content) }
      // Settings and the lock file of a surrounding docs directory belong to a different site.
      const isOfOther = /(?:^|\/)(?:mint\.json|openapi-pages\.lock\.json|\.mintignore)$/.test(path)
      return isOfOther ? { kind: 'missing' } : await files.read(path)
    },
    list: async () => [...made.keys(), ...(isUrl(document) ? [] : [document])].sort(),
  }
  return { root, madeFiles: new Set(made.keys()), files: shown }
}

async function readInfo(document: string, bytes: Uint8Array): Promise<JsonObject> {
  const { value } = await parseSource(toSourceFile(document, bytes))
  const info = readOwn(value, 'info')
  // `site.restricted` is not known here.
  return isObject(value) && isObject(info) && ![value, info].some(isRestrictedPart) ? info : {}
}

function renderStart(title: string, info: JsonObject): string {
  const summary = textOf(info, 'summary')
  const frontmatter = [
    `title: ${JSON.stringify(title)}`,
    'sidebarTitle: Overview',
    ...(summary === undefined ? [] : [`description: ${JSON.stringify(summary)}`]),
  ]
  return `---\n${frontmatter.join('\n')}\n---\n\n${textOf(info, 'description') ?? ''}\n`
}

function textOf(info: JsonObject, key: string): string | undefined {
  return readText(info, key)?.trim() || undefined
}
