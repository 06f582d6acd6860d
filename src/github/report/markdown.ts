import {
  type Change,
  type ChangeLevel,
  changeUrl,
  compareLevels,
  countChanges,
  type DocumentComparison,
  describeAcceptance,
  describeLevel,
  type LocatedPlace,
} from '../../changes/change.ts'
import {
  describeChangedClients,
  describeClients,
  formatLevels,
  formatOperation,
  groupChanges,
  listSides,
  nameOperation,
} from '../../changes/show/changes-text.ts'
import {
  bySeverity,
  type Diagnostic,
  diagnosticCodes,
  formatCount,
  ruleNameOf,
  ruleUrlOf,
  type Severity,
} from '../../diagnostics/diagnostic.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { escapeText, escapeXml, toOneLine } from '../../text/plain/escape-text.ts'
import { capitalize, formatNumber, groupBy, listFirst } from '../../text/plain/lists.ts'
import { encodeFilePath, isUrl } from '../../text/plain/paths.ts'

/**
 * The only module that turns untrusted text into Markdown for GitHub.
 *
 * Text from a document, a path or a message is rendered as plain text, on one line and cut at 300 characters. It cannot mention a
 * person, reference an issue or commit, become a link, image, formula or emoji, break a table cell or a fence, or add HTML.
 */

/** Escapes every character that has a meaning in Markdown or on GitHub. */
export function escapeMarkdown(text: string): string {
  return escapePlain(cut(text))
}

/** Inline code, in which GitHub creates no mentions or links. */
export function renderCode(text: string): string {
  return toCode(cut(text))
}

/** Code in an HTML block such as `<summary>`, where Markdown has no effect. */
function renderHtmlCode(text: string): string {
  // GitHub also finds formulas in HTML.
  return `<code>${escapeXml(escapeText(cut(text))).replaceAll('$', '&#36;')}</code>`
}

/** A message with names in backticks: renders the names as code and escapes the rest. */
export function renderMessage(message: string): string {
  const parts = cut(message).split('`')
  // An odd number of backticks means that a name contains one, so names and text cannot be distinguished. Render all of it as
  // text.
  if (parts.length % 2 === 0) return escapePlain(parts.join('`'))
  return parts.map((part, index) => (index % 2 === 1 ? toCode(part) : escapePlain(part))).join('')
}

/** A link that shows `text` as code. Only http and https URLs become links. */
export function renderLink(text: string, url: string): string {
  const code = renderCode(text)
  const address = toSafeUrl(url)
  return address === undefined || address.length > longestLink || code === '' ? code : `[${code}](${address})`
}

/** A link that shows untrusted text as text. */
export function renderTextLink(text: string, url: string): string {
  const words = escapeMarkdown(text)
  const address = toSafeUrl(url)
  return address === undefined || address.length > longestLink || words === '' ? words : `[${words}](${address})`
}

/**
 * A linked screenshot for the reader's light or dark theme; empty when a URL is invalid. The alternative text must be trusted.
 */
export function renderScreenshot({ light, dark }: { light: string; dark: string }, url: string, alternative: string): string {
  const [address, lightUrl, darkUrl] = [url, light, dark].map(toSafeUrl)
  if (address === undefined || lightUrl === undefined || darkUrl === undefined) return ''
  const source = `<source media="(prefers-color-scheme: dark)" srcset="${darkUrl}">`
  return `<a href="${address}"><picture>${source}<img src="${lightUrl}" width="640" alt="${alternative}"></picture></a>`
}

/** A link with trusted text. */
export function renderTrustedLink(words: string, url: string): string {
  const address = toSafeUrl(url)
  return address === undefined ? words : `[${words}](${address})`
}

/** The URL of a file, or of one of its lines, at a commit. */
export function toBlobUrl(webUrl: string, sha: string, path: string, line?: number): string {
  const place = line === undefined ? '' : `?plain=1#L${line}`
  return `${webUrl}/blob/${sha}/${encodeFilePath(path)}${place}`
}

const maxLength = 300

/** Longer URLs are not linked: no real path is this long, and a few hundred of them would fill a summary. */
const longestLink = 2_000
const gap = '\u200B'

