import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type Change, changeUrl, countChanges, describeAcceptance, describeLevel } from '../../../changes/change.ts'
import { describeClients, formatLevels, nameOperations, shortFingerprint } from '../../../changes/show/changes-text.ts'
import { escapeDirection, toOneLine, withoutControls } from '../../../text/plain/escape-text.ts'
import { addTo, capitalize, formatNumber, groupBy } from '../../../text/plain/lists.ts'
import { type AllowedUrl, encodeUrlPart, isAllowedUrl } from '../../../text/plain/paths.ts'
import { reviewPolicy, reviewScript } from '../../plan/file-types.ts'
import { Message } from '../api/part.tsx'
import { toElementId } from '../element-ids.ts'
import { MethodMark } from '../shell/marks.tsx'
import { type Element, type Node, pairNodes, type Shown, showNodes } from './element-tree.tsx'
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
const groups = [
  'breaking change',
  'risky change',
  'accepted change',
  'compatible removal',
  'other change',
  'changed text',
  'addition',
] as const
type Group = (typeof groups)[number]

function groupOf({ level, accepted, base, revision }: Change): Group {
  if (accepted) return 'accepted change'
  if (level !== 'compatible') return `${level} change`
  if (revision === null) return 'compatible removal'
  return base === null ? 'addition' : 'other change'
}

const orderOf = (change: Change) => groups.indexOf(groupOf(change))

/** The order of a page is that of its most severe change. */
function orderOfPage(subject: Subject): number {
  const { changes } = subject
  return changes.length === 0 ? groups.indexOf(groupOfPage(subject)) : Math.min(...changes.map(({ change }) => orderOf(change)))
}

/** What a page without changes for API clients is. Only guides are in one version without being a change. */
function groupOfPage({ base, revision }: Subject): Group {
  if (!base) return 'addition'
  return revision ? 'changed text' : 'compatible removal'
}

interface ReviewOptions {
  /** The command that accepts a change, without its fingerprint. */
  readonly accept: string
  /** The page with a button that accepts all breaking changes. */
  readonly acceptUrl?: string | undefined
  readonly stylesheet: string
  /** The name of the file. Absent if there can be only one. */
  readonly fileName?: string
}

/** A larger review has a file for each tag. */
const maxCharacters = 5_000_000

/** Renders the pages that changed as HTML files, by name: one, or one for each tag and one that links to them. */
export function renderReview(documents: readonly ReviewDocument[], options: ReviewOptions): ReadonlyMap<string, string> {
  const { fileName = '' } = options
  const whole = renderFile(documents, options)
  const subjects = documents.flatMap(({ pages }) => pages?.subjects ?? [])
  const tags = groupBy(subjects, ({ method, tag }) => tag ?? (method === undefined ? 'Schemas' : 'Other operations'))
  if (fileName === '' || whole.length <= maxCharacters || tags.size < 2) return new Map([[fileName, whole]])
  const parts = [...tags].map(([tag, kept], index) => {
    const name = fileName.replace(/(?:\.html)?$/, `-${toElementId(index + 1, tag).slice(0, 60)}.html`)
    return { tag, name, part: documents.map((document) => selectPages(document, new Set(kept), [])) }
  })
  const rest = documents.map((document) => selectPages(document, new Set(), document.pages?.others ?? []))
  const list = (
    <>
      <p>The pages are in {formatNumber(tags.size)} files by tag, because one file would be larger than 5 MB:</p>
      <ul>
        {parts.map(({ tag, name, part }) => (
          <li>
            <a {...toLink(encodeUrlPart(name))}>{tag}</a> {formatLevels(countChanges(part.flatMap(({ changes }) => changes)))}
          </li>
        ))}
      </ul>
    </>
  )
  const files = parts.map(({ name, part }) => [name, renderFile(part, options)] as const)
  return new Map([[fileName, renderFile(rest, options, list)], ...files])
}

/** A document with only some of its pages. */
function selectPages(document: ReviewDocument, kept: ReadonlySet<Subject>, others: readonly Change[]): ReviewDocument {
  const subjects = document.pages?.subjects.filter((subject) => kept.has(subject)) ?? []
  const changes = [...others, ...subjects.flatMap((subject) => subject.changes.map(({ change }) => change))]
  return { ...document, changes, pages: document.pages && { subjects, others } }
}

/**
 * Renders one file: before and after, with the changed words marked and a note at the place of each change.
 *
 * It is complete without scripts. Its script only moves to the next change with `n` and to the previous one with `p`.
 */
