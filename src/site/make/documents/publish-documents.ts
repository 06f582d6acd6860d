import type { DescriptionCheck } from '../../../checks/check-description.ts'
import { toSafeName } from '../../../docs/pages/generated-page.ts'
import type { CheckedDocument } from '../../../docs/types.ts'
import type { Files, ReadResult } from '../../../files/files.ts'
import { filterDocument } from '../../../openapi/public/filter-description.ts'
import { mayHaveMarks, type Readers } from '../../../openapi/public/restriction-marks.ts'
import type { Document } from '../../../openapi/types.ts'
import { parseSource } from '../../../text/parse-source.ts'
import { baseName, decodePercent, isDataFile, isUrl, parentPath, relativePath } from '../../../text/plain/paths.ts'
import { bytesOf, hasOrigins, toSourceFile } from '../../../text/plain/source-file.ts'
import type { SiteFile, SitePlan } from '../../plan/types.ts'
import { formatDocument } from './convert-document.ts'

/** The OpenAPI documents of a site that readers can download. */
export interface PublishedDocuments {
  /** The entry documents, by their path relative to the boundary, or their URL. */
  readonly entries: ReadonlyMap<string, SiteFile>
  /** The entry documents and all files that they reference. */
  readonly files: readonly SiteFile[]
  /** Takes an output path; `false` if another file has it. */
  readonly take: (path: string) => boolean
}

interface SiteFiles {
  /** The docs directory, relative to the boundary, with a final `/` unless it is `''`. */
  readonly prefix: string
  /** The files of the docs directory, relative to the boundary. */
  readonly listed: readonly string[]
  readonly plan: Pick<SitePlan, 'pages'>
}

/** The directory of documents that cannot have their own path. */
const otherFolder = '_openapi'

/**
 * Plans where documents are published: at their path in the docs directory, with the files that they reference, so that references between files work.
 * Overlays are applied, and restricted parts are left out.
 *
 * A document outside of the docs directory, or from a URL, is published at the top, relative to the nearest folder that has all of its files. If a
 * page, another document or another file of the docs directory has one of the paths, or if hosts could hide a path, all files of the document are
 * published below `_openapi`.
 */
export function planDocuments(documents: readonly CheckedDocument[], { prefix, listed, plan }: SiteFiles): PublishedDocuments {
  const repository = new Set(listed.map((path) => path.slice(prefix.length).toLowerCase()))
  const outputs = listPageOutputs(plan)
  const published = new Map<string, SiteFile>()
  const entries = new Map<string, SiteFile>()
  const isTaken = (path: string, from?: string) => {
    const key = path.toLowerCase()
    const isOther = from === undefined || from !== prefix + path
    return outputs.has(key) || published.has(key) || (isOther && repository.has(key)) || /(?:^|\/)\.|^_/.test(path)
  }
  for (const { check } of documents) {
    const files = listFiles(check, prefix)
    const entryPath = check.description?.entryPath ?? ''
    // Descriptions share files, and pages can name the same document in several ways.
    const isShared = ({ wanted, content }: WantedFile) => isSame(published.get(wanted.toLowerCase())?.content, content)
    const isFree = files.every((file) => isShared(file) || !isTaken(file.wanted, file.path))
    for (const file of files) {
      const path = isFree
        ? file.wanted
        : findOtherPath(file, (one) => published.has(one.toLowerCase()) && !isShared({ ...file, wanted: one }))
      const site = { path, content: file.content }
      published.set(path.toLowerCase(), site)
      if (file.path === entryPath && !entries.has(entryPath)) entries.set(entryPath, site)
    }
  }
  return {
    entries,
    files: [...published.values()],
    take: (path) => {
      if (isTaken(path)) return false
      outputs.add(path.toLowerCase())
      return true
    },
  }
}

/** What pages are written to, in lower case: their folders, and the files beside them. */
function listPageOutputs({ pages }: Pick<SitePlan, 'pages'>): Set<string> {
  const outputs = new Set(['404.json'])
  for (const { route } of pages) {
    const steps = route.toLowerCase().split('/')
    for (const count of steps.keys()) outputs.add(steps.slice(0, count + 1).join('/'))
    outputs.add(`${route === '' ? 'index' : route.toLowerCase()}.openapi.json`)
  }
  return outputs
}

