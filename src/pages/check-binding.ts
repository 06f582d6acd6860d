import type { Finding } from '../diagnostic/diagnostic.ts'
import { formatTarget } from '../docs/binding-text.ts'
import type { PageBinding } from '../docs/types.ts'
import { suggest } from '../text/suggest.ts'
import type { BindableDocument, ResolvedBinding } from './resolve-binding.ts'
import { slug } from './slug.ts'

/** What a finding about a binding says, without its place. */
export type BindingFault = Pick<Finding, 'code' | 'message' | 'hint'>

/** What a page says of the operation that it is about, beside its binding. */
export interface BindingPage {
  /** Relative to the docs root, with extension. */
  readonly path: string
  readonly title: string | undefined
  /** Of the operation that the page was made for, where the lock file tells. */
  readonly operationId: string | undefined
}

/**
 * Says what is wrong with a binding of a page or of a navigation entry; `undefined` where nothing is.
 *
 * `page` is the page that has the binding: by what it says of its operation, one that has moved is named.
 */
export function checkBinding(
  binding: PageBinding,
  resolved: ResolvedBinding,
  documents: readonly BindableDocument[],
  page?: BindingPage,
): BindingFault | undefined {
  const target = formatTarget(binding)
  switch (resolved.kind) {
    case 'schema':
    case 'unknown':
      return undefined
    case 'operation':
      if (!resolved.subject.excluded) return undefined
      return {
        code: 'binding-unresolved',
        message: `Unexpected binding to \`${target}\`: \`${resolved.source}\` excludes it by \`x-excluded\``,
        hint: 'write `x-hidden` instead to keep it out of the navigation only',
      }
    case 'ambiguous': {
      const sources = resolved.sources.map((source) => `\`${source}\``).join(' and ')
      const nearest = nearestSource(resolved.sources, page)
      const isNamed = documents.some((document) => document.isNamed && resolved.sources.includes(document.source))
      // Those that `docs.json` names go before all others, so that one line there settles the bindings of many pages.
      const forAll = isNamed
        ? ''
        : `, or the document of all such pages once in \`docs.json\`: \`"api": {"openapi": "${nearest}"}\``
      const hint = `name the document: \`${nearest} ${target}\`${forAll}`
      return {
        code: 'binding-ambiguous',
        message: `Unexpected binding to \`${target}\` without a document: ${sources} have it`,
        hint,
      }
    }
    case 'no-document': {
      const near =
        binding.file === undefined
          ? undefined
          : suggest(
              binding.file,
              documents.map(({ source }) => source),
            )
      const what =
        binding.file === undefined ? `a document that has \`${target}\`` : `the document \`${binding.file}\` of \`${target}\``
      return { code: 'binding-unresolved', message: `Cannot find ${what}`, ...toHint(near) }
    }
    case 'missing': {
      const within = documents.filter(({ source }) => resolved.sources.includes(source))
      const where =
        resolved.sources.length === 1 ? `in \`${resolved.sources[0]}\`` : `in any of ${resolved.sources.length} documents`
      const message = `Cannot find \`${target}\` ${where}`
      const moved = page && findMoved(within, page)
      if (moved !== undefined) return { code: 'binding-unresolved', message, hint: moved }
      const near = findNearest(binding, target, within) ?? (page && findNamesake(within, page))
      return { code: 'binding-unresolved', message, ...toHint(near) }
    }
  }
}

function toHint(near: string | undefined): { hint?: string } {
  return near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
}

/** Says which operation a page is about now: by its `operationId`, else by the summary that is its title. */
function findMoved(documents: readonly BindableDocument[], { operationId, title }: BindingPage): string | undefined {
  const subjects = documents.flatMap(({ index }) => index?.subjects ?? [])
  const byId = operationId === undefined ? [] : subjects.filter((subject) => subject.operationId === operationId)
  if (byId.length === 1) return `\`${operationId}\` is \`${byId[0]?.target}\` now`
  const bySummary = subjects.filter(({ summary }) => title !== undefined && summary?.trim() === title)
  return bySummary.length === 1 ? `\`${bySummary[0]?.target}\` has the title of this page` : undefined
}

/** The operation whose page would have the name of this one. */
function findNamesake(documents: readonly BindableDocument[], { path }: BindingPage): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.mdx?$/i, '')
  const subjects = documents.flatMap(({ index }) => index?.subjects ?? [])
  const found = subjects.filter(({ summary }) => summary !== undefined && slug(summary) === name)
  return found.length === 1 ? found[0]?.target : undefined
}

/** Of several documents the one that shares most folders with a page. */
function nearestSource(sources: readonly string[], page: BindingPage | undefined): string | undefined {
  const steps = page?.path.split('/') ?? []
  const countShared = (source: string) => {
    const others = source.split('/')
    const end = steps.findIndex((step, index) => step !== others[index])
    return end === -1 ? steps.length : end
  }
  return sources.toSorted((a, b) => countShared(b) - countShared(a))[0]
}

/**
 * The nearest name. Names of path parameters make no difference: `GET /pets/{id}` is nearest to `GET /pets/{petId}`, whatever these are
 * called. Operations of the same method come first, as the method is the longer part of what is compared.
 */
function findNearest(binding: PageBinding, target: string, documents: readonly BindableDocument[]): string | undefined {
  const indexes = documents.flatMap(({ index }) => index ?? [])
  if (binding.kind === 'schema')
    return suggest(
      target,
      indexes.flatMap(({ schemaNames }) => [...schemaNames]),
    )
  const byShape = new Map<string, string>()
  for (const { subjects } of indexes) {
    for (const subject of subjects) {
      const shape = toShape(subject.target)
      if (!byShape.has(shape)) byShape.set(shape, subject.target)
    }
  }
  const shape = toShape(target)
  const same = byShape.get(shape)
  if (same !== undefined) return same
  const shapes = [...byShape.keys()]
  const method = target.slice(0, target.indexOf(' ') + 1)
  const ofMethod = shapes.filter((candidate) => candidate.startsWith(method))
  const near = suggest(shape, ofMethod) ?? suggest(shape, shapes)
  return near === undefined ? undefined : byShape.get(near)
}

/** A binding without the names of its path parameters, and without a slash at the end. */
function toShape(target: string): string {
  return target.replace(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '')
}
