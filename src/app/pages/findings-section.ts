import { type ComponentChild, h } from 'preact'
import { type DiagnosticCode, diagnosticCodes, diagnosticUrl } from '../../diagnostic/codes.ts'
import type { UpdateStatus } from '../../status/types.ts'
import type { ReportedFinding, UpdateReport } from '../update-report.ts'
import { codeFrame } from './code-frame.ts'
import type { FileLinks } from './file-links.ts'
import { heading } from './heading.ts'
import { icon } from './icons.ts'
import { inlineCode } from './inline-code.ts'
import { count } from './words.ts'

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
