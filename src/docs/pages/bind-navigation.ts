import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isWithin } from '../../text/json/json-values.ts'
import type { DocsConfig, NavigationEntry } from '../navigation/docs-config.ts'
import { formatTarget } from '../navigation/parse-binding.ts'
import { type BindableDocument, checkBinding, resolveBinding } from './page-bindings.ts'
import type { BoundOperation, DeclaredDivision, Replacement, ReplacementOf } from './subjects.ts'

/**
 * Finds the operations that each division lists manually, through explicit entries or through bound pages.
 *
 * `boundPages` has the pages that are not generated, by path with extension. Unresolved entries are reported.
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
      const problem = among === undefined ? reportMissingDocument(entry) : undefined
      const resolved = resolveBinding(entry.binding, among ?? [])
      if (resolved.kind === 'operation') {
        const key = toKey(resolved.source, resolved.subject.target)
        listed.push({ pointer: entry.pointer, key, by: { description: 'a navigation entry' } })
      }
      const found = problem ?? toEntryProblem(checkBinding(entry.binding, resolved, among ?? []))
      if (found) findings.push({ ...found, file: docsConfig?.source.path ?? '', pointer: entry.pointer })
    }
  }
  // Without navigation, the whole docs directory is the division.
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
  return { description: `\`${path}\``, path }
}

function fromInherited(
  documents: readonly BindableDocument[],
  sources: readonly string[] | undefined,
): readonly BindableDocument[] | undefined {
  return sources && documents.filter(({ source }) => sources.includes(source))
}

type Problem = Pick<Finding, 'code' | 'message' | 'hint'>

function reportMissingDocument({ binding }: Extract<NavigationEntry, { kind: 'explicit' }>): Problem {
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
function toEntryProblem(problem: Problem | undefined): Problem | undefined {
  return problem?.code === 'binding-unresolved' ? { ...problem, code: 'entry-unresolved' } : problem
}
