import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isWithin } from '../../text/json/json-values.ts'
import { addTo, getOrMake, groupBy } from '../../text/plain/lists.ts'
import { didYouMean } from '../../text/plain/suggest.ts'
import { defaultDirectory } from '../config/config-files.ts'
import { type DocsConfig, formatTarget, type NavigationEntry } from '../navigation/docs-config.ts'
import { separateBranches } from './branch-folders.ts'
import { findRenames, toShape } from './match-locked-pages.ts'
import { type BindableDocument, type BindingProblem, checkBinding, resolveBinding } from './page-bindings.ts'
import type { BoundOperation, DeclaredDivision, EntriesOf, PageSubject, Replacement, ReplacementOf } from './subjects.ts'
import { isShown } from './wanted-subjects.ts'

/** How the navigation lists operations by hand. */
interface ListedOperations {
  readonly replacementOf: ReplacementOf
  readonly entriesOf: EntriesOf
  /** Divisions for entries of documents that no division of their branch declares. They never get other pages. */
  readonly entryDivisions: readonly DeclaredDivision[]
  /** Entries that cannot be resolved. */
  readonly findings: readonly Finding[]
}

/** An operation, listed by an entry such as `GET /pets` or by a page bound to it. */
interface ListedOperation {
  readonly pointer: string
  readonly branch: string
  readonly by: Replacement
}

/**
 * Finds the operations that the navigation lists by hand, through explicit entries or through bound pages.
 *
 * A division with its own pages is replaced only by what it lists itself. A hand-listed one shares the operations of its documents with
 * the divisions of the same branch: an operation is unlisted if none of them lists it, and then only the first of them reports or adds it. An adopted one
 * leaves new operations to a division that shows all.
 *
 * @param boundPages the pages that are not generated, by path with extension.
 */
export function bindNavigation(
  docsConfig: DocsConfig | undefined,
  divisions: readonly DeclaredDivision[],
  documents: readonly BindableDocument[],
  boundPages: ReadonlyMap<string, BoundOperation>,
): ListedOperations {
  const findings: Finding[] = []
  const lost: LostEntry[] = []
  const listed = new Map<string, ListedOperation[]>()
  const entries = new Map<string, string[]>()
  const entryDivisions = new Map<string, DeclaredDivision>()
  const owners = findOwners(divisions)
  for (const division of docsConfig?.divisions ?? []) {
    const { branch, inherited } = division
    for (const entry of division.entries) {
      const { pointer } = entry
      if (entry.kind === 'page') {
        for (const path of [`${entry.path}.mdx`, `${entry.path}.md`]) {
          const bound = boundPages.get(path)
          if (bound) addTo(listed, toKey(bound.source, bound.target), { pointer, branch, by: byPage(path) })
        }
        continue
      }
      const isOpen = entry.binding.file === undefined
      const isInherited = ({ source }: BindableDocument) => inherited?.sources.some((one) => one.source === source)
      const among = isOpen && inherited ? documents.filter(isInherited) : documents
      const problem = isOpen && !inherited ? reportMissingDocument(entry) : undefined
      const resolved = resolveBinding(entry.binding, among)
      if (resolved.kind === 'operation') {
        const { source, subject } = resolved
        const key = toKey(source, subject.target)
        addTo(listed, key, { pointer, branch, by: { description: 'a navigation entry' } })
        // The pages of a document in one directory are named in the order of the document, whichever division lists them.
        const isOf = ({ sources }: DeclaredDivision) => sources.some((one) => one.source === source)
        const owner = divisions.find((one) => one.pointer === inherited?.owner && isOf(one))
        const first = owners.get(toKey(branch, source))
        const isFirst = !owner || (first && directoryIn(first, source) === directoryIn(owner, source))
        const made =
          (isFirst ? first : owner) ?? getOrMake(entryDivisions, toKey(branch, source), () => toEntryDivision(division, source))
        addTo(entries, toKey(made.id, key), pointer)
      }
      const target = formatTarget(entry.binding)
      const sources = resolved.kind === 'missing' ? resolved.sources : []
      // A site has no page for it. All that only some readers may see is reported together.
      if (among.some(({ source, leftOut }) => sources.includes(source) && leftOut?.has(target))) continue
      const found = problem ?? toEntryProblem(checkBinding(entry.binding, resolved, among))
      if (!found) continue
      const finding = { ...found, file: docsConfig?.source.path ?? '', pointer }
      if (resolved.kind === 'missing') lost.push({ target, branch, sources, finding })
      else findings.push(finding)
    }
  }
  const isFree = (branch: string, source: string, subject: PageSubject) =>
    isShown(subject) && !listed.get(toKey(source, subject.target))?.some((one) => one.branch === branch)
  findings.push(...suggestNewNames(lost, documents, isFree))
  // Without navigation, the whole docs directory is the division.
  if (!docsConfig) {
    for (const [path, { source, target }] of boundPages)
      addTo(listed, toKey(source, target), { pointer: '', branch: '', by: byPage(path) })
  }
  return {
    replacementOf: (division, source, target) => {
      const { branch, pointer, keepsKey } = division
      const isHere = (one: ListedOperation) =>
        pointer === undefined || isWithin(one.pointer, pointer) || (keepsKey && one.branch === branch)
      const found = listed.get(toKey(source, target))?.findLast(isHere)?.by
      const first = owners.get(toKey(branch, source))
      const isShown = first && listsSome(division, source) && !listsSome(first, source)
      const owner = keepsKey || isShown ? first : division
      if (found || owner === division) return found
      return { description: `\`${owner?.label || owner?.id || source}\``, isElsewhere: true }
    },
    entriesOf: ({ id }, source, target) => entries.get(toKey(id, toKey(source, target))) ?? [],
    entryDivisions: docsConfig
      ? separateBranches(docsConfig, [...divisions, ...entryDivisions.values()]).slice(divisions.length)
      : [],
    findings,
  }
}

