import { createHash } from 'node:crypto'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import {
  entriesOf,
  isObject,
  listTexts,
  pointerChild,
  readFlag,
  readOwn,
  readText,
  stringEntries,
} from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { compareText, groupBy } from '../../text/plain/lists.ts'
import { isUrl, joinPath, normalizePath } from '../../text/plain/paths.ts'
import {
  type FileChange,
  findLineEnding,
  type LineEnding,
  type SourceFile,
  withLineEndings,
} from '../../text/plain/source-file.ts'
import { lockFileName } from '../config/config-files.ts'
import { type MethodOrder, methodOrders, type OrderSetting, orders } from '../config/config-setting.ts'

/** The content of the lock file. */
export interface LockFile {
  readonly divisions: readonly LockedDivision[]
  /** Sorted by path. */
  readonly pages: readonly LockedPage[]
  /** Operations that had no page when their division was adopted and therefore do not count as new. */
  readonly unwritten: readonly UnwrittenOperation[]
}

/** An operation of an adopted division that has no page and gets one only on request. */
export type UnwrittenOperation = Pick<LockedPage, 'division' | 'document' | 'operation'>

/** A division with pages in the repository. */
export interface LockedDivision {
  /** See `Division.id`. `''` for the documents of a docs directory without `docs.json`. */
  readonly id: string
  readonly sources: readonly LockedSource[]
}

export interface LockedSource {
  /** A URL, or a path relative to the docs directory. */
  readonly source: string
  readonly directory: string
  /** The order of groups and pages at the time they were listed. */
  readonly order: OrderSetting
  readonly methodOrder: MethodOrder
  /**
   * The `openapi` entry is on the division: the document had errors or no operations when the other entries were moved, or the
   * division was made virtual and kept pages of it.
   */
  readonly pending: boolean
  /**
   * The pages were adopted and keep their paths and layout. `growing`: new operations get a page. `fixed`: only a few operations
   * have pages, and new ones do not get one.
   */
  readonly adopted?: 'growing' | 'fixed' | undefined
}

/** Traits of an operation when its page was last written. They identify the operation after a rename. */
export interface OperationTraits {
  readonly operationId?: string | undefined
  /** The group that lists the page: its label, or `Animals / Pets` for a group in another one. */
  readonly group?: string | undefined
  /** The first 200 characters. */
  readonly summary?: string | undefined
  /** Parameter names without path parameters. Absent if there are none. */
  readonly parameters?: readonly string[] | undefined
  /** `x-mint.href` */
  readonly href?: string | undefined
}

/** A generated page, or a record of a manually deleted page that must not be restored. */
export interface LockedPage extends OperationTraits {
  /** Relative to the docs directory, with extension. */
  readonly path: string
  /** See `LockedDivision.id`. */
  readonly division: string
  /** As in the page's binding: a URL, or a path relative to the docs directory. */
  readonly document: string
  /** The binding without its file: `GET /pets`, `webhook orderShipped`. */
  readonly operation: string
  /** Hash of the last generated content (see `contentHash`). Absent if the page was deleted manually. */
  readonly hash: string | undefined
  /** Only for adopted pages: the frontmatter keys that follow the description, with the source of each text. */
  readonly adopted?: { readonly [key: string]: string }
  /** The page has its own content and is kept even if its operation is removed. */
  readonly keep?: boolean
  /** The former path of a page that a person moved since the last update. Not in the file. */
  readonly movedFrom?: string
}

/** The result of reading a lock file. */
interface LockFileReading {
  readonly lock: LockFile | undefined
  readonly findings: readonly Finding[]
  /** Why there is no lock. A `damaged` file can be rebuilt. A file written by a `newer` release must not be changed. */
  readonly fault: 'damaged' | 'newer' | undefined
}

/**
 * Reads `openapi-pages.lock.json`. A damaged file or one from a newer release yields one diagnostic and no lock, because no page
 * may be changed without knowing which pages are generated. A merge conflict is resolved by using the entries of both sides.
 * Misplaced commas at line ends are ignored, because deleting the last entry manually leaves one.
 */
export async function parseLockFile(source: SourceFile): Promise<LockFileReading> {
  const conflict = await readConflict(source)
  if (conflict) return conflict
  const whole = await readWhole(source)
  if (whole.fault !== 'damaged') return whole
  const repaired = await readWhole({ ...source, text: correctCommas(source.text) })
  return repaired.fault === 'damaged' ? whole : repaired
}