interface WantedFile {
  /** Relative to the boundary, or a URL. */
  readonly path: string
  readonly wanted: string
  readonly content: SiteFile['content']
}

/** The files of a description with the output paths that they should have. References to URLs are never followed. */
function listFiles(check: DescriptionCheck, prefix: string): WantedFile[] {
  const entryPath = check.description?.entryPath
  if (entryPath === undefined) return []
  const parts = [...check.documents.values()].filter(({ path }) => !check.overlays.includes(path))
  const paths = parts.map(({ path }) => path)
  const isInside = paths.every((path) => path.startsWith(prefix) && !isUrl(path))
  const names = isInside ? paths.map((path) => path.slice(prefix.length)) : toRelative(paths)
  return parts.map((part, index) => {
    const name = names[index] ?? ''
    return toFile(part, isUrl(part.path) ? toUrlName(part.path) : name, part.path === entryPath)
  })
}

/** With an extension that tells the format, so that browsers never take a file for a page or a script. */
function toFile({ path, parsed }: Document, name: string, isEntry: boolean): WantedFile {
  const isNamed = isDataFile(name) || (!isEntry && /(?:^|\/)[^.]+$/.test(name))
  const content = hasOrigins(parsed.source) ? formatDocument(parsed.value, parsed.syntax) : bytesOf(parsed.source)
  return { path, wanted: isNamed ? name : `${name}.${parsed.syntax}`, content }
}

/** Paths relative to the nearest folder that has all of them. */
function toRelative(paths: readonly string[]): string[] {
  const [first = ''] = paths
  let folder = parentPath(first)
  while (folder !== '' && !paths.every((path) => path.startsWith(`${folder}/`))) folder = parentPath(folder)
  return paths.map((path) => relativePath(folder, path))
}

/** The last part of the path of a URL, as a valid file name. */
function toUrlName(url: string): string {
  return toSafeName(baseName(decodePercent(new URL(url).pathname.replace(/\/$/, '')))) || 'openapi'
}

/** A path below `_openapi`, with a number if another document has it. */
function findOtherPath({ wanted }: WantedFile, isTaken: (path: string) => boolean): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^./]*)?$/.exec(wanted) ?? []
  for (let number = 1; ; number++) {
    const path = `${otherFolder}/${stem}${number === 1 ? '' : `-${number}`}${extension}`
    if (!isTaken(path)) return path
  }
}

function isSame(left: SiteFile['content'] | undefined, right: SiteFile['content']): boolean {
  if (left === undefined) return false
  return Buffer.from(left).equals(Buffer.from(right))
}

/**
 * Files as they may be copied to a site, because pages can link to documents: without the restricted parts of the documents of the site, and of all other
 * JSON and YAML files. `restricted`: see `FilterRules`.
 */
export function toPublishedFiles(files: Files, documents: readonly CheckedDocument[], restricted: Readers | undefined): Files {
  const checks = documents.map(({ check }) => check)
  return {
    ...files,
    read: async (path, limitBytes) => {
      const result = await files.read(path, limitBytes)
      if (result.kind !== 'file' || !isDataFile(path)) return result
      const using = checks.filter(({ sources, overlays }) => sources.has(path) && !overlays.includes(path))
      const parsed = using.map(({ documents }) => documents.get(path)?.parsed)
      // Only restricted parts use it, or its restricted parts are not known.
      if (parsed.includes(undefined)) return { kind: 'missing' }
      const changed = parsed.find((one) => one && hasOrigins(one.source))
      if (changed) return toReadFile(formatDocument(changed.value, changed.syntax))
      const source = toSourceFile(path, result.bytes)
      if (!mayHaveMarks(source.text, restricted)) return result
      const { value, faults, syntax } = await parseSource(source)
      if (faults.length > 0) return { kind: 'missing' }
      const { value: shown, leftovers } = filterDocument(value, { restricted, excluded: true })
      if (leftovers.length > 0) return { kind: 'missing' }
      return shown === value ? result : toReadFile(formatDocument(shown, syntax))
    },
    // The content of a document depends on other files.
    stateOf: (path) => (isDataFile(path) ? undefined : files.stateOf?.(path)),
  }
}

function toReadFile(text: string): ReadResult {
  return { kind: 'file', bytes: new TextEncoder().encode(text) }
}
