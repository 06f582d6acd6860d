import { renderToString } from 'preact-render-to-string'
import {
  type Change,
  type ChangeCounts,
  changeLevels,
  changeUrl,
  countChanges,
  type DocumentComparison,
  describeAcceptance,
  describeLevel,
  type LocatedPlace,
} from '../../../changes/change.ts'
import {
  type ChangesTextOptions,
  cacheLines,
  describeClients,
  formatLevels,
  formatOperation,
  groupChanges,
  type LinesOf,
  listSides,
} from '../../../changes/show/changes-text.ts'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { formatFrame, plainPalette } from '../../../diagnostics/format-text.ts'
import { escapeDirection, toOneLine, withoutControls } from '../../../text/plain/escape-text.ts'
import { capitalize, formatNumber } from '../../../text/plain/lists.ts'

const counted: readonly (keyof ChangeCounts)[] = [...changeLevels, 'accepted']

/** A document of the page. */
export interface ChangesPageDocument extends Omit<DocumentComparison, 'errors'> {
  /** The sources of both versions, for source lines. */
  readonly sources: ChangesTextOptions['sources']
}

/**
 * Renders the changes of documents as one HTML page without scripts, grouped by operation. Groups with breaking changes come first.
 *
 * The page follows the theme of the browser and can be printed. It contains the source lines of breaking and risky changes. Documents without
 * changes are only counted.
 */
export function renderChangesPage(documents: readonly ChangesPageDocument[]): string {
  const [first, ...others] = documents
  const only = others.length === 0 ? first : undefined
  const listed = documents.filter(({ comparison }) => !comparison || comparison.changes.length > 0)
  const counts = countChanges(documents.flatMap(({ comparison }) => comparison?.changes ?? []))
  const isUnchanged = Object.values(counts).every((count) => count === 0)
  const title = `API changes in ${only ? only.document : formatCount(documents.length, 'document')}`
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style>{stylesheet}</style>
      </head>
      <body>
        <main>
          <header>
            <h1>API changes</h1>
            <p class="facts">
              {only ? (
                <>
                  <code>{nameDocument(only)}</code> {describeVersions(only)}
                </>
              ) : (
                describeDocuments(listed.length, documents.length)
              )}
            </p>
            {isUnchanged ? (
              <p>No changes for API clients</p>
            ) : (
              <ul class="counts">
                {counted
                  .filter((name) => name !== 'accepted' || counts.accepted > 0)
                  .map((name) => (
                    <li class={counts[name] === 0 ? 'none' : name}>
                      <b>{formatNumber(counts[name])}</b> {name}
                    </li>
                  ))}
              </ul>
            )}
          </header>
          {only ? <Groups document={only} heading="h2" /> : listed.map((document) => <DocumentSection document={document} />)}
        </main>
      </body>
    </html>
  )
  return `${escapeDirection(withoutControls(`<!doctype html>${renderToString(page)}`))}\n`
}

function describeDocuments(changed: number, all: number): string {
  return changed === 0 ? formatCount(all, 'document') : `${formatNumber(changed)} of ${formatCount(all, 'document')}`
}

function nameDocument({ document, kind, comparison }: ChangesPageDocument): string {
  return comparison && kind === 'compared' ? listSides(comparison).documents.join(' → ') : document
}

/** Such as `version 1.0.0 → 2.0.0`. */
function describeVersions({ comparison }: ChangesPageDocument): string {
  const versions = comparison ? listSides(comparison).versions : []
  return versions.length === 0 ? '' : `version ${versions.join(' → ')}`
}

function DocumentSection({ document }: { document: ChangesPageDocument }) {
  const { kind, comparison } = document
  const facts = [
    kind === 'compared' ? '' : kind,
    describeVersions(document),
    comparison ? formatLevels(countChanges(comparison.changes)) : '',
  ]
  return (
    <section class="document">
      <h2>
        <code>{nameDocument(document)}</code> <small>{facts.filter(Boolean).join(', ')}</small>
      </h2>
      {comparison ? (
        <Groups document={document} heading="h3" />
      ) : (
        <p>Not compared: one of its versions cannot be read as OpenAPI</p>
      )}
    </section>
  )
}

function Groups({
  document: { comparison, sources },
  heading: Heading,
}: {
  document: ChangesPageDocument
  heading: 'h2' | 'h3'
}) {
  const linesOf = { base: cacheLines(sources.base), revision: cacheLines(sources.revision) }
  return (
    <>
      {groupChanges(comparison?.changes ?? []).map(({ name, grouped }) => (
        <section>
          <Heading>
            <code>{name}</code> <small>{formatLevels(countChanges(grouped))}</small>
          </Heading>
          {grouped.map((change) => (
            <ChangeItem change={change} linesOf={linesOf} />
          ))}
        </section>
      ))}
    </>
  )
}

