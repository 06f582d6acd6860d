import { createHash } from 'node:crypto'
import type { Finding } from '../diagnostics/diagnostic.ts'
import { groupBy } from '../source/group-by.ts'
import { isObject, type JsonObject } from '../source/is-object.ts'
import { pointerChild } from '../source/json-pointer.ts'
import { parseSource } from '../source/parse-source.ts'
import { isUrl, normalizePath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import { orderSettings } from './project-config.ts'
import type { LockedDivision, LockedPage, LockedSource, LockFile, UnwrittenOperation } from './types.ts'

/** What came of reading a lock file. */
interface LockFileReading {
  readonly lock: LockFile | undefined
  readonly findings: readonly Finding[]
  /** Why there is no lock: it can be made again where the file is `damaged`, and must not where a `newer` release wrote it. */
  readonly fault: 'damaged' | 'newer' | undefined
}

/**
 * Reads `openapi-pages.lock.json`. A file that is damaged, or newer than this program, gives no lock and one finding: without knowing
 * which pages are ours none may be touched. Of a merge conflict both sides count.
 */
export async function parseLockFile(source: SourceFile): Promise<LockFileReading> {
  return (await readConflict(source)) ?? (await readWhole(source))
}

async function readWhole(source: SourceFile): Promise<LockFileReading> {
  const parsed = await parseSource(source)
  const fault = parsed.faults[0]
  if (fault?.code === 'empty-document') return damaged(source, 'Unexpected empty lock file', '')
  if (fault) return damaged(source, `Cannot read the lock file: ${fault.message}`, '', fault.offsets)
  if (!isObject(parsed.value)) return damaged(source, 'Unexpected content of the lock file, expected a JSON object', '')
  const { version, divisions, pages, unwritten } = parsed.value
  if (typeof version === 'number' && version > lockFileVersion) {
    const message = `Unexpected \`version\` ${version} of the lock file, this openapi-pages knows up to ${lockFileVersion}`
    const hint = 'update with the release of openapi-pages that wrote it, or a newer one'
    const finding: Finding = { code: 'lock-file', message, file: source.path, pointer: '/version', hint, severity: 'error' }
    return { lock: undefined, findings: [finding], fault: 'newer' }
  }
  if (version !== 1 && version !== lockFileVersion) return damaged(source, 'Missing `version` in the lock file', '/version')
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
  return {
    lock: { divisions: lockedDivisions, pages: lockedPages, unwritten: toUnwritten(unwritten) },
    findings: [],
    fault: undefined,
  }
}

/** A key is a document and an operation, as in a binding; its value the divisions. What cannot be read is as good as not there: its operation is new. */
function toUnwritten(value: unknown): UnwrittenOperation[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([key, divisions]) => {
    const [, document, operation] = /^(.*?) ((?:[A-Za-z-]+ \/|webhook |schema ).*)$/s.exec(key) ?? []
    if (document === undefined || operation === undefined || !Array.isArray(divisions)) return []
    return divisions.filter((division) => typeof division === 'string').map((division) => ({ division, document, operation }))
  })
}

/** Each line is an entry of its own, so both sides of a merge conflict can be joined; where both have an entry, theirs counts. */
async function readConflict(source: SourceFile): Promise<LockFileReading | undefined> {
  const conflict = splitConflict(source.text.replaceAll('\r\n', '\n'))
  if (!conflict) return undefined
  const { start } = conflict
  const sides = await Promise.all(
    [conflict.ours, conflict.theirs].map((text) => readWhole({ ...source, text: withoutLastCommas(text) })),
  )
  const [ours, theirs] = sides
  const newer = sides.find(({ fault }) => fault === 'newer')
  if (newer || !ours?.lock || !theirs?.lock) return newer ?? undefined
  const join = <Entry>(key: (entry: Entry) => string, ...lists: (readonly Entry[])[]) => [
    ...new Map(lists.flat().map((entry) => [key(entry), entry])).values(),
  ]
  const lock: LockFile = {
    divisions: join(({ id }) => id, ours.lock.divisions, theirs.lock.divisions),
    pages: join(({ path }) => path, ours.lock.pages, theirs.lock.pages).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    unwritten: join((entry) => Object.values(entry).join(' '), ours.lock.unwritten, theirs.lock.unwritten),
  }
  const message = 'Unexpected merge conflict in the lock file; what both sides record counts'
  const finding: Finding = { code: 'lock-file', message, file: source.path, pointer: '', hint: 'an update writes it anew' }
  return { lock, findings: [{ ...finding, offsets: { start, end: start + 7 } }], fault: undefined }
}

