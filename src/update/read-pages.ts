import { isDocsConfigPath } from '../docs/docs-config-names.ts'
import type { Files } from '../files/files.ts'
import { parentPath } from '../text/relative-path.ts'
import { toSourceFile } from '../text/source-file.ts'

/** The files below a docs root. */
export interface DocsFiles {
  /** Text of each page by its path relative to the docs root, with extension. */
  readonly pages: ReadonlyMap<string, string>
  /** Paths, relative to the docs root, of all files that may be OpenAPI documents by their name. */
  readonly documents: readonly string[]
  /** Paths, relative to the docs root, of the `docs.json` and `mint.json` of other projects below it. */
  readonly otherDocsConfigs: readonly string[]
}

/** How many files are asked for at once. */
const batchSize = 64

/**
 * Reads the pages (`.mdx`, `.md`) of a docs root. Left out are folders whose name begins with a dot, and those with a `docs.json` of their
 * own: they are another project. Pages that are known by their paths are read wherever they are. A page that is not text is kept as one that
 * nobody may change.
 */
export async function readPages(root: string, known: readonly string[], files: Files): Promise<DocsFiles> {
  const prefix = root === '' ? '' : `${root}/`
  const all = (await files.list(root)).map((path) => path.slice(prefix.length))
  const otherDocsConfigs: string[] = []
  for (const path of all.filter((name) => name.includes('/') && isDocsConfigPath(name))) {
    const result = await files.read(prefix + path)
    // An OpenAPI document may have this name too, and a program in the language Mint.
    const isDocsConfig = result.kind === 'file' && toSourceFile(path, result.bytes).text.includes('"navigation"')
    if (isDocsConfig) otherDocsConfigs.push(path)
  }
  const otherProjects = otherDocsConfigs.map((path) => `${parentPath(path)}/`)
  const own = all.filter((path) => !/(^|\/)\.[^/]*\//.test(path) && !otherProjects.some((folder) => path.startsWith(folder)))
  const paths = [...new Set([...own.filter((path) => /\.mdx?$/i.test(path)), ...known])]
  const pages = new Map<string, string>()
  for (let start = 0; start < paths.length; start += batchSize) {
    const batch = paths.slice(start, start + batchSize)
    const results = await Promise.all(batch.map((path) => files.read(prefix + path)))
    results.forEach((result, index) => {
      const path = batch[index]
      if (path === undefined || result.kind === 'missing' || result.kind === 'folder') return
      pages.set(path, result.kind === 'file' ? toText(path, result.bytes) : '')
    })
  }
  return { pages, documents: own.filter((path) => /\.(json|ya?ml)$/i.test(path)), otherDocsConfigs }
}

function toText(path: string, bytes: Uint8Array): string {
  const { text, encodingFault } = toSourceFile(path, bytes)
  return encodingFault ? '' : text
}