function ChangeItem({ change, linesOf }: { change: Change; linesOf: { base: LinesOf; revision: LinesOf } }) {
  const { level, code, accepted, message, hint, base, revision } = change
  const hasFrame = level !== 'compatible' && !accepted
  const acceptance = describeAcceptance(change)
  const clients = describeClients(change)
  return (
    <article class={accepted ? 'accepted' : level}>
      <p class="message">
        <span class="level">{describeLevel(change)}</span> <Message text={message} />
      </p>
      {acceptance !== undefined && <p>{capitalize(acceptance)}</p>}
      <Place label="Base" place={base} lines={linesOf.base} hasFrame={hasFrame} />
      <Place label="Revision" place={revision} lines={linesOf.revision} hasFrame={hasFrame} />
      <Affected change={change} />
      {clients !== undefined && (
        <p>
          <b>Clients:</b> <Message text={clients} />
        </p>
      )}
      {hint !== undefined && !accepted && (
        <p>
          <b>Hint:</b> <Message text={toOneLine(hint)} />
        </p>
      )}
      <p class="facts">
        <a href={changeUrl(code)}>{code}</a>
      </p>
    </article>
  )
}

function Place(props: { label: string; place: LocatedPlace | null; lines: LinesOf; hasFrame: boolean }) {
  const { label, place, lines, hasFrame } = props
  if (!place) return null
  const source = hasFrame ? lines(place.file) : undefined
  const frame = source ? formatFrame(source, place.range, { palette: plainPalette, mark: (text) => text, lineWidth: 120 }) : []
  return (
    <>
      <p class="facts">
        {label}{' '}
        <code>
          {place.file}:{place.range.start.line}:{place.range.start.column}
        </code>
      </p>
      {frame.length > 0 && <pre>{frame.join('\n')}</pre>}
    </>
  )
}

function Affected({ change: { method, operations } }: { change: Change }) {
  if (method !== null || operations.length === 0) return null
  const names = operations.map((operation) => <code>{formatOperation(operation)}</code>)
  return <p class="facts">Affects {names.map((name, index) => (index === 0 ? name : [', ', name]))}</p>
}

/** A sentence with names in backticks. */
export function Message({ text }: { text: string }) {
  const parts = text.split('`')
  // With an odd number of backticks, a name contains one, so names and text cannot be distinguished.
  if (parts.length % 2 === 0) return <>{text}</>
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}

const stylesheet = `:root{color-scheme:light dark;--text:light-dark(#1f2328,#e6edf3);--soft:light-dark(#59636e,#9198a1);--line:light-dark(#d1d9e0,#3d444d);
--page:light-dark(#fff,#0d1117);--code:light-dark(#f6f8fa,#161b22);--link:light-dark(#0969da,#58a6ff);--breaking:light-dark(#c5221f,#ff7b72);
--risky:light-dark(#8a5300,#e3b341);--compatible:light-dark(#1a7f37,#56d364);--accepted:light-dark(#0969da,#58a6ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{margin:0;font-size:1.75rem}
h2,h3{margin:2.5rem 0 .75rem;font-size:1.125rem;border-bottom:1px solid var(--line);padding-bottom:.5rem}
.document>h2{margin-top:3.5rem;font-size:1.5rem;border:0;padding:0}
h3{margin-top:1.5rem}
small{font-weight:400;font-size:.875rem;color:var(--soft);display:inline-block}
p{margin:.375rem 0}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
pre{margin:.375rem 0 .75rem;padding:.75rem;background:var(--code);border-radius:6px;overflow-x:auto;line-height:1.45}
a{color:var(--link)}
.facts{font-size:.875rem;color:var(--soft)}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:1rem 0 0}
.counts li{border:1px solid var(--line);border-radius:6px;padding:.25rem .75rem}
.counts .none{color:var(--soft)}
.counts .breaking,.breaking>.message>.level{color:var(--breaking)}
.counts .risky,.risky>.message>.level{color:var(--risky)}
.counts .compatible,.compatible>.message>.level{color:var(--compatible)}
.counts .accepted,.accepted>.message>.level{color:var(--accepted)}
article{border-left:3px solid var(--line);padding:.125rem 0 .125rem 1rem;margin:1rem 0}
article.breaking{border-color:var(--breaking)}
article.risky{border-color:var(--risky)}
article.accepted{border-color:var(--accepted)}
.level{font-weight:600}
@media print{:root{color-scheme:light}main{max-width:none;padding:0}article{break-inside:avoid}h2,h3{break-after:avoid}pre{white-space:pre-wrap}}`
