import { diagnosticCodes, type Finding, isDiagnosticCode, ruleNameOf, severityOf } from '../diagnostics/diagnostic.ts'
import type { Document } from '../openapi/types.ts'
import { parseJson, parsePointer, pointerChild, readOwn, stringOf, valueAtPointer } from '../text/json/json-values.ts'
import { compareText, countShared, getOrMake, groupBy } from '../text/plain/lists.ts'
import { isUrl, joinPath, parentPath, relativePath } from '../text/plain/paths.ts'

/** Known problems with the same fingerprint: code or rule, file and location in it, but not the line. */
export interface BaselineEntry {
  /** Relative to the boundary with `/`, or a URL. */
  readonly file: string
  /** The code, or the name of the rule of the ruleset. */
  readonly code: string
  /** With `*` for list indexes, so that entries survive changes before them. */
  readonly pointer: string
  /** With `0` for every number outside backticks. */
  readonly message: string
  readonly count: number
}

/** The scope of the comparison. */
export interface BaselineScope {
  /** Whether the check covered a file, so that a missing entry is fixed. */
  readonly covers: (file: string) => boolean
  /** Whether a file has a value at a pointer. */
  readonly exists: (file: string, pointer: string) => boolean
  /** Whether a file no longer exists. Default: all exist. */
  readonly isGone?: (file: string) => boolean
}

/** Whether a file has a value at a pointer. In a file that was not parsed, every location counts as existing. */
export function createExists(documents: ReadonlyMap<string, Pick<Document, 'parsed'>>): BaselineScope['exists'] {
  return (file, pointer) => {
    const document = documents.get(file)
    return document === undefined || valueAtPointer(document.parsed.value, pointer) !== undefined
  }
}

const baselineVersion = 1

/**
 * Writes a baseline: versioned JSON with one sorted entry per line, so that Git can merge two branches. Files are relative to its
 * directory.
 *
 * @param path Path of the baseline, relative to the boundary.
 */
export function formatBaseline(entries: readonly BaselineEntry[], path: string): string {
  const folder = parentPath(path)
  const lines = entries.map(({ file, code, pointer, message, count }) => {
    return `    ${JSON.stringify([isUrl(file) ? file : relativePath(folder, file), code, pointer, message, count])},\n`
  })
  // The empty last entry lets every other line end with a comma.
  return `{\n  "version": ${baselineVersion},\n  "problems": [\n${lines.sort().join('')}    []\n  ]\n}\n`
}

/** Reads a baseline that `formatBaseline` wrote. Returns `undefined` for anything else. */
export function parseBaseline(text: string, path: string): readonly BaselineEntry[] | undefined {
  const value = parseJson(text.replace(/^\uFEFF/, ''))
  const problems = readOwn(value, 'problems')
  if (readOwn(value, 'version') !== baselineVersion || !Array.isArray(problems)) return undefined
  const entries = new Map<string, BaselineEntry>()
  for (const problem of problems as readonly unknown[]) {
    if (!Array.isArray(problem)) return undefined
    if (problem.length === 0) continue
    const [stored, code, pointer, message] = problem.map(stringOf)
    const count: unknown = problem[4]
    if (stored === undefined || code === undefined || pointer === undefined || message === undefined) return undefined
    if (!Number.isSafeInteger(count) || Number(count) < 1) return undefined
    if (isDiagnosticCode(code) && !isOfContent(code)) continue
    const entry = { file: isUrl(stored) ? stored : joinPath(parentPath(path), stored), code, pointer, message }
    // A merge of two branches can duplicate an entry.
    const before = entries.get(toIdentity(entry))?.count ?? 0
    entries.set(toIdentity(entry), { ...entry, count: before + Number(count) })
  }
  return [...entries.values()]
}

function isOfContent(code: Finding['code']): boolean {
  return diagnosticCodes[code].about === 'content'
}

/** The entries for all problems. Equal diagnostics are counted together. */
export function toBaseline(findings: readonly Finding[]): readonly BaselineEntry[] {
  const entries = new Map<string, BaselineEntry>()
  for (const finding of listProblems(findings)) {
    const entry = toEntry(finding)
    const key = toIdentity(entry)
    entries.set(key, { ...entry, count: (entries.get(key)?.count ?? 0) + 1 })
  }
  return [...entries.values()]
}

