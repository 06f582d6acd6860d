import { stringify } from 'yaml'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Description } from '../../openapi/types.ts'
import { isContainer, readOwn, stringOf } from '../../text/json/json-values.ts'
import { toWellFormed } from '../../text/plain/escape-text.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { normalizePath } from '../../text/plain/paths.ts'
import { parseYaml } from '../../text/yaml/parse-yaml.ts'
import { formatBinding } from '../navigation/docs-config.ts'
import { bindingKey } from '../navigation/read-divisions.ts'
import { createPathClaims, readHref, slug, toSafeName } from './generated-page.ts'
import { dropDeepMetadata, listSchemas, listSubjects, type PageSubject } from './subjects.ts'
import { listWantedSubjects, toSubjectLabels } from './wanted-subjects.ts'

interface OpenApiFileOptions {
  /** The `--outDir` value as written, with `/` as separator. `''` for the working directory. */
  readonly outDir: string
  /** Create pages for schemas in a group after the others. */
  readonly schemas: boolean
}

export interface OpenApiFilePlan {
  /** Files in document order. Paths use `/`, are relative to the working directory, and include the extension. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** Navigation for `docs.json`. Pages have no extension. */
  readonly navigation: readonly { readonly group: string; readonly pages: readonly string[] }[]
  readonly findings: readonly Finding[]
}

/**
 * Plans the pages for the `openapi-file` command, byte-compatible with the original command. Exceptions: names are valid in URLs
 * and on Windows, page paths are unique, and frontmatter values are quoted if they would be invalid YAML.
 *
 * Groups are in order of first use. Hidden and excluded operations have no page. `x-mint.href` is relative to the working
 * directory.
 */
export function planOpenApiFile(description: Description, { outDir, schemas }: OpenApiFileOptions): OpenApiFilePlan {
  const findings: Finding[] = []
  const { tags } = description
  const all = { subjects: listSubjects(description), schemas: schemas ? listSchemas(description) : [], tags, tagGroups: [] }
  const subjects = listWantedSubjects(all, { schemas, overviews: false, methodOrder: 'fixed' }).map((subject) =>
    dropDeepMetadata(subject, findings),
  )
  const claim = createPathClaims([])
  const paths = new Map<PageSubject, string>()
  const files = subjects.map((subject) => {
    const path = claim(readHref(subject, findings, toMovedPath) ?? toNamedPath(subject, outDir))
    paths.set(subject, path)
    return { path: `${path}.mdx`, content: renderFile(subject) }
  })
  const navigation = Array.from(groupBy(subjects, toSubjectLabels(tags)), ([group, members]) => {
    return { group, pages: members.flatMap((subject) => paths.get(subject) ?? []) }
  })
  return { files, navigation, findings }
}

function toNamedPath(subject: PageSubject, outDir: string): string {
  const { summary, binding, tag } = subject
  const fallback = toSafeName(toFallbackName(binding)) || binding.kind
  const folder = toSafeName(binding.kind === 'schema' ? 'schemas' : slug(tag ?? ''))
  const written = summary === undefined || binding.kind === 'schema' ? undefined : slug(summary)
  // As in the original, a summary of only dots or spaces results in a page named after its directory.
  const name = written === '' ? '' : toSafeName(written ?? '') || fallback
  const steps = [folder, name].filter(Boolean)
  return joinOutDir(toOutFolder(outDir), (steps.length === 0 ? fallback : steps.join('/')).toLowerCase())
}

function toFallbackName(binding: PageSubject['binding']): string {
  if (binding.kind === 'overview') return binding.kind
  return binding.kind === 'operation' ? `${binding.method}-${slug(binding.pathTemplate)}` : slug(binding.name)
}

/** Joins the path, keeping prefixes as written: `../docs`, `/srv/docs`. */
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

/** Frontmatter of a page in order. Keys with an `undefined` value are omitted. */
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

function renderFile(subject: PageSubject): string {
  const lines = toFrontmatter(subject).map(([key, value]) => toPlainLine(key, value) ?? quoteLine(key, value))
  const content = subject.mint?.content ?? ''
  return toWellFormed(`---\n${lines.join('')}---${content === '' ? '' : `\n\n${content}`}`)
}

/** The original command writes methods in lowercase. */
function toBindingEntry(binding: PageSubject['binding']): [key: string, value: string][] {
  if (binding.kind === 'overview') return []
  const target = binding.kind === 'operation' ? `${binding.method} ${binding.pathTemplate}` : formatBinding(binding)
  return [[bindingKey(binding), target]]
}

/** Formats a value that is certainly valid YAML without quotes. This covers nearly all values, and the YAML library is slow. */
function toPlainLine(key: string, value: unknown): string | undefined {
  const line = `${key}: ${value}\n`
  if (value === true || value === false) return /^[\w-]+$/.test(key) ? line : undefined
  return stringOf(value) !== undefined && /^[\w-]+: [\w/][\w/{}.-]*( [\w/][\w/{}.-]*)*\n$/.test(line) ? line : undefined
}

/** Formats a line of frontmatter. The value is quoted only if YAML would read it as something else. */
function quoteLine(key: string, value: unknown): string {
  const text = stringOf(value)
  const line = `${key}: ${text}\n`
  if (text !== undefined && !text.includes('\n') && isYamlOf(line, key, text)) return line
  return stringify(new Map([[key, value]]), { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
}

function isYamlOf(line: string, key: string, text: string): boolean {
  const { value, faults } = parseYaml(line)
  const read = readOwn(value, key)
  if (faults.length > 0 || read === undefined || text.includes('#')) return false
  return read === text || (stringOf(read) === undefined && !isContainer(read) && read !== null)
}

/**
 * Returns the directory of `--outDir` as used in page paths. Directories above the working directory keep their case because they
 * already exist.
 */
export function toOutFolder(outDir: string): string {
  return /^(?:\/|\.\.(?:\/|$))/.test(outDir) ? outDir : outDir.toLowerCase()
}
