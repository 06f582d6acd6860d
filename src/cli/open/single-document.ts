import type { Files } from '../../files/files.ts'
import { readShownInfo } from '../../openapi/public/restriction-marks.ts'
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
  const info = await readInfo(document, bytes)
  const title = info.title ?? baseName(source)
  const docsConfig = {
    name: title,
    api: { examples: { prefill: true } },
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

/** What a document says about its API, if all readers may see it. `site.restricted` is not known here. */
export async function readInfo(document: string, bytes: Uint8Array | undefined) {
  return readShownInfo(bytes && (await parseSource(toSourceFile(document, bytes))).value)
}

function renderStart(title: string, { summary, description }: ReturnType<typeof readShownInfo>): string {
  const frontmatter = [
    `title: ${JSON.stringify(title)}`,
    'sidebarTitle: Overview',
    ...(summary === undefined ? [] : [`description: ${JSON.stringify(summary)}`]),
  ]
  return `---\n${frontmatter.join('\n')}\n---\n\n${description ?? ''}\n`
}
