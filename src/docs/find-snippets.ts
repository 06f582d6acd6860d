import { joinPath, normalizePath, parentPath } from '../text/relative-path.ts'

/**
 * Finds the files among pages that are parts of other pages: those in a folder `snippets` or `_snippets`, and those that another one imports.
 * Paths are relative to the docs root, with extension.
 */
export function findSnippets(pages: ReadonlyMap<string, string>): Set<string> {
  const snippets = new Set<string>()
  for (const [path, text] of pages) {
    if (/(^|\/)_?snippets\//.test(path)) snippets.add(path)
    if (!text.includes('import ')) continue
    for (const [, imported = ''] of text.matchAll(/^[ \t]*import\s[^'"\n\r\u2028\u2029]*?from\s*['"]([^'"\n]+\.mdx?)['"]/gm)) {
      const target = imported.startsWith('/') ? normalizePath(imported) : joinPath(parentPath(path), imported)
      if (target !== path && pages.has(target)) snippets.add(target)
    }
  }
  return snippets
}
