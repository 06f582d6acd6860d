import { DUMP_SCHEMA, dump } from 'js-yaml'
import type { CheckedDocument } from '../../../docs/types.ts'
import { hashContent } from '../../../files/output-folder.ts'
import { isContainer, toWritten, WrittenNumber } from '../../../text/json/json-values.ts'
import type { Syntax } from '../../../text/parse-source.ts'
import { withoutDocumentExtension } from '../../../text/plain/paths.ts'
import type { SiteFile, SitePlan } from '../../plan/types.ts'

/** The entry document of an API in the other format: JSON for a YAML document, YAML for a JSON document. */
export interface DocumentConversion {
  /** The path of the original, relative to the boundary. */
  readonly entryPath: string
  /** The output path. */
  readonly path: string
  /** Identifies the content of the original. */
  readonly hash: () => string
  /** Whether the result would be too large. Such a document is published only in its original format. */
  readonly isTooLarge: () => boolean
  readonly convert: () => SiteFile
}

/** See `planDocuments`. */
interface PublishedEntries {
  readonly entries: ReadonlyMap<string, SiteFile>
  readonly take: (path: string) => boolean
}

/**
 * The most text of a converted document, in UTF-16 code units. The description of GitHub's API has 13 million. Two more copies of it were an eighth of the
 * site, and took a tenth of the time to build it.
 */
const maxCharacters = 8_000_000

/**
 * Plans the conversion of the published entry documents with a start page. References to other files are unchanged, because these files are published too. A document
 * is omitted if another file has the output path.
 */
export function planConversions(
  documents: readonly CheckedDocument[],
  { pages }: SitePlan,
  { entries, take }: PublishedEntries,
): DocumentConversion[] {
  const sources = new Set(pages.flatMap(({ subject }) => (subject.kind === 'description' ? [subject.source] : [])))
  return documents.flatMap(({ source, check }) => {
    const entryPath = check.description?.entryPath ?? ''
    const original = entries.get(entryPath)
    if (!sources.has(source) || !original) return []
    const isJson = /\.json$/i.test(original.path)
    const path = `${withoutDocumentExtension(original.path)}.${isJson ? 'yaml' : 'json'}`
    if (!take(path)) return []
    return toConversion({ entryPath, check, original, path }, isJson ? 'yaml' : 'json')
  })
}

interface ConvertedDocument extends Pick<DocumentConversion, 'entryPath' | 'path'> {
  readonly check: CheckedDocument['check']
  readonly original: SiteFile
}

function toConversion({ entryPath, check, original, path }: ConvertedDocument, syntax: Syntax): DocumentConversion {
  const value = check.documents.get(entryPath)?.parsed.value
  const isSame = original.path.toLowerCase().endsWith(`.${syntax}`)
  return {
    entryPath,
    path,
    hash: () => hashContent(original.content),
    isTooLarge: () => countCharacters(value, maxCharacters) > maxCharacters,
    convert: () => ({ path, content: isSame ? original.content : formatDocument(value, syntax) }),
  }
}

/** Where tools look for the document of an API. */
const standardPath = 'openapi.json'

/**
 * Plans the copy of the only document of a site at the path where tools look for it. `undefined` if the site has several documents, or if this one or
 * another file is already there. A document whose references to other files would not work there stays at its path.
 */
export function planStandardDocument(
  documents: readonly CheckedDocument[],
  { entries, take }: PublishedEntries,
): DocumentConversion | undefined {
  const [[entryPath, original] = [], ...others] = entries
  if (entryPath === undefined || !original || others.length > 0) return undefined
  const check = documents.find((one) => one.check.description?.entryPath === entryPath)?.check
  const parts = check ? [...check.documents.values()].filter(({ path }) => !check.overlays.includes(path)) : []
  const worksThere = parts.length === 1 || !original.path.includes('/')
  if (!check || !worksThere || /^openapi\.ya?ml$/i.test(original.path) || !take(standardPath)) return undefined
  return toConversion({ entryPath, check, original, path: standardPath }, 'json')
}

/** Formats the value of a document, with a final newline. */
export function formatDocument(value: unknown, syntax: Syntax): string {
  const written = toWritten(value)
  if (syntax === 'json') return `${JSON.stringify(written, undefined, 2)}\n`
  // Aliases would save space but are hard to read, and not every tool supports them.
  return dump(written, { lineWidth: -1, noRefs: true, schema: written === value ? DUMP_SCHEMA : schema })
}

/** Writes numbers as they are written. */
const schema = DUMP_SCHEMA.withTags(
  ...DUMP_SCHEMA.tags.flatMap((tag) => {
    const kind = tag.nodeKind === 'scalar' ? /:(int|float)$/.exec(tag.tagName)?.[1] : undefined
    if (tag.nodeKind !== 'scalar' || kind === undefined) return []
    const isOfKind = (value: WrittenNumber) => /^-?\d+$/.test(String(value)) === (kind === 'int')
    return {
      ...tag,
      identify: (value: unknown) => (value instanceof WrittenNumber ? isOfKind(value) : tag.identify(value)),
      represent: (value: unknown) => (value instanceof WrittenNumber ? String(value) : tag.represent(value)),
    }
  }),
)

/** Estimates the length of a formatted value, with indentation. Stops at the limit. Aliases count once for each use. */
function countCharacters(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (!isContainer(value)) return 4
  let count = 2
  const isList = Array.isArray(value)
  for (const [key, child] of Object.entries(value)) {
    count += 2 * depth + (isList ? 2 : key.length + 2) + countCharacters(child, limit - count, depth + 1)
    if (count > limit) return count
  }
  return count
}
