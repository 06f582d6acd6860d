import { isMap, isSeq, parseDocument, stringify } from 'yaml'
import {
  type AcceptedChange,
  acceptedFields,
  acceptedFileName,
  type Change,
  type DocumentComparison,
  maxAcceptedFileBytes,
  parseAcceptedChanges,
} from '../../changes/change.ts'
import { formatOperation } from '../../changes/show/changes-text.ts'
import type { Files } from '../../files/files.ts'
import { escapeText, toOneLine } from '../../text/plain/escape-text.ts'
import { compareText } from '../../text/plain/lists.ts'
import { joinPath, relativePath } from '../../text/plain/paths.ts'
import { type FileChange, toFileChange } from '../../text/plain/source-file.ts'
import { type AcceptedFile, readAcceptedFile } from '../read/read-docs-directory.ts'

/** An edit of the file with accepted changes. */
export type PlannedAcceptedFile =
  | { readonly kind: 'planned'; readonly change: FileChange }
  /** The file stays unchanged. `reason` is a clause, `hint` a sentence; both without a full stop. */
  | { readonly kind: 'refused'; readonly reason: string; readonly hint?: string }

/** Plans an edit of the file with accepted changes, without writing it. A file with errors is never replaced. */
export async function planAcceptedFile(
  { path, source, findings }: AcceptedFile,
  edits: AcceptedEdits,
): Promise<PlannedAcceptedFile> {
  if (findings.length > 0) return { kind: 'refused', reason: 'it has errors', hint: 'Correct them first' }
  const content = await editAcceptedChanges(source?.text ?? '', edits)
  if (content === undefined) {
    const hint = 'Write each entry as lines after a dash, not in brackets'
    return { kind: 'refused', reason: 'its entries have an unexpected layout', hint }
  }
  // A larger file could not be read, and would accept nothing.
  if (new TextEncoder().encode(content).length > maxAcceptedFileBytes) {
    const hint = 'Remove entries that match no change, with `openapi-pages accept --prune`'
    return { kind: 'refused', reason: 'it would have more than 1 MB', hint }
  }
  return { kind: 'planned', change: toFileChange(path, source?.text, content) }
}

/**
 * Plans the file that accepts all breaking changes of a docs directory. Rejects only on disk errors.
 *
 * @param files The files of the revision.
 */
export async function planAcceptance(
  {
    root,
    documents,
    by,
  }: { readonly root: string; readonly documents: readonly DocumentComparison[]; readonly by: Omit<AcceptedBy, 'document'> },
  files: Files,
): Promise<PlannedAcceptedFile & { readonly breakingCount: number }> {
  const accepted = await readAcceptedFile(joinPath(root, acceptedFileName), files)
  const isOpen = (change: Change) => change.level === 'breaking' && !change.accepted
  const open = documents.map(({ document, comparison }) => ({ document, changes: comparison?.changes.filter(isOpen) ?? [] }))
  const add = open.flatMap(({ document, changes }) =>
    toAcceptedChanges(changes, { ...by, document: relativePath(root, document) }),
  )
  const breakingCount = open.reduce((sum, { changes }) => sum + changes.length, 0)
  return { ...(await planAcceptedFile(accepted, { add, remove: new Set() })), breakingCount }
}

const header = `# API changes that the team accepts. They stay listed, but do not fail checks.
# Add entries with \`openapi-pages accept\`. To undo one, remove it.
# https://github.com/openapi-pages/openapi-pages/blob/main/docs/changes.md#accept-changes

`

/** What the entries for the changes of one document have in common. */
export type AcceptedBy = Pick<AcceptedChange, 'reason' | 'author' | 'date'> & {
  /** The entry document relative to the file, or its URL. */
  readonly document: string
}

/** Creates the entries that accept changes. Changes with the same fingerprint and code share an entry. */
export function toAcceptedChanges(changes: readonly Change[], accepted: AcceptedBy): readonly AcceptedChange[] {
  const cut = (text: string, most: number) => escapeText(toOneLine(text)).slice(0, most)
  const { document, ...authorship } = accepted
  const entries = changes.map(({ fingerprint, code, method, path, message }) => ({
    fingerprint,
    code,
    ...(method === null || path === null ? {} : { operation: cut(formatOperation({ method, path }), acceptedFields.operation) }),
    message: cut(message, acceptedFields.message),
    document,
    ...authorship,
  }))
  // Changes of requests and responses can have the same names and values.
  return [...new Map(entries.map((entry) => [`${entry.fingerprint} ${entry.code}`, entry])).values()]
}

/** Changes of the entries in a file. */
export interface AcceptedEdits {
  readonly add: readonly AcceptedChange[]
  /** The indexes of the entries to remove. */
  readonly remove: ReadonlySet<number>
}

/**
 * Adds and removes entries in the text of the file with accepted changes. Pass an empty string for a missing file.
 *
 * Everything else stays byte for byte. A comment directly above an entry belongs to it. New entries are sorted by document, path, method
 * and code; entries that are already there keep their order. Returns `undefined` if the text cannot be edited: it has errors, or its
 * entries are in brackets.
 */
