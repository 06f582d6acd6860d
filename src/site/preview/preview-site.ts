import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { docsConfigNames } from '../../docs-config/project-config.ts'
import type { Files } from '../../files/files.ts'
import { joinPath } from '../../source/relative-path.ts'
import type { SourceFile } from '../../source/source-file.ts'
import type { UpdateEnvironment } from '../../update/types.ts'
import { listOtherFiles } from '../build/files-beside-pages.ts'
import { checkPageLinks, findLinkTargets } from '../build/link-checks.ts'
import { type ReadSite, type ReadSiteOptions, readSite } from '../build/read-site.ts'
import type { LinkTargets } from '../render/check-links.ts'
import { assetType, findSvgFault } from '../render/files/file-types.ts'
import { renderSitePage } from '../render/render-site-page.tsx'
import type { SearchEntry } from '../render/search/search-entry.ts'
import { renderSearchIndex } from '../render/search/search-index.ts'
import type { SiteSource } from '../render/site-context.ts'
import type { SiteFile, SitePage } from '../render/types.ts'

/** A docs root as the preview last read it. */
export interface PreviewReading {
  /** Absent until the docs root could be read once. */
  readonly source: SiteSource | undefined
  /** What is wrong now, whatever is shown. */
  readonly diagnostics: readonly Diagnostic[]
  /** The files of diagnostics. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** What is shown is older than what is there: its successor cannot be read. Paths relative to the boundary. */
  readonly stale: readonly string[]
  /** The valid targets of its links. */
  readonly targets: LinkTargets | undefined
  readonly places: ReadSite['places']
  /** Makes diagnostics of what a page has, by the settings of the docs root. */
  readonly finish: ReadSite['finish']
  /** Files that are made and belong to no single page, by their paths; made when the first is asked for. */
  readonly otherFiles: () => ReadonlyMap<string, SiteFile['content']>
  /** The search index by path. The first search renders all pages for it. */
  readonly searchFiles: () => ReadonlyMap<string, SiteFile['content']>
  /** A file of the docs root that a build could publish. */
  readonly readAsset: (path: string) => Promise<Uint8Array | undefined>
}

/** Opens the files of a docs directory again for each reading. */
export type OpenEnvironment = () => Promise<UpdateEnvironment>

