import { createHash } from 'node:crypto'
import type { Changelog } from '../../changes/compare/changelog.ts'
import type { Diagnostic, Finding } from '../../diagnostics/diagnostic.ts'
import { defaultDirectory } from '../../docs/config/config-files.ts'
import { type Config, type LookName, settingOf } from '../../docs/config/project-config.ts'
import { type AcceptedFile, listNamedPages, readDocsDirectory, readPages } from '../../docs/read/read-docs-directory.ts'
import type { CheckedDocument, CheckTerms, DocsAccess, Reporting } from '../../docs/types.ts'
import { hideRestricted } from '../../docs/update/public-files.ts'
import { planUpdate, toDiagnostics } from '../../docs/update/run-update.ts'
import { changedFiles, type Files } from '../../files/files.ts'
import type { DescriptionCheck } from '../../openapi/checks/check-description.ts'
import { isObject } from '../../text/json/json-values.ts'
import { lazy } from '../../text/plain/lazy.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { bytesOf, type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { createMdxReader } from '../content/mdx-reader.ts'
import { mayHaveFormula } from '../content/parse-markdown.ts'
import { findMessages, loadMessages } from '../messages/messages.ts'
import { loadLanguages } from '../page/code/highlight.ts'
import { componentNames } from '../page/components/components.tsx'
import { loadFormulaRenderer } from '../page/components/latex.tsx'
import { listMessageFiles } from '../page/shell/message-files.ts'
import { type AssetPaths, hashForName, type SiteSource } from '../page/site-context.ts'
import { drawFavicon } from '../page/theme/drawn-favicon.ts'
import { renderBrand } from '../page/theme/render-brand.ts'
import { checkSettings, checkSettingValues, type SettingLink } from '../plan/check-settings.ts'
import { checkExtensions } from '../plan/checks/check-extensions.ts'
import { checkPageIcons, checkSettingIcons, listSettingIconLinks } from '../plan/checks/check-icons.ts'
import { checkFrontmatterKeys, checkSettingKeys } from '../plan/checks/check-key-support.ts'
import { checkGroupBoosts, checkPages } from '../plan/checks/check-pages.ts'
import { checkRedirects } from '../plan/checks/check-redirects.ts'
import { reportOnce } from '../plan/checks/report-once.ts'
import { chooseFonts, chooseLook } from '../plan/looks.ts'
import { toLanguageTag } from '../plan/page-language.ts'
import { defaultBlockColor, planColors, readGround } from '../plan/plan-colors.ts'
import { planSite } from '../plan/plan-site.ts'
import { renderUnlistedPages } from '../plan/plan-unlisted-pages.ts'
import { readSettings } from '../plan/read-settings.ts'
import type { SiteFile, SitePlan } from '../plan/types.ts'
import { createReference, type Reference } from '../reference/create-reference.ts'
import { readCustomFiles } from './assets/read-custom-files.ts'
import { readFonts } from './assets/read-fonts.ts'
import { packageIcons } from './assets/read-icon-sets.ts'
import { readLook } from './assets/read-site-assets.ts'
import { type DocumentConversion, planConversions, planStandardDocument } from './documents/convert-document.ts'
import { planDocuments } from './documents/publish-documents.ts'
import { toPublishedFiles } from './documents/published-files.ts'
import { createDescriptionLocations, type DescriptionLocations } from './links/locate-in-descriptions.ts'
import { readScripts } from './read-scripts.ts'

export interface ReadSiteOptions {
  /** The docs directory, relative to the boundary. */
  readonly root: string
  /** URL path of the site. Starts and ends with `/`. */
  readonly base: string
  /** The absolute URL of the site, if known. */
  readonly url: string | undefined
  readonly assets: AssetPaths
  /** Reads the files that only a site with diagrams needs. */
  readonly readDiagrams?: () => readonly SiteFile[]
  readonly isPreview: boolean
  /** Whether the server of the site applies `_redirects`. Default: false. */
  readonly appliesRedirects?: boolean
  /** Whether the server of the site has an MCP server at `/mcp`. Default: false. */
  readonly hasMcp?: boolean
  /** Whether scripts of the repository never run, and pages send no feedback, whatever the configuration says. For commits from forks. */
  readonly refusesScripts?: boolean
  /** Generated files of `root`, relative to the boundary, such as the start page for a single document. */
  readonly madeFiles?: ReadonlySet<string>
  /** Reads the changelogs of documents, by source. By default, the site has none. */
  readonly readChangelogs?: (
    documents: readonly CheckedDocument[],
    settings: { readonly config: Pick<Config, 'changes' | 'limits' | 'site'>; readonly accepted: AcceptedFile },
  ) => Promise<ReadonlyMap<string, Changelog>>
}

