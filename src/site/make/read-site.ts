import type { Changelog } from '../../changes/compare/changelog.ts'
import type { DescriptionCheck } from '../../checks/check-description.ts'
import type { Diagnostic, Finding } from '../../diagnostics/diagnostic.ts'
import type { Survey } from '../../docs/check/survey-docs-directory.ts'
import { toPageSource } from '../../docs/check/survey-docs-directory.ts'
import { defaultDirectory } from '../../docs/config/config-files.ts'
import { type Config, type SiteSetting, settingOf } from '../../docs/config/project-config.ts'
import type { DocsConfig } from '../../docs/navigation/docs-config.ts'
import { createTrafficTest, listNamedPages, readDocsDirectory, readPages } from '../../docs/read/read-docs-directory.ts'
import type { CheckedDocument, CheckTerms, DocsAccess, Reporting } from '../../docs/types.ts'
import { hideRestricted } from '../../docs/update/public-files.ts'
import { planUpdate, toDiagnostics } from '../../docs/update/run-update.ts'
import type { createReadChangelogs } from '../../docs/versions/changelogs.ts'
import { changedFiles, type Files } from '../../files/files.ts'
import type { Readers } from '../../openapi/public/restriction-marks.ts'
import { readOwn, readText } from '../../text/json/json-values.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { bytesOf, type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { createMdxReader, type MdxReader } from '../content/mdx-reader.ts'
import type { loadMessages } from '../messages/load-messages.ts'
import { findMessages } from '../messages/messages.ts'
import { componentNames } from '../page/components/components.tsx'
import { listMessageFiles } from '../page/shell/message-files.ts'
import type { AssetPaths, SiteContext, SiteHosting, SiteSource } from '../page/site-context.ts'
import type { SettingLink } from '../plan/check-settings.ts'
import { checkHasPages, checkSitePages, checkSiteSettings } from '../plan/checks/check-plan.ts'
import { checkShownParts } from '../plan/checks/check-shown-parts.ts'
import { reportOnce } from '../plan/checks/report-once.ts'
import { anyIcon } from '../plan/icon-sets.ts'
import { chooseLook } from '../plan/looks.ts'
import { toLanguageTag } from '../plan/page-language.ts'
import { planSite, type SiteInput } from '../plan/plan-site.ts'
import { readSettings } from '../plan/read-settings.ts'
import type { SiteFile, SitePlan } from '../plan/types.ts'
import { createReference, type Reference } from '../reference/create-reference.ts'
import { readBrand } from './assets/read-brand.ts'
import { readCustomFiles } from './assets/read-custom-files.ts'
import { packageIcons } from './assets/read-site-assets.ts'
import { type DocumentConversion, planConversions, planStandardDocument } from './documents/convert-document.ts'
import { planDocuments, toPublishedFiles } from './documents/publish-documents.ts'
import { createDescriptionLocations, type DescriptionLocations } from './links/locate-in-descriptions.ts'
import { readScripts } from './read-scripts.ts'

export interface ReadSiteOptions extends Omit<SiteHosting, 'mcpUrl'> {
  /** The docs directory, relative to the boundary. */
  readonly root: string
  readonly assets: AssetPaths
  /** Reads the files that only a site with diagrams needs. */
  readonly readDiagrams?: () => readonly SiteFile[]
  /** Whether the server of the site has an MCP server at `/mcp`. Default: false. */
  readonly hasMcp?: boolean
  /** Whether scripts of the repository never run, and pages send no feedback, whatever the configuration says. For commits from forks. */
  readonly refusesScripts?: boolean
  /** Generated files of `root`, relative to the boundary, such as the start page for a single document. */
  readonly madeFiles?: ReadonlySet<string>
  /** Whether the icon sets are installed. Otherwise, any name can be an icon. Default: true. */
  readonly knowsIcons?: boolean
  /** Loads the texts of the interface in these languages. By default, all texts are English: checks need no others. */
  readonly loadTexts?: typeof loadMessages
  /** Reads the changelogs of documents, by source. By default, the site has none. */
  readonly readChangelogs?: ReturnType<typeof createReadChangelogs>
}

