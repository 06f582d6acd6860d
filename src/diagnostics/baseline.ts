import { isObject } from '../source/is-object.ts'
import { parsePointer, pointerChild } from '../source/json-pointer.ts'
import { joinPath, parentPath, relativePath } from '../source/relative-path.ts'
import { diagnosticCodes } from './codes.ts'
import type { Finding } from './diagnostic.ts'

/** Known problems that are the same by their fingerprint: what is wrong, in which file, and where in it, but not in which line. */
export interface BaselineEntry {
  /** Relative to the boundary with `/`, or a URL. */
  readonly file: string
  readonly code: string
  /** With `*` for an index of a list, so that an entry survives changes in front of it. */
  readonly pointer: string
  /** With `0` for every number outside backticks. */
  readonly message: string
  readonly count: number
}

export interface BaselineMatch {
  readonly isKnown: (finding: Finding) => boolean
  readonly knownCount: number
  /** What no longer occurs. */
  readonly fixed: readonly BaselineEntry[]
}

/** What a baseline is compared with. */
export interface BaselineScope {
  /** Whether the check has looked at a file, so that an entry which does not occur is fixed. */
  readonly covers: (file: string) => boolean
  /** Whether a file has a value at a pointer. */
  readonly exists: (file: string, pointer: string) => boolean
}

const baselineVersion = 1

/** Codes of problems that come from the moment of the check, or from the baseline itself. */
const transientCodes: ReadonlySet<string> = new Set([
  'docs-config-missing',
  'file-unreadable',
  'file-outside-boundary',
  'url-unreachable',
  'url-refused',
  'baseline-unusable',
])

/**
 * Writes a baseline: versioned JSON with one sorted entry per line, so that Git merges changes of two branches. Files are relative to its folder.
 *
 * @param path of the baseline, relative to the boundary.
 */
export function formatBaseline(entries: readonly BaselineEntry[], path: string): string {
  const folder = parentPath(path)
  const lines = entries.map(({ file, code, pointer, message, count }) => {
    return `    ${JSON.stringify([toStored(folder, file), code, pointer, message, count])},\n`
  })
  // The empty entry at the end is always there, so that every other line ends with a comma.
  return `{\n  "version": ${baselineVersion},\n  "problems": [\n${lines.sort().join('')}    []\n  ]\n}\n`
}

/** Reads what `formatBaseline` wrote; `undefined` for anything else. */
export function parseBaseline(text: string, path: string): readonly BaselineEntry[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
  if (!isObject(value) || value['version'] !== baselineVersion || !Array.isArray(value['problems'])) return undefined
  const entries = new Map<string, BaselineEntry>()
  for (const problem of value['problems'] as readonly unknown[]) {
    if (!Array.isArray(problem)) return undefined
    if (problem.length === 0) continue
    const [file, code, pointer, message, count] = problem as readonly unknown[]
    const texts = [file, code, pointer, message]
    if (!texts.every((part) => typeof part === 'string') || !Number.isSafeInteger(count) || Number(count) < 1) return undefined
    const [storedFile = '', ...rest] = texts
    const entry = {
      file: fromStored(parentPath(path), storedFile),
      code: rest[0] ?? '',
      pointer: rest[1] ?? '',
      message: rest[2] ?? '',
    }
    // A merge of two branches may have an entry twice.
    const before = entries.get(toKey(entry))?.count ?? 0
    entries.set(toKey(entry), { ...entry, count: before + Number(count) })
  }
  return [...entries.values()]
}

/** The entries that make all problems known; equal findings count once. */
export function toBaseline(findings: readonly Finding[]): readonly BaselineEntry[] {
  const entries = new Map<string, BaselineEntry>()
  for (const finding of listProblems(findings)) {
    const entry = toEntry(finding)
    const key = toKey(entry)
    entries.set(key, { ...entry, count: (entries.get(key)?.count ?? 0) + 1 })
  }
  return [...entries.values()]
}

/**
 * Finds the known ones among some findings: as many of each fingerprint as the baseline has. Infos and problems of the moment are never known.
 *
 * The problems of a component, path or webhook that was renamed stay known: its old name is gone, and one of a new name has exactly the same.
 */
