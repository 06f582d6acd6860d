import type { Files } from '../files/files.ts'
import { joinPath } from '../text/relative-path.ts'

/** Finds the files among some that look like OpenAPI documents: they have a top-level `openapi` key. Paths are relative to the docs root. */
export async function findDocuments(root: string, paths: readonly string[], files: Files): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const result = await files.read(joinPath(root, path))
    if (result.kind !== 'file') continue
    const text = Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength).toString('utf8')
    const isJson = /^\uFEFF?\s*\{/.test(text)
    if (isJson ? hasOpenApiKey(text) : /^(\uFEFF)?["']?openapi["']?\s*:/m.test(text)) found.push(path)
  }
  return found
}

/** In JSON the key says nothing about its depth, so the text has to be parsed; but only where the key is there. */
function hasOpenApiKey(text: string): boolean {
  if (!/"openapi"\s*:\s*"/.test(text)) return false
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && 'openapi' in value
  } catch {
    return false
  }
}
