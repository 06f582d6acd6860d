import { describeAcceptance, describeLevel } from '../../changes/accepted-changes.ts'
import {
  type Change,
  type ChangeLevel,
  changeUrl,
  compareLevels,
  countChanges,
  type DocumentComparison,
  type LocatedPlace,
} from '../../changes/change.ts'
import { capitalize } from '../../changes/differences/lifecycle.ts'
import { formatLevels, formatOperation, groupChanges, listSides, nameOperation } from '../../changes/show/changes-text.ts'
import { formatCount, formatNumber } from '../../diagnostics/diagnostic.ts'
import { isUrl } from '../../text/plain/urls.ts'
import {
  escapeMarkdown,
  renderCode,
  renderHtmlCode,
  renderLink,
  renderMessage,
  renderProblem,
  renderTrustedLink,
  toBlobUrl,
} from './markdown.ts'
import { fitSections, type Section, toRows, toSection } from './report-sections.ts'

export interface ChangesMarkdownOptions {
  /** Where the files of both versions are on GitHub. Without it, places are not linked. `headSha` is absent if no commit has the revision. */
  readonly links?: { readonly webUrl: string; readonly baseSha: string; readonly headSha: string | undefined }
  /** Finds the pages of an operation such as `GET /pets`. Default: none. */
  readonly pagesOf?: (operation: string, document: string) => OperationPages
  /** Whether nothing is left out. Default: 10 breaking changes, 50 groups with 50 changes each, and 5 operations per change. */
  readonly all?: boolean
}

/** URLs of the page of an operation. */
export interface OperationPages {
  /** The file in the repository. */
  readonly page?: string | undefined
  readonly preview?: string | undefined
}

/** Maximum length of a comment. Source: GitHub REST, "Create an issue comment"; the message of a longer one names the limit. */
export const maxCommentLength = 65_536

const marks: { readonly [level in ChangeLevel]: string } = { breaking: '✖', risky: '⚠', compatible: '✔' }

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

/** A change with the path of its entry document. */
interface DocumentChange {
  readonly document: string
  readonly change: Change
}

/** The sections of {@link renderChangesMarkdown}, for the documents of a docs directory. */
export function changeSections(documents: readonly DocumentComparison[], options: ChangesMarkdownOptions): readonly Section[] {
  const changes = documents.flatMap(({ document, comparison }) => {
    return (comparison?.changes ?? []).map((change): DocumentChange => ({ document, change }))
  })
  const listed = (limit: number) => (options.all ? Number.POSITIVE_INFINITY : limit)
  const breaking = changes.filter(({ change }) => change.level === 'breaking' && !change.accepted).slice(0, listed(10))
  const groups = toGroups(documents, new Set(breaking.map(({ change }) => change)))
  const shown = groups.slice(0, listed(50))
  const left = groups.slice(shown.length).flatMap(({ grouped }) => grouped)
  const counts = countChanges(changes.map(({ change }) => change))
  return [
    toSection(`### API changes: ${changes.length === 0 ? 'no changes for API clients' : formatLevels(counts)}`),
    ...documentSections(documents, listed(50)),
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
    ...shown.map(({ document, name, grouped }) => {
      const names = `${documents.length > 1 ? `${renderHtmlCode(document)} ` : ''}${renderHtmlCode(name)}`
      const pages = listPages(grouped[0]?.method === null ? {} : (options.pagesOf?.(name, document) ?? {}))
      return {
        head: [
          `<details><summary>${names} ${formatLevels(countChanges(grouped))}</summary>`,
          '',
          ...(pages.length === 0 ? [] : [pages.join(' · '), '']),
        ],
        ...toRows(grouped, listed(50), (change) => renderRow({ document, change }, options, false)),
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
      tail: [],
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
  const unread = incomplete.slice(0, 5).map((operation) => renderCode(formatOperation(operation)))
  const left = incomplete.length - unread.length
  const parts =
    unread.length === 0
      ? ''
      : `. Parts that cannot be read: ${unread.join(', ')}${left > 0 ? ` and ${formatNumber(left)} more` : ''}`
  return `${names}${version}. The list can be incomplete: ${sides.join(' and ')}${parts}`
}

function describeErrors(count: number): string | undefined {
  return count === 0 ? undefined : formatCount(count, 'error')
}

function listPages({ page, preview }: OperationPages): readonly string[] {
  return [
    ...(page === undefined ? [] : [renderTrustedLink('page', page)]),
    ...(preview === undefined ? [] : [renderTrustedLink('preview', preview)]),
  ]
}

/** One list item. Changes that are listed outside of their group name their operation. */
function renderRow({ document, change }: DocumentChange, options: ChangesMarkdownOptions, isAlone: boolean): string {
  const { level, code, method, path, accepted, base, revision } = change
  const name = isAlone ? nameOperation(change) : undefined
  const operation = name === undefined ? '' : `${renderCode(name)}: `
  const places = [
    ...(base ? [renderPlace('base', base, options)] : []),
    ...(revision ? [renderPlace('revision', revision, options)] : []),
    ...(isAlone && method !== null && path !== null
      ? listPages(options.pagesOf?.(formatOperation({ method, path }), document) ?? {})
      : []),
  ]
  const affected = renderAffected({ document, change }, options)
  const mark = isAlone ? '' : `${accepted ? marks.compatible : marks[level]} ${describeLevel(change)}: `
  const problem = accepted ? renderMessage(change.message) : renderProblem(change)
  const end = `${affected}${renderAcceptance(change)}`
  return `- ${mark}${operation}${problem} (${renderLink(code, changeUrl(code))}; ${places.join(', ')})${end}`
}

function renderAcceptance(change: Change): string {
  const acceptance = describeAcceptance(change)
  return acceptance === undefined ? '' : `. ${escapeMarkdown(capitalize(acceptance))}`
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

function renderAffected({ document, change }: DocumentChange, { all, pagesOf }: ChangesMarkdownOptions): string {
  const { method, operations } = change
  if (method !== null || operations.length === 0) return ''
  const shown = operations.slice(0, all ? operations.length : 5)
  const left = operations.length - shown.length
  const names = shown.map((operation) => {
    const name = formatOperation(operation)
    const { page, preview } = pagesOf?.(name, document) ?? {}
    return renderLink(name, preview ?? page ?? '')
  })
  return `. Affects ${names.join(', ')}${left > 0 ? ` and ${formatNumber(left)} more` : ''}`
}