/** A docs directory prepared for rendering its site. */
export interface ReadSite {
  /** Absent if there is no readable `docs.json`. */
  readonly source: SiteSource | undefined
  /** The files without what only some readers may see. */
  readonly files: Files
  /** Problems in documents, navigation and bindings. */
  readonly diagnostics: readonly Diagnostic[]
  /** Maps page content to locations in descriptions. */
  readonly places: DescriptionLocations
  /** Converts problems of pages to diagnostics with the settings of the docs directory. */
  readonly finish: (findings: readonly Finding[]) => Promise<Diagnostic[]>
  /** URLs in docs.json that affect the whole site. */
  readonly settingLinks: readonly SettingLink[]
  /** Problems of `redirects`. They are part of `diagnostics`, too. */
  readonly redirectFindings: readonly Finding[]
  /** Every document of the site. */
  readonly documents: readonly CheckedDocument[]
  /** Returns the content of a file in a diagnostic. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** Returns the hash of all files of a document. */
  readonly hashDocument: (source: string) => string
  /** Documents that are also published in the other format. */
  readonly conversions: readonly DocumentConversion[]
  /** The only document of the site at the path where tools look for it, unless it is there anyway. */
  readonly standardDocument: DocumentConversion | undefined
  /** Files that the stylesheet of the repository needs, relative to the docs directory. */
  readonly customAssets: readonly string[]
  /** Limits for files of the site. */
  readonly limits: Limits
  /** Loads syntax highlighting. Code is plain in pages rendered before this completes. */
  readonly loadCode: () => Promise<void>
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
  const { access, terms, report } = await hideRestricted(options.root, given, givenTerms, onProgress)
  const { root, base, url, assets, readDiagrams, isPreview, madeFiles, appliesRedirects = false } = options
  const pagesFor = madeFiles ? 'document' : 'site'
  const update = { root, documents: [], directory: defaultDirectory, materialize: true, pagesFor } as const
  const { survey, changes, found, divisions } = await planUpdate(update, access, terms, onProgress)
  const { documents } = survey
  const diagnostics = await toDiagnostics(found, survey)
  const files = changedFiles(access.files, changes)
  const docsRoot = await readDocsDirectory(root, { ...access, files })
  const { docsConfig } = docsRoot
  if (!docsConfig) {
    const { limits } = docsRoot.config
    return { ...withoutPages(root, limits), files: access.files, diagnostics, documents, sourceOf: survey.sourceOf }
  }
  onProgress?.('reading pages')
  const docsFiles = await readPages(root, { known: [], named: listNamedPages(docsConfig) }, files, docsRoot.config.limits)
  const unlisted = renderUnlistedPages({ docsConfig, divisions, documents, pages: docsFiles.pages })
  const pages = new Map([...docsFiles.pages, ...unlisted])
  const texts = new Map([...pages, ...(await readScripts(root, pages, files, docsRoot.config.limits))])
  const runsScripts = docsRoot.config.site.scripts && options.refusesScripts !== true
  const customOptions = { root, base, configPath: docsRoot.configPath, runsScripts, imported: new Set(texts.keys()) }
  const custom = await readCustomFiles(customOptions, files)
  const prefix = root === '' ? '' : `${root}/`
  const introduction = [...(madeFiles ?? [])].find((file) => file.endsWith('.mdx'))?.slice(prefix.length)
  const written = survey.docsConfig ?? docsConfig
  const changelogs = (await options.readChangelogs?.(documents, docsRoot)) ?? new Map<string, Changelog>()
  const references = createReferences(documents, readSettings(docsConfig.value).api.params.post)
  const directoryOf = ({ id }: { readonly id: string }, source: string) => {
    const sources = written.divisions.find((division) => division.id === id)?.sources
    return sources?.find((one) => one.source === source)?.directory ?? defaultDirectory
  }
  const languages = docsConfig.divisions.filter(({ kind }) => kind === 'language').map(({ label }) => toLanguageTag(label))
  await loadMessages([docsRoot.config.site.language, ...languages].filter((language) => language !== undefined))
  const plan = planSite({
    docsConfig,
    pages,
    documents,
    ignoredPages: new Set([...survey.notPages, ...[...pages.keys()].filter(isRootSkill)]),
    unlistedPages: new Set(unlisted.keys()),
    writtenDivisions: new Set(written.divisions.map(({ id }) => id)),
    introduction,
    overviews: {
      isWanted: (division) => settingOf(docsRoot.config.overviews, division) !== false,
      directoryOf,
      infoOf: (source) => readInfo(documents.find((document) => document.source === source && document.index)?.check),
    },
    schemaPages: {
      schemas: new Map([...references].map(([source, { usedSchemas }]) => [source, usedSchemas])),
      isListed: docsRoot.config.site.schemas,
      directoryOf: (source) => {
        const division = written.divisions.find(({ sources }) => sources.some((one) => one.source === source))
        return division ? directoryOf(division, source) : defaultDirectory
      },
    },
    changelogs: toTitles(changelogs, documents),
    configured: {
      editUrl: docsRoot.config.site.editUrl,
      ...(docsRoot.config.site.language !== undefined && { language: docsRoot.config.site.language }),
      allowedOrigins: options.refusesScripts === true ? [] : docsRoot.config.site.allowedOrigins,
      feedback: toFeedbackUrl(docsRoot.config.site.feedback, options),
    },
  })
  const reader = createMdxReader({
    root,
    readFile: (path) => (path.startsWith(prefix) ? texts.get(path.slice(prefix.length)) : undefined),
    components: componentNames,
    variables: new Map(Object.entries(plan.settings.variables)),
    markdownPages: madeFiles ?? new Set(),
  })
  const listed = await access.files.list(root)
  const published = planDocuments(documents, { prefix, listed, plan })
  const homes = new Set(plan.pages.flatMap(({ subject }) => (subject.kind === 'description' ? [subject.source] : [])))
  const conversions = planConversions(documents, homes, published)
  const pageByRoute = new Map(plan.pages.map((page) => [page.route, page]))
  const look = chooseLook(docsRoot.config.site.theme, docsConfig.value['theme'])
  const { colors, fonts, brand, blockColor } = await readBrand(plan, look, { root, base }, files)
  const favicon = madeFiles && !plan.settings.favicon ? drawFavicon(plan.settings.name, blockColor) : undefined
  const sourceOf = (file: string) => {
    const name = file.slice(prefix.length)
    const text = file.startsWith(prefix) ? (texts.get(name) ?? custom.texts.get(name)) : undefined
    if (text !== undefined) return toSourceFile(file, new TextEncoder().encode(text))
    return survey.sourceOf(file)
  }
  const changed = new Set([
    ...changes.flatMap((change) => (change.kind === 'delete' ? [] : [change.path])),
    ...[...unlisted.keys()].map((path) => prefix + path),
  ])
  const places = createDescriptionLocations(plan.pages, references, {
    root,
    textOf: (file) => (changed.has(file) || madeFiles?.has(file) ? pages.get(file.slice(prefix.length)) : undefined),
  })
  const toPlace = (finding: Finding) => places.ofFinding(finding)
  const finish = (findings: readonly Finding[]) => toDiagnostics(findings.map(toPlace), { ...survey, sourceOf })
  const values = checkSettingValues(written.value, written.source.path)
  const redirectFindings = checkRedirects(written, (route) => pageByRoute.has(route))
  const textOf = (path: string) => pages.get(path)
  const iconContext = { icons: packageIcons, plan }
  const iconFindings = [
    ...checkSettingIcons(written.value, written.source.path, iconContext),
    ...checkPageIcons(plan.pages, textOf, prefix, iconContext),
  ]
  const server = { hasMcp: options.hasMcp === true }
  const reported = new Set(diagnostics.filter(({ code }) => code === 'page-frontmatter').map(({ file }) => file))
  const siteFindings = [
    ...values.findings,
    ...checkSettings(written.value, plan.settings, colors, written.source.path),
    ...redirectFindings,
    ...report(documents),
    ...checkSettingKeys(written, server),
    ...checkExtensions(new Map(documents.flatMap(({ check }) => [...check.documents]))),
    ...checkFrontmatterKeys(plan.pages, { textOf, prefix, ...server }),
    ...checkGroupBoosts(written),
    ...checkPages(plan.pages, { textOf, prefix }).filter(({ code, file }) => code !== 'page-frontmatter' || !reported.has(file)),
    ...reportOnce(iconFindings, []),
    ...custom.findings,
    ...fonts.findings,
  ]
  // An earlier error can be the reason for missing pages.
  if (plan.pages.length === 0 && !diagnostics.some(({ severity }) => severity === 'error')) {
    siteFindings.push({
      code: 'navigation-empty',
      message: 'Cannot find a page for the site: the navigation lists no existing pages',
      file: docsConfig.source.path,
      pointer: '/navigation',
      on: 'key',
      hint: 'List a page in `pages`, or set `openapi` on a tab or group',
    })
  }
  return {
    source: {
      context: {
        plan,
        pageByRoute,
        base,
        url,
        assets: {
          ...assets,
          ...(brand && { brand: brand.path }),
          fonts: fonts.fonts,
          ...(favicon && { favicon: favicon.path }),
          ...(custom.stylesheet && { custom: custom.stylesheet.path }),
          ...(custom.scripts.length > 0 && { scripts: custom.scripts.map(({ path }) => path) }),
        },
        messages: findMessages(plan.settings.language),
        icons: packageIcons,
        customClasses: custom.classes,
        isPreview,
        appliesRedirects,
        detectsLanguage: docsRoot.config.site.detectLanguage,
        ...(options.hasMcp === true && url !== undefined && { mcpUrl: new URL('mcp', url).href }),
      },
      reader,
      references,
      changelogs,
      textOf: (path) => texts.get(path),
      root,
      downloads: published.entries,
      documentFiles: published.files,
      skills: await readSkills(listed, prefix, plan, access.files),
      bindingErrors: new Map(
        diagnostics.filter(({ code }) => code.startsWith('binding-')).map((fault) => [fault.file.slice(prefix.length), fault]),
      ),
      documentErrors: toDocumentFaults(documents, diagnostics),
      files: [
        ...(brand ? [brand] : []),
        ...fonts.files,
        ...listMessageFiles(plan),
        ...(favicon ? [favicon] : []),
        ...(custom.stylesheet ? [custom.stylesheet] : []),
        ...custom.scripts,
        ...(readDiagrams && hasDiagram([...pages.values()], documents) ? readDiagrams() : []),
      ],
    },
    files: toPublishedFiles(access.files, documents, terms.publicOnly?.withRestricted === true),
    diagnostics: [...diagnostics, ...(await finish(siteFindings))],
    places,
    finish,
    redirectFindings,
    settingLinks: [...values.links, ...listSettingIconLinks(written.value, written.source.path)],
    documents,
    sourceOf,
    conversions,
    standardDocument: planStandardDocument(documents, published),
    customAssets: custom.assets,
    hashDocument: (source) => hashSources(documents.find((document) => document.source === source)?.check),
    limits: docsRoot.config.limits,
    loadCode: lazy(async () => {
      const texts = [...pages.values()]
      await loadLanguages([...sampleLanguages, ...texts.flatMap(listCodeLanguages)])
      if (texts.some(mayHaveFormula)) await loadFormulaRenderer()
    }),
  }
}

