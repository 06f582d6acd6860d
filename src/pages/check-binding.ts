import type { Finding } from '../diagnostic/diagnostic.ts'
import { formatTarget } from '../docs/format-binding.ts'
import type { PageBinding } from '../docs/types.ts'
import { suggest } from '../text/suggest.ts'
import type { BindableDocument, ResolvedBinding } from './resolve-binding.ts'

/** What a finding about a binding says, without its place. */
export type BindingFault = Pick<Finding, 'code' | 'message' | 'hint'>

/**
 * Says what is wrong with a binding of a page or of a navigation entry; `undefined` where nothing is.
 *
 * `operationId` is that of the operation the page was made for, where it is known: an operation that has moved is named by it.
 */
export function checkBinding(
  binding: PageBinding,
  resolved: ResolvedBinding,
  documents: readonly BindableDocument[],
  operationId?: string,
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
      const hint = `name the document: \`${resolved.sources[0]} ${target}\``
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
      const moved = operationId === undefined ? undefined : findMoved(within, operationId)
      const message = `Cannot find \`${target}\` ${where}`
      if (moved !== undefined) return { code: 'binding-unresolved', message, hint: `\`${operationId}\` is \`${moved}\` now` }
      return { code: 'binding-unresolved', message, ...toHint(findNearest(binding, target, within)) }
    }
  }
}

function toHint(near: string | undefined): { hint?: string } {
  return near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
}

function findMoved(documents: readonly BindableDocument[], operationId: string): string | undefined {
  const subjects = documents
    .flatMap(({ index }) => index?.subjects ?? [])
    .filter((subject) => subject.operationId === operationId)
  return subjects.length === 1 ? subjects[0]?.target : undefined
}

/** The nearest name; first among operations of the same method, whose name is the longer part of what is compared. */
function findNearest(binding: PageBinding, target: string, documents: readonly BindableDocument[]): string | undefined {
  const indexes = documents.flatMap(({ index }) => index ?? [])
  if (binding.kind === 'schema')
    return suggest(
      target,
      indexes.flatMap(({ schemaNames }) => [...schemaNames]),
    )
  const targets = indexes.flatMap(({ subjects }) => subjects).map((subject) => subject.target)
  const prefix = target.slice(0, target.indexOf(' ') + 1)
  return (
    suggest(
      target,
      targets.filter((candidate) => candidate.startsWith(prefix)),
    ) ?? suggest(target, targets)
  )
}
