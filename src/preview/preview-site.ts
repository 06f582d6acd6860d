import { type ReadSite, type ReadSiteOptions, readSite } from '../builder/read-site.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { docsConfigNames } from '../docs/docs-config-names.ts'
import type { Files } from '../files/files.ts'
import { renderSitePage, type SiteSource } from '../site/render-site-page.tsx'
import type { SitePage } from '../site/types.ts'
import { joinPath } from '../text/relative-path.ts'
import { type SourceFile, toSourceFile } from '../text/source-file.ts'
import type { UpdateEnvironment } from '../update/types.ts'

/** A docs root as the preview last read it. */
export interface PreviewReading {
  /** Absent until the docs root could be read once. */
  readonly source: SiteSource | undefined
  /** What is wrong now, whatever is shown. */
  readonly diagnostics: readonly Diagnostic[]
  /** The files that diagnostics stand in. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** What is shown is older than what is there: its successor cannot be read. Paths relative to the boundary. */
  readonly stale: readonly string[]
}

export interface PreviewPage {
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
export function createPreviewSite(options: ReadSiteOptions, environment: UpdateEnvironment): PreviewSite {
  const state: LastGood = { texts: new Map(), source: undefined }
  const read = () => readKeepingGood(options, environment, state)
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
  const file = page.path === undefined ? undefined : joinPath(source.root, page.path)
  const textOf = (path: string) => toPageSource(source, path)
  const found = await finishDiagnostics(rendered.findings, textOf)
  const isToBeSeen = (one: Diagnostic) => one.severity === 'error' || (one.file === file && one.severity === 'warning')
  return {
    html: rendered.html,
    found,
    problems: [...reading.diagnostics.filter(isToBeSeen), ...found],
    sourceOf: (path) => reading.sourceOf(path) ?? textOf(path),
  }
}

/** The text of a page's file as it is shown. */
function toPageSource({ root, textOf }: SiteSource, file: string): SourceFile | undefined {
  const prefix = root === '' ? '' : `${root}/`
  const text = file.startsWith(prefix) ? textOf(file.slice(prefix.length)) : undefined
  return text === undefined ? undefined : toSourceFile(file, new TextEncoder().encode(text))
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
  let { source } = site
  if (broken.length > 0) {
    const isBroken = (file: string, parts: ReadonlyMap<string, unknown>) => broken.some((one) => one === file || parts.has(one))
    const kept = new Map([...state.texts].flatMap(([file, parts]) => (isBroken(file, parts) ? [...parts] : [])))
    const files = withTexts(environment.files, kept)
    source = (await readSite(options, { ...environment, files })).source ?? state.source
  }
  state.source = source ?? state.source
  return { source: state.source, diagnostics: site.diagnostics, sourceOf: site.sourceOf, stale: broken }
}

/** Keeps the texts of what is good, and tells which of what was good before is not any more. */
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

/** Files with the content of some given, whatever stands there. */
function withTexts(files: Files, texts: ReadonlyMap<string, Uint8Array>): Files {
  return {
    read: async (path) => {
      const bytes = texts.get(path)
      return bytes ? { kind: 'file', bytes } : await files.read(path)
    },
    list: (folder) => files.list(folder),
  }
}