export interface PreviewPage {
  readonly route: string
  readonly html: string
  /** What this page alone has, found while it was rendered. */
  readonly found: readonly Diagnostic[]
  /** All that its author should see on it: errors of the whole, and warnings of its own. */
  readonly problems: readonly Diagnostic[]
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** A docs root that is read again and again. */
export interface PreviewSite {
  /** The newest reading; waits for the first. */
  reading(): Promise<PreviewReading>
  /** Reads all again. Where a file got a fault that nothing can be made of, the site stays as it was with the last text of that file. */
  refresh(): Promise<PreviewReading>
}

/** Starts to read a docs root. */
export function createPreviewSite(options: ReadSiteOptions, open: OpenEnvironment): PreviewSite {
  const state: LastGood = { texts: new Map(), source: undefined }
  const read = async () => readKeepingGood(options, await open(), state)
  let newest = read()
  return {
    reading: () => newest,
    refresh() {
      // One after the other: a reading that overtakes another would show what was.
      newest = newest.then(read, read)
      return newest
    },
  }
}

/** Renders one page of a site that could be read, with what is to be said about it. */
export async function renderPreviewPage(page: SitePage, source: SiteSource, reading: PreviewReading): Promise<PreviewPage> {
  const rendered = renderSitePage(page, source)
  const links = reading.targets ? checkPageLinks(page, rendered, source, reading.targets, reading.places).findings : []
  const file = page.path === undefined ? undefined : joinPath(source.root, page.path)
  const found = await reading.finish([...rendered.findings, ...links])
  const isToBeSeen = (one: Diagnostic) => one.severity === 'error' || (one.file === file && one.severity === 'warning')
  return {
    route: page.route,
    html: rendered.html,
    found,
    problems: [...reading.diagnostics.filter(isToBeSeen), ...found.filter(({ severity }) => severity !== 'info')],
    sourceOf: reading.sourceOf,
  }
}

interface LastGood {
  /** By the file that was good as a whole (`docs.json`, or the entry of a document): the bytes of all files it was made of. */
  readonly texts: Map<string, ReadonlyMap<string, Uint8Array>>
  source: SiteSource | undefined
}

async function readKeepingGood(
  options: ReadSiteOptions,
  environment: UpdateEnvironment,
  state: LastGood,
): Promise<PreviewReading> {
  const site = await readSite(options, environment)
  const broken = await sortGoodFromBroken(site, options.root, environment.files, state)
  let shown = site
  if (broken.length > 0) {
    const isBroken = (file: string, parts: ReadonlyMap<string, unknown>) => broken.some((one) => one === file || parts.has(one))
    const kept = new Map([...state.texts].flatMap(([file, parts]) => (isBroken(file, parts) ? [...parts] : [])))
    shown = await readSite(options, { ...environment, files: withTexts(environment.files, kept) })
  }
  await shown.loadCode()
  const source = shown.source ?? state.source
  state.source = source
  return toReading(site, shown, source, broken, environment.files)
}

async function toReading(
  { diagnostics, sourceOf }: ReadSite,
  { finish, places }: ReadSite,
  source: SiteSource | undefined,
  stale: readonly string[],
  files: Files,
): Promise<PreviewReading> {
  const targets = source && (await findLinkTargets(source, files))
  let made: ReadonlyMap<string, SiteFile['content']> | undefined
  let index: ReadonlyMap<string, SiteFile['content']> | undefined
  return {
    source,
    diagnostics,
    sourceOf,
    stale,
    targets,
    places,
    finish,
    otherFiles() {
      made ??= toFileMap(source ? listOtherFiles(source) : [])
      return made
    },
    searchFiles() {
      index ??= toFileMap(
        source ? renderSearchIndex(source.context.plan.pages.flatMap((page) => toSearchEntry(page, source))) : [],
      )
      return index
    },
    async readAsset(path) {
      const type = targets?.files.has(path) ? assetType(path) : undefined
      if (!source || type === undefined) return undefined
      const result = await files.read(joinPath(source.root, path))
      if (result.kind !== 'file' || (type === 'svg' && findSvgFault(result.bytes) !== undefined)) return undefined
      return result.bytes
    },
  }
}

function toFileMap(files: readonly SiteFile[]): Map<string, SiteFile['content']> {
  return new Map(files.map(({ path, content }) => [path, content]))
}

function toSearchEntry(page: SitePage, source: SiteSource): SearchEntry[] {
  const entry = page.externalUrl === undefined ? renderSitePage(page, source).search : undefined
  return entry ? [entry] : []
}

/** Keeps the texts of valid files, and lists those that were valid before and are not any more. */
async function sortGoodFromBroken(site: ReadSite, root: string, files: Files, { texts }: LastGood): Promise<string[]> {
  const broken: string[] = []
  const config = joinPath(root, docsConfigNames[0])
  if (site.source) texts.set(config, await readConfig(root, files))
  else broken.push(...[...(texts.get(config)?.keys() ?? [])].slice(0, 1))
  for (const { path, isValid, check } of site.documents) {
    if (isValid) texts.set(path, new Map([...check.sources].map(([file, { text }]) => [file, new TextEncoder().encode(text)])))
    else if (texts.has(path)) broken.push(path)
  }
  return broken
}

async function readConfig(root: string, files: Files): Promise<Map<string, Uint8Array>> {
  const kept = new Map<string, Uint8Array>()
  for (const name of docsConfigNames) {
    const result = await files.read(joinPath(root, name))
    if (result.kind === 'file') kept.set(joinPath(root, name), result.bytes)
  }
  return kept
}

/** Files with the content of some replaced. */
function withTexts(files: Files, texts: ReadonlyMap<string, Uint8Array>): Files {
  return {
    read: async (path) => {
      const bytes = texts.get(path)
      return bytes ? { kind: 'file', bytes } : await files.read(path)
    },
    list: (folder) => files.list(folder),
  }
}
