import { join, resolve } from 'node:path'
import { checkEntryDocument, listNamedDocuments } from '../../docs/check/run-check.ts'
import { docsConfigNames, isDocsConfigPath } from '../../docs/config/config-files.ts'
import { type Config, toReaders } from '../../docs/config/project-config.ts'
import { findDocsConfigAbove, findNearName } from '../../docs/read/find-docs.ts'
import { readDocsDirectory } from '../../docs/read/read-docs-directory.ts'
import type { CheckTerms, DocsAccess } from '../../docs/types.ts'
import { hideRestricted } from '../../docs/update/public-files.ts'
import { isFolder, statPath } from '../../files/boundary.ts'
import { overlayFiles } from '../../files/files.ts'
import type { FilterRules } from '../../openapi/public/restriction-marks.ts'
import type { ReadSiteOptions } from '../../site/make/read-site.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import { isUrl, parentPath } from '../../text/plain/paths.ts'
import { didYouMean } from '../../text/plain/suggest.ts'
import type { CliContext } from '../base/cli-context.ts'
import { formatError } from '../base/command-errors.ts'
import { quoteForShell } from '../base/command-line.ts'
import { type CommonOptions, rejectOverlays } from '../base/command-options.ts'
import { createProgress } from '../print/terminal.ts'
import { type DocumentOptions, filterDocument, readFilter } from './filter-document.ts'
import { createSingleDocumentDocs } from './single-document.ts'
import { createReadCloneChangelogs } from './site-changelogs.ts'
import {
  chooseBoundary,
  describeConversion,
  openWorkspace,
  searchDirectory,
  type Workspace,
  type WorkspaceOptions,
} from './workspace.ts'

interface SiteSource {
  /** Relative to the boundary. */
  readonly root: string
  readonly access: DocsAccess
  readonly terms: CheckTerms
  /** See `LoneDocument.madeFiles`. */
  readonly madeFiles?: ReadonlySet<string>
}

/**
 * Opens the site that the argument of a command names, or that the person at the terminal chooses. Returns `undefined` like `chooseSiteArgument`.
 * `readAgain` resolves the argument again after files changed.
 *
 * @param verb The name of the command.
 * @throws {ConfigError} if the argument does not exist, or the options cannot be applied to it.
 */
export async function openSite(
  given: string,
  verb: SiteVerb,
  options: WorkspaceOptions & Pick<CommonOptions, 'boundary' | 'quiet'> & Partial<DocumentOptions>,
  context: CliContext,
) {
  const argument = await chooseSiteArgument(given, verb, options, context)
  if (argument === undefined) return undefined
  const progress = createProgress(context.stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), options, context, progress)
  // The same file as for the site: the configuration above a document is not that of its site.
  const readSettings = async () =>
    options.audience === undefined
      ? { audiences: undefined }
      : (await readDocsDirectory(findRoot(argument, workspace, context), workspace.access)).config.site
  const read = async () => {
    const filter = readFilter(options, await readSettings())
    const source: SiteSource = await findSiteSource(argument, workspace, context, filter)
    return { filter, source: { ...source, terms: { ...source.terms, audience: options.audience } } }
  }
  const { filter, source } = await read()
  return {
    argument,
    source,
    workspace,
    progress,
    readAgain: async () => (await read()).source,
    /** @param stamp Identifies the program in the cache of changelogs. Without it, there is no cache. */
    toOptions: (stamp: string | undefined): Pick<ReadSiteOptions, 'root' | 'madeFiles' | 'readChangelogs'> => ({
      root: source.root,
      ...(source.madeFiles && { madeFiles: source.madeFiles }),
      // Earlier versions of the document would show what the filter leaves out.
      ...(!filter && { readChangelogs: createReadCloneChangelogs(workspace.boundary, stamp, context, progress) }),
    }),
  }
}

type SiteVerb = 'build' | 'preview' | 'bundle'

/** Choices that a message lists. */
const maxListed = 10

/**
 * Replaces a folder without a docs.json by what it has to publish: its only docs directory or OpenAPI document, or the choice of the person
 * at the terminal. Keeps every other argument.
 *
 * Prints the commands for all choices and returns `undefined` if there are several and there is no terminal, or if the person cancels.
 *
 * @param verb completes the question `What do you want to <verb>?`, and is the name of the command.
 * @throws {ConfigError} if all documents have to be converted first.
 */
