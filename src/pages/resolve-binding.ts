import { formatTarget } from '../docs/binding-text.ts'
import type { PageBinding } from '../docs/types.ts'
import type { DescriptionIndex, PageSubject } from './types.ts'

/** A document that pages may bind to. */
export interface BindableDocument {
  /** Relative to the docs root, or a URL. */
  readonly source: string
  /** Absent for a document that has faults, where pages are written by it. */
  readonly index: DescriptionIndex | undefined
  /** It has faults: what is not in its index may be in the document all the same. */
  readonly isPartial?: boolean
  /** Named by `docs.json`, the lock file or the caller, and not only by a page or by nobody. */
  readonly isNamed: boolean
}

export type ResolvedBinding =
  | { readonly kind: 'operation'; readonly source: string; readonly subject: PageSubject }
  | { readonly kind: 'schema'; readonly source: string; readonly name: string }
  /** The documents that were looked at do not have it. */
  | { readonly kind: 'missing'; readonly sources: readonly string[] }
  /** No document fits the file of the binding. */
  | { readonly kind: 'no-document' }
  /** Cannot be told before these documents have no faults. */
  | { readonly kind: 'unknown'; readonly sources: readonly string[] }
  /** Several documents have it, and the binding names none. */
  | { readonly kind: 'ambiguous'; readonly sources: readonly string[] }

/**
 * Finds what a binding is bound to.
 *
 * Its file may lack the extension, and the folders in front where one document only fits. A trailing slash of the path makes no difference
 * where the exact path is not there. A binding without a file is looked up in the named documents, then in the others, and has to be in exactly one.
 */
export function resolveBinding(binding: PageBinding, documents: readonly BindableDocument[]): ResolvedBinding {
  if (binding.file !== undefined) return resolveAmong(binding, findDocument(binding.file, documents))
  const named = documents.filter(({ isNamed }) => isNamed)
  const resolved = resolveAmong(binding, named)
  return (resolved.kind === 'missing' || resolved.kind === 'no-document') && named.length < documents.length
    ? resolveAmong(binding, documents)
    : resolved
}

function resolveAmong(binding: PageBinding, candidates: readonly BindableDocument[]): ResolvedBinding {
  if (candidates.length === 0) return { kind: 'no-document' }
  const found = candidates.flatMap(({ source, index }) => {
    const target = index && findTarget(binding, index)
    return target ? [{ source, target }] : []
  })
  const first = found[0]
  if (!first) {
    const sources = ({ source }: BindableDocument) => source
    const uncertain = candidates.filter(({ index, isPartial }) => index === undefined || isPartial === true)
    return uncertain.length === 0
      ? { kind: 'missing', sources: candidates.map(sources) }
      : { kind: 'unknown', sources: uncertain.map(sources) }
  }
  if (found.length > 1) return { kind: 'ambiguous', sources: found.map(({ source }) => source) }
  if (first.target === 'schema')
    return { kind: 'schema', source: first.source, name: binding.kind === 'schema' ? binding.name : '' }
  return { kind: 'operation', source: first.source, subject: first.target }
}

function findDocument(file: string, documents: readonly BindableDocument[]): readonly BindableDocument[] {
  const withoutExtension = (path: string) => path.replace(/\.(json|ya?ml)$/i, '')
  const rules: ((source: string) => boolean)[] = [
    (source) => source === file,
    (source) => withoutExtension(source) === file,
    (source) => source.endsWith(`/${file}`),
    (source) => withoutExtension(source).endsWith(`/${file}`),
  ]
  for (const rule of rules) {
    const found = documents.filter(({ source }) => rule(source))
    if (found.length === 1) return found
  }
  return []
}

function findTarget(binding: PageBinding, { byTarget, schemaNames }: DescriptionIndex): PageSubject | 'schema' | undefined {
  if (binding.kind === 'schema') return schemaNames.has(binding.name) ? 'schema' : undefined
  const target = formatTarget(binding)
  const exact = byTarget.get(target)
  if (exact || binding.kind === 'webhook') return exact
  return byTarget.get(target.endsWith('/') ? target.slice(0, -1) : `${target}/`)
}
