import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { countFindings, type Diagnostic, formatCount, formatCounts, ruleNameOf } from '../../diagnostics/diagnostic.ts'
import { formatFrame, plainPalette } from '../../diagnostics/format-text.ts'
import { escapeDirection } from '../../text/plain/escape-text.ts'
import { type SourceFile, toSourceLines } from '../../text/plain/source-file.ts'
import { Message } from '../page/api/part.tsx'
import { toPolicy } from '../page/shell/render-document.tsx'

type SourceOf = (file: string) => SourceFile | undefined

/** Maximum number of problems shown with their source lines. Others are only counted. */
const maxShown = 20

interface ProblemsProps {
  readonly diagnostics: readonly Diagnostic[]
  readonly sourceOf: SourceOf
}

/**
 * Renders the panel above a page with problems, or `''` without problems. `stale`: files that are shown with their last valid
 * content.
 */
export function renderPanel({ diagnostics, sourceOf }: ProblemsProps, stale: readonly string[]): string {
  if (diagnostics.length === 0) return ''
  const { errors } = countFindings(diagnostics)
  return toHtml(
    <aside class="preview-panel" aria-label="Problems shown only in the preview">
      <details open={errors > 0}>
        <summary class={errors > 0 ? 'preview-error' : 'preview-warning'}>{formatCounts(countFindings(diagnostics))}</summary>
        {stale.length > 0 && (
          <p>
            Until the problems are fixed, the site shows the last valid content of{' '}
            <Message text={stale.map((file) => `\`${file}\``).join(', ')} />.
          </p>
        )}
        <Problems diagnostics={diagnostics} sourceOf={sourceOf} />
      </details>
    </aside>,
  )
}

interface ProblemPageLook {
  readonly title: string
  readonly text: string | undefined
  /** URL paths. */
  readonly stylesheet: string
  readonly theme: string
}

/** Renders the page shown if the docs directory cannot be rendered at all. */
export function renderProblemPage(
  { diagnostics, sourceOf }: ProblemsProps,
  { title, text, stylesheet, theme }: ProblemPageLook,
): string {
  const page = toHtml(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={toPolicy([])} />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheet} />
        <script src={theme} />
      </head>
      <body>
        <main id="main" class="preview-page" tabIndex={-1}>
          <h1>{title}</h1>
          {text !== undefined && <pre class="preview-text">{text}</pre>}
          <p class="muted">This page reloads when the files change.</p>
          <Problems diagnostics={diagnostics} sourceOf={sourceOf} />
        </main>
      </body>
    </html>,
  )
  return `<!doctype html>\n${page}\n`
}

function Problems({ diagnostics, sourceOf }: ProblemsProps) {
  const shown = diagnostics.slice(0, maxShown)
  return (
    <>
      {shown.map((diagnostic) => (
        <Problem diagnostic={diagnostic} source={sourceOf(diagnostic.file)} />
      ))}
      {diagnostics.length > shown.length && (
        <p>And {formatCount(diagnostics.length - shown.length, 'more problem')}. See the terminal for all of them.</p>
      )}
    </>
  )
}

function Problem({ diagnostic, source }: { readonly diagnostic: Diagnostic; readonly source: SourceFile | undefined }) {
  const { file, range, severity, message, hint } = diagnostic
  const mark = (text: string) => text
  const frame = source ? formatFrame(toSourceLines(source), range, { palette: plainPalette, mark, lineWidth: 110 }) : []
  // Text to paste is on separate lines.
  const [advice = '', paste] = (hint ?? '').split('\n`', 2)
  return (
    <section class="preview-problem">
      <p>
        <b class={`preview-${severity}`}>{severity}</b> <Message text={message} />
      </p>
      <p class="muted">
        <code>
          {file}:{range.start.line}:{range.start.column}
        </code>{' '}
        {ruleNameOf(diagnostic)}
      </p>
      {frame.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
        <pre tabIndex={0}>{frame.join('\n')}</pre>
      )}
      {advice !== '' && (
        <p>
          Hint: <Message text={advice} />
        </p>
      )}
      {paste !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
        <pre tabIndex={0}>{paste.replace(/`$/, '')}</pre>
      )}
    </section>
  )
}

/** Makes direction controls visible, so that they cannot change how a message reads. */
function toHtml(node: VNode): string {
  return escapeDirection(renderToString(node))
}
