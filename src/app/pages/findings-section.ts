import { type ComponentChild, h } from 'preact'
import { type DiagnosticCode, diagnosticCodes, diagnosticUrl } from '../../diagnostics/codes.ts'
import type { UpdateStatus } from '../../status/types.ts'
import type { ReportedFinding, UpdateReport } from '../stored-report.ts'
import { count, heading, icon, inlineCode } from './elements.ts'

/** Everything that was found, the worst first as the report has it, each with its lines of code and what to do. */
export function findingsSection(update: UpdateStatus, report: UpdateReport | undefined, links: FileLinks): ComponentChild {
  if (!report) {
    const words = update.endedAt === undefined ? 'Shown when the update has ended.' : 'This update has no report of its findings.'
    return h('section', null, heading('findings', 'Findings'), h('p', { class: 'empty' }, words))
  }
  const { error, warning, info } = report.findingCounts
  const total = error + warning + info
  const rest = total - report.findings.length
  return h(
    'section',
    null,
    heading('findings', 'Findings', total),
    total === 0 && h('p', { class: 'empty' }, toNothingFoundWords(report)),
    report.findings.map((finding) => article(finding, links)),
    rest > 0 &&
      h(
        'p',
        { class: 'empty' },
        `… and ${rest.toLocaleString('en-US')} more. All of them: `,
        h('code', null, 'npx openapi-pages check'),
      ),
  )
}

function toNothingFoundWords({ documents, pages, unchangedPageCount }: UpdateReport): string {
  return `Nothing found in ${count(documents.length, 'document')} and ${count(pages.length + unchangedPageCount, 'page')}.`
}

function article(finding: ReportedFinding, links: FileLinks): ComponentChild {
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

/** Hints are fragments such as ``did you mean `Pet`?``. */
function sentence(fragment: string): string {
  const text = fragment.charAt(0).toUpperCase() + fragment.slice(1)
  return /[.?!:]$/.test(text) ? text : `${text}.`
}

/** The lines around a finding, its first line marked and underlined with carets. */
function codeFrame(finding: ReportedFinding): ComponentChild {
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

/** Keys and quoted texts of YAML and JSON; a line is looked at by itself, which is enough for a few lines of context. */
function highlight(text: string): ComponentChild[] {
  const [before = '', indent = '', key] = /^([\s-]*)([\w$@./{}~][\w$@./{}~-]*(?=:(?:\s|$)))?/.exec(text) ?? []
  const pieces = text.slice(before.length).split(/((?<!\\)"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/)
  const shown = pieces.map((piece, index) => {
    // `split` puts what it matched at the odd places.
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

/** Addresses on GitHub of what a record names. */
export interface FileLinks {
  readonly repository: string
  readonly commit: string
  ref(name: string): string
  pull(pullNumber: number): string
  /** A file at the commit, at a line; `undefined` for what is no path in the repository. */
  file(path: string, line?: number): string | undefined
}

/**
 * @param repository Address of the repository, `https://github.com/owner/repo`.
 * @param sha The commit whose files are linked, so that lines stay where they are.
 */
export function toFileLinks(repository: string, sha: string): FileLinks {
  // A half of a character, which JSON can hold, has no encoding.
  const encode = (path: string) =>
    path
      .replace(/\p{Cs}/gu, '\ufffd')
      .split('/')
      .map(encodeURIComponent)
      .join('/')
  return {
    repository,
    commit: `${repository}/commit/${sha}`,
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