/** A docs directory prepared for rendering its site. */
export interface ReadSite {
  /** Absent if there is no readable `docs.json`. */
  readonly source: SiteSource | undefined
  /** The files without what only some readers may see. */
  readonly files: Files
  /** Problems in documents, navigation and bindings. */
  readonly diagnostics: readonly Diagnostic[]
  /** The same, before the settings of the docs directory apply. */
  readonly findings: readonly Finding[]
  /** Maps page content to locations in descriptions. */
  readonly places: DescriptionLocations
  /** Converts problems of pages to diagnostics with the settings of the docs directory. */
  readonly finish: (findings: readonly Finding[]) => Promise<Diagnostic[]>
  /** URLs in docs.json that affect the whole site. */
  readonly settingLinks: readonly SettingLink[]
  /** Every document of the site. */
  readonly documents: readonly CheckedDocument[]
  /** Returns the content of a file in a diagnostic. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** Documents that are also published in the other format. */
  readonly conversions: readonly DocumentConversion[]
  /** The only document of the site at the path where tools look for it, unless it is there anyway. */
  readonly standardDocument: DocumentConversion | undefined
  /** Files that the stylesheet of the repository needs, relative to the docs directory. */
  readonly customAssets: readonly string[]
  /** Limits for files of the site. */
  readonly limits: Limits
  /** Whether a file is recorded traffic, which is never published. Relative to the boundary. */
  readonly isTraffic: (path: string) => boolean
  /** The texts of all pages. */
  readonly pageTexts: readonly string[]
}

/**
 * Reads a docs directory and plans all pages, including those of virtual divisions, as if an update had written them. Writes
 * nothing.
 */
export async function readSite(
  options: ReadSiteOptions,
  given: DocsAccess,
  givenTerms: CheckTerms = {},
  { onProgress }: Reporting = {},
): Promise<ReadSite> {
  const { access, terms, report, restrictedIn, readers } = await hideRestricted(options.root, given, givenTerms)
  const { root, base, readDiagrams, madeFiles = new Set<string>() } = options
  const prefix = root === '' ? '' : `${root}/`
  const updated = await readUpdatedDocs(options, access, terms, onProgress)
  const { survey, found, diagnostics, unlisted, changed, files, docsRoot } = updated
  const { documents } = survey
  const { config, configPath } = docsRoot
  const linkBase = survey.docsConfig?.base ?? (base === '/' ? undefined : base)
  const docsConfig = docsRoot.docsConfig && { ...docsRoot.docsConfig, base: linkBase }
  if (!docsConfig) return { ...withoutPages(root, config.limits, updated), files: access.files }
  onProgress?.('reading pages')
  const { pages, texts } = await readTexts(root, docsConfig, files, config.limits)
  const site = { ...adaptToReaders(config.site, options, readers), base: linkBase }
  const custom = await readCustomFiles(
    { root, base, configPath, runsScripts: site.scripts, imported: new Set(texts.keys()) },
    files,
  )
  const written = { ...(survey.docsConfig ?? docsConfig), base: linkBase }
  const changelogs =
    (await options.readChangelogs?.(documents, { ...docsRoot, restrictedIn, readers })) ?? new Map<string, Changelog>()
  const references = await createReferences(documents, readSettings(docsConfig.value).api.params.post)
  await options.loadTexts?.(listLanguages(docsConfig, site))
  const plan = planSite({
    docsConfig,
    pages,
    documents,
    resolve: survey.resolve,
    ignoredPages: new Set([...survey.notPages, ...[...pages.keys()].filter(isRootSkill)]),
    unlistedPages: unlisted,
    writtenDivisions: new Set(written.divisions.map(({ id }) => id)),
    introduction: [...madeFiles].find((file) => file.endsWith('.mdx'))?.slice(prefix.length),
    ...planOwnPages(survey, references, site, config.overviews),
    changelogs: toTitles(changelogs, documents),
    site,
  })
  const listed = await access.files.list(root)
  const isTraffic = createTrafficTest(config.traffic, root)
  const published = planDocuments(documents, { prefix, listed, plan })
  const drawn = { root, base, drawsFavicon: options.madeFiles !== undefined }
  const brand = await readBrand(plan, chooseLook(site.theme, docsConfig.value['theme']), drawn, files)
  const textOf = (file: string) => toPageSource(root, file, (path) => texts.get(path))?.text
  const made = new Set([...changed, ...madeFiles])
  const textOfMade = (file: string) => (made.has(file) ? textOf(file) : undefined)
  const places = createDescriptionLocations(plan.pages, references, { root, textOf: textOfMade })
  const sourceOf = (file: string) =>
    toPageSource(root, file, (path) => texts.get(path) ?? custom.texts.get(path)) ?? survey.sourceOf(file)
  const place = (findings: readonly Finding[]) => findings.map((finding) => places.ofFinding(finding))
  const finish = (findings: readonly Finding[]) => toDiagnostics(place(findings), { ...survey, sourceOf })
  const { integrations } = readSettings(docsConfig.value, adaptToReaders(config.site, { ...options, isPreview: false }, readers))
  const context = createContext(plan, options, brand, custom)
  const checked = { plan, icons: context.media.icons, hasMcp: options.hasMcp === true, integrations: integrations?.names }
  const { settingLinks, findings } = checkSiteSettings(written, brand.colors, checked)
  const ofSite = [
    ...findings,
    ...report(documents),
    ...checkShownParts(new Map(documents.flatMap(({ check }) => [...check.documents]))),
    ...checkSitePages(checked, (path) => pages.get(path), prefix),
    ...custom.findings,
    ...brand.findings,
    ...checkHasPages(plan, docsConfig),
  ]
  const diagrams = readDiagrams && hasDiagram([...pages.values()], documents) ? readDiagrams() : []
  const siteFindings = withoutKnown(reportOnce(ofSite, []), diagnostics)
  return {
    source: {
      context,
      reader: createPageReader(plan, options, textOf),
      references,
      changelogs,
      textOf,
      root,
      downloads: published.entries,
      documentFiles: published.files,
      skills: await readSkills(listed, prefix, plan, access.files),
      bindingErrors: toBindingFaults(diagnostics, prefix),
      documentErrors: toDocumentFaults(documents, diagnostics),
      files: [...brand.files, ...listMessageFiles(plan), ...custom.files, ...listIntegrationFiles(plan), ...diagrams],
    },
    files: toPublishedFiles(access.files, documents, terms.publicOnly?.withRestricted ? undefined : readers),
    diagnostics: [...diagnostics, ...(await finish(siteFindings))],
    findings: [...found, ...place(siteFindings)],
    places,
    finish,
    settingLinks,
    documents,
    sourceOf,
    conversions: planConversions(documents, plan, published),
    standardDocument: planStandardDocument(documents, published),
    customAssets: custom.assets,
    limits: config.limits,
    isTraffic: (path) => isTraffic(path) && !documents.some((document) => document.path === path),
    pageTexts: [...pages.values()],
  }
}

