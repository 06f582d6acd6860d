import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { docsConfigNames } from '../../docs/config/config-files.ts'
import type { CheckTerms, DocsAccess, Reporting } from '../../docs/types.ts'
import { type Files, overlayFiles } from '../../files/files.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { checkPageLinks, findLinkTargets } from '../make/links/link-checks.ts'
import { loadCode } from '../make/load-code.ts'
import { listOtherFiles } from '../make/publish-files.ts'
import { type ReadSite, type ReadSiteOptions, readSite } from '../make/read-site.ts'
import { loadMessages } from '../messages/load-messages.ts'
import { renderSitePage } from '../page/output/render-site-page.tsx'
import type { SiteSource } from '../page/site-context.ts'
import type { LinkTargets } from '../plan/checks/check-links.ts'
import { assetType, findSvgRisk } from '../plan/file-types.ts'
import type { SiteFile, SitePage } from '../plan/types.ts'

/** The docs directory as last read by the preview. */
export interface PreviewReading extends Pick<ReadSite, 'diagnostics' | 'documents' | 'sourceOf' | 'places' | 'finish'> {
  /** Absent until the docs directory was read successfully. The diagnostics are current, regardless of what is shown. */
  readonly source: SiteSource | undefined
  /** Files with errors that are shown with their last valid content. Paths are relative to the boundary. */
  readonly stale: readonly string[]
  readonly targets: LinkTargets | undefined
  /** Generated files that belong to no single page, by path. Created on first use. */
  readonly otherFiles: () => ReadonlyMap<string, SiteFile['content']>
  /** Reads a file of the docs directory that a build could publish. */
  readonly readAsset: (path: string) => Promise<Uint8Array | undefined>
}

/** Opens the files of a docs directory again for each reading. */
export type OpenDocs = () => Promise<{ readonly access: DocsAccess; readonly terms?: CheckTerms }>

export interface PreviewPage {
  readonly route: string
  readonly html: string
  /** Problems found while rendering this page. */
  readonly found: readonly Diagnostic[]
  /** Problems to show on the page: all errors, and its own warnings. */
  readonly problems: readonly Diagnostic[]
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** A docs directory that is read again after each change. */
export interface PreviewSite {
  /** The newest reading. Waits for the first one. */
  reading(): Promise<PreviewReading>
  /** Reads everything again. If a file has become unusable, the site keeps its last valid content. */
  refresh(): Promise<PreviewReading>
}

/** Starts reading a docs directory. */
export function createPreviewSite(options: ReadSiteOptions, open: OpenDocs, reporting: Reporting = {}): PreviewSite {
  const state: LastValid = { texts: new Map(), source: undefined, conversions: [] }
  const read = async () => readWithLastValid(options, await open(), reporting, state)
  let newest = read()
  return {
    reading: () => newest,
    refresh() {
      // Sequential, so that an older reading cannot replace a newer one.
      newest = newest.then(read, read)
      return newest
    },
  }
}

/** Renders a page of a readable site with its problems. */
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

interface LastValid {
  /** The content of all files belonging to a valid root file (`docs.json`, or the entry of a document). */
  readonly texts: Map<string, ReadonlyMap<string, Uint8Array>>
  source: SiteSource | undefined
  conversions: ReadSite['conversions']
}

async function readWithLastValid(
  given: ReadSiteOptions,
  { access, terms }: Awaited<ReturnType<OpenDocs>>,
  reporting: Reporting,
  state: LastValid,
): Promise<PreviewReading> {
  const { files } = access
  const options = { ...given, loadTexts: loadMessages }
  const site = await readSite(options, access, terms, reporting)
  const broken = await trackValidFiles(site, options.root, files, state)
  let shown = site
  if (broken.length > 0) {
    const isBroken = (file: string, parts: ReadonlyMap<string, unknown>) => broken.some((one) => one === file || parts.has(one))
    const keptTexts = new Map([...state.texts].flatMap(([file, parts]) => (isBroken(file, parts) ? [...parts] : [])))
    shown = await readSite(options, { ...access, files: overlayFiles(files, keptTexts) }, terms, reporting)
  }
  await loadCode(shown.pageTexts)
  if (shown.source) {
    const fits = ({ isTooLarge }: ReadSite['conversions'][number]) => !isTooLarge()
    const conversions = shown.conversions.filter(fits)
    const otherFormats = new Map(conversions.map(({ entryPath, path }) => [entryPath, path]))
    state.source = { ...shown.source, otherFormats }
    state.conversions = [...conversions, ...(shown.standardDocument ? [shown.standardDocument].filter(fits) : [])]
  }
  return toReading(site, shown, state, broken, files)
}

async function toReading(
  { diagnostics, documents, sourceOf }: ReadSite,
  { finish, places }: ReadSite,
  { source, conversions }: LastValid,
  stale: readonly string[],
  files: Files,
): Promise<PreviewReading> {
  const targets = source && (await findLinkTargets(source, files))
  let made: ReadonlyMap<string, SiteFile['content']> | undefined
  return {
    source,
    diagnostics,
    documents,
    sourceOf,
    stale,
    targets,
    places,
    finish,
    otherFiles() {
      made ??= toFileMap(source ? [...listOtherFiles(source), ...conversions.map(({ convert }) => convert())] : [])
      return made
    },
    async readAsset(path) {
      const type = targets?.files.has(path) ? assetType(path) : undefined
      if (!source || type === undefined) return undefined
      const result = await files.read(joinPath(source.root, path))
      if (result.kind !== 'file' || (type === 'svg' && findSvgRisk(result.bytes) !== undefined)) return undefined
      return result.bytes
    },
  }
}

function toFileMap(files: readonly SiteFile[]): Map<string, SiteFile['content']> {
  return new Map(files.map(({ path, content }) => [path, content]))
}

/** Stores the content of valid files, and lists files that are no longer valid. */
async function trackValidFiles(site: ReadSite, root: string, files: Files, { texts }: LastValid): Promise<string[]> {
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
  const keptTexts = new Map<string, Uint8Array>()
  for (const name of docsConfigNames) {
    const result = await files.read(joinPath(root, name))
    if (result.kind === 'file') keptTexts.set(joinPath(root, name), result.bytes)
  }
  return keptTexts
}
