import { docsConfigNames } from '../../docs-config/config-files.ts'
import { contentHash, formatLockFile, lockFileName, parseLockFile } from '../../docs-config/lock-file.ts'
import { formatYamlText, locateFrontmatterValue, readPageBinding } from '../../docs-config/page-frontmatter.ts'
import { formatBinding, parseBinding } from '../../docs-config/parse-binding.ts'
import type { LockFile, OperationBinding } from '../../docs-config/types.ts'
import { ConfigError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { resolveBinding } from '../../pages/page-bindings.ts'
import { escapePointerSegment } from '../../source/json-pointer.ts'
import type { OffsetRange } from '../../source/position.ts'
import { joinPath } from '../../source/relative-path.ts'
import { toSourceFile } from '../../source/source-file.ts'
import { applyEdits, type TextEdit } from '../../source/text-edits.ts'
import type { CheckedDocument } from '../../update/check-documents.ts'
import { type LocatedValue, parseValueTree, type ValueTree } from './locate-value.ts'

/** The name that a rename changes. */
interface Renamed {
  readonly kind: 'operationId' | 'path'
  readonly name: string
  /** Of the name without quotes. */
  readonly offsets: OffsetRange
}

/** An edit of a file. Paths are relative to the boundary. */
interface TextChange {
  readonly file: string
  /** The text that `offsets` refer to. */
  readonly text: string
  readonly offsets: OffsetRange
  readonly newText: string
}

/** Returns the operationId or path template at a place of a document. */
export function findRenamed(text: string, { path, on, offsets, text: name }: LocatedValue): Renamed | undefined {
  if (name === undefined) return undefined
  const isQuoted = /["']/.test(text[offsets.start] ?? '')
  const inner = isQuoted ? { start: offsets.start + 1, end: offsets.end - 1 } : offsets
  if (on === 'value' && path.at(-1) === 'operationId') return { kind: 'operationId', name, offsets: inner }
  return on === 'key' && path.length === 2 && path[0] === 'paths' ? { kind: 'path', name, offsets: inner } : undefined
}

/** What a rename reads. */
interface RenameSources {
  /** The docs directory relative to the boundary; `undefined` without one. */
  readonly root: string | undefined
  readonly documents: readonly CheckedDocument[]
  readonly files: Files
}

/**
 * Plans the rename of an operationId or a path template in all files: the document, its links and references, the bindings of pages, the
 * entries of docs.json, and the lock file.
 *
 * @throws {ConfigError} if the new name is not possible.
 */
export async function planRename(
  { kind, name }: Renamed,
  file: string,
  newName: string,
  { root, documents, files }: RenameSources,
): Promise<readonly TextChange[]> {
  if (newName === name) return []
  const renamed = documents.filter(({ check }) => check.sources.has(file))
  const sources = new Map(renamed.flatMap(({ check }) => [...check.sources]))
  const parsed = [...sources.values()].map((source) => {
    const tree = parseValueTree(source.text)
    if (!tree) throw new ConfigError(`cannot rename in ${source.path}: it is larger than 2 MB`)
    return { source, tree }
  })
  rejectName(kind, newName, renamed)
  // A rename cannot be undone by its name if two operations have the same one.
  if (kind === 'operationId' && parsed.some(({ tree }) => listOperationIds(tree, newName).length > 0))
    throw new ConfigError(`another operation already has the operationId ${newName}`)
  const changes: TextChange[] = []
  for (const { source, tree } of parsed) {
    const found =
      kind === 'operationId'
        ? listOperationIds(tree, name).map((offsets) => ({ offsets, newText: newName }))
        : listPaths(tree, name, newName, source.path === file)
    changes.push(...found.map((edit) => toChange(source.path, source.text, edit)))
  }
  if (root === undefined) return changes
  const lock = await readLock(root, files)
  const isRenamed = (document: string) => renamed.some(({ source }) => source === document)
  const rehashed = new Map<string, string>()
  if (kind === 'path') {
    const rename = (binding: OperationBinding): OperationBinding | undefined => {
      if (binding.kind !== 'operation' || binding.pathTemplate !== name) return undefined
      const resolved = resolveBinding(binding, documents)
      const isOwn = resolved.kind === 'operation' && isRenamed(resolved.source)
      return isOwn ? { ...binding, pathTemplate: newName } : undefined
    }
    for (const path of await files.list(root)) {
      const inside = root === '' ? path : path.slice(root.length + 1)
      const isConfig = docsConfigNames.some((configName) => configName === inside)
      if (!isConfig && !/\.mdx?$/.test(path)) continue
      const text = await readText(path, files)
      if (text === undefined) continue
      const edits = isConfig ? listEntries(text, rename) : listPageBinding(text, rename)
      changes.push(...edits.map((edit) => ({ file: path, text, ...edit })))
      const hash = lock?.value.pages.find((page) => page.path === inside)?.hash
      // An edited page stays edited.
      if (edits.length > 0 && hash === contentHash(text)) rehashed.set(inside, contentHash(applyEdits(text, edits)))
    }
  }
  if (lock) {
    const next = renameInLock(lock.value, { kind, name, newName, isRenamed, rehashed })
    const newText = formatLockFile(next)
    if (newText !== formatLockFile(lock.value)) {
      changes.push({ file: lock.path, text: lock.text, offsets: { start: 0, end: lock.text.length }, newText })
    }
  }
  return changes
}

function rejectName(kind: Renamed['kind'], newName: string, documents: readonly CheckedDocument[]): void {
  const what = kind === 'operationId' ? 'an operationId' : 'a path'
  if (newName === '' || /\s/.test(newName)) throw new ConfigError(`${what} must have at least one character, and no spaces`)
  const operations = documents.flatMap(({ description }) => description?.operations ?? [])
  if (kind === 'operationId') {
    const other = operations.find(({ operationId }) => operationId === newName)
    if (other) throw new ConfigError(`${other.method.toUpperCase()} ${other.pathTemplate} already has the operationId ${newName}`)
    return
  }
  if (!newName.startsWith('/')) throw new ConfigError('a path must begin with /')
  if (operations.some(({ pathTemplate }) => pathTemplate === newName)) throw new ConfigError(`the path ${newName} already exists`)
}

function toChange(file: string, text: string, { offsets, newText }: TextEdit): TextChange {
  return { file, text, offsets, newText: quoteAs(text.slice(offsets.start, offsets.end), newText) }
}

/** The places of an operationId: of operations, also of webhooks and callbacks, and of the links to them. */
function listOperationIds(tree: ValueTree, name: string): readonly OffsetRange[] {
  const found: OffsetRange[] = []
  visit(tree.value, [], (path, value) => {
    const isLink = path.at(-3) === 'links'
    const isOperation = !path.some((step) => /^(?:examples?|default|x-.*)$/.test(step))
    if (path.at(-1) === 'operationId' && value === name && (isLink || isOperation)) {
      found.push(tree.find(path).offsets)
    }
  })
  return found
}

/** The key of a path, and the references to it. */
function listPaths(tree: ValueTree, name: string, newName: string, isDefinition: boolean): readonly TextEdit[] {
  const found: TextEdit[] = []
  const key = isDefinition ? tree.entries(['paths']).find((entry) => entry.key.text === name)?.key : undefined
  if (key) found.push({ offsets: key.offsets, newText: newName })
  const pointer = `#/paths/${escapePointerSegment(name)}`
  const next = `#/paths/${escapePointerSegment(newName)}`
  visit(tree.value, [], (path, value) => {
    const isReference = path.at(-1) === '$ref' || path.at(-1) === 'operationRef'
    if (!isReference || typeof value !== 'string') return
    const at = value.indexOf(pointer)
    const end = value[at + pointer.length]
    if (at === -1 || (end !== undefined && end !== '/') || (isDefinition && at > 0)) return
    found.push({ offsets: tree.find(path).offsets, newText: value.replace(pointer, () => next) })
  })
  return found
}

/** Deeper values are not visited. The check rejects such documents. */
const maxDepth = 200

function visit(value: unknown, path: readonly string[], report: (path: readonly string[], value: unknown) => void): void {
  if (path.length > maxDepth) return
  if (typeof value !== 'object' || value === null) report(path, value)
  else for (const [key, child] of Object.entries(value)) visit(child, [...path, key], report)
}

type RenameBinding = (binding: OperationBinding) => OperationBinding | undefined

function listPageBinding(text: string, rename: RenameBinding): readonly TextEdit[] {
  const reading = readPageBinding(text)
  if (reading.kind !== 'bound' || reading.binding.kind === 'schema') return []
  const next = rename(reading.binding)
  const offsets = next && locateFrontmatterValue(text, reading.key)
  return next && offsets ? [{ offsets, newText: quoteAs(text.slice(offsets.start, offsets.end), formatBinding(next)) }] : []
}

/** Strings of docs.json that name an operation. */
function listEntries(text: string, rename: RenameBinding): readonly TextEdit[] {
  const edits: TextEdit[] = []
  for (const { 0: written, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)) {
    const binding = parseBinding(toText(written))
    const next = binding && rename(binding)
    if (next) edits.push({ offsets: { start: index, end: index + written.length }, newText: JSON.stringify(formatBinding(next)) })
  }
  return edits
}

function toText(written: string): string {
  try {
    return String(JSON.parse(written))
  } catch {
    return ''
  }
}

function quoteAs(written: string, text: string): string {
  if (written.startsWith('"')) return JSON.stringify(text)
  return formatYamlText(text, written.startsWith("'") ? "'" : '')
}

async function readText(path: string, files: Files): Promise<string | undefined> {
  const result = await files.read(path)
  return result.kind === 'file' ? toSourceFile(path, result.bytes).text : undefined
}

async function readLock(root: string, files: Files) {
  const path = joinPath(root, lockFileName)
  const result = await files.read(path)
  if (result.kind !== 'file') return undefined
  const source = toSourceFile(path, result.bytes)
  const { lock: value } = await parseLockFile(source)
  return value && { path, text: source.text, value }
}

interface LockRename {
  readonly kind: Renamed['kind']
  readonly name: string
  readonly newName: string
  readonly isRenamed: (document: string) => boolean
  readonly rehashed: ReadonlyMap<string, string>
}

function renameInLock(lock: LockFile, { kind, name, newName, isRenamed, rehashed }: LockRename): LockFile {
  const toTarget = (operation: string) => {
    const space = operation.indexOf(' ')
    return kind === 'path' && operation.slice(space + 1) === name ? `${operation.slice(0, space)} ${newName}` : operation
  }
  return {
    ...lock,
    pages: lock.pages.map((page) => {
      if (!isRenamed(page.document)) return page
      const operationId = kind === 'operationId' && page.operationId === name ? newName : page.operationId
      return { ...page, operation: toTarget(page.operation), operationId, hash: rehashed.get(page.path) ?? page.hash }
    }),
    unwritten: lock.unwritten.map((entry) =>
      isRenamed(entry.document) ? { ...entry, operation: toTarget(entry.operation) } : entry,
    ),
  }
}