/** An entry whose operation no document has. */
interface LostEntry {
  readonly target: string
  readonly branch: string
  /** The documents that could have it. */
  readonly sources: readonly string[]
  readonly finding: Finding
}

/**
 * Suggests the new name of the operation of each entry: the most similar one of those that no entry of its branch lists, else the only one. No record shows
 * that the old operation existed, so that a person has to decide.
 */
function suggestNewNames(
  lost: readonly LostEntry[],
  documents: readonly BindableDocument[],
  isFree: (branch: string, source: string, subject: PageSubject) => boolean,
): Finding[] {
  const toSide = (target: string) => ({ value: target, shape: toShape(target, {}) })
  return [...groupBy(lost, ({ branch, sources }) => toKey(branch, sources.join(' '))).values()].flatMap((entries) => {
    const { branch = '', sources = [] } = entries[0] ?? {}
    const subjectsOf = ({ source, index }: BindableDocument) =>
      sources.includes(source) ? (index?.subjects ?? []).filter((subject) => isFree(branch, source, subject)) : []
    const free = [...new Set(documents.flatMap(subjectsOf).map(({ target }) => target))]
    const renames = new Map(findRenames([...new Set(entries.map(({ target }) => target))].map(toSide), free.map(toSide)))
    const only = free.length === 1 ? free[0] : undefined
    return entries.map(({ target, finding }) => ({
      ...finding,
      hint: didYouMean(renames.get(target) ?? only) ?? finding.hint,
    }))
  })
}

function toKey(first: string, second: string): string {
  return `${first}\n${second}`
}

/** The division that is responsible for the operations of a document that no entry of a branch lists: one that lists all, else the first. */
function findOwners(divisions: readonly DeclaredDivision[]): Map<string, DeclaredDivision> {
  const owners = new Map<string, DeclaredDivision>()
  for (const isWhole of [true, false]) {
    for (const division of divisions) {
      for (const { source } of division.sources) {
        const key = toKey(division.branch, source)
        if (isWhole !== listsSome(division, source) && !owners.has(key)) owners.set(key, division)
      }
    }
  }
  return owners
}

/** Whether a division lists only some operations of a document: those that a person listed, or that had a page when it was adopted. */
function listsSome({ keepsKey, sources }: DeclaredDivision, source: string): boolean {
  return keepsKey || sources.some((one) => one.source === source && one.adopted && !one.isLeftToSites)
}

function directoryIn({ sources }: DeclaredDivision, source: string): string | undefined {
  return sources.find((one) => one.source === source)?.directory
}

function toEntryDivision({ branch, version }: DocsConfig['divisions'][number], source: string): DeclaredDivision {
  const id = `entries of ${toKey(branch, source)}`
  return {
    id,
    lockedId: id,
    label: '',
    branch,
    pointer: branch || '/navigation',
    version,
    mode: 'listed',
    keepsKey: true,
    schemas: false,
    overviews: false,
    sources: [{ source, directory: defaultDirectory, isInKey: true }],
    order: 'tags',
    methodOrder: 'fixed',
    lockedSources: [],
  }
}

function byPage(path: string): Replacement {
  return { description: `\`${path}\``, path }
}

function reportMissingDocument({ binding }: Extract<NavigationEntry, { kind: 'explicit' }>): BindingProblem {
  const target = formatTarget(binding)
  return {
    code: 'entry-without-document',
    message: `Cannot determine the document of entry \`${target}\`: no enclosing division has \`openapi\``,
    hint: `Add the document to the entry: \`openapi.yaml ${target}\``,
  }
}

/**
 * Reported separately because the host fails to build a site with such an entry, while a page with a broken binding is just
 * empty.
 */
function toEntryProblem(problem: BindingProblem | undefined): BindingProblem | undefined {
  return problem?.code === 'binding-unresolved' ? { ...problem, code: 'entry-unresolved' } : problem
}