/** Where pages send feedback. Authors of forks must not receive it, and readers of the local preview are its authors. */
function toFeedbackUrl(
  setting: Config['site']['feedback'],
  { isPreview, refusesScripts }: Pick<ReadSiteOptions, 'isPreview' | 'refusesScripts'>,
): string | undefined {
  return setting === false || isPreview || refusesScripts === true ? undefined : setting
}

/** What `readSite` returns without a readable `docs.json`. */
function withoutPages(root: string, limits: Limits): Omit<ReadSite, 'files' | 'diagnostics' | 'documents' | 'sourceOf'> {
  return {
    source: undefined,
    places: createDescriptionLocations([], new Map(), { root, textOf: () => undefined }),
    finish: async () => [],
    settingLinks: [],
    redirectFindings: [],
    hashDocument: () => '',
    conversions: [],
    standardDocument: undefined,
    customAssets: [],
    limits,
    loadCode: async () => {},
  }
}

function createReferences(documents: readonly CheckedDocument[], labelFields: readonly string[]): ReadonlyMap<string, Reference> {
  return new Map(
    documents.flatMap(({ source, check }) => {
      const reference = createReference(check, labelFields)
      return reference ? [[source, reference] as const] : []
    }),
  )
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
  const info = isObject(root) ? root['info'] : undefined
  const summary = isObject(info) ? info['summary'] : undefined
  return { title: description.title, summary: typeof summary === 'string' ? summary : undefined }
}

