import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { countFindings, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { formatFrame, plainPalette } from '../../diagnostics/format-text.ts'
import { escapeDirection } from '../../source/escape-text.ts'
import { type SourceFile, toSourceLines } from '../../source/source-file.ts'
import { toPolicy } from '../render/shell/render-document.tsx'

export type SourceOf = (file: string) => SourceFile | undefined

/** Problems that are shown with the lines around them; of the others there is the number. */
const mostShown = 20

interface ProblemsProps {
  readonly diagnostics: readonly Diagnostic[]
  readonly sourceOf: SourceOf
}

/** The panel over a page with problems; `''` without. `stale`: files whose last valid text the page is made of. */
export function renderPanel({ diagnostics, sourceOf }: ProblemsProps, stale: readonly string[]): string {
  if (diagnostics.length === 0) return ''
  const { errors } = countFindings(diagnostics)
  return toHtml(
    <aside class="preview-panel" aria-label="Problems, only in the preview">
      <details open={errors > 0}>
        <summary class={errors > 0 ? 'preview-error' : 'preview-warning'}>{formatCounts(countFindings(diagnostics))}</summary>
        {stale.length > 0 && (
          <p>
            Until it is repaired, the site is made of what there was before in{' '}
            <Ticked text={stale.map((file) => `\`${file}\``).join(', ')} />.
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
  /** Addresses. */
  readonly stylesheet: string
  readonly theme: string
}

/** The page shown if the docs directory cannot be rendered at all. */
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
          <p class="muted">This page changes by itself when the files do.</p>
          <Problems diagnostics={diagnostics} sourceOf={sourceOf} />
        </main>
      </body>
    </html>,
  )
  return `<!doctype html>\n${page}\n`
}

function Problems({ diagnostics, sourceOf }: ProblemsProps) {
  const shown = diagnostics.slice(0, mostShown)
  return (
    <>
      {shown.map((diagnostic) => (
        <Problem diagnostic={diagnostic} source={sourceOf(diagnostic.file)} />
      ))}
      {diagnostics.length > shown.length && (
        <p>And {formatCount(diagnostics.length - shown.length, 'more problem')}; the terminal has all.</p>
      )}
    </>
  )
}

function Problem({ diagnostic, source }: { readonly diagnostic: Diagnostic; readonly source: SourceFile | undefined }) {
  const { file, range, severity, message, hint, code } = diagnostic
  const mark = (text: string) => text
  const frame = source ? formatFrame(toSourceLines(source), range, { palette: plainPalette, mark, lineWidth: 110 }) : []
  // Text to paste is on separate lines.
  const [advice = '', paste] = (hint ?? '').split('\n`', 2)
  return (
    <section class="preview-problem">
      <p>
        <b class={`preview-${severity}`}>{severity}</b> <Ticked text={message} />
      </p>
      <p class="muted">
        <code>
          {file}:{range.start.line}:{range.start.column}
        </code>{' '}
        {code}
      </p>
      {frame.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
        <pre tabIndex={0}>{frame.join('\n')}</pre>
      )}
      {advice !== '' && (
        <p>
          Help: <Ticked text={advice} />
        </p>
      )}
      {paste !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
        <pre tabIndex={0}>{paste.replace(/`$/, '')}</pre>
      )}
    </section>
  )
}

/** Characters that turn the direction of text are made visible: a message must not be shown in another order than it is written. */
function toHtml(node: VNode): string {
  return escapeDirection(renderToString(node))
}

/** A message with the parts in backticks as code. */
function Ticked({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}
