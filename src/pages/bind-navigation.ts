import type { Finding } from '../diagnostics/diagnostic.ts'
import { formatTarget } from '../docs-config/binding-text.ts'
import type { DocsConfig, NavigationEntry } from '../docs-config/types.ts'
import { isWithin } from './declare-divisions.ts'
import { type BindableDocument, checkBinding, resolveBinding } from './page-bindings.ts'
import type { BoundOperation, DeclaredDivision, Replacement, ReplacementOf } from './types.ts'

/**
 * Finds which operations are listed by hand in each division, by explicit entries and by pages bound to them.
 *
 * `boundPages` has the pages that are not ours, by path with extension. Entries that lead nowhere are findings.
 */
export function bindNavigation(
  docsConfig: DocsConfig | undefined,
  divisions: readonly DeclaredDivision[],
  documents: readonly BindableDocument[],
  boundPages: ReadonlyMap<string, BoundOperation>,
): { replacementOf: ReplacementOf; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const listed: { readonly pointer: string; readonly key: string; readonly by: Replacement }[] = []
  const toKey = (source: string, target: string) => `${source} ${target}`
  for (const { entries, inherited } of docsConfig?.divisions ?? []) {
    for (const entry of entries) {
      if (entry.kind === 'page') {
        for (const path of [`${entry.path}.mdx`, `${entry.path}.md`]) {
          const bound = boundPages.get(path)
          if (bound) listed.push({ pointer: entry.pointer, key: toKey(bound.source, bound.target), by: byPage(path) })
        }
        continue
      }
      const among =
        entry.binding.file === undefined
          ? fromInherited(
              documents,
              inherited?.sources.map(({ source }) => source),
            )
          : documents
      const fault = among === undefined ? withoutDocument(entry) : undefined
      const resolved = resolveBinding(entry.binding, among ?? [])
      if (resolved.kind === 'operation') {
        const key = toKey(resolved.source, resolved.subject.target)
        listed.push({ pointer: entry.pointer, key, by: { words: 'an entry in the navigation' } })
      }
      const found = fault ?? toEntryFault(checkBinding(entry.binding, resolved, among ?? []))
      if (found) findings.push({ ...found, file: docsConfig?.source.path ?? '', pointer: entry.pointer })
    }
  }
  // Without navigation, the whole docs root is the division.
  if (!docsConfig) {
    for (const [path, { source, target }] of boundPages)
      listed.push({ pointer: '', key: toKey(source, target), by: byPage(path) })
  }
  const byDivision = new Map<string, Map<string, Replacement>>()
  for (const { id, pointer } of divisions) {
    const within = listed.filter((place) => pointer === undefined || isWithin(place.pointer, pointer))
    byDivision.set(id, new Map(within.map(({ key, by }) => [key, by])))
  }
  return { replacementOf: ({ id }, source, target) => byDivision.get(id)?.get(toKey(source, target)), findings }
}

function byPage(path: string): Replacement {
  return { words: `\`${path}\``, path }
}

function fromInherited(
  documents: readonly BindableDocument[],
  sources: readonly string[] | undefined,
): readonly BindableDocument[] | undefined {
  return sources && documents.filter(({ source }) => sources.includes(source))
}

type Fault = Pick<Finding, 'code' | 'message' | 'hint'>

function withoutDocument({ binding }: Extract<NavigationEntry, { kind: 'explicit' }>): Fault {
  const target = formatTarget(binding)
  return {
    code: 'entry-without-document',
    message: `Cannot tell the document of the entry \`${target}\`: no division around it has \`openapi\``,
    hint: `name it in the entry: \`openapi.yaml ${target}\``,
  }
}

/** The host refuses to build a site with such an entry, whereas a page whose binding is wrong is only empty. */
function toEntryFault(fault: Fault | undefined): Fault | undefined {
  return fault?.code === 'binding-unresolved' ? { ...fault, code: 'entry-unresolved' } : fault
}