/** Reads a docs directory as an update would leave it. `changed`: the files that the update would write. */
async function readUpdatedDocs(
  { root, madeFiles }: ReadSiteOptions,
  access: DocsAccess,
  terms: CheckTerms,
  onProgress: Reporting['onProgress'],
) {
  const pagesFor = madeFiles ? 'document' : 'site'
  const update = { root, documents: [], directory: defaultDirectory, materialize: true, pagesFor } as const
  const { survey, changes, found, plan } = await planUpdate(update, access, terms, onProgress)
  const files = changedFiles(access.files, changes)
  return {
    survey,
    found,
    diagnostics: await toDiagnostics(found, survey),
    unlisted: new Set(
      plan.divisions.flatMap(({ groups }) =>
        groups.flatMap(({ pages }) => pages.filter(({ entries }) => entries?.length === 0)).map(({ path }) => path),
      ),
    ),
    changed: changes.flatMap((change) => (change.kind === 'delete' ? [] : [change.path])),
    files,
    docsRoot: await readDocsDirectory(root, { ...access, files }),
  }
}

/**
 * `site` of the configuration file for this build: scripts of forks never run, and neither their authors nor readers of a preview send or receive feedback.
 * Nobody else learns who reads a preview, or what only some readers may see.
 */
function adaptToReaders(site: SiteSetting, { isPreview, refusesScripts }: ReadSiteOptions, readers: Readers): SiteSetting {
  if (refusesScripts) return { ...site, scripts: false, allowedOrigins: [], feedback: false, integrations: false }
  if (isPreview) return { ...site, feedback: false, integrations: false }
  return site.restricted === 'publish' || readers.groups.length > 0 ? { ...site, integrations: false } : site
}

