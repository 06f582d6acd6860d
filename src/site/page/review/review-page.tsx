import { hash } from 'node:crypto'
import { renderToString } from 'preact-render-to-string'
import { type Change, changeUrl, countChanges, describeAcceptance, describeLevel } from '../../../changes/change.ts'
import { describeClients, formatLevels, nameOperations, shortFingerprint } from '../../../changes/show/changes-text.ts'
import { escapeDirection, toOneLine, withoutControls } from '../../../text/plain/escape-text.ts'
import { addTo, capitalize, formatNumber } from '../../../text/plain/lists.ts'
import { Message } from '../api/part.tsx'
import { Html, Raw } from '../html.tsx'
import { MethodMark } from '../shell/marks.tsx'
import { findNamed, type Node, pairNodes, printNode, textOf } from './html-tree.ts'
import { type ReviewedPages, reviewPages, type Subject } from './review-subjects.tsx'

export { reviewPages }

/** A document of a review. */
export interface ReviewDocument {
  /** Its name and its versions. */
  readonly title: string
  readonly changes: readonly Change[]
  /** Absent if a version cannot be read as OpenAPI. */
  readonly pages: ReviewedPages | undefined
}

/** What changes do, in the order of the review. Pages without changes have other texts. */
const groups = ['breaking', 'risky', 'accepted', 'compatible removals', 'other changes', 'only texts', 'additions'] as const
type Group = (typeof groups)[number]

function groupOf({ level, accepted, base, revision }: Change): Group {
  if (accepted) return 'accepted'
  if (level !== 'compatible') return level
  if (revision === null) return 'compatible removals'
  return base === null ? 'additions' : 'other changes'
}

const orderOf = (change: Change) => groups.indexOf(groupOf(change))

/** The order of a page is that of its most severe change. */
function orderOfPage({ changes }: Subject): number {
  return changes.length === 0 ? groups.indexOf('only texts') : Math.min(...changes.map(({ change }) => orderOf(change)))
}

/**
 * Renders the pages that changed as one HTML file, before and after, with the changed words marked and a note at the place of each change.
 *
 * It is complete without scripts. Its script only moves to the next change with `n` and to the previous one with `p`.
 *
 * @param accept the command that accepts a change, without its fingerprint.
 */
export function renderReview(documents: readonly ReviewDocument[], accept: string, stylesheet: string): string {
  const last = documents.reduce((sum, { changes }) => sum + changes.length, 0)
  const targets = new Map<Group, string[]>()
  let noted = 0
  const toNote = (change: Change) => {
    addTo(targets, groupOf(change), `change-${++noted}`)
    return renderToString(<ChangeNote change={change} number={noted} last={last} accept={accept} />)
  }
  let shown = 0
  const sections = documents.map(({ title, changes, pages }) => {
    const notes = (pages?.others ?? []).toSorted((one, other) => orderOf(one) - orderOf(other)).map(toNote)
    const sorted = (pages?.subjects ?? []).toSorted((one, other) => orderOfPage(one) - orderOfPage(other))
    const listed = sorted.map((subject) => {
      const id = `page-${++shown}`
      if (subject.changes.length === 0) addTo(targets, 'only texts', id)
      return { subject, id, heads: addNotes(subject, toNote) }
    })
    if (notes.length + listed.length === 0 && pages) return null
    return (
      <section>
        <h2>
          {title} <small class="muted">{formatLevels(countChanges(changes))}</small>
        </h2>
        {!pages && <p>Not compared: one of its versions cannot be read as OpenAPI</p>}
        <Raw html={new Html(notes.join(''))} />
        {listed.map((page) => (
          <Section {...page} />
        ))}
      </section>
    )
  })
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={contentPolicy} />
        <title>Review of API changes</title>
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        <main>
          <h1>Review of API changes</h1>
          {last === 0 && <p>No changes for API clients</p>}
          <ul class="facts">
            {groups.map((group) =>
              (targets.get(group) ?? []).slice(0, 1).map((target) => (
                <li>
                  <a class={`tag level-${group}`} href={`#${target}`}>
                    {formatNumber(targets.get(group)?.length ?? 0)} {group}
                  </a>
                </li>
              )),
            )}
            {last > 1 && <li>Keys: n for the next change, p for the previous one</li>}
          </ul>
          {sections}
        </main>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  )
  return `${escapeDirection(withoutControls(`<!doctype html>${renderToString(page)}`))}\n`
}

/** Without it, each note has links to the next and the previous change. */
const script = `addEventListener('keydown',(e)=>{
const step={n:1,p:-1}[e.key];
if(!step||e.ctrlKey||e.metaKey||e.altKey)return;
const id='change-'+(Number(/^#change-(\\d+)$/.exec(location.hash)?.[1]??0)+step);
if(document.getElementById(id))location.hash=id
})`

const contentPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', script, 'base64')}'`

/** Adds a note after the heading or the first line of the element of each change. Returns the notes about the whole page. */
function addNotes({ changes }: Subject, toNote: (change: Change) => string): readonly string[] {
  const sorted = changes.toSorted((one, other) => orderOf(one.change) - orderOf(other.change))
  const notes = sorted.map(({ change, path }) => ({ path, note: toNote(change) }))
  // The last is added first, because each comes directly after the start of its element.
  for (const { path, note } of notes.toReversed()) {
    for (const element of path) element.isChanged = true
    const at = path.findIndex(({ name }) => !/^(?:h2|summary)$/.test(name))
    const start = path[at - 1]
    path[at]?.children.splice(start ? path[at].children.indexOf(start) + 1 : 1, 0, note)
  }
  return notes.flatMap(({ path, note }) => (path.length === 0 ? [note] : []))
}

interface SectionProps {
  readonly subject: Subject
  readonly id: string
  /** The notes about the whole page. */
  readonly heads: readonly string[]
}

/** A page: its changed parts before and after in two columns, and between them the others, which readers can open. */
function Section({ subject: { method, name, base, revision }, id, heads }: SectionProps) {
  const partners = pairNodes(base?.children ?? [], revision?.children ?? [])
  const removed = base?.children.filter((_, index) => partners[index] === undefined) ?? []
  return (
    <section class="part" id={id}>
      <h2>
        <a class="h" href={`#${id}`}>
          {method !== undefined && <MethodMark method={method} />} {name}
        </a>
      </h2>
      <Raw html={new Html(heads.join(''))} />
      {base && revision ? (
        <>
          {removed.map((node) => (
            <Pair before={node} after={undefined} />
          ))}
          {revision.children.map((node, index) => (
            <Pair before={base.children[partners.indexOf(index)]} after={node} />
          ))}
        </>
      ) : (
        <Folded title={base ? 'Removed page' : 'Added page'} nodes={(base ?? revision)?.children ?? []} />
      )}
    </section>
  )
}

function Pair({ before, after }: { readonly before: Node | undefined; readonly after: Node | undefined }) {
  const isChanged = !before || !after || [before, after].some((node) => typeof node === 'object' && node.isChanged)
  if (!isChanged) return <Folded title="Unchanged" nodes={[after]} />
  return (
    <div class="pair">
      {[before, after].map((node) => (
        <div>
          <Raw html={new Html(node ? printNode(node) : '')} />
        </div>
      ))}
    </div>
  )
}

function Folded({ title, nodes }: { readonly title: string; readonly nodes: readonly Node[] }) {
  if (nodes.every((node) => textOf(node).trim() === '')) return null
  const [heading = ''] = nodes.flatMap((node) => findNamed(node, 'h2') ?? [])
  return (
    <details class="same">
      <summary class="muted">
        {title} <Raw html={new Html(textOf(heading))} />
      </summary>
      <Raw html={new Html(nodes.map(printNode).join(''))} />
    </details>
  )
}

interface ChangeNoteProps {
  readonly change: Change
  readonly number: number
  readonly last: number
  readonly accept: string
}

function ChangeNote({ change, number, last, accept }: ChangeNoteProps) {
  const { level, code, accepted, message, hint, fingerprint, method, path, operations } = change
  const acceptance = describeAcceptance(change)
  const clients = describeClients(change)
  const short = fingerprint.slice(0, shortFingerprint)
  const affected = method !== null && path !== null ? [{ method, path }] : operations
  const toLink = (target: number, text: string) => target > 0 && target <= last && <a href={`#change-${target}`}>{text}</a>
  return (
    <aside class="hint why" id={`change-${number}`}>
      <p class="facts">
        <span class={`tag level-${accepted ? 'accepted' : level}`}>{describeLevel(change)}</span>
        <a href={changeUrl(code)}>{code}</a> <code>{short}</code> {toLink(number - 1, 'previous')} {toLink(number + 1, 'next')}
      </p>
      <p>
        <Message text={message} />
      </p>
      {acceptance !== undefined && <p>{capitalize(acceptance)}</p>}
      {affected.length > 0 && <p class="muted">Affects {nameOperations(affected)}</p>}
      {clients !== undefined && (
        <p class="muted">
          Clients: <Message text={clients} />
        </p>
      )}
      {hint !== undefined && !accepted && (
        <p>
          <b>Hint:</b> <Message text={toOneLine(hint)} />
        </p>
      )}
      {level !== 'compatible' && !accepted && (
        <details>
          <summary>Accept this change</summary>
          <code>
            {accept} {short}
          </code>
        </details>
      )}
    </aside>
  )
}
