import { hash } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import {
  type Change,
  changeUrl,
  countChanges,
  type DocumentComparison,
  describeAcceptance,
  describeLevel,
} from '../../../changes/change.ts'
import { formatLevels, listSides, nameOperations, shortFingerprint } from '../../../changes/show/changes-text.ts'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { escapeDirection, toOneLine, withoutControls } from '../../../text/plain/escape-text.ts'
import { capitalize, formatNumber } from '../../../text/plain/lists.ts'
import { Message } from '../api/part.tsx'
import { Html, Raw } from '../html.tsx'
import { MethodMark } from '../shell/marks.tsx'
import { type Element, foldUnchanged, makeElement, type Node, pairNodes, printNode } from './html-tree.ts'
import type { PlacedChange, ReviewedPages, Subject } from './review-subjects.tsx'

/** A document of a review. */
export interface ReviewDocument extends Pick<DocumentComparison, 'document' | 'kind' | 'comparison'> {
  /** The changed pages; absent if a version cannot be read as OpenAPI. */
  readonly pages: ReviewedPages | undefined
}

interface ReviewOptions {
  readonly stylesheet: string
  /** The command that accepts a change. */
  readonly toAcceptCommand: (fingerprint: string) => string
}

/** What a change does, in the order of the review. Subjects without changes have other texts. */
const groups = ['breaking', 'risky', 'accepted', 'removal', 'other', 'text', 'addition'] as const
type Group = (typeof groups)[number]

const groupTitles: Readonly<Record<Group, string>> = {
  breaking: 'breaking',
  risky: 'risky',
  accepted: 'accepted',
  removal: 'compatible removals',
  other: 'other changes',
  text: 'only texts',
  addition: 'additions',
}

function groupOf({ level, accepted, base, revision }: Change): Group {
  if (accepted) return 'accepted'
  if (level !== 'compatible') return level
  if (revision === null) return 'removal'
  return base === null ? 'addition' : 'other'
}

const orderOf = (change: Change) => groups.indexOf(groupOf(change))

/** A note about a change. The elements of a page have it at its place. */
interface Note {
  readonly change: Change
  readonly element: Element
  /** Whether it is next to the page of its only operation. */
  readonly isNamed: boolean
}

interface Section {
  readonly subject: Subject
  readonly group: Group
  /** The notes about the whole subject. */
  readonly heads: readonly Note[]
  /** The other notes, in their order on the page. */
  readonly notes: readonly Note[]
  readonly rows: readonly Row[]
}

/** A part of a page in both versions. */
interface Row {
  readonly before: Node | undefined
  readonly after: Node | undefined
}

/**
 * Renders the pages that changed as one HTML file, before and after, with the changed words marked and a note at the place of each change.
 *
 * It works without scripts and is complete. Its script only moves to the next change with `n` and to the previous one with `p`.
 */
export function renderReview(documents: readonly ReviewDocument[], options: ReviewOptions): string {
  const changes = documents.flatMap(({ comparison }) => comparison?.changes ?? [])
  const reviewed = documents.map((document) => {
    const sections = (document.pages?.subjects ?? [])
      .map(toSection)
      .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group))
    const others = (document.pages?.others ?? [])
      .map((change) => toNote(change, false))
      .sort((a, b) => orderOf(a.change) - orderOf(b.change))
    return { document, sections, others }
  })
  const notes = reviewed.flatMap(({ sections, others }) => [
    ...others,
    ...sections.flatMap((one) => [...one.heads, ...one.notes]),
  ])
  for (const [index, note] of notes.entries()) {
    const html = renderToString(<ChangeNote note={note} number={index + 1} last={notes.length} options={options} />)
    note.element.children = [html]
  }
  const texts = reviewed.flatMap(({ sections }) => sections.filter(({ group }) => group === 'text'))
  const sectionIds = new Map(reviewed.flatMap(({ sections }) => sections).map((section, index) => [section, `page-${index + 1}`]))
  const idOf = (section: Section) => sectionIds.get(section) ?? ''
  const listed = reviewed.filter(({ sections, others, document }) => sections.length + others.length > 0 || !document.pages)
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={contentPolicy} />
        <title>Review of API changes</title>
        <style>
          <Raw html={new Html(options.stylesheet)} />
        </style>
      </head>
      <body>
        <main>
          <h1>Review of API changes</h1>
          {changes.length === 0 && <p>No changes for API clients</p>}
          <ul class="counts">
            {groups.map((group) => {
              const index = notes.findIndex(({ change }) => groupOf(change) === group)
              const count = group === 'text' ? texts.length : notes.filter(({ change }) => groupOf(change) === group).length
              const [text] = texts
              const target = group === 'text' && text ? idOf(text) : `change-${index + 1}`
              return (
                count > 0 && (
                  <li class={group}>
                    <a href={`#${target}`}>
                      <b>{formatNumber(count)}</b> {groupTitles[group]}
                    </a>
                  </li>
                )
              )
            })}
          </ul>
          {notes.length > 0 && (
            <p class="muted">
              Press <kbd>n</kbd> for the next change and <kbd>p</kbd> for the previous one.
            </p>
          )}
          {listed.map(({ document, sections, others }) => (
            <section class="document">
              <h2>
                <code>{nameDocument(document)}</code> <small>{describeDocument(document)}</small>
              </h2>
              {!document.pages && <p>Not compared: one of its versions cannot be read as OpenAPI</p>}
              {others.length > 0 && <h3>Changes that no page shows</h3>}
              <Raw html={new Html(others.map(({ element }) => printNode(element)).join(''))} />
              <ul class="contents">
                {sections.map((section) => (
                  <li>
                    <a href={`#${idOf(section)}`}>{nameSubject(section.subject)}</a> <small>{describeSection(section)}</small>
                  </li>
                ))}
              </ul>
              {sections.map((section) => (
                <SubjectSection section={section} id={idOf(section)} />
              ))}
            </section>
          ))}
        </main>
        <script>
          <Raw html={new Html(script)} />
        </script>
      </body>
    </html>
  )
  return `${escapeDirection(withoutControls(`<!doctype html>${renderToString(page)}`))}\n`
}