function hashSources(check: DescriptionCheck | undefined): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(check?.restricted ?? []))
  for (const [path, source] of check?.sources ?? []) hash.update(`${path}\n`).update(bytesOf(source)).update('\n')
  return hash.digest('hex')
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

/** The colors and fonts of a site, and the stylesheet with them. */
async function readBrand(plan: SitePlan, look: LookName, { root, base }: Pick<ReadSiteOptions, 'root' | 'base'>, files: Files) {
  const colors = planColors(plan.settings.colors, readGround(plan.settings.background.color))
  const fonts = await readFonts(root, chooseFonts(plan.settings, look), files)
  const content = renderBrand({ plan, base }, { colors, fonts: fonts.fonts, look: readLook(look) })
  const brand = content === '' ? undefined : { path: `_assets/brand-${hashForName(content)}.css`, content }
  return { colors, fonts, brand, blockColor: colors?.block ?? defaultBlockColor }
}

/** Languages of samples and examples, which every reference page has. */
const sampleLanguages = ['bash', 'javascript', 'python', 'go', 'json', 'xml', 'html']

/** Lists the languages of code blocks in a text. */
function listCodeLanguages(text: string): string[] {
  return Array.from(text.matchAll(/^[ \t]*(?:```|~~~)([\w#+-]+)/gm), ([, name = '']) => name)
}
