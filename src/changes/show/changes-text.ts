import { formatCount } from '../../diagnostics/diagnostic.ts'
import { formatFrame, type Palette } from '../../diagnostics/format-text.ts'
import { escapeText, toOneLine } from '../../text/plain/escape-text.ts'
import { formatNumber, groupBy, listFirst } from '../../text/plain/lists.ts'
import { type SourceFile, type SourceLines, toSourceLines } from '../../text/plain/source-file.ts'
import {
  type Change,
  type ChangeCounts,
  type ChangedOperation,
  type ClientEffect,
  type ComparedClient,
  type Comparison,
  changeLevels,
  changeUrl,
  compareAttention,
  countChanges,
  type DocumentComparison,
  describeAcceptance,
  describeLevel,
  type LocatedPlace,
} from '../change.ts'

export interface ChangesTextOptions {
  readonly palette: Palette
  /** The sources of both descriptions, for code frames. */
  readonly sources: { readonly base: SourceOf; readonly revision: SourceOf }
  /** Show everything. Otherwise each group lists only the first ten compatible changes. */
  readonly all: boolean
  /** Maximum number of characters of a source line. */
  readonly lineWidth: number
}

type SourceOf = (file: string) => SourceFile | undefined

/** Maximum number of compatible changes in a group, and of operations after a change of a component. */
const maxListed = 10

/** The number of digits of a fingerprint that are shown. `openapi-pages accept` takes any unique beginning. */
export const shortFingerprint = 8

/**
 * Formats changes for people, grouped by operation. Groups with breaking changes come first.
 *
 * Breaking and risky changes show both places with code frames. Accepted changes take three lines, compatible ones one. All text of documents is escaped. Ends
 * with a newline. Returns `''` without changes.
 */
export function formatChangesText({ changes }: Comparison, options: ChangesTextOptions): string {
  const groups = groupChanges(changes)
  const toLines = { base: cacheLines(options.sources.base), revision: cacheLines(options.sources.revision) }
  const explained = new Set<string>()
  const blocks = groups.map(({ name, grouped }) => {
    const { palette, all } = options
    const out = [palette.strong(escapeText(name)) + palette.dim(`  ${formatLevels(countChanges(grouped))}`), '']
    let compatible = 0
    for (const change of grouped) {
      if (change.accepted) out.push(...formatAccepted(change, options), '')
      else if (change.level !== 'compatible') out.push(...formatChange(change, toLines, explained, options), '')
      else if (all || compatible++ < maxListed) out.push(...formatCompatible(change, options))
    }
    if (!all && compatible > maxListed) {
      out.push(palette.dim(`  … and ${formatNumber(compatible - maxListed)} more compatible changes (use --all to show them)`))
    }
    if (out.at(-1) === '') out.pop()
    return `${out.join('\n')}\n`
  })
  return blocks.join('\n')
}

/** Groups changes by operation. Groups with breaking changes come first, and so do breaking changes in their group. */
export function groupChanges(changes: readonly Change[]): { readonly name: string; readonly grouped: readonly Change[] }[] {
  const groups = [...groupBy(changes, nameGroup)].map(([name, grouped]) => ({
    name,
    grouped: grouped.toSorted(compareAttention),
  }))
  return groups.sort(({ grouped: [a] }, { grouped: [b] }) => (a && b ? compareAttention(a, b) : 0))
}

function nameGroup({ method, path, operations }: Change): string {
  if (method !== null && path !== null) return formatOperation({ method, path })
  return operations.length === 0 ? 'Document' : 'Components and shared parts'
}

/** `GET /pets`. */
export function formatOperation({ method, path }: ChangedOperation): string {
  return `${method.toUpperCase()} ${path}`
}

/** `GET /pets` for a change of one operation, if its message does not contain it. */
export function nameOperation({ method, path, message }: Change): string | undefined {
  if (method === null || path === null) return undefined
  const name = formatOperation({ method, path })
  return message.includes(`\`${name}\``) ? undefined : name
}

/** `2 breaking, 1 risky, 5 compatible, 1 accepted`, without zero counts. */
export function formatLevels(counts: ChangeCounts): string {
  const names: readonly (keyof ChangeCounts)[] = [...changeLevels, 'accepted']
  return names
    .filter((level) => counts[level] > 0)
    .map((level) => `${formatNumber(counts[level])} ${level}`)
    .join(', ')
}

/** The documents and versions of a comparison: one if both are equal, and no version if neither document has one. */
export function listSides({ base, revision }: Pick<Comparison, 'base' | 'revision'>): {
  readonly documents: readonly string[]
  readonly versions: readonly string[]
} {
  const versions = base.version === revision.version ? [base.version] : [base.version || '–', revision.version || '–']
  return { documents: [...new Set([base.document, revision.document])], versions: versions.filter((version) => version !== '') }
}

