import { type ComponentChild, h } from 'preact'
import type { ReportedFinding } from '../update-report.ts'

/** The lines around a finding, its first line marked and underlined with carets. */
export function codeFrame(finding: ReportedFinding): ComponentChild {
  const { frame, line, column } = finding
  const marked = frame?.lines[line - frame.firstLine]
  if (!frame || marked === undefined) return undefined
  const before = marked.slice(0, column - 1)
  const end = finding.endLine === line ? finding.endColumn - 1 : marked.length
  const length = Math.max(1, Math.min(end, marked.length) - before.length)
  const rows = frame.lines.flatMap((text, index) => {
    const number = frame.firstLine + index
    if (number !== line) return [row(String(number), text)]
    // Tabs stay tabs, so that the carets stand under what they mark.
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
