import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type Change, changeUrl, countChanges, describeLevel } from '../../../changes/change.ts'
import { formatLevels, listFacts, shortFingerprint } from '../../../changes/show/changes-text.ts'
import { escapeDirection, withoutControls } from '../../../text/plain/escape-text.ts'
import { addTo, capitalize, formatNumber, groupBy } from '../../../text/plain/lists.ts'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import { reviewPolicy, reviewScript } from '../../plan/file-types.ts'
import { DocumentLink, Message } from '../api/part.tsx'
import { toElementId } from '../element-ids.ts'
import { MethodMark } from '../shell/marks.tsx'
import { type Element, type Node, pairNodes, showNodes } from './element-tree.tsx'
import { reviewPages, type Side, type Subject } from './review-subjects.tsx'

export { reviewPages }

/** A document of a review. */
export interface ReviewDocument {
  /** Its name and its versions. */
  readonly title: string
  /** Absent if a version cannot be read as OpenAPI. */
  readonly subjects: readonly Subject[] | undefined
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

/** The groups of a page: those of its changes for API clients. Only guides are in one version without being a change. */
function groupsOf({ changes, base, revision }: Pick<Subject, 'changes' | Side>): readonly Group[] {
  if (changes.length > 0) return changes.map(({ change }) => groupOf(change))
  if (!base) return ['addition']
  return [revision ? 'changed text' : 'compatible removal']
}

/** The order of a page is that of its most severe change. Changes that no page shows come first. */
function orderOf(subject: Parameters<typeof groupsOf>[0]): number {
  if (!subject.base && !subject.revision) return -1
  return Math.min(...groupsOf(subject).map((group) => groups.indexOf(group)))
}

type SubjectChange = Subject['changes'][number]

function bySeverity(one: SubjectChange, other: SubjectChange): number {
  return groups.indexOf(groupOf(one.change)) - groups.indexOf(groupOf(other.change))
}

/** Counts the changes of pages, such as `2 breaking, 1 risky`. */
function countLevels(subjects: readonly Subject[] = []): string {
  return formatLevels(countChanges(subjects.flatMap(({ changes }) => changes.map(({ change }) => change))))
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
  const tags = groupBy(
    documents.flatMap(({ subjects = [] }) => subjects),
    ({ tag }) => tag,
  )
  if (fileName === '' || whole.length <= maxCharacters || tags.size < 2) return new Map([[fileName, whole]])
  const select = (kept: string | undefined) =>
    documents.map(({ title, subjects }) => ({ title, subjects: subjects?.filter(({ tag }) => tag === kept) }))
  const parts = [...tags].flatMap(([tag, subjects], index) => {
    const name = fileName.replace(/(?:\.html)?$/, `-${toElementId(index + 1, tag ?? '').slice(0, 60)}.html`)
    return tag === undefined ? [] : [{ tag, name, subjects }]
  })
  const list = (
    <>
      <p>The pages are in {formatNumber(parts.length)} files by tag, because one file would be larger than 5 MB:</p>
      <ul>
        {parts.map(({ tag, name, subjects }) => (
          <li>
            <DocumentLink url={encodeUrlPart(name)}>{tag}</DocumentLink> {countLevels(subjects)}
          </li>
        ))}
      </ul>
    </>
  )
  const files = parts.map(({ tag, name }) => [name, renderFile(select(tag), options)] as const)
  return new Map([[fileName, renderFile(select(undefined), options, list)], ...files])
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
  const sorted = documents.map(({ title, subjects }) => {
    return { title, subjects: subjects?.toSorted((one, other) => orderOf(one) - orderOf(other)) }
  })
  const changes = sorted.flatMap(({ subjects = [] }) => subjects.flatMap((subject) => subject.changes))
  // Over all pages, so that after a breaking change comes the next breaking one.
  const numbers = new Map(changes.toSorted(bySeverity).map((one, index) => [one, index + 1]))
  const targets = new Map<Group, string[]>()
  const toNote = (one: SubjectChange) => {
    const number = numbers.get(one) ?? 0
    addTo(targets, groupOf(one.change), `change-${number}`)
    return <ChangeNote change={one.change} number={number} last={changes.length} accept={accept} />
  }
  let shown = 0
  const sections = sorted.map(({ title, subjects }) => {
    const listed = subjects?.map((subject) => {
      const id = `page-${++shown}`
      if (subject.changes.length === 0) for (const group of groupsOf(subject)) addTo(targets, group, id)
      return { subject, id, ...addNotes(subject, toNote) }
    })
    if (listed?.length === 0) return null
    return (
      <section>
        <h2>
          {title} <small class="muted">{countLevels(subjects)}</small>
        </h2>
        {listed?.map((page) => <Section {...page} />) ?? <p>Not compared: one of its versions cannot be read as OpenAPI</p>}
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
          {targets.has('breaking change') && acceptUrl && <DocumentLink url={acceptUrl}>Accept changes</DocumentLink>}
          {changes.length === 0 && head === undefined && <p>No changes for API clients</p>}
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
            {changes.length > 1 && <li>Keys: n for the next change, p for the previous one</li>}
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
function addNotes({ changes, base, revision }: Subject, toNote: (one: SubjectChange) => JSX.Element) {
  const heads: JSX.Element[] = []
  const notes = new Map<Element, JSX.Element[]>()
  for (const one of changes.toSorted(bySeverity)) {
    const owner = one.path.find(({ name }) => !/^(?:h2|summary)$/.test(name))
    if (owner) addTo(notes, owner, toNote(one))
    else heads.push(toNote(one))
  }
  return { heads, parts: { notes, isShortened: base !== undefined && revision !== undefined } }
}

interface SectionProps extends ReturnType<typeof addNotes> {
  readonly subject: Subject
  readonly id: string
}

/** A page: its changed parts before and after, in two columns. */
function Section({ subject: { method, name, base, revision }, id, heads, parts }: SectionProps) {
  const isWhole = base !== undefined && revision !== undefined
  const pairs = isWhole ? pairParts(base.children, revision.children) : []
  const only = isWhole ? undefined : (base ?? revision)
  const isChanged = (node: Node | undefined) => typeof node === 'object' && node.isChanged
  return (
    <section class="part" id={id}>
      <h2>
        <a class="h" href={`#${id}`}>
          {method !== undefined && <MethodMark method={method} />} {name}
        </a>
      </h2>
      {heads}
      {pairs
        .filter((pair) => pair.some(isChanged))
        .map((pair) => (
          <div class="pair">
            {pair.map((node) => (
              <div>{node && showNodes([node], parts)}</div>
            ))}
          </div>
        ))}
      {only && (
        <details class="same">
          <summary class="muted">{base ? 'Removed page' : 'Added page'}</summary>
          {showNodes(only.children, parts)}
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
  const { level, code, accepted, message, fingerprint } = change
  const short = fingerprint.slice(0, shortFingerprint)
  const toStep = (target: number, text: string) => target > 0 && target <= last && <a href={`#change-${target}`}>{text}</a>
  return (
    <aside class="hint why" id={`change-${number}`}>
      <p class="facts">
        <span class={`tag level-${accepted ? 'accepted' : level}`}>{describeLevel(change)}</span>
        <a href={changeUrl(code)}>{code}</a> <code>{short}</code> {toStep(number - 1, 'previous')} {toStep(number + 1, 'next')}
      </p>
      <p>
        <Message text={message} />
      </p>
      {/* The page of a schema does not name the operation of a change. */}
      {listFacts({ ...change, method: null }).map((fact) => (
        <p class="muted">
          <Message text={capitalize(fact)} />
        </p>
      ))}
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