function renderFile(
  documents: readonly ReviewDocument[],
  { accept, acceptUrl, stylesheet }: ReviewOptions,
  head?: ComponentChildren,
): string {
  const last = documents.reduce((sum, { changes }) => sum + changes.length, 0)
  const targets = new Map<Group, string[]>()
  let noted = 0
  const toNote = (change: Change) => {
    addTo(targets, groupOf(change), `change-${++noted}`)
    return <ChangeNote change={change} number={noted} last={last} accept={accept} />
  }
  let shown = 0
  const sections = documents.map(({ title, changes, pages }) => {
    const notes = (pages?.others ?? []).toSorted((one, other) => orderOf(one) - orderOf(other)).map(toNote)
    const sorted = (pages?.subjects ?? []).toSorted((one, other) => orderOfPage(one) - orderOfPage(other))
    const listed = sorted.map((subject) => {
      const id = `page-${++shown}`
      if (subject.changes.length === 0) addTo(targets, groupOfPage(subject), id)
      return { subject, id, ...addNotes(subject, toNote) }
    })
    if (notes.length + listed.length === 0 && pages) return null
    return (
      <section>
        <h2>
          {title} <small class="muted">{formatLevels(countChanges(changes))}</small>
        </h2>
        {!pages && <p>Not compared: one of its versions cannot be read as OpenAPI</p>}
        {notes}
        {listed.map((page) => (
          <Section {...page} />
        ))}
      </section>
    )
  })
  const page = (
    // A site is hidden until its script sets the attribute.
    <html lang="en" data-js>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={reviewPolicy} />
        <title>Review of API changes</title>
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        <main>
          <h1>Review of API changes</h1>
          {head}
          {acceptUrl !== undefined && targets.has('breaking change') && <a {...toLink(acceptUrl)}>Accept changes</a>}
          {last === 0 && head === undefined && <p>No changes for API clients</p>}
          <ul class="facts">
            {groups.map((group) => {
              const [first, ...others] = targets.get(group) ?? []
              if (first === undefined) return null
              return (
                <li>
                  <a class={`tag level-${group.split(' ', 1)}`} href={`#${first}`}>
                    {formatNumber(others.length + 1)} {group}
                    {others.length > 0 && 's'}
                  </a>
                </li>
              )
            })}
            {last > 1 && <li>Keys: n for the next change, p for the previous one</li>}
          </ul>
          {sections}
        </main>
        <script dangerouslySetInnerHTML={{ __html: reviewScript }} />
      </body>
    </html>
  )
  return `${escapeDirection(withoutControls(`<!doctype html>${renderToString(page)}`))}\n`
}

/** Creates the notes of a page, each for the element of its change. Returns those about the whole page apart. */
function addNotes({ changes, base, revision }: Subject, toNote: (change: Change) => JSX.Element) {
  const sorted = changes.toSorted((one, other) => orderOf(one.change) - orderOf(other.change))
  const heads: JSX.Element[] = []
  const notes = new Map<Element, JSX.Element[]>()
  const opened = new Set<Element>()
  for (const { change, path } of sorted) {
    const owner = path.find(({ name }) => !/^(?:h2|summary|ins|del)$/.test(name))
    if (owner) addTo(notes, owner, toNote(change))
    else heads.push(toNote(change))
    for (const element of path) opened.add(element)
  }
  return { heads, parts: { notes, opened, isShortened: base !== undefined && revision !== undefined } }
}

interface SectionProps {
  readonly subject: Subject
  readonly id: string
  /** The notes about the whole page. */
  readonly heads: readonly JSX.Element[]
  /** The other notes. */
  readonly parts: Shown
}

/** A page: its changed parts before and after, in two columns. */
function Section({ subject: { method, name, base, revision }, id, heads, parts }: SectionProps) {
  const pairs = pairParts(base?.children ?? [], revision?.children ?? [])
  const isChanged = (node: Node | undefined) => typeof node === 'object' && (node.isChanged || parts.opened.has(node))
  return (
    <section class="part" id={id}>
      <h2>
        <a class="h" href={`#${id}`}>
          {method !== undefined && <MethodMark method={method} />} {name}
        </a>
      </h2>
      {heads}
      {base && revision ? (
        pairs
          .filter((pair) => pair.some(isChanged))
          .map((pair) => (
            <div class="pair">
              {pair.map((node) => (
                <div>{node && showNodes([node], parts)}</div>
              ))}
            </div>
          ))
      ) : (
        <details class="same">
          <summary class="muted">{base ? 'Removed page' : 'Added page'}</summary>
          {showNodes((base ?? revision)?.children ?? [], parts)}
        </details>
      )}
    </section>
  )
}

/** The parts of a page in both versions, those that only the base has first. */
function pairParts(before: readonly Node[], after: readonly Node[]): readonly (readonly [Node | undefined, Node | undefined])[] {
  const partners = pairNodes(before, after)
  const removed = before.filter((_, index) => partners[index] === undefined)
  return [
    ...removed.map((node) => [node, undefined] as const),
    ...after.map((node, index) => [before[partners.indexOf(index)], node] as const),
  ]
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

function toLink(url: string): { readonly href?: AllowedUrl } {
  return isAllowedUrl(url, 'link') ? { href: url } : {}
}
