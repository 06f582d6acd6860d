import { formatCount, formatNumber } from '../../diagnostics/diagnostic.ts'
import { describeAcceptance, describeLevel } from '../../openapi/changes/accepted-changes.ts'
import { type ChangeLevel, changeUrl } from '../../openapi/changes/change-codes.ts'
import { countChanges } from '../../openapi/changes/changes-json.ts'
import { formatLevels, formatOperation, groupChanges, listSides, nameOperation } from '../../openapi/changes/changes-text.ts'
import type { Change, Comparison, LocatedPlace } from '../../openapi/changes/types.ts'
import { isUrl } from '../../source/relative-path.ts'
import { escapeMarkdown, renderCode, renderHtmlCode, renderLink, renderMessage, renderProblem, toBlobUrl } from './markdown.ts'
import { fitSections, type Section, toRows, toSection } from './report-sections.ts'

export interface ChangesMarkdownOptions {
  /** Where the files of both versions are on GitHub. Without it, places are not linked. */
  readonly links?: { readonly webUrl: string; readonly baseSha: string; readonly headSha: string }
  /** Whether nothing is left out. Default: 10 breaking changes, 50 groups with 50 changes each, and 5 operations per change. */
  readonly all?: boolean
}

/** Maximum length of a comment. Source: GitHub REST, "Create an issue comment"; the message of a longer one names the limit. */
export const maxCommentLength = 65_536

const marks: { readonly [level in ChangeLevel]: string } = { breaking: '✖', risky: '⚠', compatible: '✔' }

/**
 * Renders changes as Markdown for GitHub: counts, the first breaking changes, then the other changes folded by operation.
 *
 * At most `limitBytes` UTF-8 bytes long. Lines with a number stand for what is left out. Ends with a newline.
 */
export function renderChangesMarkdown(
  comparison: Comparison,
  { limitBytes, ...options }: ChangesMarkdownOptions & { readonly limitBytes: number },
): string {
  return `${fitSections(changeSections(comparison, options), limitBytes - 1)}\n`
}

/** The sections of {@link renderChangesMarkdown}, for a text with more sections. */
function changeSections(comparison: Comparison, options: ChangesMarkdownOptions): readonly Section[] {
  const { changes } = comparison
  const listed = (limit: number) => (options.all ? Number.POSITIVE_INFINITY : limit)
  const breaking = changes.filter(({ level, accepted }) => level === 'breaking' && !accepted).slice(0, listed(10))
  const first = new Set(breaking)
  const groups = groupChanges(changes.filter((change) => !first.has(change)))
  const shown = groups.slice(0, listed(50))
  const left = groups.slice(shown.length).flatMap(({ grouped }) => grouped)
  return [
    toSection(...renderHead(comparison)),
    ...(breaking.length === 0
      ? []
      : [
          {
            head: ['#### Breaking changes', ''],
            ...toRows(breaking, breaking.length, (change) => renderRow(change, options, true)),
            tail: [],
            rest: (hidden: number) => `- … and ${formatCount(hidden, 'more breaking change')}`,
          },
        ]),
    ...shown.map(({ name, grouped }) => ({
      head: [`<details><summary>${renderHtmlCode(name)} ${formatLevels(countChanges(grouped))}</summary>`, ''],
      ...toRows(grouped, listed(50), (change) => renderRow(change, options, false)),
      tail: ['', '</details>'],
      rest: (hidden: number) => `- … and ${formatCount(hidden, 'more change')}`,
    })),
    ...(left.length === 0
      ? []
      : [
          toSection(
            `… and ${formatCount(left.length, 'more change')} in ${formatCount(groups.length - shown.length, 'more group')} (${formatLevels(countChanges(left))})`,
          ),
        ]),
  ]
}

function renderHead(comparison: Comparison): string[] {
  const { changes } = comparison
  const title = changes.length === 0 ? 'no changes for API clients' : formatLevels(countChanges(changes))
  const { documents, versions } = listSides(comparison)
  const names = documents.map(renderCode).join(' → ')
  const version = versions.length === 0 ? '' : `, version ${versions.map(escapeMarkdown).join(' → ')}`
  return [`### API changes: ${title}`, '', `${names}${version}`]
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
  const mark = isAlone ? '' : `${accepted ? marks.compatible : marks[level]} ${describeLevel(change)}: `
  const problem = accepted ? renderMessage(change.message) : renderProblem(change)
  const end = `${affected}${renderAcceptance(change)}`
  return `- ${mark}${operation}${problem} (${renderLink(code, changeUrl(code))}; ${places.join(', ')})${end}`
}

function renderAcceptance(change: Change): string {
  const acceptance = describeAcceptance(change)
  return acceptance === undefined ? '' : `. ${escapeMarkdown(capitalize(acceptance))}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function renderPlace(
  side: 'base' | 'revision',
  { file, range }: LocatedPlace,
  { links }: Pick<ChangesMarkdownOptions, 'links'>,
): string {
  const { line } = range.start
  const place = `${file}:${line}`
  if (!links || isUrl(file)) return `${side} ${renderCode(place)}`
  const sha = side === 'base' ? links.baseSha : links.headSha
  return `${side} ${renderLink(place, toBlobUrl(links.webUrl, sha, file, line))}`
}

function renderAffected({ method, operations }: Change, { all }: ChangesMarkdownOptions): string {
  if (method !== null || operations.length === 0) return ''
  const shown = operations.slice(0, all ? operations.length : 5)
  const left = operations.length - shown.length
  const names = shown.map((operation) => renderCode(formatOperation(operation))).join(', ')
  return `. Affects ${names}${left > 0 ? ` and ${formatNumber(left)} more` : ''}`
}
