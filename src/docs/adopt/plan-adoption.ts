import { isWithin, readText } from '../../text/json/json-values.ts'
import { compareText, countBy, countShared, groupBy } from '../../text/plain/lists.ts'
import { type Config, settingOf } from '../config/project-config.ts'
import type { DocsConfig } from '../navigation/docs-config.ts'
import { renderPage } from '../pages/generated-page.ts'
import {
  contentHash,
  type LockedDivision,
  type LockedPage,
  type LockedSource,
  type LockFile,
  type UnwrittenOperation,
} from '../pages/lock-file.ts'
import { toTraits } from '../pages/match-locked-pages.ts'
import { parsePageFrontmatter, splitPage } from '../pages/page-bindings.ts'
import { findSubject, type PageSubject, type PlanPagesInput } from '../pages/subjects.ts'
import { isShown, toSubjectLabels } from '../pages/wanted-subjects.ts'
import { toOperationKey } from './adopted-operations.ts'
import { findTextSource } from './adopted-page.ts'
import { findAreas, type PlacedPage } from './find-areas.ts'

interface PlanAdoptionInput
  extends Pick<PlanPagesInput, 'divisions' | 'descriptions' | 'boundPages' | 'textOf' | 'replacementOf'> {
  readonly docsConfig: DocsConfig
  readonly lock: LockFile
  readonly config: Pick<Config, 'order' | 'methodOrder'>
}

/** A part of the navigation with the adopted pages of one document. */
export interface AdoptedArea {
  /** See `Division.id`. */
  readonly division: string
  readonly label: string
  readonly source: string
  readonly adopted: 'growing' | 'fixed'
  readonly pages: readonly LockedPage[]
  readonly unwritten: readonly string[]
}

/**
 * Plans the lock file for adopting existing pages, and lists the areas with them. Pages and `openapi` keys are not changed.
 *
 * Divisions with an `openapi` key are recorded too. Otherwise the next update would write their pages.
 */
export function planAdoption(input: PlanAdoptionInput) {
  const bound = [...input.boundPages].map(([path, { source, target }]) => ({ path, source, target }))
  const areas = [...groupBy(bound, ({ source }) => source)].flatMap(([source, pages]) => planSource(input, source, pages))
  const isAgain = (id: string, source: string) => areas.some((area) => area.division === id && area.source === source)
  const divisions = new Map(
    input.lock.divisions.map(({ id, sources }) => {
      return [id, sources.filter((entry) => !(isPlaceholder(input.lock, id, entry) && isAgain(id, entry.source)))]
    }),
  )
  for (const area of areas) addSource(divisions, area.division, toSource(input, area))
  for (const division of input.divisions) {
    if (division.mode !== 'automatic' || input.lock.divisions.some(({ id }) => id === division.lockedId)) continue
    for (const { source, directory } of division.sources) {
      const { order, methodOrder } = division
      addSource(divisions, division.id, { source, directory, order, methodOrder, pending: true, adopted: 'fixed' })
    }
  }
  const unwritten = [
    ...input.lock.unwritten,
    ...areas.flatMap(({ division, source, unwritten: operations }) => {
      return operations.map((operation): UnwrittenOperation => ({ division, document: source, operation }))
    }),
  ]
  const pages = [...input.lock.pages.filter(({ path }) => !input.boundPages.has(path)), ...areas.flatMap((area) => area.pages)]
  const written = new Set(pages.map((page) => `${page.division} ${toOperationKey(page)}`))
  return {
    lock: {
      divisions: [...divisions].map(([id, sources]): LockedDivision => ({ id, sources })),
      pages: pages.toSorted((a, b) => compareText(a.path, b.path)),
      unwritten: unwritten.filter((entry) => !written.has(`${entry.division} ${toOperationKey(entry)}`)),
    },
    areas,
  }
}

/** Whether a division was recorded before its document could be read, so that its pages are unknown. */
function isPlaceholder({ pages }: LockFile, id: string, { source, adopted }: LockedSource): boolean {
  return adopted === 'fixed' && !pages.some(({ division, document }) => division === id && document === source)
}

