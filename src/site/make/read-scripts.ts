import { type Files, listBelow } from '../../files/files.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'

/** Matches the path of an import or export from a file. Others are filtered by their existence. */
const importPath = /\bfrom\s*['"]([^'"\n]{1,300})['"]/g

/**
 * Reads the `.jsx`, `.js`, `.tsx` and `.ts` files that pages import, directly or through other files, by their path relative to the docs
 * directory. Files without an importer are not read, because a docs directory can contain a whole project.
 */
export async function readScripts(
  root: string,
  pages: ReadonlyMap<string, string>,
  files: Files,
  limits: Limits,
): Promise<ReadonlyMap<string, string>> {
  const isScript = (path: string) => /\.[jt]sx?$/i.test(path) && !/(^|\/)node_modules\//.test(path)
  const listed = new Set((await listBelow(root, files)).filter(isScript))
  const scripts = new Map<string, string>()
  if (listed.size === 0) return scripts
  const waiting: (readonly [path: string, text: string])[] = [...pages]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [importer, text] = next
    for (const [, from = ''] of text.matchAll(importPath)) {
      const path = findScript(from, importer, listed)
      if (path === undefined || scripts.has(path)) continue
      const result = await files.read(joinPath(root, path), limits.values['page-size'])
      const script = result.kind === 'file' ? toSourceFile('', result.bytes).text : ''
      scripts.set(path, script)
      waiting.push([path, script])
    }
  }
  return scripts
}

const endings = ['', '.jsx', '.tsx', '.js', '.ts', '/index.jsx', '/index.tsx', '/index.js', '/index.ts']

function findScript(from: string, importer: string, listed: ReadonlySet<string>): string | undefined {
  if (!/^\.{0,2}\//.test(from)) return undefined
  const path = normalizePath(joinPath(from.startsWith('/') ? '' : parentPath(importer), from.replace(/^\/+/, '')))
  const ending = endings.find((one) => listed.has(path + one))
  return ending === undefined ? undefined : path + ending
}
