import type { DocsConfig, PageBinding } from '../../docs/navigation/docs-config.ts'
import {
  createPathClaims,
  readHref,
  renderPage,
  toPagePath,
  toPathKey,
  toRoute,
  withoutPageExtension,
} from '../../docs/pages/generated-page.ts'
import { type BindableDocument, parsePageFrontmatter, readPageBinding, resolveBinding } from '../../docs/pages/page-bindings.ts'
import { type DeclaredDivision, dropDeepMetadata } from '../../docs/pages/subjects.ts'
import { listEntryBindings, type SiteInput } from './plan-site.ts'

interface UnlistedPagesInput extends Pick<SiteInput, 'docsConfig' | 'documents' | 'pages'> {
  readonly divisions: readonly DeclaredDivision[]
}

/**
 * Renders the pages of operations and webhooks with `x-hidden`, by path relative to the docs directory. `update` writes no pages for them, but readers who
 * know the URL can open them on the site. Each division with generated pages has its own, with the path that a generated page would have. There is none if
 * the author has a page or a navigation entry for the operation.
 */
export function renderUnlistedPages({ docsConfig, divisions, documents, pages }: UnlistedPagesInput): Map<string, string> {
  const hidden = divisions
    .filter(({ mode }) => mode === 'automatic')
    .flatMap(({ version, sources }) =>
      sources
        .filter(({ adopted }) => !adopted)
        .flatMap(({ source, directory }) => {
          const subjects = documents.find((document) => document.source === source)?.index?.subjects ?? []
          return subjects
            .filter((subject) => subject.hidden && !subject.excluded)
            .map((subject) => ({ subject: dropDeepMetadata(subject, []), source, directory, version }))
        }),
    )
  if (hidden.length === 0) return new Map()
  const bound = listBoundTargets(docsConfig, documents, pages)
  const taken = [...pages.keys()].map(withoutPageExtension)
  const claim = createPathClaims([...taken, ...taken.map(toRoute)].map(toPathKey))
  return new Map(
    hidden
      .filter(({ subject, source }) => !bound.has(toKey(source, subject.target)))
      .map(({ subject, source, directory, version }) => {
        const path = readHref(subject, []) ?? toPagePath(subject, directory)
        return [`${claim(path)}.mdx`, renderPage(subject, { document: source, version })]
      }),
  )
}

/** What pages and navigation entries are bound to. */
function listBoundTargets(
  docsConfig: DocsConfig,
  documents: readonly BindableDocument[],
  pages: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (binding: PageBinding, candidates: readonly BindableDocument[], path?: string) => {
    const resolved = resolveBinding(binding, candidates, path)
    if (resolved.kind === 'operation') found.add(toKey(resolved.source, resolved.subject.target))
  }
  for (const [path, text] of pages) {
    const reading = readPageBinding(text, parsePageFrontmatter(text))
    if (reading.kind === 'bound') add(reading.binding, documents, path)
  }
  for (const { binding, candidates } of listEntryBindings(docsConfig, documents)) add(binding, candidates)
  return found
}

function toKey(source: string, target: string): string {
  return `${source}\n${target}`
}