type LinesOf = (file: string) => SourceLines | undefined

/** Splits each source into lines on first use. */
function cacheLines(sourceOf: SourceOf): LinesOf {
  const known = new Map<string, SourceLines | undefined>()
  return (file) => {
    if (!known.has(file)) {
      const source = sourceOf(file)
      known.set(file, source && toSourceLines(source))
    }
    return known.get(file)
  }
}

function formatChange(
  change: Change,
  linesOf: { readonly base: LinesOf; readonly revision: LinesOf },
  explained: Set<string>,
  { palette, lineWidth }: ChangesTextOptions,
): string[] {
  const { code, level, message, base, revision, fingerprint } = change
  const mark = level === 'breaking' ? palette.error : palette.warning
  const out = [
    `  ${mark(level)} ${palette.dim(`${code} ${fingerprint.slice(0, shortFingerprint)}`)}`,
    `  ${palette.strong(escapeText(message))}`,
  ]
  const add = (label: string, place: LocatedPlace | null, lines: LinesOf) => {
    if (!place) return
    out.push('', `  ${label} ${palette.dim(formatPlace(place))}`)
    const source = lines(place.file)
    if (source) out.push(...formatFrame(source, place.range, { palette, mark, lineWidth }))
  }
  add('base', base, linesOf.base)
  add('revision', revision, linesOf.revision)
  const facts = listFacts(change)
  if (facts.length > 0 || !explained.has(code)) out.push('')
  out.push(...facts.map((fact) => `  ${fact}`))
  if (!explained.has(code)) out.push(`  docs: ${palette.dim(changeUrl(code))}`)
  explained.add(code)
  return out
}

function formatAccepted(change: Change, { palette }: ChangesTextOptions): string[] {
  const { code, message, base, revision, fingerprint } = change
  const place = revision ?? base
  const at = place ? palette.dim(`  ${formatPlace(place)}`) : ''
  return [
    `  ${palette.info(describeLevel(change))} ${palette.dim(`${code} ${fingerprint.slice(0, shortFingerprint)}`)}`,
    `  ${escapeText(message)}${at}`,
    `  ${escapeText(describeAcceptance(change) ?? '')}`,
  ]
}

function formatCompatible(change: Change, { palette }: ChangesTextOptions): string[] {
  const place = change.revision ?? change.base
  const at = place ? palette.dim(`  ${formatPlace(place)}`) : ''
  return [`  ${palette.info('compatible')} ${escapeText(change.message)}${at}`]
}

function formatPlace({ file, range }: LocatedPlace): string {
  return `${escapeText(file)}:${range.start.line}:${range.start.column}`
}

/** Whom a change of a component affects, what it does to clients, and why it is accepted or how to avoid it. One escaped line each. */
export function listFacts(change: Change): string[] {
  const { method, operations, hint } = change
  const clients = describeClients(change)
  const reason = describeAcceptance(change) ?? (hint === undefined ? undefined : `hint: ${toOneLine(hint)}`)
  return [
    ...(method !== null || operations.length === 0 ? [] : [`affects: ${nameOperations(operations)}`]),
    ...(clients === undefined ? [] : [`clients: ${escapeText(clients)}`]),
    ...(reason === undefined ? [] : [escapeText(reason)]),
  ]
}

/** The names of the first ten operations, escaped, and the number of the others. */
export function nameOperations(operations: readonly ChangedOperation[]): string {
  const shown = operations.slice(0, maxListed).map((operation) => escapeText(formatOperation(operation)))
  const left = operations.length - shown.length
  return `${shown.join(', ')}${left > 0 ? ` and ${formatCount(left, 'more operation')}` : ''}`
}

/** `1.2.3` and `1.2`, with an optional `v`. Build metadata has no meaning for the order. */
const semanticVersion =
  /^(?<prefix>v?)(?<major>0|[1-9]\d{0,8})\.(?<minor>0|[1-9]\d{0,8})(?<patch>\.(?:0|[1-9]\d{0,8}))?(?<preRelease>-[\w.-]+)?(?:\+[\w.-]+)?$/

/** Larger major versions are years, as in `2026.1`. */
const maxMajor = 999

/**
 * Finds the `info.version` that the revision needs because of breaking changes: the next major version, or the next minor version under 0.x.
 *
 * Returns `undefined` without breaking changes, if the version of the revision is sufficient or older than the base, after a pre-release, and for
 * versions that are not semantic versions.
 *
 * @see Semantic Versioning 2.0.0, items 4, 8 and 9
 */