/**
 * Matches diagnostics with the entries of a baseline, up to the count of each. Only problems in the content of a file can match, and no infos.
 *
 * Problems of a file that is gone match those of the new file that is most like it. Problems in a renamed component, path or webhook still match if the old name is gone and exactly one new name has the same problems.
 *
 * @returns `fixed`: entries that no longer occur. `moved`: the files that are gone and whose problems are known in another one.
 */
export function matchBaseline(
  findings: readonly Finding[],
  entries: readonly BaselineEntry[],
  { covers, exists, isGone = () => false }: BaselineScope,
) {
  const left = new Map(entries.map((entry) => [toIdentity(entry), entry]))
  const known = new Set<string>()
  const fresh: Finding[] = []
  const take = (entry: BaselineEntry, finding: Finding) => {
    const key = toIdentity(entry)
    const found = left.get(key)
    if (!found) return false
    if (found.count === 1) left.delete(key)
    else left.set(key, { ...found, count: found.count - 1 })
    known.add(toFindingIdentity(finding))
    return true
  }
  for (const finding of listProblems(findings)) if (!take(toEntry(finding), finding)) fresh.push(finding)
  const moved = new Set<string>()
  const listed = new Set(entries.map(({ file }) => file))
  for (const old of [...listed].filter(isGone)) {
    const isLeft = (finding: Finding) => left.has(toIdentity({ ...toEntry(finding), file: old }))
    const oldCount = [...left.values()].filter(({ file }) => file === old).length
    const isNew = (finding: Finding) => !listed.has(finding.file) && !known.has(toFindingIdentity(finding))
    const rated = [...groupBy(fresh.filter(isNew), ({ file }) => file)].map(([file, found]) => {
      const steps = countShared(old.split('/').reverse(), file.split('/').reverse())
      return { found, rating: found.filter(isLeft).length / Math.max(oldCount, found.length), steps }
    })
    const [best, next] = rated.filter(({ rating }) => rating > 0).sort((a, b) => b.rating - a.rating || b.steps - a.steps)
    if (!best || (next?.rating === best.rating && next.steps === best.steps)) continue
    for (const finding of best.found) take({ ...toEntry(finding), file: old }, finding)
    moved.add(old)
  }
  const renamed = groupByOwner([...left.values()].flatMap((entry) => Array<BaselineEntry>(entry.count).fill(entry)))
  const added = groupByOwner(fresh.filter((finding) => !known.has(toFindingIdentity(finding))))
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
    isKnown: (finding: Finding) => known.has(toFindingIdentity(finding)),
    knownCount: known.size,
    fixed: [...left.values()].filter(({ file }) => covers(file)),
    moved,
  }
}

/** Lists the errors and warnings that can be in a baseline, without duplicates. */
function listProblems(findings: readonly Finding[]): readonly Finding[] {
  const unique = new Map<string, Finding>()
  for (const finding of findings) {
    if (severityOf(finding) !== 'info' && isOfContent(finding.code)) unique.set(toFindingIdentity(finding), finding)
  }
  return [...unique.values()]
}

function toIdentity({ file, code, pointer, message }: Omit<BaselineEntry, 'count'>): string {
  return [file, code, pointer, message].join('\n')
}

function toFindingIdentity(finding: Finding): string {
  return toIdentity({ ...finding, code: ruleNameOf(finding) })
}

function toEntry(finding: Finding): BaselineEntry {
  const { file, pointer, message } = finding
  const plain = message.replace(/`[^`]*`|\d+/g, (part) => (part.startsWith('`') ? part : '0'))
  return {
    file,
    code: ruleNameOf(finding),
    pointer: withoutIndexes(pointer),
    message: plain.replace(/\s+/g, ' ').trim(),
    count: 1,
  }
}

/** Replaces list indexes by `*`. Status codes are the only numeric keys in OpenAPI. */
function withoutIndexes(pointer: string): string {
  const segments = parsePointer(pointer)
  return segments
    .map((segment, index) => pointerChild('', /^\d+$/.test(segment) && segments[index - 1] !== 'responses' ? '*' : segment))
    .join('')
}

/** A named part of a document, which can be renamed with its contents. */
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
    if (owner) getOrMake(groups, owner.key, () => ({ owner, members: [] })).members.push(member)
  }
  return groups
}

type Text = Pick<Finding, 'file' | 'pointer' | 'message'> & { readonly code: string }

/** The problems of a named part, without its name. */
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
  return compareText(`${a.code}\n${a.pointer}\n${a.message}`, `${b.code}\n${b.pointer}\n${b.message}`)
}
