import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { changedFiles } from '../files/overlay-files.ts'
import { createMdxReader } from '../mdx/mdx-reader.ts'
import { createReference } from '../reference/create-reference.ts'
import { loadLanguages } from '../site/code/highlight.ts'
import { components } from '../site/content/components.tsx'
import { planSite } from '../site/plan-site.ts'
import type { AuthorHint, SiteSource } from '../site/render-site-page.tsx'
import type { AssetPaths } from '../site/site-context.ts'
import type { SourceFile } from '../text/source-file.ts'
import type { CheckedDocument } from '../update/check-documents.ts'
import { planUpdate } from '../update/plan-update.ts'
import { readDocsRoot } from '../update/read-docs-root.ts'
import { readPages } from '../update/read-pages.ts'
import { toDiagnostics } from '../update/run-update.ts'
import type { UpdateEnvironment } from '../update/types.ts'

export interface ReadSiteOptions {
  /** The docs root, relative to the boundary. */
  readonly root: string
  /** Where the site stands on its host, beginning and ending in `/`. */
  readonly base: string
  /** Its whole address; absent where nobody told it. */
  readonly url: string | undefined
  readonly assets: AssetPaths
  readonly isPreview: boolean
}

/** A docs root as its site sees it; nothing is rendered yet. */
export interface ReadSite {
  /** Absent where there is no `docs.json` that can be read. */
  readonly source: SiteSource | undefined
  /** What the check of documents, navigation and bindings found. */
  readonly diagnostics: readonly Diagnostic[]
  readonly findings: readonly Finding[]
  /** Every document that the site is about. */
  readonly documents: readonly CheckedDocument[]
  /** The files that diagnostics stand in, as they were read. */
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/**
 * Reads a docs root: plans its pages as an update would write them (those of virtual divisions too) and takes them as if they were written.
 * Nothing is.
 */
export async function readSite(options: ReadSiteOptions, environment: UpdateEnvironment): Promise<ReadSite> {
  const { root, base, url, assets, isPreview } = options
  const { survey, changes, found } = await planUpdate(
    { root, documents: [], directory: 'api-reference', materialise: true },
    environment,
  )
  const { documents } = survey
  const diagnostics = await toDiagnostics(found, survey)
  const files = changedFiles(environment.files, changes)
  const docsRoot = await readDocsRoot(root, files)
  const { docsConfig } = docsRoot
  const { sourceOf } = survey
  if (!docsConfig) return { source: undefined, diagnostics, findings: [], documents, sourceOf }
  environment.onProgress?.('reading pages')
  const { pages } = await readPages(root, [], files)
  await loadLanguages([...sampleLanguages, ...[...pages.values()].flatMap(listCodeLanguages)])
  const plan = planSite({ docsConfig, pages, documents })
  const prefix = root === '' ? '' : `${root}/`
  const reader = createMdxReader({
    root,
    readFile: (path) => (path.startsWith(prefix) ? pages.get(path.slice(prefix.length)) : undefined),
    components: new Set(components.keys()),
    variables: new Map(Object.entries(plan.settings.variables)),
  })
  const references = new Map(
    documents.flatMap(({ source, check }) => {
      const reference = createReference(check)
      return reference ? [[source, reference] as const] : []
    }),
  )
  const pageByRoute = new Map(plan.pages.map((page) => [page.route, page]))
  return {
    source: {
      context: { plan, pageByRoute, base, url, assets, isPreview },
      reader,
      references,
      textOf: (path) => pages.get(path),
      root,
      hints: new Map(isPreview ? diagnostics.filter(({ code }) => code.startsWith('binding-')).map(toHint) : []),
    },
    diagnostics,
    findings: [],
    documents,
    sourceOf,
  }
}

function toHint({ file, message, hint, range }: Diagnostic): readonly [string, AuthorHint] {
  return [file, { message, hint, line: range.start.line }]
}

/** Those of samples and examples, which every reference has. */
const sampleLanguages = ['bash', 'javascript', 'python', 'go', 'json', 'xml', 'html']

/** The languages of the blocks of code in a text. */
function listCodeLanguages(text: string): string[] {
  return Array.from(text.matchAll(/^[ \t]*(?:```|~~~)([\w#+-]+)/gm), ([, name = '']) => name)
}