export function findNeededVersion({ base, revision, changes }: Pick<Comparison, 'base' | 'revision' | 'changes'>) {
  if (!changes.some(({ level }) => level === 'breaking')) return undefined
  const [before, after] = [parseVersion(base.version), parseVersion(revision.version)]
  if (!before || !after || before.isPreRelease || after.major !== before.major || after.minor < before.minor) return undefined
  const { prefix, major, minor, hasPatch } = after
  const end = hasPatch ? '.0' : ''
  if (major > 0) return { part: 'major', version: `${prefix}${major + 1}.0${end}` } as const
  return minor > before.minor ? undefined : ({ part: 'minor', version: `${prefix}0.${minor + 1}${end}` } as const)
}

function parseVersion(version: string) {
  const { prefix = '', major, minor, patch, preRelease } = semanticVersion.exec(version)?.groups ?? {}
  if (major === undefined || Number(major) > maxMajor) return undefined
  const isPreRelease = preRelease !== undefined
  return { prefix, major: Number(major), minor: Number(minor), hasPatch: patch !== undefined, isPreRelease }
}

/** The most clients that are named for one effect. */
const maxNamed = 5

const effectWords = [
  ['hurts', 'breaks'],
  ['may-hurt', 'may break'],
  ['unknown', 'unknown for'],
  ['safe', 'not'],
] as const

/** What a change does to clients, on one line: "breaks `web` (sends `price`), not `batch`". Absent without clients and if it is compatible. */
export function describeClients({ level, clients = [] }: Pick<Change, 'level' | 'clients'>): string | undefined {
  if (level === 'compatible' || clients.length === 0) return undefined
  const parts = effectWords.flatMap(([effect, words]) => {
    const own = clients.filter((one) => one.effect === effect)
    const nameOne = ({ client, why }: ClientEffect) => `\`${toOneLine(client)}\` (${why})`
    return own.length === 0 ? [] : [`${words} ${listFirst(own, maxNamed, nameOne)}`]
  })
  return parts.length > 0 ? parts.join(', ') : `touches none of ${nameAll(clients)}`
}

function nameAll(clients: readonly ClientEffect[]): string {
  return formatCount(clients.length, 'recorded client')
}

/** What breaking and risky changes do to clients together, as plain text. Absent without clients. */
export function summarizeClients(changes: readonly Pick<Change, 'level' | 'accepted' | 'clients'>[]): string | undefined {
  const counted = changes.filter(({ level, accepted, clients = [] }) => level !== 'compatible' && !accepted && clients.length > 0)
  const [first] = counted
  if (!first?.clients) return undefined
  const has = (effect: ClientEffect['effect']) =>
    counted.filter(({ clients = [] }) => clients.some((one) => one.effect === effect))
  const hurting = has('hurts')
  const perhaps = [...new Set([...has('may-hurt'), ...has('unknown')])].filter((one) => !hurting.includes(one))
  const none = counted.filter(({ clients = [] }) => clients.every(({ effect }) => effect === 'unused'))
  const [only] = hurting.flatMap(({ clients = [] }) => clients.filter(({ effect }) => effect === 'hurts'))
  const named =
    only?.operation && hurting.length === 1 ? `${formatOperation(only.operation)} breaks ${only.client} (${only.why})` : undefined
  const parts = [
    ...(hurting.length > 0 ? [named ?? `${hurting.length} ${hurting.length === 1 ? 'breaks' : 'break'} a recorded client`] : []),
    ...(perhaps.length > 0 ? [`${perhaps.length} may break one`] : []),
    ...(none.length > 0 ? [`${none.length} ${none.length === 1 ? 'touches' : 'touch'} none of ${nameAll(first.clients)}`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : undefined
}

/** The clients of which the revision changes what is known, as a sentence for each document: a smaller record can hide that a change breaks a client. */
export function describeChangedClients(documents: readonly Pick<DocumentComparison, 'comparison'>[]): string[] {
  return documents.flatMap(({ comparison }) => describeStates(comparison?.clients) ?? [])
}

function describeStates(clients: readonly ComparedClient[] = []): string | undefined {
  const states = (['removed', 'narrowed', 'added'] as const).flatMap((state) => {
    const own = clients.filter((one) => one.state === state)
    return own.length === 0 ? [] : [`${state} ${listFirst(own, maxNamed, ({ client }) => `\`${toOneLine(client)}\``)}`]
  })
  return states.length === 0 ? undefined : `Records of clients: ${states.join(', ')}`
}