async function readWhole(source: SourceFile): Promise<LockFileReading> {
  const parsed = await parseSource(source)
  const fault = parsed.faults[0]
  if (fault?.code === 'empty-document') return reportDamaged(source, 'Unexpected empty lock file', '')
  if (fault) return reportDamaged(source, `Cannot read the lock file: ${fault.message}`, '', fault.offsets)
  if (!isObject(parsed.value)) return reportDamaged(source, 'Unexpected lock file content, expected a JSON object', '')
  const { version, divisions, pages, unwritten } = parsed.value
  if (typeof version === 'number' && version > lockFileVersion) {
    const message = `Unexpected lock file \`version\` ${version}, expected at most ${lockFileVersion}`
    const hint = 'Use the openapi-pages release that wrote the file, or a newer one'
    const finding: Finding = { code: 'lock-file', message, file: source.path, pointer: '/version', hint, severity: 'error' }
    return { lock: undefined, findings: [finding], fault: 'newer' }
  }
  if (version !== lockFileVersion) return reportDamaged(source, 'Missing `version` in the lock file', '/version')
  if (!isObject(divisions)) return reportDamaged(source, 'Missing `divisions` in the lock file', '')
  if (!isObject(pages)) return reportDamaged(source, 'Missing `pages` in the lock file', '')
  const lockedDivisions: LockedDivision[] = []
  for (const [id, value] of Object.entries(divisions)) {
    const sources = Array.isArray(value) ? value.map(toSource) : [undefined]
    if (!sources.every((entry) => entry !== undefined)) {
      return reportDamaged(source, `Unexpected entry for division \`${id}\` in the lock file`, pointerChild('/divisions', id))
    }
    lockedDivisions.push({ id, sources })
  }
  const lockedPages: LockedPage[] = []
  for (const [path, value] of Object.entries(pages)) {
    const page = toPage(path, value)
    if (!page)
      return reportDamaged(source, `Unexpected entry for page \`${path}\` in the lock file`, pointerChild('/pages', path))
    lockedPages.push(page)
  }
  return {
    lock: { divisions: lockedDivisions, pages: lockedPages, unwritten: toUnwritten(unwritten) },
    findings: [],
    fault: undefined,
  }
}

/**
 * Reads `unwritten`: keys are a document and an operation, values are divisions. Invalid entries are ignored, so their operations
 * count as new.
 */
function toUnwritten(value: unknown): UnwrittenOperation[] {
  return entriesOf(value).flatMap(([key, divisions]) => {
    const [, document, operation] = /^(.*?) ((?:[A-Za-z-]+ \/|webhook |schema ).*)$/s.exec(key) ?? []
    if (document === undefined || operation === undefined) return []
    return listTexts(divisions).map((division) => ({ division, document, operation }))
  })
}

/**
 * Resolves a merge conflict by joining the entries of both sides, since each line is a separate entry. For duplicates, the
 * incoming side wins.
 */
async function readConflict(source: SourceFile): Promise<LockFileReading | undefined> {
  const conflict = splitConflict(source.text.replaceAll('\r\n', '\n'))
  if (!conflict) return undefined
  const { start } = conflict
  const sides = await Promise.all(
    [conflict.ours, conflict.theirs].map((text) => readWhole({ ...source, text: correctCommas(text) })),
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
  const message = 'Merge conflict in the lock file: using the entries of both sides'
  const finding: Finding = {
    code: 'lock-file',
    message,
    file: source.path,
    pointer: '',
    hint: 'Run an update to rewrite the file',
  }
  return { lock, findings: [{ ...finding, offsets: { start, end: start + 7 } }], fault: undefined }
}

/** Splits a text at its merge conflict markers into both sides. Returns `undefined` if there is no complete conflict. */
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

/** Removes trailing commas and adds missing ones. Deleting or moving a line manually, or a merge conflict, can cause both. */
function correctCommas(text: string): string {
  return text.replace(/,([^\S\n]*\n\s*\})/g, '$1').replace(/(\}|\])(\n\s*")/g, '$1,$2')
}

function reportDamaged(
  { path }: SourceFile,
  message: string,
  pointer: string,
  offsets?: { start: number; end: number },
): LockFileReading {
  const hint = `Run an update to rebuild it from the existing pages, or restore it with \`git checkout -- ${path}\``
  const finding: Finding = { code: 'lock-file', message, file: path, pointer, hint, ...(offsets ? { offsets } : {}) }
  return { lock: undefined, findings: [finding], fault: 'damaged' }
}