function listIntegrationFiles({ settings: { integrations } }: SitePlan): readonly SiteFile[] {
  return integrations ? [integrations.file] : []
}

/** Reads the pages of a docs directory, and the scripts that they import. */
async function readTexts(root: string, docsConfig: DocsConfig, files: Files, limits: Limits) {
  const { pages } = await readPages(root, { known: [], named: listNamedPages(docsConfig) }, files, limits)
  return { pages, texts: new Map([...pages, ...(await readScripts(root, pages, files, limits))]) }
}

/** Lists all languages of a site. */
function listLanguages({ divisions }: DocsConfig, { language }: SiteSetting): string[] {
  const languages = divisions.filter(({ kind }) => kind === 'language').map(({ label }) => toLanguageTag(label))
  return [language, ...languages].filter((tag) => tag !== undefined)
}

/** The pages that only a site has: overviews and schemas. They are in the directory of their document, in one division or in the first with it. */
function planOwnPages(
  { divisions, documents }: Survey,
  references: ReadonlyMap<string, Reference>,
  site: SiteSetting,
  setting: Config['overviews'],
): Pick<SiteInput, 'overviews' | 'schemaPages'> {
  const directoryOf = (source: string, id?: string) => {
    const sources = divisions.flatMap((division) => (id === undefined || division.id === id ? division.sources : []))
    return sources.find((one) => one.source === source)?.directory ?? defaultDirectory
  }
  return {
    overviews: {
      isWanted: (division) => settingOf(setting, division) !== false,
      directoryOf: ({ id }, source) => directoryOf(source, id),
      infoOf: (source) => readInfo(documents.find((document) => document.source === source && document.index)?.check),
    },
    schemaPages: {
      schemas: new Map([...references].map(([source, { usedSchemas }]) => [source, usedSchemas])),
      isListed: site.schemas,
      directoryOf,
    },
  }
}

/** Leaves out faults of frontmatter that are reported, and the absence of pages if an earlier error can be its reason. */
function withoutKnown(findings: readonly Finding[], earlier: readonly Diagnostic[]): readonly Finding[] {
  const reported = new Set(earlier.filter(({ code }) => code === 'page-frontmatter').map(({ file }) => file))
  const hasError = earlier.some(({ severity }) => severity === 'error')
  const isKnown = ({ code, file }: Finding) =>
    (code === 'page-frontmatter' && reported.has(file)) || (code === 'navigation-empty' && hasError)
  return findings.filter((finding) => !isKnown(finding))
}

function createContext(
  plan: SitePlan,
  { base, url, assets, isPreview, appliesRedirects = false, hasMcp, knowsIcons = true }: ReadSiteOptions,
  brand: Awaited<ReturnType<typeof readBrand>>,
  custom: Awaited<ReturnType<typeof readCustomFiles>>,
): SiteContext {
  const scripts = [...custom.scripts, ...listIntegrationFiles(plan)]
  return {
    plan,
    hosting: {
      base,
      url,
      isPreview,
      appliesRedirects,
      ...(hasMcp === true && url !== undefined && { mcpUrl: new URL('mcp', url).href }),
    },
    assets: {
      ...assets,
      ...brand.assets,
      ...(custom.stylesheet && { custom: custom.stylesheet.path }),
      ...(scripts.length > 0 && { scripts: scripts.map(({ path }) => path) }),
    },
    messages: findMessages(plan.settings.language),
    media: { icons: knowsIcons ? packageIcons : anyIcon, customClasses: custom.classes },
  }
}

function createPageReader(
  { settings }: SitePlan,
  { root, madeFiles = new Set() }: Pick<ReadSiteOptions, 'root' | 'madeFiles'>,
  readFile: (path: string) => string | undefined,
): MdxReader {
  return createMdxReader({
    root,
    readFile,
    components: componentNames,
    variables: new Map(Object.entries(settings.variables)),
    markdownPages: madeFiles,
  })
}

/** What `readSite` returns without a readable `docs.json`. */
function withoutPages(
  root: string,
  limits: Limits,
  { survey, found, diagnostics }: Awaited<ReturnType<typeof readUpdatedDocs>>,
): Omit<ReadSite, 'files'> {
  return {
    source: undefined,
    findings: found,
    diagnostics,
    documents: survey.documents,
    sourceOf: survey.sourceOf,
    places: createDescriptionLocations([], new Map(), { root, textOf: () => undefined }),
    finish: async () => [],
    settingLinks: [],
    conversions: [],
    standardDocument: undefined,
    customAssets: [],
    limits,
    isTraffic: () => true,
    pageTexts: [],
  }
}