export async function chooseSiteArgument(
  argument: string,
  verb: SiteVerb,
  options: Pick<CommonOptions, 'boundary' | 'quiet'>,
  context: CliContext,
): Promise<string | undefined> {
  const folder = resolve(context.workingDirectory, argument)
  if (isUrl(argument) || !isFolder(folder) || statPath(join(folder, docsConfigNames[0]))) return argument
  const { workspace, docsDirectories, documents, swaggerDocuments } = await searchDirectory(argument, options, context)
  const inside = workspace.toInside(argument)
  // The error about its missing `docs.json` names the one above.
  if (docsDirectories.includes(inside) || (await findDocsConfigAbove(inside, workspace.access.files)) !== undefined)
    return argument
  const found = (docsDirectories.length > 0 ? docsDirectories : documents).map((path) => workspace.toShown(path))
  const [first, ...others] = found
  const here = argument === '.' ? 'this directory' : `the directory ${argument}`
  if (first === undefined) {
    const hint = describeConversion(swaggerDocuments.map((path) => workspace.toShown(path)))
    if (hint === undefined) return argument
    throw new ConfigError(`cannot ${verb} ${here}: it has no docs.json and no OpenAPI 3 document`, { hint })
  }
  if (others.length === 0) {
    const kind = docsDirectories.length > 0 ? 'docs directory here' : 'OpenAPI document here (no docs.json)'
    if (!options.quiet) context.stderr.write(`Using ${escapeText(first)}, the only ${kind}\n`)
    return first
  }
  const isAny = docsDirectories.length === 0
  const at = argument === '.' ? '' : ` ${escapeText(quoteForShell(argument))}`
  const init = `  For one site with all of them, write a docs.json with \`openapi-pages init${at}\`.\n`
  const error = formatError(
    `cannot ${verb} ${here}: it has no docs.json`,
    isAny ? 'Name one of its OpenAPI documents:' : 'Name a docs directory:',
  )
  return await chooseFrom(found, verb, { error, end: isAny && verb !== 'bundle' ? init : '' }, context)
}

/** Asks for one of several paths. Without a terminal, prints an error with the command for each. Returns `undefined` if there is no choice. */
async function chooseFrom(
  found: readonly string[],
  verb: SiteVerb,
  { error, end }: { readonly error: string; readonly end: string },
  context: CliContext,
): Promise<string | undefined> {
  if (context.openQuestions === undefined) {
    const commands = found.slice(0, maxListed).map((path) => `    openapi-pages ${verb} ${escapeText(quoteForShell(path))}\n`)
    const more = found.length > maxListed ? `    … and ${formatNumber(found.length - maxListed)} more\n` : ''
    context.stderr.write(`${error}${commands.join('')}${more}${end}`)
    return undefined
  }
  const questions = await context.openQuestions()
  return await questions.choose(
    `What do you want to ${verb}?`,
    found.map((path) => ({ value: path, label: escapeText(path) })),
  )
}

/**
 * Finds the document that an argument names, with its overlays: the document itself, or the one of a `docs.json`. Returns `undefined` like
 * `chooseSiteArgument`. `site` is absent for a document itself, which has the nearest settings. `hide`: what an audience of them does not read.
 *
 * @throws {ConfigError} if the `docs.json` names none, or an option cannot be applied to it.
 */
export async function findDocument(argument: string, workspace: Workspace, context: CliContext, audience: string | undefined) {
  const { terms, toInside, toShown } = workspace
  const inside = toInside(argument)
  const isDirectory = !isUrl(argument) && isFolder(resolve(context.workingDirectory, argument))
  if (isUrl(argument) || !(isDirectory || isDocsConfigPath(inside))) {
    const hide = ({ site }: Config) =>
      audience !== undefined && site.audiences
        ? { hides: () => false, hidesSome: false, readers: toReaders(site, { audience }) }
        : undefined
    return { entry: inside, overlays: terms.overlays, access: workspace.access, site: undefined, hide }
  }
  if (terms.overlays) rejectOverlays(argument)
  const root = findRoot(argument, workspace, context)
  const { site } = (await readDocsDirectory(root, workspace.access)).config
  const hidden = audience !== undefined && site.audiences ? await hideRestricted(root, workspace.access, { audience }) : undefined
  const access = hidden?.access ?? workspace.access
  const documents = (await listNamedDocuments(root, access)).map(({ source, ...document }) => {
    const { publicOnly } = hidden?.terms ?? {}
    const hide = () => publicOnly && { ...publicOnly, hides: (target: string) => publicOnly.hides(source, target) }
    return { ...document, access, site, hide }
  })
  const [first] = documents
  if (!first) throw new ConfigError(`cannot bundle ${argument}: it has no OpenAPI document`, { hint: 'Name an OpenAPI document' })
  if (documents.length === 1) return first
  const paths = documents.map(({ entry }) => toShown(entry))
  const error = formatError(`cannot bundle ${argument}: it names several OpenAPI documents`, 'Name one of them:')
  const chosen = await chooseFrom(paths, 'bundle', { error, end: '' }, context)
  return documents.find(({ entry }) => toShown(entry) === chosen)
}