function planSource(input: PlanAdoptionInput, source: string, pages: readonly PlacedPage[]): AdoptedArea[] {
  const { docsConfig, lock } = input
  const known = lock.divisions.filter(({ id, sources }) =>
    sources.some((entry) => entry.source === source && entry.adopted && !isPlaceholder(lock, id, entry)),
  )
  const areas = findAreas(docsConfig, pages).map((area) => {
    const around = docsConfig.divisions.filter(({ id }) => known.some((division) => division.id === id))
    return { ...area, division: around.findLast(({ pointer }) => isWithin(area.division.pointer, pointer)) ?? area.division }
  })
  const targets = new Set(pages.map(({ target }) => target))
  const subjects = input.descriptions.get(source)?.subjects ?? []
  // A body shared by many pages was not written for one of them.
  const bodies = countBy(pages, ({ path }) => toBody(input.textOf(path)))
  return areas.map(({ division, pages: own }) => {
    const ownTargets = new Set(own.map(({ target }) => target))
    const isKnown = known.some(({ id }) => id === division.id)
    const declared = input.divisions.find(({ id }) => id === division.id)
    const isMadeByHost = division.inherited?.sources.some((entry) => entry.source === source) ?? false
    const all = isMadeByHost ? subjects.filter(isShown).length : targets.size
    const adopted = ownTargets.size * 2 >= all ? 'growing' : 'fixed'
    const isListed = (target: string) => declared !== undefined && input.replacementOf(declared, source, target) !== undefined
    const unwritten = subjects.filter(
      (subject) => isShown(subject) && !ownTargets.has(subject.target) && !isListed(subject.target),
    )
    return {
      division: division.id,
      label: division.label,
      source,
      adopted,
      pages: own.map((page) => toLockedPage(input, division.id, source, page, bodies)),
      unwritten: adopted === 'growing' && !isKnown ? unwritten.map(({ target }) => target) : [],
    }
  })
}

function toBody(text = ''): string {
  const { tail = '' } = splitPage(text) ?? {}
  return tail.replaceAll('\r\n', '\n').trim()
}

function toLockedPage(
  { textOf, descriptions, docsConfig }: PlanAdoptionInput,
  division: string,
  document: string,
  { path, target }: PlacedPage,
  bodies: ReadonlyMap<string, number>,
): LockedPage {
  const text = textOf(path) ?? ''
  const description = descriptions.get(document)
  const subject = description && findSubject(description, target)
  const version = docsConfig.divisions.find(({ id }) => id === division)?.version
  const isOurs = subject && contentHash(renderPage(subject, { document, version })) === contentHash(text)
  const body = toBody(text)
  const isOwn = body !== '' && body !== subject?.mint?.content?.replace(/\r\n?/g, '\n').trim() && (bodies.get(body) ?? 0) < 3
  const traits = subject ? toTraits(subject, toSubjectLabels(description?.tags ?? [])(subject)) : {}
  const record = { ...traits, path, division, document, operation: target, hash: contentHash(text) }
  // A page with generated content, probably lost from the lock file.
  if (isOurs) return record
  return { ...record, adopted: subject ? findFollowed(text, subject) : {}, ...(isOwn ? { keep: true } : {}) }
}

const textKeys = ['title', 'sidebarTitle', 'description'] as const

/** Finds frontmatter texts that are equal to texts of the description. */
function findFollowed(text: string, subject: PageSubject): { readonly [key: string]: string } {
  const values = parsePageFrontmatter(text)?.values ?? {}
  const found = textKeys.flatMap((key) => {
    const source = findTextSource(readText(values, key) ?? '', subject)
    return source === undefined ? [] : [[key, source] as const]
  })
  return Object.fromEntries(found)
}

function toSource({ docsConfig, config }: PlanAdoptionInput, { division, source, adopted, pages }: AdoptedArea): LockedSource {
  const own = docsConfig.divisions.find(({ id }) => id === division)
  const named = { id: division, label: own?.label ?? '' }
  const pending = own?.sources.some((entry) => entry.source === source) ?? false
  return {
    source,
    order: settingOf(config.order, named),
    methodOrder: settingOf(config.methodOrder, named),
    directory: findCommonFolder(pages.map(({ path }) => path)),
    pending,
    adopted,
  }
}

function findCommonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1))
  return first.slice(0, Math.min(first.length, ...others.map((steps) => countShared(first, steps)))).join('/')
}

function addSource(divisions: Map<string, LockedSource[]>, id: string, source: LockedSource): void {
  const known = divisions.get(id)
  if (!known) divisions.set(id, [source])
  else if (!known.some((entry) => entry.source === source.source)) known.push(source)
}