/** Moves to the next or the previous change. Without scripts, each note has links to both. */
const script = `addEventListener('keydown',(e)=>{
const step={n:1,p:-1}[e.key];
if(!step||e.ctrlKey||e.metaKey||e.altKey)return;
const at=Number(/^#change-(\\d+)$/.exec(location.hash)?.[1]??0)+step;
if(document.getElementById('change-'+at))location.hash='change-'+at
})`

const contentPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', script, 'base64')}'`

function nameDocument({ document, kind, comparison }: ReviewDocument): string {
  return comparison && kind === 'compared' ? listSides(comparison).documents.join(' → ') : document
}

function describeDocument({ kind, comparison }: ReviewDocument): string {
  const versions = comparison ? listSides(comparison).versions.join(' → ') : ''
  const levels = comparison ? formatLevels(countChanges(comparison.changes)) : ''
  return [kind === 'compared' ? '' : kind, versions, levels].filter(Boolean).join(', ')
}

function nameSubject({ method, name }: Subject): string {
  return method === undefined ? name : `${method} ${name}`
}

function describeSection({ subject: { changes } }: Section): string {
  return changes.length === 0 ? groupTitles.text : formatLevels(countChanges(changes.map(({ change }) => change)))
}

function toNote(change: Change, isNamed: boolean): Note {
  return { change, isNamed, element: makeElement('aside', `why ${groupOf(change)}`) }
}

/** Adds the notes to the elements of a page, and pairs its parts. */
function toSection(subject: Subject): Section {
  const { base, revision } = subject
  const sorted = subject.changes.toSorted((a, b) => orderOf(a.change) - orderOf(b.change))
  const notes = sorted.map(({ change, path }) => ({ note: toNote(change, isAbout(change, subject)), path }))
  // The last is added first, because each comes directly after the start of its element.
  for (const { note, path } of notes.toReversed()) addNote(note.element, path)
  const [before, after] = [base?.children ?? [], revision?.children ?? []]
  const rows = pairNodes(before, after).map(([from, to]) => ({ before: before[from ?? -1], after: after[to ?? -1] }))
  if (base && revision) for (const row of rows) foldRow(row)
  const placed = notes.filter(({ path }) => path.length > 0).map(({ note }) => note)
  const order = new Map(
    rows
      .flatMap(({ before: one, after: other }) => [...listElements(one), ...listElements(other)])
      .map((element, index) => [element, index]),
  )
  const [first] = sorted
  return {
    subject,
    group: first ? groupOf(first.change) : 'text',
    heads: notes.filter(({ path }) => path.length === 0).map(({ note }) => note),
    notes: placed.sort((a, b) => (order.get(a.element) ?? 0) - (order.get(b.element) ?? 0)),
    rows,
  }
}

function isAbout({ method, operations }: Change, subject: Subject): boolean {
  return subject.method !== undefined && method !== null && operations.length <= 1
}

function listElements(node: Node | undefined): Element[] {
  if (node === undefined || typeof node === 'string') return []
  return [node, ...node.children.flatMap(listElements)]
}

/** Adds a note after the heading or the first line of an element. */
function addNote(note: Element, path: PlacedChange['path']): void {
  const [target, parent, outer] = path
  if (!target || !parent) return
  for (const element of path) element.isChanged = true
  const isInSummary = parent.name === 'summary' && outer !== undefined
  const holder = target.name !== 'h2' ? target : isInSummary ? outer : parent
  const index = holder === target ? 0 : holder.children.indexOf(isInSummary ? parent : target)
  holder.children.splice(index + 1, 0, note)
}

function SubjectSection({ section: { subject, group, heads, rows }, id }: { readonly section: Section; readonly id: string }) {
  const { method, name, base, revision } = subject
  const isWhole = base !== undefined && revision !== undefined
  return (
    <section class={`subject ${group}`} id={id}>
      <h3>
        {method !== undefined && <MethodMark method={method} />} <a href={`#${id}`}>{name}</a>
      </h3>
      <Raw html={new Html(heads.map(({ element }) => printNode(element)).join(''))} />
      {isWhole ? (
        <Rows rows={rows} />
      ) : (
        <details
          class={base ? 'removed' : 'added'}
          open={rows.some(({ before, after }) => isChanged(before) || isChanged(after))}
        >
          <summary>{base ? 'Removed page' : 'Added page'}</summary>
          <Raw html={new Html((base ?? revision)?.children.map(printNode).join('') ?? '')} />
        </details>
      )}
    </section>
  )
}