/** The docs directory that an argument names, or in which its document is. */
function findRoot(argument: string, { toInside }: Workspace, { workingDirectory }: CliContext): string {
  if (isUrl(argument)) return toInside('.')
  return isFolder(resolve(workingDirectory, argument)) ? toInside(argument) : parentPath(toInside(argument))
}

/**
 * Resolves an argument: a folder with a docs.json, the docs.json itself, or an OpenAPI document. A document gets a generated docs
 * directory.
 *
 * @param filter Leaves out parts of the document. Default: none.
 * @throws {ConfigError} if it does not exist, or the filter cannot be applied.
 */
export async function findSiteSource(
  argument: string,
  workspace: Workspace,
  context: CliContext,
  filter?: FilterRules,
): Promise<SiteSource> {
  const { access, terms } = workspace
  const stats = isUrl(argument) ? undefined : statPath(resolve(context.workingDirectory, argument))
  const inside = workspace.toInside(argument)
  if (!isUrl(argument) && !stats) {
    const hint = didYouMean(await findNearName(access.files, inside))
    throw new ConfigError(`cannot read ${argument}: no such file or directory`, { hint })
  }
  const isDirectory = stats?.isDirectory() === true
  if (isDirectory || (!isUrl(argument) && isDocsConfigPath(inside))) {
    if (terms.overlays) rejectOverlays(argument)
    if (filter) {
      // The pages of a docs directory are files, which a filter of its documents does not remove.
      throw new ConfigError(`unexpected --audience, --include-tag or --exclude-tag for ${argument}, which has a docs.json`, {
        hint: 'Write the public document with `openapi-pages bundle --audience public`, and name it in the docs.json of the public site',
      })
    }
    return { root: isDirectory ? inside : parentPath(inside), access, terms }
  }
  const used = filter ? await replaceDocument(inside, argument, filter, workspace) : { access, terms }
  const bytes = await readBytes(inside, used.access, used.terms.overlays)
  const { root, files, madeFiles } = await createSingleDocumentDocs(
    inside,
    bytes,
    used.access.files,
    isUrl(argument) ? workspace.toInside('.') : '',
  )
  return { root, access: { ...used.access, files }, terms: used.terms, madeFiles }
}

/** Replaces the document by the parts of it that the filter keeps, with its overlays applied. */
async function replaceDocument(
  entry: string,
  shown: string,
  filter: FilterRules,
  { access, terms: { overlays, ...terms } }: Workspace,
): Promise<Pick<SiteSource, 'access' | 'terms'>> {
  const bytes = await filterDocument(entry, shown, filter, access, overlays)
  const fetchDocument: DocsAccess['fetchDocument'] = async (url, ...more) =>
    url === entry ? { kind: 'loaded', bytes } : await access.fetchDocument(url, ...more)
  return { access: { ...access, files: overlayFiles(access.files, new Map([[entry, bytes]])), fetchDocument }, terms }
}

async function readBytes(path: string, access: DocsAccess, overlays: CheckTerms['overlays']): Promise<Uint8Array | undefined> {
  if (overlays) {
    const { documents } = await checkEntryDocument(path, access, { errorsOnly: true, overlays })
    const value = documents.get(path)?.parsed.value
    if (value !== undefined) return new TextEncoder().encode(JSON.stringify(value))
  }
  if (isUrl(path)) {
    const response = await access.fetchDocument(path)
    // An empty site must not replace the existing one.
    if (response.kind !== 'loaded') throw new ConfigError(`cannot read ${path}: ${response.reason}`)
    return response.bytes
  }
  const result = await access.files.read(path)
  return result.kind === 'file' ? result.bytes : undefined
}