export async function editAcceptedChanges(text: string, edits: AcceptedEdits): Promise<string | undefined> {
  const entries = await readEntries(text)
  const parts = entries && splitEntries(text)
  if (!parts || parts.items.length !== entries.length) return undefined
  const { head, items, tail, indentation } = parts
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = items[1]?.gap.trim() === '' ? items[1].gap : ''
  const keptItems = items.flatMap((item, index) => {
    const entry = entries[index]
    return entry === undefined || edits.remove.has(index) ? [] : [{ ...item, entry, gap: index === 0 ? gap : item.gap }]
  })
  for (const entry of edits.add) {
    const written = Object.entries(toOrdered(entry))
      .map(([name, value], index) => `${indentation}${index === 0 ? '- ' : '  '}${name}: ${writeText(value)}\n`)
      .join('')
    const position = keptItems.findIndex((other) => compareEntries(entry, other.entry) < 0)
    keptItems.splice(position === -1 ? keptItems.length : position, 0, { gap, text: written.replaceAll('\n', lineEnd), entry })
  }
  const start = text.trim() === '' ? header : head
  const list = keptItems.map((item, index) => (index === 0 ? '' : item.gap) + item.text).join('')
  const edited = (start === '' || /\n$/.test(start) ? start : start + lineEnd) + list + tail
  const toText = (list: readonly AcceptedChange[]) => JSON.stringify(list.map(toOrdered))
  const read = await readEntries(edited)
  return read && toText(read) === toText(keptItems.map(({ entry }) => entry)) ? edited : undefined
}

async function readEntries(text: string): Promise<readonly AcceptedChange[] | undefined> {
  const { entries, findings } = await parseAcceptedChanges({ path: acceptedFileName, text })
  return findings.length === 0 ? entries : undefined
}

function toOrdered(entry: AcceptedChange): { readonly [name: string]: string } {
  const names = Object.keys(acceptedFields) as (keyof AcceptedChange)[] // The keys of an object literal.
  return Object.fromEntries(names.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]] as const])))
}

/** Characters that are invisible, change the order of text, or are read differently by YAML parsers. */
const unusual = /(?! )[\p{C}\p{Z}]/u

/** Writes a value on one line. */
function writeText(value: string): string {
  if (!unusual.test(value)) return stringify(value, { lineWidth: 0 }).trimEnd()
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/(?! )[\p{C}\p{Z}]/gu, (found) => found.split('').map(toEscape).join(''))
}

function compareEntries(a: AcceptedChange, b: AcceptedChange): number {
  const [left = '', right = ''] = [a, b].map(({ document = '', operation = '', code, fingerprint }) => {
    const [method = '', path = ''] = operation.split(' ')
    return [document, path, method, code, fingerprint].join('\n')
  })
  return compareText(left, right)
}

/** Splits the text into whole lines. `gap` is the text before the comments of an entry, `indentation` the spaces before each dash. */
function splitEntries(text: string) {
  const { contents, errors } = parseDocument(text)
  if (errors.length > 0) return undefined
  if (contents === null) return { head: text, items: [], tail: '', indentation: '' }
  if (!isSeq(contents)) return undefined
  if (contents.items.length === 0) {
    const [start, end] = contents.range ?? [0, 0]
    return { head: text.slice(0, start), items: [], tail: text.slice(end).replace(/^[ \t]*\r?\n/, ''), indentation: '' }
  }
  const places: { start: number; end: number; indentation: string }[] = []
  for (const item of contents.items) {
    if (!isMap(item) || !item.range) return undefined
    const [from, to] = item.range
    const start = text.lastIndexOf('\n', from - 1) + 1
    const [, indentation] = /^([ \t]*)-[ \t]+$/.exec(text.slice(start, from)) ?? []
    if (indentation === undefined) return undefined
    const lineEnd = text.indexOf('\n', text.slice(0, to).trimEnd().length)
    places.push({ start, end: lineEnd === -1 ? text.length : lineEnd + 1, indentation })
  }
  let last = 0
  const items = places.map(({ start, end }, index) => {
    const from = findComments(text, last, start, index === 0)
    const item = { gap: text.slice(last, from), text: text.slice(from, end) }
    last = end
    return /\n$/.test(item.text) ? item : { ...item, text: `${item.text}\n` }
  })
  return { head: items[0]?.gap ?? '', items, tail: text.slice(last), indentation: places[0]?.indentation ?? '' }
}

/** The start of the comments directly above an entry. The comment at the start of the file belongs to the file. */
function findComments(text: string, from: number, to: number, isFirst: boolean): number {
  let start = to
  while (start > from) {
    const line = text.lastIndexOf('\n', start - 2) + 1
    if (line < from || !text.slice(line, start).trimStart().startsWith('#')) break
    start = line
  }
  return isFirst && start === from ? to : start
}