function foldRow({ before, after }: Row): void {
  if (typeof before === 'object' && before.isChanged) foldUnchanged(before, 'before')
  if (typeof after === 'object' && after.isChanged) foldUnchanged(after, 'after')
}

function isRowChanged({ before, after }: Row): boolean {
  return isChanged(before) || isChanged(after) || before === undefined || after === undefined
}

function isChanged(node: Node | undefined): boolean {
  return typeof node === 'object' && node.isChanged
}

/** The changed parts in two columns. Unchanged parts between them are folded. */
function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const shown: ComponentChildren[] = []
  let same: Row[] = []
  const end = () => {
    const parts = same.flatMap(({ after }) => (after === undefined ? [] : printNode(after)))
    const html = parts.join('')
    const { length: count } = parts.filter((part) => /^[^<]*\S|>[^<]*[^\s<]/.test(part))
    if (count > 0)
      shown.push(
        <details class="same">
          <summary>{formatCount(count, 'unchanged part')}</summary>
          <Raw html={new Html(html)} />
        </details>,
      )
    same = []
  }
  for (const row of rows) {
    if (!isRowChanged(row)) {
      same.push(row)
      continue
    }
    end()
    const [before, after] = [row.before, row.after].map((node) => (node === undefined ? '' : printNode(node)))
    shown.push(
      <div class="pair">
        <div>
          <Raw html={new Html(before ?? '')} />
        </div>
        <div>
          <Raw html={new Html(after ?? '')} />
        </div>
      </div>,
    )
  }
  end()
  return <>{shown}</>
}

interface ChangeNoteProps {
  readonly note: Note
  readonly number: number
  readonly last: number
  readonly options: ReviewOptions
}

function ChangeNote({ note: { change, isNamed }, number, last, options }: ChangeNoteProps) {
  const { level, code, accepted, message, hint, fingerprint } = change
  const acceptance = describeAcceptance(change)
  return (
    <div id={`change-${number}`}>
      <p>
        <b class="level">{describeLevel(change)}</b> <a href={changeUrl(code)}>{code}</a>{' '}
        <code>{fingerprint.slice(0, shortFingerprint)}</code>
        <span class="steps">
          {number > 1 && <a href={`#change-${number - 1}`}>previous</a>}{' '}
          {number < last && <a href={`#change-${number + 1}`}>next</a>}
        </span>
      </p>
      <p>
        <Message text={message} />
      </p>
      {acceptance !== undefined && <p>{capitalize(acceptance)}</p>}
      {!isNamed && <Affected change={change} />}
      {hint !== undefined && !accepted && (
        <p>
          <b>Hint:</b> <Message text={toOneLine(hint)} />
        </p>
      )}
      {level !== 'compatible' && !accepted && (
        <details>
          <summary>Accept this change</summary>
          <code>{options.toAcceptCommand(fingerprint.slice(0, shortFingerprint))}</code>
        </details>
      )}
    </div>
  )
}

/** Whom a change concerns. */
function Affected({ change: { method, path, operations } }: { readonly change: Change }) {
  const own = method !== null && path !== null ? [{ method, path }] : operations
  return own.length === 0 ? null : <p class="muted">Affects {nameOperations(own)}</p>
}
