import { type ComponentChild, h } from 'preact'
import { type DiagnosticCode, diagnosticCodes, diagnosticUrl } from '../../diagnostics/codes.ts'
import { formatCounts } from '../../diagnostics/diagnostic.ts'
import type { UpdateStatus } from '../../status/types.ts'
import type { ReportedDiagnostic, UpdateReport } from '../stored-report.ts'
import { count, heading, icon, inlineCode } from './elements.ts'

/** All diagnostics in the order of the report, most severe first, each with a code frame and a hint. */
export function diagnosticsSection(update: UpdateStatus, report: UpdateReport | undefined, links: FileLinks): ComponentChild {
  if (!report) {
    const note = update.endedAt === undefined ? 'Available when the update ends.' : 'This update has no report.'
    return h('section', null, heading('findings', 'Problems'), h('p', { class: 'empty' }, note))
  }
  const { error: errors, warning: warnings, info: infos } = report.findingCounts
  const total = errors + warnings + infos
  const rest = total - report.findings.length
  return h(
    'section',
    null,
    heading('findings', 'Problems', formatCounts({ errors, warnings, infos })),
    total === 0 && h('p', { class: 'empty' }, describeNoProblems(report)),
    report.findings.map((finding) => article(finding, links)),
    rest > 0 &&
      h(
        'p',
        { class: 'empty' },
        `… and ${rest.toLocaleString('en-US')} more. List them all with `,
        h('code', null, 'openapi-pages check'),
      ),
  )
}

function describeNoProblems({ documents, pages, unchangedPageCount }: UpdateReport): string {
  return `No problems in ${count(documents.length, 'document')} and ${count(pages.length + unchangedPageCount, 'page')}.`
}

function article(finding: ReportedDiagnostic, links: FileLinks): ComponentChild {
  const { severity, message, file, line, column, code, hint, related = [] } = finding
  return h(
    'article',
    { class: `finding is-${severity}` },
    h('h3', null, icon(severity), h('span', { class: 'hidden' }, `${severity}: `), h('bdi', null, inlineCode(message))),
    h(
      'p',
      { class: 'where' },
      place(file, line, column, links),
      h('span', null, severity),
      isKnown(code) ? h('a', { href: diagnosticUrl(code) }, code) : h('span', null, code),
    ),
    codeFrame(finding),
    hint !== undefined && h('p', { dir: 'auto' }, inlineCode(sentence(hint))),
    related.length > 0 &&
      h(
        'ul',
        null,
        related.map((other) =>
          h(
            'li',
            null,
            h('bdi', null, inlineCode(sentence(other.message))),
            ' ',
            place(other.file, other.line, other.column, links),
          ),
        ),
      ),
  )
}

function place(file: string, line: number, column: number, links: FileLinks): ComponentChild {
  const text = `${file}:${line}:${column}`
  const href = links.file(file, line)
  return h('bdi', { class: 'mono' }, href === undefined ? text : h('a', { href }, text))
}

function isKnown(code: string): code is DiagnosticCode {
  return Object.hasOwn(diagnosticCodes, code)
}

/** Turns a message or hint, which has no full stop, into a sentence. */
export function sentence(fragment: string): string {
  const text = fragment.charAt(0).toUpperCase() + fragment.slice(1)
  return /[.?!:]$/.test(text) ? text : `${text}.`
}

/** The lines around a diagnostic, with carets under its first line. */
function codeFrame(finding: ReportedDiagnostic): ComponentChild {
  const { frame, line, column } = finding
  const marked = frame?.lines[line - frame.firstLine]
  if (!frame || marked === undefined) return undefined
  const before = marked.slice(0, column - 1)
  const end = finding.endLine === line ? finding.endColumn - 1 : marked.length
  const length = Math.max(1, Math.min(end, marked.length) - before.length)
  const rows = frame.lines.flatMap((text, index) => {
    const number = frame.firstLine + index
    if (number !== line) return [row(String(number), text)]
    // Keep tabs, so that the carets line up with the marked text.
    return [row(String(number), text, 'marked'), row('', before.replace(/[^\t]/g, ' '), '', '^'.repeat(length))]
  })
  return h(
    'pre',
    { class: `code is-${finding.severity}`, tabIndex: 0, role: 'group', 'aria-label': `Code around line ${line}` },
    h('code', null, rows),
  )
}

/** Highlights keys and quoted strings of YAML and JSON. Each line is tokenized alone, which is enough for a few lines. */
function highlight(text: string): ComponentChild[] {
  const [before = '', indent = '', key] = /^([\s-]*)([\w$@./{}~][\w$@./{}~-]*(?=:(?:\s|$)))?/.exec(text) ?? []
  const pieces = text.slice(before.length).split(/((?<!\\)"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/)
  const shown = pieces.map((piece, index) => {
    // `split` returns the captured strings at odd indexes.
    if (index % 2 === 0) return piece
    return h('span', { class: /^\s*:/.test(pieces[index + 1] ?? '') ? 'key' : 'text' }, piece)
  })
  return [indent, key === undefined ? '' : h('span', { class: 'key' }, key), ...shown]
}

function row(number: string, text: string, className = '', carets?: string): ComponentChild {
  return h(
    'span',
    { class: `row ${className}`.trim(), ...(carets !== undefined && { 'aria-hidden': 'true' }) },
    h('span', { class: 'number', 'aria-hidden': 'true' }, number),
    highlight(text),
    carets !== undefined && h('span', { class: 'carets' }, carets),
    '\n',
  )
}

/** URLs on GitHub of the files and refs in a record. */
export interface FileLinks {
  readonly repository: string
  readonly commit: string
  commitOf(sha: string): string
  ref(name: string): string
  pull(pullNumber: number): string
  /** A file at the commit, at a line; `undefined` for a path outside the repository. */
  file(path: string, line?: number): string | undefined
}

/**
 * @param repository URL of the repository, `https://github.com/owner/repo`.
 * @param sha Links point to files at this commit, so that line numbers stay correct.
 */
export function toFileLinks(repository: string, sha: string): FileLinks {
  // `encodeURIComponent` throws on lone surrogates, which JSON can contain.
  const encode = (path: string) =>
    path
      .replace(/\p{Cs}/gu, '\ufffd')
      .split('/')
      .map(encodeURIComponent)
      .join('/')
  return {
    repository,
    commit: `${repository}/commit/${sha}`,
    commitOf: (other) => `${repository}/commit/${other}`,
    ref: (name) => `${repository}/tree/${encode(name)}`,
    pull: (pullNumber) => `${repository}/pull/${pullNumber}`,
    file: (path, line) => {
      // A document can be an untrusted URL: link only to `http:` and `https:`, without changing it.
      if (/^https?:\/\//i.test(path)) return URL.canParse(path) ? new URL(path).href : undefined
      if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('/') || path.split('/').includes('..')) return undefined
      return `${repository}/blob/${sha}/${encode(path)}${line === undefined ? '' : `#L${line}`}`
    },
  }
}