export function matchBaseline(
  findings: readonly Finding[],
  entries: readonly BaselineEntry[],
  { covers, exists }: BaselineScope,
): BaselineMatch {
  const left = new Map(entries.map((entry) => [toKey(entry), entry]))
  const known = new Set<string>()
  const fresh: Finding[] = []
  const take = (entry: BaselineEntry, finding: Finding) => {
    const key = toKey(entry)
    const found = left.get(key)
    if (!found) return false
    if (found.count === 1) left.delete(key)
    else left.set(key, { ...found, count: found.count - 1 })
    known.add(toIdentity(finding))
    return true
  }
  for (const finding of listProblems(findings)) if (!take(toEntry(finding), finding)) fresh.push(finding)
  const renamed = groupByOwner([...left.values()].flatMap((entry) => Array<BaselineEntry>(entry.count).fill(entry)))
  const added = groupByOwner(fresh)
  const named = new Set(entries.map(({ file, pointer }) => toOwner(file, pointer)?.key))
  for (const [key, { owner, members }] of renamed) {
    if (exists(owner.file, owner.pointer)) continue
    const signature = toSignature(members, owner.name)
    const same = [...added].filter(([newKey, group]) => {
      return (
        newKey !== key &&
        !named.has(newKey) &&
        group.owner.kind === owner.kind &&
        toSignature(group.members, group.owner.name) === signature
      )
    })
    const [only] = same
    if (!only || same.length > 1) continue
    const before = members.toSorted(byText)
    const after = only[1].members.toSorted(byText)
    before.forEach((entry, index) => {
      const finding = after[index]
      if (finding) take(entry, finding)
    })
    added.delete(only[0])
  }
  return {
    isKnown: (finding) => known.has(toIdentity(finding)),
    knownCount: known.size,
    fixed: [...left.values()].filter(({ file }) => covers(file)),
  }
}

/** Errors and warnings that can be known, equal ones once. */
function listProblems(findings: readonly Finding[]): readonly Finding[] {
  const unique = new Map<string, Finding>()
  for (const finding of findings) {
    const severity = finding.severity ?? diagnosticCodes[finding.code].severity
    if (severity !== 'info' && !transientCodes.has(finding.code)) unique.set(toIdentity(finding), finding)
  }
  return [...unique.values()]
}

function toIdentity({ file, code, pointer, message }: Finding): string {
  return [file, code, pointer, message].join('\n')
}

function toEntry({ file, code, pointer, message }: Finding): BaselineEntry {
  const plain = message.replace(/`[^`]*`|\d+/g, (part) => (part.startsWith('`') ? part : '0'))
  return { file, code, pointer: withoutIndexes(pointer), message: plain.replace(/\s+/g, ' ').trim(), count: 1 }
}

/** Status codes are the only keys of OpenAPI that are numbers by themselves. */
function withoutIndexes(pointer: string): string {
  const segments = parsePointer(pointer)
  return segments
    .map((segment, index) => pointerChild('', /^\d+$/.test(segment) && segments[index - 1] !== 'responses' ? '*' : segment))
    .join('')
}

function toKey({ file, code, pointer, message }: Omit<BaselineEntry, 'count'>): string {
  return [file, code, pointer, message].join('\n')
}

/** A named part of a document, which can be renamed with all that is in it. */
interface Owner {
  readonly key: string
  readonly file: string
  readonly pointer: string
  /** Such as `components/schemas`. */
  readonly kind: string
  readonly name: string
}

function toOwner(file: string, pointer: string): Owner | undefined {
  const segments = parsePointer(pointer)
  const depth = segments[0] === 'components' ? 2 : segments[0] === 'paths' || segments[0] === 'webhooks' ? 1 : undefined
  const name = depth === undefined ? undefined : segments[depth]
  if (depth === undefined || name === undefined) return undefined
  const own = segments.slice(0, depth + 1).reduce<string>(pointerChild, '')
  return { key: `${file}\n${own}`, file, pointer: own, kind: `${file}\n${segments.slice(0, depth).join('/')}`, name }
}

function groupByOwner<Member extends { readonly file: string; readonly pointer: string }>(members: readonly Member[]) {
  const groups = new Map<string, { readonly owner: Owner; readonly members: Member[] }>()
  for (const member of members) {
    const owner = toOwner(member.file, member.pointer)
    if (!owner) continue
    const group = groups.get(owner.key) ?? { owner, members: [] }
    group.members.push(member)
    groups.set(owner.key, group)
  }
  return groups
}

type Text = Pick<Finding, 'file' | 'pointer' | 'message'> & { readonly code: string }

/** What is wrong in a named part, without its name. */
function toSignature(members: readonly Text[], name: string): string {
  const own = new RegExp(`(?<!\\w)${name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?!\\w)`, 'g')
  const lines = members.map((member) => {
    const { code, pointer, message } = toEntry(member as Finding)
    const depth = pointer.startsWith('/components/') ? 3 : 2
    return [code, parsePointer(pointer).slice(depth).join('/'), message.replace(own, '*')].join('\n')
  })
  return lines.sort().join('\n\n')
}

function byText(a: Text, b: Text): number {
  const [left, right] = [`${a.code}\n${a.pointer}\n${a.message}`, `${b.code}\n${b.pointer}\n${b.message}`]
  return left < right ? -1 : left > right ? 1 : 0
}

function toStored(folder: string, file: string): string {
  return /^https?:/i.test(file) ? file : relativePath(folder, file)
}

function fromStored(folder: string, file: string): string {
  if (/^https?:/i.test(file)) return file
  return joinPath(folder, file)
}
