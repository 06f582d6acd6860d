import type { Finding } from '../diagnostics/diagnostic.ts'
import { bindingKey, formatBinding } from '../docs-config/binding-text.ts'
import type { Description } from '../openapi/types.ts'
import { toWellFormed } from '../source/escape-text.ts'
import { normalizePath } from '../source/relative-path.ts'
import { createPathClaims, hrefOutside, slug, toSafeName } from './page-path.ts'
import { listSchemas, listSubjects } from './subjects.ts'
import type { PageSubject } from './types.ts'
import { groupSubjects, listWantedSubjects, refuseDeepMetadata } from './wanted-subjects.ts'

interface OpenApiFileOptions {
  /** The folder of `--outDir` as the person wrote it, with `/`; `''` for the working directory. */
  readonly outDir: string
  /** Schemas have pages too, in a group after the others. */
  readonly schemas: boolean
}

export interface OpenApiFilePlan {
  /** In the order of the description. Paths are relative to the working directory with `/`, with extension. */
  readonly files: readonly OpenApiFilePage[]
  /** What `docs.json` takes; pages without extension. */
  readonly navigation: readonly { readonly group: string; readonly pages: readonly string[] }[]
  readonly findings: readonly Finding[]
}

interface OpenApiFilePage {
  readonly path: string
  readonly content: string
}

/**
 * Plans the pages of one description as the `openapi-file` command writes them, with the bytes of the original command. Differences: names
 * are fit for URLs and for Windows, no two pages share a path, and frontmatter that would not be YAML is quoted.
 *
 * Groups are in the order of first use. Hidden and excluded operations have no page. `x-mint.href` is relative to the working directory.
 */
export async function planOpenApiFile(
  description: Description,
  { outDir, schemas }: OpenApiFileOptions,
): Promise<OpenApiFilePlan> {
  const findings: Finding[] = []
  const all = { subjects: listSubjects(description), schemas: schemas ? listSchemas(description) : [], tags: description.tags }
  const subjects = listWantedSubjects(all, { schemas, overviews: false }).map((subject) => refuseDeepMetadata(subject, findings))
  const claim = createPathClaims([])
  const paths = new Map<PageSubject, string>()
  const frontmatters = subjects.map(toFrontmatter)
  const isPlain = frontmatters.every((entries) => entries.every(([key, value]) => toPlainLine(key, value) !== undefined))
  const quote = isPlain ? neverNeeded : (await import('./quote-line.ts')).quoteLine
  const files = subjects.map((subject, index) => {
    const href = subject.mint?.href
    const moved = href === undefined ? undefined : toMovedPath(href)
    if (href !== undefined && moved === undefined) findings.push(hrefOutside(subject, href))
    const path = claim(moved ?? toNamedPath(subject, outDir))
    paths.set(subject, path)
    return { path: `${path}.mdx`, content: renderFile(frontmatters[index] ?? [], subject.mint?.content, quote) }
  })
  const navigation = groupSubjects(subjects, description.tags, []).map(({ label, subjects: members }) => ({
    group: label,
    pages: members.flatMap((subject) => paths.get(subject) ?? []),
  }))
  return { files, navigation, findings }
}

const neverNeeded: QuoteLine = () => ''

function toNamedPath(subject: PageSubject, outDir: string): string {
  const { summary, binding, tag } = subject
  const fallback = toSafeName(toFallbackName(binding)) || binding.kind
  const folder = toSafeName(binding.kind === 'schema' ? 'schemas' : slug(tag ?? ''))
  const written = summary === undefined || binding.kind === 'schema' ? undefined : slug(summary)
  // As in the original, a summary of nothing but dots or spaces gives the page the name of its folder.
  const name = written === '' ? '' : toSafeName(written ?? '') || fallback
  const steps = [folder, name].filter(Boolean)
  return joinOutDir(toOutFolder(outDir), (steps.length === 0 ? fallback : steps.join('/')).toLowerCase())
}

function toFallbackName(binding: PageSubject['binding']): string {
  if (binding.kind === 'overview') return binding.kind
  return binding.kind === 'operation' ? `${binding.method}-${slug(binding.pathTemplate)}` : slug(binding.name)
}

/** Keeps what the person wrote before the name: `../docs`, `/srv/docs`. */
function joinOutDir(outDir: string, path: string): string {
  const folder = normalizePath(outDir)
  const root = outDir.startsWith('/') ? '/' : ''
  return root + (folder === '' ? path : `${folder}/${path}`)
}

function toMovedPath(href: string): string | undefined {
  const path = normalizePath(href.trim().replace(/^\//, '')).toLowerCase()
  const isOutside = /(^|\/)\./.test(path) || path.includes('\\') || /^[a-z][a-z0-9+.-]*:/.test(path)
  const steps = path.split('/').map(toSafeName).filter(Boolean)
  return isOutside || steps.length === 0 ? undefined : steps.join('/')
}

/** The frontmatter of a page in its order; a value of `undefined` has no line. */
function toFrontmatter(subject: PageSubject): [key: string, value: unknown][] {
  const { binding, mint } = subject
  const metadata = new Map(Object.entries(mint?.metadata ?? {}))
  const deprecated = metadata.get('deprecated') ?? (subject.deprecated === true ? true : undefined)
  const placed: [string, unknown][] = [
    ...toBindingEntry(binding),
    ['version', metadata.get('version')],
    ['deprecated', deprecated],
  ]
  for (const key of ['openapi', 'openapi-schema', 'version', 'deprecated']) metadata.delete(key)
  if (mint?.groups !== undefined && !metadata.has('groups')) metadata.set('groups', mint.groups)
  return [...placed, ...metadata].filter(([, value]) => value !== undefined)
}

function renderFile(
  frontmatter: readonly [key: string, value: unknown][],
  content: string | undefined,
  quote: QuoteLine,
): string {
  const lines = frontmatter.map(([key, value]) => toPlainLine(key, value) ?? quote(key, value))
  return toWellFormed(`---\n${lines.join('')}---${content === undefined || content === '' ? '' : `\n\n${content}`}`)
}

/** The method stands in lower case here. */
function toBindingEntry(binding: PageSubject['binding']): [key: string, value: string][] {
  if (binding.kind === 'overview') return []
  const target = binding.kind === 'operation' ? `${binding.method} ${binding.pathTemplate}` : formatBinding(binding)
  return [[bindingKey(binding), target]]
}

type QuoteLine = (key: string, value: unknown) => string

/** The line of a value that is YAML for itself for certain. Nearly all are, and those that write YAML take long to load. */
function toPlainLine(key: string, value: unknown): string | undefined {
  const line = `${key}: ${value}\n`
  if (value === true || value === false) return /^[\w-]+$/.test(key) ? line : undefined
  return typeof value === 'string' && /^[\w-]+: [\w/][\w/{}.-]*( [\w/][\w/{}.-]*)*\n$/.test(line) ? line : undefined
}

/** The folder of `--outDir` as pages are addressed by it. Above the working directory nothing is ours to name, so a name there keeps its case. */
export function toOutFolder(outDir: string): string {
  return /^(?:\/|\.\.(?:\/|$))/.test(outDir) ? outDir : outDir.toLowerCase()
}