/** Both sides of a text with the markers of merge conflicts, and where the first one is; `undefined` without a complete conflict. */
function splitConflict(text: string): { ours: string; theirs: string; start: number } | undefined {
  const sides = { ours: '', theirs: '' }
  let part: 'both' | 'ours' | 'base' | 'theirs' = 'both'
  let start = -1
  let offset = 0
  for (const line of text.split(/(?<=\n)/)) {
    const marker = /^(?:([<|>])\1{6}(?: .*)?|={7})$/.exec(line.trimEnd())?.[0][0]
    if (part === 'both' && marker === '<') {
      part = 'ours'
      if (start === -1) start = offset
    } else if (part === 'ours' && marker === '|') part = 'base'
    else if ((part === 'ours' || part === 'base') && marker === '=') part = 'theirs'
    else if (part === 'theirs' && marker === '>') part = 'both'
    else {
      if (part === 'both' || part === 'ours') sides.ours += line
      if (part === 'both' || part === 'theirs') sides.theirs += line
    }
    offset += line.length
  }
  return start === -1 || part !== 'both' ? undefined : { ...sides, start }
}

/** A side of a conflict can end with a comma that the other side needs. */
function withoutLastCommas(text: string): string {
  return text.replace(/,([^\S\n]*\n\s*\})/g, '$1').replace(/(\}|\])(\n\s*")/g, '$1,$2')
}

function damaged(
  { path }: SourceFile,
  message: string,
  pointer: string,
  offsets?: { start: number; end: number },
): LockFileReading {
  const hint = `an update makes it again from the pages that are there; \`git checkout -- ${path}\` puts back the version in git`
  const finding: Finding = { code: 'lock-file', message, file: path, pointer, hint, ...(offsets ? { offsets } : {}) }
  return { lock: undefined, findings: [finding], fault: 'damaged' }
}

function toSource(value: unknown): LockedSource | undefined {
  if (!isObject(value)) return undefined
  const { source, directory, order, pending, adopted, named } = value
  if (typeof source !== 'string' || typeof directory !== 'string' || !isInsideRoot(directory)) return undefined
  const known = adopted === 'growing' || adopted === 'fixed' ? adopted : undefined
  return {
    source,
    directory,
    order: orderSettings.find((setting) => setting === order) ?? 'tags',
    pending: pending === true,
    ...(known ? { adopted: known } : {}),
    ...(named === true ? { named } : {}),
  }
}

function toPage(path: string, value: unknown): LockedPage | undefined {
  if (!isObject(value) || !isInsideRoot(path) || !/\.mdx?$/.test(path)) return undefined
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
    ...(isObject(value['adopted']) ? { adopted: toTexts(value['adopted']) } : {}),
    ...(value['keep'] === true ? { keep: true } : {}),
  }
}

function toTexts(value: JsonObject): { [key: string]: string } {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** A lock file comes with the repository; it must not name files of others for deletion. */
function isInsideRoot(path: string): boolean {
  return normalizePath(path) === path && path !== '..' && !path.startsWith('../')
}

/** The newest layout of the lock file that is read. Version 2 has adopted pages, which a program that knows 1 only would rewrite; without such it is 1. */
const lockFileVersion = 2

/** Stands in the docs root and belongs to us; it is committed with the pages. */
export const lockFileName = 'openapi-pages.lock.json'

/**
 * Writes the lock file: one division and one page a line, sorted by UTF-16 units, so that git merges the changes of two branches.
 *
 * It has no top-level `openapi` key, since hosts take a JSON file that has one for a description.
 */
export function formatLockFile(lock: LockFile): string {
  const divisions = lock.divisions.map(({ id, sources }) => {
    const values = sources.map(({ source, directory, order, pending, adopted, named }) => ({
      source,
      directory,
      ...(order === 'tags' ? {} : { order }),
      ...(pending ? { pending } : {}),
      ...(adopted ? { adopted } : {}),
      ...(named ? { named } : {}),
    }))
    return [id, values] as const
  })
  const pages = lock.pages.map((page) => [page.path, toPageValue(page)] as const)
  const isAdopted = lock.divisions.some(({ sources }) => sources.some(({ adopted }) => adopted !== undefined))
  const unwritten = groupBy(lock.unwritten, ({ document, operation }) => `${document} ${operation}`)
  const without = [...unwritten].map(
    ([key, places]) => [key, [...new Set(places.map(({ division }) => division))].toSorted()] as const,
  )
  return [
    '{',
    `  "version": ${isAdopted ? lockFileVersion : 1},`,
    ...formatMapping('divisions', divisions, '},'),
    ...formatMapping('pages', pages, without.length > 0 ? '},' : '}'),
    ...(without.length > 0 ? formatMapping('unwritten', without, '}') : []),
    '}',
    '',
  ].join('\n')
}

/** In an order of its own, whatever made the record. */
function toPageValue(page: LockedPage) {
  const { division, document, operation, operationId, group, summary, parameters, href, hash, adopted, keep } = page
  return { division, document, operation, operationId, group, summary, parameters, href, hash, adopted, keep }
}

function formatMapping(key: string, entries: readonly (readonly [string, unknown])[], end: string): string[] {
  if (entries.length === 0) return [`  "${key}": {${end}`]
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const lines = sorted.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return [`  "${key}": {`, ...lines.slice(0, -1).map((line) => `${line},`), ...lines.slice(-1), `  ${end}`]
}

/** Tells whether a page is still as we wrote it. Line ends make no difference, since git may change them on the way to the disk. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16)
}