function toSource(value: unknown): LockedSource | undefined {
  const [source, directory, adopted] = ['source', 'directory', 'adopted'].map((key) => readText(value, key))
  if (source === undefined || directory === undefined || !isInsideRoot(directory)) return undefined
  return {
    source,
    directory,
    order: orders.toValue(readText(value, 'order')) ?? 'tags',
    methodOrder: methodOrders.toValue(readText(value, 'methodOrder')) ?? 'fixed',
    pending: readFlag(value, 'pending'),
    ...(adopted === 'growing' || adopted === 'fixed' ? { adopted } : {}),
  }
}

function toPage(path: string, value: unknown): LockedPage | undefined {
  if (!isInsideRoot(path) || !/\.mdx?$/.test(path)) return undefined
  const toText = (key: string) => readText(value, key)
  const [division, document, operation] = [toText('division'), toText('document'), toText('operation')]
  if (division === undefined || document === undefined || operation === undefined) return undefined
  const [parameters, adopted] = [readOwn(value, 'parameters'), readOwn(value, 'adopted')]
  return {
    path,
    division,
    document: isUrl(document) ? document : normalizePath(document),
    operation,
    operationId: toText('operationId'),
    group: toText('group'),
    summary: toText('summary'),
    parameters: Array.isArray(parameters) ? listTexts(parameters) : undefined,
    href: toText('href'),
    hash: toText('hash'),
    ...(isObject(adopted) ? { adopted: stringEntries(adopted) } : {}),
    ...(readFlag(value, 'keep') ? { keep: true } : {}),
  }
}

/** The lock file is untrusted input. It must not be able to name files outside the docs directory for deletion. */
function isInsideRoot(path: string): boolean {
  return normalizePath(path) === path && path !== '..' && !path.startsWith('../')
}

const lockFileVersion = 1

/**
 * Formats the lock file with one division or page per line, sorted by UTF-16 code units, so that Git can merge changes from two
 * branches.
 *
 * It has no top-level `openapi` key because hosts treat JSON files with that key as OpenAPI documents.
 */
export function formatLockFile(lock: LockFile): string {
  const divisions = lock.divisions.map(({ id, sources }) => {
    const values = sources.map(({ source, directory, order, methodOrder, pending, adopted }) => ({
      source,
      directory,
      ...(order === 'tags' ? {} : { order }),
      ...(methodOrder === 'fixed' ? {} : { methodOrder }),
      ...(pending ? { pending } : {}),
      ...(adopted ? { adopted } : {}),
    }))
    return [id, values] as const
  })
  const pages = lock.pages.map((page) => [page.path, toPageValue(page)] as const)
  const unwritten = groupBy(lock.unwritten, ({ document, operation }) => `${document} ${operation}`)
  const without = [...unwritten].map(
    ([key, places]) => [key, [...new Set(places.map(({ division }) => division))].toSorted()] as const,
  )
  return [
    '{',
    `  "version": ${lockFileVersion},`,
    ...formatMapping('divisions', divisions, '},'),
    ...formatMapping('pages', pages, without.length > 0 ? '},' : '}'),
    ...(without.length > 0 ? formatMapping('unwritten', without, '}') : []),
    '}',
    '',
  ].join('\n')
}

/** Fixes the order of keys, independent of how the record was created. */
function toPageValue(page: LockedPage) {
  const { division, document, operation, operationId, group, summary, parameters, href, hash, adopted, keep } = page
  return { division, document, operation, operationId, group, summary, parameters, href, hash, adopted, keep }
}

function formatMapping(key: string, entries: readonly (readonly [string, unknown])[], end: string): string[] {
  if (entries.length === 0) return [`  "${key}": {${end}`]
  const sorted = entries.toSorted(([a], [b]) => compareText(a, b))
  const lines = sorted.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return [`  "${key}": {`, ...lines.slice(0, -1).map((line) => `${line},`), ...lines.slice(-1), `  ${end}`]
}

/** Hashes page content to detect hand edits. Line endings are ignored because Git may convert them on checkout. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16)
}

/** An empty lock file is deleted. Differences only in line endings are ignored. */
export function toLockFileChange(
  { root, lockText: before }: { readonly root: string; readonly lockText: string | undefined },
  text: string,
  isNeeded: boolean,
  endingOf: (path: string) => LineEnding,
): FileChange | undefined {
  const path = joinPath(root, lockFileName)
  if (before === undefined) return isNeeded ? { kind: 'add', path, content: withLineEndings(text, endingOf(path)) } : undefined
  if (!isNeeded) return { kind: 'delete', path, before }
  if (before.replaceAll('\r\n', '\n') === text) return undefined
  return { kind: 'modify', path, before, content: withLineEndings(text, findLineEnding([before])) }
}
