import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { parseSource } from '../text/parse-source.ts'
import { isUrl, normalizePath } from '../text/relative-path.ts'
import type { SourceFile } from '../text/source-file.ts'
import { orderSettings } from './config.ts'
import { lockFileVersion } from './format-lock-file.ts'
import type { LockedDivision, LockedPage, LockedSource, LockFile } from './types.ts'

/**
 * Reads `openapi-pages.lock.json`. A file that is damaged, or newer than this program, gives no lock and one finding: without knowing
 * which pages are ours none may be touched.
 */
export async function parseLockFile(source: SourceFile): Promise<{ lock: LockFile | undefined; findings: readonly Finding[] }> {
  const parsed = await parseSource(source)
  const fault = parsed.faults[0]
  if (fault?.code === 'empty-document') return damaged(source, 'Unexpected empty lock file', '')
  if (fault) return damaged(source, `Cannot read the lock file: ${fault.message}`, '', fault.offsets)
  if (!isObject(parsed.value)) return damaged(source, 'Unexpected content of the lock file, expected a JSON object', '')
  const { version, divisions, pages } = parsed.value
  if (typeof version === 'number' && version > lockFileVersion) {
    const message = `Unexpected \`version\` ${version} of the lock file, this openapi-pages knows up to ${lockFileVersion}`
    const hint = 'update with the release of openapi-pages that wrote it, or a newer one'
    return { lock: undefined, findings: [{ code: 'lock-file', message, file: source.path, pointer: '/version', hint }] }
  }
  if (version !== lockFileVersion) return damaged(source, 'Missing `version` in the lock file', '/version')
  if (!isObject(divisions)) return damaged(source, 'Missing `divisions` in the lock file', '')
  if (!isObject(pages)) return damaged(source, 'Missing `pages` in the lock file', '')
  const lockedDivisions: LockedDivision[] = []
  for (const [id, value] of Object.entries(divisions)) {
    const sources = Array.isArray(value) ? value.map(toSource) : [undefined]
    if (!sources.every((entry) => entry !== undefined)) {
      return damaged(source, `Unexpected entry for the division \`${id}\` in the lock file`, pointerChild('/divisions', id))
    }
    lockedDivisions.push({ id, sources })
  }
  const lockedPages: LockedPage[] = []
  for (const [path, value] of Object.entries(pages)) {
    const page = toPage(path, value)
    if (!page) return damaged(source, `Unexpected entry for the page \`${path}\` in the lock file`, pointerChild('/pages', path))
    lockedPages.push(page)
  }
  return { lock: { divisions: lockedDivisions, pages: lockedPages }, findings: [] }
}

function damaged({ path }: SourceFile, message: string, pointer: string, offsets?: { start: number; end: number }) {
  const hint = `put back the version in git (\`git checkout -- ${path}\`) or settle the merge; until then no page is touched`
  const finding: Finding = { code: 'lock-file', message, file: path, pointer, hint, ...(offsets ? { offsets } : {}) }
  return { lock: undefined, findings: [finding] }
}

function toSource(value: unknown): LockedSource | undefined {
  if (!isObject(value)) return undefined
  const { source, directory, order, pending } = value
  if (typeof source !== 'string' || typeof directory !== 'string' || !isInsideRoot(directory)) return undefined
  const known = orderSettings.find((setting) => setting === order)
  return { source, directory, order: known ?? 'tags', pending: pending === true }
}

function toPage(path: string, value: unknown): LockedPage | undefined {
  if (!isObject(value) || !isInsideRoot(path) || !path.endsWith('.mdx')) return undefined
  const { division, document, operation, hash, parameters } = value
  const toText = (key: string) => (typeof value[key] === 'string' ? value[key] : undefined)
  if (typeof division !== 'string' || typeof document !== 'string' || typeof operation !== 'string') return undefined
  return {
    path,
    division,
    document: isUrl(document) ? document : normalizePath(document),
    operation,
    operationId: toText('operationId'),
    group: toText('group'),
    summary: toText('summary'),
    parameters: Array.isArray(parameters) ? parameters.filter((name) => typeof name === 'string') : undefined,
    href: toText('href'),
    hash: typeof hash === 'string' ? hash : undefined,
  }
}

/** A lock file comes with the repository; it must not name files of others for deletion. */
function isInsideRoot(path: string): boolean {
  return normalizePath(path) === path && path !== '..' && !path.startsWith('../')
}