async function createReferences(
  documents: readonly CheckedDocument[],
  labelFields: readonly string[],
): Promise<ReadonlyMap<string, Reference>> {
  const references = new Map<string, Reference>()
  for (const { source, check } of documents) {
    const reference = await createReference(check, labelFields)
    if (reference) references.set(source, reference)
  }
  return references
}

/** The skill of a docs directory, which is not a page unless the navigation lists it. */
function isRootSkill(path: string): boolean {
  return /^skill\.md$/i.test(path)
}

/** The most skills of a repository, and the size of one. */
const maxSkills = 100
const maxSkillBytes = 1_000_000

/** Reads `skill.md` and `.mintlify/skills/…/SKILL.md`. */
async function readSkills(listed: readonly string[], prefix: string, { pages }: SitePlan, files: Files): Promise<string[]> {
  const inside = listed.map((path) => path.slice(prefix.length))
  const isPage = (path: string) => pages.some((page) => page.path === path)
  const root = inside.filter((path) => isRootSkill(path) && !isPage(path))
  const named = inside.filter((path) => /^\.mintlify\/skills\/[^/]+\/skill\.md$/i.test(path)).sort()
  const texts: string[] = []
  for (const path of [...root, ...named].slice(0, maxSkills)) {
    const result = await files.read(prefix + path, maxSkillBytes)
    if (result.kind === 'file') texts.push(toSourceFile(path, result.bytes).text)
  }
  return texts
}

/** The titles of the APIs with a changelog, by source. */
function toTitles(changelogs: ReadonlyMap<string, Changelog>, documents: readonly CheckedDocument[]): Map<string, string> {
  return new Map(
    [...changelogs.keys()].map((source) => [
      source,
      documents.find((one) => one.source === source)?.description?.title ?? source,
    ]),
  )
}

/** Whether a page, a snippet or a description may have a Mermaid diagram. */
function hasDiagram(texts: readonly string[], documents: readonly CheckedDocument[]): boolean {
  if (texts.some((text) => /(?:`{3}|~{3})[ \t]*mermaid|<Mermaid\b/i.test(text))) return true
  // The word alone is not enough: GitHub's API has an emoji of this name. Some programs escape the fence in JSON.
  const fenced = /(?:[`~]{3}|\\u0060|\\u007e)[ \t]*mermaid/i
  return documents
    .flatMap(({ check }) => [...check.sources.values()].map(bytesOf))
    .some((bytes) => bytes.includes('mermaid') && fenced.test(bytes.toString('latin1')))
}

/** Reads what the title of an API's start page shows. */
function readInfo(check: DescriptionCheck | undefined): { title: string; summary: string | undefined } | undefined {
  const { description } = check ?? {}
  if (!check || !description) return undefined
  const root = check.documents.get(description.entryPath)?.parsed.value
  return { title: description.title, summary: readText(readOwn(root, 'info'), 'summary') }
}

/** The errors in the bindings of pages, by page path. */
function toBindingFaults(diagnostics: readonly Diagnostic[], prefix: string): Map<string, Diagnostic> {
  const faults = diagnostics.filter(({ code }) => code.startsWith('binding-'))
  return new Map(faults.map((fault) => [fault.file.slice(prefix.length), fault]))
}

/** The error of each unusable document, at its location in the document or in `docs.json`. */
function toDocumentFaults(documents: readonly CheckedDocument[], diagnostics: readonly Diagnostic[]): Map<string, Diagnostic> {
  const unreadable = documents.filter(({ description }) => !description)
  return new Map(
    unreadable.flatMap(({ source, path, findings, check }) => {
      const fault = diagnostics.find(
        ({ severity, file, message }) => severity === 'error' && (file === path || message === findings[0]?.message),
      )
      // The message can quote a restricted part.
      const message = 'The document has restricted parts, and errors'
      const shown = fault && check.restricted === 'unknown' ? { ...fault, message } : fault
      return shown ? [[source, shown] as const] : []
    }),
  )
}