function escapePlain(text: string): string {
  return (
    escapeText(text)
      // Four spaces at the start of a line would begin a code block.
      .replaceAll(/ {2,}/g, ' ')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_~[\]{}()!$]/g, '\\$&')
      // GitHub searches the rendered text, without escapes, for people, issues, commits, emoji and URLs. An invisible character
      // prevents a match.
      .replaceAll(/[@#]/g, `$&${gap}`)
      .replaceAll(/(?<![0-9a-z])(gh|ghsa|cve)-(?=\w)/gi, `$1${gap}-`)
      .replaceAll(/(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])/gi, (run) => run.replaceAll(/.{6}(?=.)/g, `$&${gap}`))
      .replaceAll(/:(?=[\w+-]+:)/g, `:${gap}`)
      .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):/gi, `:${gap}`)
      .replaceAll(/(www)\./gi, `$1${gap}.`)
      // At the start of a line these would begin a list or a heading.
      .replace(/^([-+=]+|\d+[.)])(?=\s|$)/, `${gap}$1`)
      // GitHub splits tables into cells first, so a backslash is not enough.
      .replaceAll('|', '&#124;')
  )
}

function toCode(text: string): string {
  const shown = escapeText(text)
  if (shown.trim() === '') return ''
  // In a table, `|` ends the cell even within backticks.
  if (shown.includes('|')) return `<code>${escapePlain(text)}</code>`
  // The fence must be longer than every run of backticks inside. Code that begins or ends with a backtick needs a space there.
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const blank = longest > 0 || /^ .* $/.test(shown) ? ' ' : ''
  return fence + blank + shown + blank + fence
}

/** Closes inline code that the cut left open. */
function cut(text: string): string {
  if (text.length <= maxLength) return text
  const shortened = text.slice(0, maxLength)
  const isOpen = shortened.split('`').length % 2 === 0 && text.split('`').length % 2 === 1
  return `${shortened}…${isOpen ? '`' : ''}`
}

function toSafeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const escapes: Readonly<Record<string, string>> = { '(': '%28', ')': '%29', '|': '%7C', '<': '%3C', '>': '%3E', "'": '%27' }
  return href.replaceAll(/[()|<>']/g, (character) => readOwn(escapes, character) ?? character)
}

/** The commit whose files are linked. */
type LinkedCommit = { readonly webUrl: string; readonly headSha: string }

/** The location of a diagnostic as a link to its line at the commit. A document at a URL is not linked. */
export function renderLocation({ file, range }: Pick<Diagnostic, 'file' | 'range'>, feedback: LinkedCommit): string {
  const place = `${file}:${range.start.line}`
  return isUrl(file) ? renderCode(place) : renderLink(place, toBlobUrl(feedback.webUrl, feedback.headSha, file, range.start.line))
}

/** The message and the hint: `Unexpected field … Did you mean …?` */
export function renderProblem({ message, hint }: Pick<Diagnostic, 'message' | 'hint'>): string {
  if (hint === undefined) return renderMessage(message)
  const shown = toOneLine(hint)
  return `${renderMessage(message)}. ${renderMessage(shown.charAt(0).toUpperCase() + shown.slice(1))}`
}

/** A part of a Markdown text that can be shortened by omitting rows. */
export interface Section {
  /** Lines before the rows. Kept if the section is shown at all. */
  readonly head: readonly string[]
  readonly rows: readonly string[]
  /** Number of additional rows that are never shown. */
  readonly moreRows: number
  /** Lines after the rows. */
  readonly tail: readonly string[]
  /** The line that counts the hidden rows. */
  readonly rest: (hiddenCount: number) => string
}

/** Renders the rows of a section, at most `limit` of them. Nothing follows them. */
export function toRows<Value>(
  values: readonly Value[],
  limit: number,
  render: (value: Value) => string,
): Pick<Section, 'rows' | 'moreRows' | 'tail'> {
  return { rows: values.slice(0, limit).map(render), moreRows: Math.max(0, values.length - limit), tail: [] }
}

/** A section without rows, shown completely or not at all. */
export function toSection(...lines: readonly string[]): Section {
  return { head: lines, rows: [], moreRows: 0, tail: [], rest: () => '' }
}

/**
 * Joins sections so that the result stays within a number of UTF-8 bytes.
 *
 * Omits rows, beginning with the last sections, and adds a line with their number. If even the heads are too large, omits
 * sections from the end. Counting bytes also satisfies limits that GitHub states in characters.
 */
export function fitSections(sections: readonly Section[], limitBytes: number): string {
  const fixed = sections.map(sizeOfFixed)
  let left = limitBytes - fixed.reduce((sum, size) => sum + size, 0)
  let shownCount = sections.length
  if (left < 0) left -= sizeOf([describeOmittedSections(sections.length)]) + 1
  for (; left < 0 && shownCount > 0; shownCount--) left += fixed[shownCount - 1] ?? 0
  const parts = sections.slice(0, shownCount).map((section) => {
    const shown: string[] = []
    for (const row of section.rows) {
      const size = sizeOf([row])
      if (size > left) break
      left -= size
      shown.push(row)
    }
    const hidden = section.rows.length + section.moreRows - shown.length
    return [...section.head, ...shown, ...(hidden > 0 ? [section.rest(hidden)] : []), ...section.tail].join('\n')
  })
  if (shownCount < sections.length) parts.push(describeOmittedSections(sections.length - shownCount))
  return parts.join('\n\n')
}

/** The size of a section without its rows, with the blank line after it. */
function sizeOfFixed({ head, tail, rows, moreRows, rest }: Section): number {
  const rowCount = rows.length + moreRows
  return sizeOf(head) + sizeOf(tail) + (rowCount === 0 ? 0 : sizeOf([rest(rowCount)])) + 1
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}

function describeOmittedSections(count: number): string {
  return `… and ${formatCount(count, 'more section')}, omitted because of GitHub’s size limit`
}

export interface ChangesMarkdownOptions {
  /** Where the files of both versions are on GitHub. Without it, places are not linked. `headSha` is absent if no commit has the revision. */
  readonly links?: { readonly webUrl: string; readonly baseSha: string; readonly headSha: string | undefined }
  /** Whether nothing is left out. `breaking`: lists only 10 breaking ones. Default: also 50 groups with 50 changes each, and 5 operations per change. */
  readonly all?: boolean | 'breaking'
}

/** Maximum length of a comment. Source: GitHub REST, "Create an issue comment"; the message of a longer one names the limit. */
export const maxCommentLength = 65_536

const levelMarks: { readonly [level in ChangeLevel]: string } = { breaking: '✖', risky: '⚠', compatible: '✔' }

/**
 * Renders the changes of documents as Markdown for GitHub: counts, the first breaking changes, then the other changes folded by operation.
 *
 * At most `limitBytes` UTF-8 bytes long. Lines with a number stand for what is left out. Ends with a newline.
 */
export function renderChangesMarkdown(
  documents: readonly DocumentComparison[],
  { limitBytes, ...options }: ChangesMarkdownOptions & { readonly limitBytes: number },
): string {
  return `${fitSections(changeSections(documents, options), limitBytes - 1)}\n`
}

/** The sections of {@link renderChangesMarkdown}, for the documents of a docs directory. */
export function changeSections(documents: readonly DocumentComparison[], options: ChangesMarkdownOptions): readonly Section[] {
  const changes = documents.flatMap(({ comparison }) => comparison?.changes ?? [])
  const listed = (limit: number) => (options.all === true ? Number.POSITIVE_INFINITY : limit)
  const breaking = changes.filter(({ level, accepted }) => level === 'breaking' && !accepted).slice(0, listed(10))
  const groups = toGroups(documents, new Set(breaking))
  const shown = groups.slice(0, options.all === 'breaking' ? 0 : listed(50))
  const left = groups.slice(shown.length).flatMap(({ grouped }) => grouped)
  const counts = countChanges(changes)
  return [
    toSection(`### API changes: ${changes.length === 0 ? 'no changes for API clients' : formatLevels(counts)}`),
    ...documentSections(documents, listed(50)),
    ...describeChangedClients(documents).map((text) => toSection(renderMessage(text))),
    ...(breaking.length === 0
      ? []
      : [
          {
            head: ['#### Breaking changes', ''],
            ...toRows(breaking, breaking.length, (change) => renderRow(change, options, true)),
            rest: (hidden: number) => `- … and ${formatCount(hidden, 'more breaking change')}`,
          },
        ]),
    ...shown.map(({ document, name, grouped }) => {
      const names = `${documents.length > 1 ? `${renderHtmlCode(document)} ` : ''}${renderHtmlCode(name)}`
      return {
        head: [`<details><summary>${names} ${formatLevels(countChanges(grouped))}</summary>`, ''],
        ...toRows(grouped, listed(50), (change) => renderRow(change, options, false)),
        tail: ['', '</details>'],
        rest: (hidden: number) => `- … and ${formatCount(hidden, 'more change')}`,
      }
    }),
    ...(left.length === 0
      ? []
      : [
          toSection(
            `… and ${formatCount(left.length, 'more change')} in ${formatCount(groups.length - shown.length, 'more group')} (${formatLevels(countChanges(left))})`,
          ),
        ]),
  ]
}

/** The changes of each document by operation, without those in `left`. Groups with breaking changes come first. */
function toGroups(documents: readonly DocumentComparison[], left: ReadonlySet<Change>) {
  return documents
    .flatMap(({ document, comparison }) => {
      const others = (comparison?.changes ?? []).filter((change) => !left.has(change))
      return groupChanges(others).map(({ name, grouped }) => ({ document, name, grouped }))
    })
    .sort(({ grouped: [a] }, { grouped: [b] }) => (a && b ? compareLevels(a, b) : 0))
}

/** The names and versions of the documents, with what limits their comparison. */
function documentSections(documents: readonly DocumentComparison[], limit: number): readonly Section[] {
  const [first] = documents
  if (!first) return []
  if (documents.length === 1) return [toSection(describeDocument(first))]
  return [
    {
      head: [],
      ...toRows(documents, limit, (document) => `- ${describeDocument(document)}`),
      rest: (hidden) => `- … and ${formatCount(hidden, 'more document')}`,
    },
  ]
}

function describeDocument({ document, kind, comparison, errors, incomplete = [] }: DocumentComparison): string {
  const found = { base: describeErrors(errors.base), revision: describeErrors(errors.revision) }
  if (!comparison) {
    const versions = [...(found.base ? ['the old version'] : []), ...(found.revision ? ['the new version'] : [])]
    const sides = versions.length === 1 ? versions[0] : 'one of its versions'
    return `Cannot compare ${renderCode(document)}: ${sides} cannot be read as OpenAPI`
  }
  const { documents, versions } = listSides(comparison)
  const names = kind === 'compared' ? documents.map(renderCode).join(' → ') : `${renderCode(document)} (${kind})`
  const version = versions.length === 0 ? '' : `, version ${versions.map(escapeMarkdown).join(' → ')}`
  const sides = [
    ...(found.base ? [`${found.base} in the old version`] : []),
    ...(found.revision ? [`${found.revision} in the new version`] : []),
  ]
  if (sides.length === 0) return `${names}${version}`
  const unread = listFirst(incomplete, 5, (operation) => renderCode(formatOperation(operation)))
  const parts = unread === '' ? '' : `. Parts that cannot be read: ${unread}`
  return `${names}${version}. The list can be incomplete: ${sides.join(' and ')}${parts}`
}

function describeErrors(count: number): string | undefined {
  return count === 0 ? undefined : formatCount(count, 'error')
}

/** One list item. Changes that are listed outside of their group name their operation. */
function renderRow(change: Change, options: ChangesMarkdownOptions, isAlone: boolean): string {
  const { level, code, accepted, base, revision } = change
  const name = isAlone ? nameOperation(change) : undefined
  const operation = name === undefined ? '' : `${renderCode(name)}: `
  const places = [
    ...(base ? [renderPlace('base', base, options)] : []),
    ...(revision ? [renderPlace('revision', revision, options)] : []),
  ]
  const affected = renderAffected(change, options)
  const mark = isAlone ? '' : `${accepted ? levelMarks.compatible : levelMarks[level]} ${describeLevel(change)}: `
  const problem = accepted ? renderMessage(change.message) : renderProblem(change)
  const clients = describeClients(change)
  const touched = clients === undefined ? '' : `. Clients: ${renderMessage(clients)}`
  const acceptance = describeAcceptance(change)
  const end = `${affected}${touched}${acceptance === undefined ? '' : `. ${escapeMarkdown(capitalize(acceptance))}`}`
  return `- ${mark}${operation}${problem} (${renderLink(code, changeUrl(code))}; ${places.join(', ')})${end}`
}

function renderPlace(
  side: 'base' | 'revision',
  { file, range }: LocatedPlace,
  { links }: Pick<ChangesMarkdownOptions, 'links'>,
): string {
  const { line } = range.start
  const place = `${file}:${line}`
  const sha = side === 'base' ? links?.baseSha : links?.headSha
  if (!links || sha === undefined || isUrl(file)) return `${side} ${renderCode(place)}`
  return `${side} ${renderLink(place, toBlobUrl(links.webUrl, sha, file, line))}`
}

function renderAffected({ method, operations }: Change, { all }: ChangesMarkdownOptions): string {
  if (method !== null || operations.length === 0) return ''
  const names = listFirst(operations, all ? operations.length : 5, (operation) => renderCode(formatOperation(operation)))
  return `. Affects ${names}`
}

/**
 * The problems, most severe first: twenty in a table, the others folded. If there are more than twenty, a count per rule comes
 * first, because thousands of problems are usually a few repeated mistakes.
 */
export function problemSections(
  feedback: LinkedCommit & { readonly diagnostics: readonly Diagnostic[] },
  options: {
    /** The maximum number of folded problems; 0 when they can be read elsewhere. */
    readonly folded: number
    /** Markdown that links to the omitted problems. */
    readonly whereAll: string
  },
): readonly Section[] {
  const sorted = bySeverity(feedback.diagnostics)
  if (sorted.length === 0) return []
  const { folded, whereAll } = options
  const left = sorted.slice(shownProblems)
  const toTable = (findings: readonly Diagnostic[], limit: number, moreRows: number) => ({
    rows: findings.slice(0, limit).map((diagnostic) => toRow(diagnostic, feedback)),
    moreRows,
    rest: (hidden: number) => `| | | … and ${formatCount(hidden, 'more problem')} (${whereAll}) | |`,
  })
  const first = { head: tableHead, ...toTable(sorted, shownProblems, folded > 0 ? 0 : left.length), tail: [] }
  if (left.length === 0) return [first]
  const rules = toRuleSections(sorted, feedback)
  if (folded === 0) return [...rules, first]
  const summary = `<details><summary>${formatCount(left.length, 'more problem')}</summary>`
  const moreRows = Math.max(0, left.length - folded)
  return [...rules, first, { head: [summary, '', ...tableHead], ...toTable(left, folded, moreRows), tail: ['', '</details>'] }]
}

function toRow(diagnostic: Diagnostic, feedback: LinkedCommit): string {
  const rule = renderLink(ruleNameOf(diagnostic), ruleUrlOf(diagnostic))
  return `| ${severityMarks[diagnostic.severity]} | ${renderLocation(diagnostic, feedback)} | ${renderProblem(diagnostic)} | ${rule} |`
}

function toRuleSections(sorted: readonly Diagnostic[], feedback: LinkedCommit): readonly Section[] {
  const toKey = (diagnostic: Diagnostic) => `${diagnostic.severity} ${ruleNameOf(diagnostic)}`
  const groups = [...groupBy(sorted, toKey).values()].sort((a, b) => b.length - a.length)
  if (groups.length === 1) return []
  return [
    {
      head: ['| | rule | description | count | first location |', '|---|---|---|--:|---|'],
      ...toRows(groups, shownRules, (group) => {
        const [first] = group
        if (!first) return ''
        const { severity, code } = first
        const rule = renderLink(ruleNameOf(first), ruleUrlOf(first))
        const { title } = diagnosticCodes[code]
        return `| ${severityMarks[severity]} | ${rule} | ${title} | ${formatNumber(group.length)} | ${renderLocation(first, feedback)} |`
      }),
      rest: (hidden) => `| | … and ${formatCount(hidden, 'more rule')} | | | |`,
    },
  ]
}

/** Number of problems that are not folded. */
const shownProblems = 20

const shownRules = 30

const severityMarks: { readonly [severity in Severity]: string } = { error: '✖', warning: '⚠', info: 'ℹ' }

const tableHead = ['| | location | problem | rule |', '|---|---|---|---|']
