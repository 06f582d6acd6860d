import { formatCount, formatCounts, isDiagnosticCode, ruleUrlOf } from '../../../diagnostics/diagnostic.ts'
import type { UpdateReport } from '../../../docs/update/update-results.ts'
import { CodeBlock, Heading, Icon, IsolatedText, OptionalLink, Paragraph } from './elements.tsx'
import { sentence } from './formats.ts'
import type { FileLinks, UpdateParts } from './update-links.ts'

type Finding = UpdateReport['findings'][number]

/** All diagnostics in the order of the report, most severe first, each with a code frame and a hint. */
export function DiagnosticsSection({ stored: { update }, report, links }: UpdateParts) {
  if (!report) {
    return (
      <section>
        <Heading id="findings" label="Problems" />
        <p class="empty">{update.endedAt === undefined ? 'Available when the update ends.' : 'This update has no report.'}</p>
      </section>
    )
  }
  const { error: errors, warning: warnings, info: infos } = report.findingCounts
  const total = errors + warnings + infos
  const rest = total - report.findings.length
  return (
    <section>
      <Heading id="findings" label="Problems" count={total > 0 ? formatCounts({ errors, warnings, infos }) : undefined} />
      {total === 0 && <NoProblems report={report} />}
      {report.findings.map((finding) => (
        <DiagnosticArticle finding={finding} links={links} />
      ))}
      {rest > 0 && (
        <p class="empty">
          … and {rest.toLocaleString('en-US')} more. List them all with <code>openapi-pages check</code>
        </p>
      )}
    </section>
  )
}

function NoProblems({ report }: { readonly report: UpdateReport }) {
  const { documents, pages, unchangedPageCount } = report
  return (
    <p class="empty">
      No problems in {formatCount(documents.length, 'document')} and {formatCount(pages.length + unchangedPageCount, 'page')}.
    </p>
  )
}

function DiagnosticArticle({ finding, links }: { readonly finding: Finding; readonly links: FileLinks }) {
  const { severity, message, code, rule, hint, related = [] } = finding
  const name = rule?.name ?? code
  return (
    <article class={`finding is-${severity}`}>
      <h3>
        <Icon name={severity} />
        <span class="hidden">{severity}: </span>
        <IsolatedText text={message} />
      </h3>
      <p class="where">
        <Place place={finding} links={links} />
        <span>{severity}</span>
        {isDiagnosticCode(code) ? <a href={ruleUrlOf({ code, ...(rule && { rule }) })}>{name}</a> : <span>{name}</span>}
      </p>
      <CodeFrame finding={finding} />
      {hint !== undefined && <Paragraph text={sentence(hint)} />}
      {related.length > 0 && (
        <ul>
          {related.map((other) => (
            <li>
              <IsolatedText text={sentence(other.message)} /> <Place place={other} links={links} />
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

interface PlaceProps {
  readonly place: { readonly file: string; readonly line: number; readonly column: number }
  readonly links: FileLinks
}

/** `openapi.yaml:12:5`, with a link to the file if it is in the repository. */
function Place({ place: { file, line, column }, links }: PlaceProps) {
  return (
    <bdi class="mono">
      <OptionalLink href={links.file(file, line)}>
        {file}:{line}:{column}
      </OptionalLink>
    </bdi>
  )
}

/** The lines around a diagnostic, with carets under its first line. */
function CodeFrame({ finding }: { readonly finding: Finding }) {
  const { severity, frame, line, column, endLine, endColumn } = finding
  const marked = frame?.lines[line - frame.firstLine]
  if (!frame || marked === undefined) return null
  const before = marked.slice(0, column - 1)
  const end = endLine === line ? endColumn - 1 : marked.length
  const length = Math.max(1, Math.min(end, marked.length) - before.length)
  return (
    <CodeBlock class={`code is-${severity}`} label={`Code around line ${line}`}>
      {frame.lines.map((text, index) => {
        const number = frame.firstLine + index
        if (number !== line) return <Row number={number} text={text} />
        return (
          <>
            <Row number={number} text={text} class="row marked" />
            {/* Keep tabs, so that the carets line up with the marked text. */}
            <Row text={before.replace(/[^\t]/g, ' ')} carets={'^'.repeat(length)} />
          </>
        )
      })}
    </CodeBlock>
  )
}

interface RowProps {
  readonly number?: number
  readonly text: string
  readonly class?: string
  readonly carets?: string
}

function Row({ number, text, class: name = 'row', carets }: RowProps) {
  return (
    <span class={name} aria-hidden={carets === undefined ? undefined : 'true'}>
      <span class="number" aria-hidden="true">
        {number}
      </span>
      <Highlighted text={text} />
      {carets !== undefined && <span class="carets">{carets}</span>}
      {'\n'}
    </span>
  )
}

/** Highlights keys and quoted strings of YAML and JSON. Each line is tokenized alone, which is enough for a few lines. */
function Highlighted({ text }: { readonly text: string }) {
  const [before = '', indent = '', key] = /^([\s-]*)([\w$@./{}~][\w$@./{}~-]*(?=:(?:\s|$)))?/.exec(text) ?? []
  const pieces = text.slice(before.length).split(/((?<!\\)"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/)
  return (
    <>
      {indent}
      {key !== undefined && <span class="key">{key}</span>}
      {pieces.map((piece, index) => {
        // `split` returns the captured strings at odd indexes.
        if (index % 2 === 0) return piece
        return <span class={/^\s*:/.test(pieces[index + 1] ?? '') ? 'key' : 'text'}>{piece}</span>
      })}
    </>
  )
}
