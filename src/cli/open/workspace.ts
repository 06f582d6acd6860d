import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type Diagnostic, renameFiles } from '../../diagnostics/diagnostic.ts'
import { docsConfigNames, isDocsConfigPath, lockFileName } from '../../docs/config/config-files.ts'
import { type FoundDocs, findDocs, listDocsDirectories } from '../../docs/read/find-docs.ts'
import type { CheckTerms, DocsAccess, Reporting } from '../../docs/types.ts'
import {
  findBoundary,
  findRepositoryLinks,
  isFolder,
  type OwnedPath,
  resolveThroughLinks,
  statPath,
  toPathInside,
  toUserPath,
} from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { type Files, overlayFiles, withOutsideFolders } from '../../files/files.ts'
import { askGit } from '../../git/commit.ts'
import type { FetchDocument, LoadedDocument } from '../../openapi/types.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import type { CliContext } from '../base/cli-context.ts'
import { quoteForShell } from '../base/command-line.ts'
import type { CommonOptions, RulesetOptions } from '../base/command-options.ts'
import { createProgress, type Progress } from '../print/terminal.ts'

/** Access to the files inside a boundary. Internal paths are relative to the boundary, shown paths to the working directory. */
export interface Workspace {
  /** Absolute, links resolved. */
  readonly boundary: OwnedPath
  readonly access: DocsAccess
  /** What the options say about checks. */
  readonly terms: CheckTerms
  readonly reporting: Reporting
  /** Keeps copies of remote documents in a docs directory, and uses them if a URL cannot be read. For documents that were not read yet. */
  keepCopies(root: string): void
  /** Whether a document could not be read although there is a copy of it. */
  lacksKnownDocument(): Promise<boolean>
  /**
   * Converts an argument of the command to a path relative to the boundary. Keeps URLs, and allows to fetch them.
   *
   * @throws {ConfigError} if it is outside the boundary.
   */
  toInside(argument: string): string
  /** Converts a path relative to the boundary to a path relative to `shownFrom`. Keeps URLs. */
  toShown(path: string): string
  /**
   * Replaces the file names of diagnostics by shown names, and loads the files for their source lines.
   *
   * @param sourceOf returns files that were already read.
   */
  show(
    diagnostics: readonly Diagnostic[],
    sourceOf?: (file: string) => SourceFile | undefined,
  ): Promise<{ diagnostics: Diagnostic[]; sources: Map<string, SourceFile> }>
}

export interface WorkspaceOptions extends Pick<CommonOptions, 'allowHttp' | 'boundary'>, RulesetOptions {
  /** Whether URLs in files of the repository are fetched. A URL that is an argument of the command always is. Default: true. */
  readonly network?: boolean
  /** Show paths relative to this folder instead of the working directory. */
  readonly shownFrom?: string
  /** The document on standard input. It replaces any file at its absolute path. */
  readonly stdin?: { readonly path: string; readonly bytes: Uint8Array } | undefined
  /** Overlays as written by the user. */
  readonly overlay?: readonly string[]
  /** False: exceptions in documents have no effect. Default: the setting in the configuration file. */
  readonly inlineIgnore?: boolean
}

/** Returns the boundary of an argument: `--boundary`, else the result of `findBoundary`. URLs use that of the working directory. */
export function chooseBoundary(argument: string, options: Pick<CommonOptions, 'boundary'>, context: CliContext): OwnedPath {
  const { workingDirectory } = context
  if (options.boundary === undefined) {
    if (!isUrl(argument)) rejectLeavingFolder(argument, workingDirectory)
    return findBoundary(isUrl(argument) ? workingDirectory : toUserPath(argument), workingDirectory)
  }
  const folder = resolveThroughLinks(toUserPath(resolve(workingDirectory, options.boundary)))
  if (!isFolder(folder)) {
    throw new ConfigError(`cannot use ${options.boundary} as --boundary: no such directory`)
  }
  return folder
}

/**
 * Rejects a folder behind a link that leaves its repository: the link must not decide which files are read and written.
 *
 * @throws {ConfigError}
 */
function rejectLeavingFolder(argument: string, workingDirectory: string): void {
  const path = resolve(workingDirectory, argument)
  const link = findRepositoryLinks(path).find(({ isLeaving }) => isLeaving)
  // Reading a file reports the link.
  if (!link || !isFolder(path)) return
  const shown = relative(workingDirectory, link.path).replaceAll(sep, '/')
  throw new ConfigError(
    `cannot use ${argument}: ${shown === argument ? 'it' : shown} is a symbolic link that leaves the repository`,
    {
      hint: 'If you trust the link, name its target',
    },
  )
}

/** Rejects URLs with credentials, without printing the credentials. */
function rejectCredentials(argument: string): void {
  if (!URL.canParse(argument)) return
  const url = new URL(argument)
  if (url.username === '' && url.password === '') return
  throw new ConfigError(
    `cannot read ${url.protocol}//…@${url.host}${url.pathname}: URLs with a user name or password are not supported`,
    { hint: 'Remove the credentials from the URL' },
  )
}

/** Finds a file outside of a boundary and the work tree that it is in, relative to the boundary. Whoever types a path trusts this work tree. */
function findOutside(name: string, boundary: OwnedPath, context: CliContext) {
  const tree = chooseBoundary(name, {}, context)
  const inside = toPathInside(tree, resolve(context.workingDirectory, name))
  const folder = relative(boundary, tree).replaceAll(sep, '/')
  // Another disk of Windows has no relative path.
  if (inside === undefined || !folder.startsWith('..')) return undefined
  return { folder, path: joinPath(folder, inside), files: openDiskFiles(tree) }
}

/** Opens a boundary for reading. Does not read anything yet. */
export function openWorkspace(
  boundary: OwnedPath,
  { allowHttp, network = true, shownFrom, stdin, overlay = [], inlineIgnore = true, ruleset, boundary: fixed }: WorkspaceOptions,
  context: CliContext,
  progress: Progress,
): Workspace {
  const workingDirectory = resolveThroughLinks(context.workingDirectory)
  const disk = openDiskFiles(boundary)
  const toBoundary = (path: string) => relative(boundary, path).replaceAll(sep, '/')
  const files = stdin ? overlayFiles(disk, new Map([[toBoundary(stdin.path), stdin.bytes]])) : disk
  /** URLs that are arguments of the command. */
  const namedByUser = new Set<string>()
  let copiesRoot: string | undefined
  const load: FetchDocument = async (url, limits) => {
    progress.step(`reading ${url}`)
    const { createFetchDocument } = await import('../../files/fetch-document.ts')
    const opened = copiesRoot === undefined ? undefined : await import('./document-copies.ts')
    return await createFetchDocument({
      namedByUser,
      repositoryUrls: allowHttp ? 'any' : network ? 'public' : 'none',
      howToAllow: network ? 'pass `--allow-http`' : 'run the command with `--network`',
      proxyVariables: context.env,
      copies: opened?.openDocumentCopies(boundary, copiesRoot ?? '', disk),
    })(url, limits)
  }
  const fetched = new Map<string, Promise<LoadedDocument>>()
  const fetchDocument: FetchDocument = (url, limits) => getOrMake(fetched, url, () => load(url, limits))
  const shownFolder = resolveThroughLinks(shownFrom ?? workingDirectory)
  const toShown = (path: string) => (isUrl(path) ? path : relative(shownFolder, join(boundary, path)).replaceAll(sep, '/') || '.')
  const readSource = async (path: string): Promise<SourceFile | undefined> => {
    if (isUrl(path)) {
      const response = await fetched.get(path)
      return response?.kind === 'loaded' ? toSourceFile(path, response.bytes) : undefined
    }
    const result = await files.read(path)
    return result.kind === 'file' ? toSourceFile(path, result.bytes) : undefined
  }
  const toInside = (argument: string) => {
    if (isUrl(argument)) {
      rejectCredentials(argument)
      namedByUser.add(argument)
      return argument
    }
    const scheme = /^[a-z][a-z0-9+.-]*:(?=\/\/)/i.exec(argument)?.[0]
    if (scheme !== undefined) throw new ConfigError(`cannot read ${argument}: unexpected \`${scheme}\`, expected \`https:\``)
    const inside = toPathInside(boundary, resolve(workingDirectory, argument))
    if (inside !== undefined) return inside
    const shown = relative(workingDirectory, boundary) || '.'
    throw new ConfigError(`cannot read ${argument}: it is outside ${shown}, the boundary for reading files`, {
      hint: 'Name a parent directory of it with --boundary',
    })
  }
  const rulesetFolders = new Map<string, Files>()
  const toRulesetInside = (name: string) => {
    // A built-in ruleset is no file.
    if (name.startsWith('spectral:')) return name
    const path = resolve(workingDirectory, name)
    const isOutside = !isUrl(name) && fixed === undefined && toPathInside(boundary, path) === undefined
    const found = isOutside ? findOutside(name, boundary, context) : undefined
    if (!found) return toInside(name)
    rulesetFolders.set(found.folder, found.files)
    return found.path
  }
  return {
    boundary,
    access: {
      files,
      rulesetFiles: withOutsideFolders(files, rulesetFolders),
      fetchDocument,
      git: askGit(boundary, (line) => {
        progress.clear()
        context.stderr.write(`${line}\n`)
      }),
    },
    terms: {
      ...(overlay.length > 0 && { overlays: overlay.map(toInside) }),
      ...(ruleset !== undefined && { rulesets: ruleset === false ? 'none' : ruleset.map(toRulesetInside) }),
      inlineIgnore,
    },
    reporting: { onProgress: (step) => progress.step(step) },
    keepCopies(root) {
      copiesRoot = root
    },
    async lacksKnownDocument() {
      const loaded = await Promise.all(fetched.values())
      return loaded.some((document) => document.kind === 'failed' && document.wasRead === true)
    },
    toInside,
    toShown,
    async show(diagnostics, sourceOf) {
      const sources = new Map<string, SourceFile>()
      for (const file of new Set(diagnostics.map((diagnostic) => diagnostic.file))) {
        const source = sourceOf?.(file) ?? (await readSource(file))
        if (source) sources.set(toShown(file), source)
      }
      return { diagnostics: renameFiles(diagnostics, toShown), sources }
    },
  }
}

interface OpenedDirectory {
  readonly progress: Progress
  readonly workspace: Workspace
  /** Relative to the boundary. */
  readonly root: string
}

/**
 * Opens the docs directory that an argument names: the directory itself if it has a `docs.json` or a lock file, or else the only one below
 * it that names OpenAPI documents.
 *
 * @param verb completes the error message `cannot <verb> file.yaml: it is a file`.
 * @throws {ConfigError} if it is not a folder, is outside the boundary, or there are several docs directories below it.
 */
export async function openDocsDirectory(
  argument: string,
  verb: string,
  options: Pick<CommonOptions, 'allowHttp' | 'boundary' | 'quiet'>,
  context: CliContext,
): Promise<OpenedDirectory> {
  const opened = openDirectory(argument, verb, options, context)
  const { workspace, root } = opened
  if ([docsConfigNames[0], lockFileName].some((name) => statPath(join(workspace.boundary, root, name)))) return opened
  const [only = root, ...others] = await listDocsDirectories(root, workspace.access.files)
  if (only === root) return opened
  if (others.length > 0) {
    const here = argument === '.' ? 'this directory' : `the directory ${argument}`
    throw new ConfigError(`cannot ${verb} ${here}: it has no docs.json`, {
      hint: `Name one of its docs directories: ${[only, ...others].map((path) => workspace.toShown(path)).join(', ')}`,
    })
  }
  if (!options.quiet) context.stderr.write(`Using ${escapeText(workspace.toShown(only))}, the only docs directory here\n`)
  return { ...opened, root: only }
}

/**
 * Opens the directory that an argument names: itself, or that of a `docs.json`.
 *
 * @param verb completes the error message `cannot <verb> file.yaml: it is a file`.
 * @throws {ConfigError} if it is not a folder, or is outside the boundary.
 */
export function openDirectory(
  argument: string,
  verb: string,
  options: Pick<CommonOptions, 'allowHttp' | 'boundary' | 'quiet'>,
  context: CliContext,
): OpenedDirectory {
  const stats = statPath(resolve(context.workingDirectory, argument))
  if (!stats) throw new ConfigError(`cannot read ${argument}: no such directory`)
  if (!stats.isDirectory() && !isDocsConfigPath(basename(argument))) {
    throw new ConfigError(`cannot ${verb} ${argument}: it is a file`, {
      hint: 'Name the directory with the docs.json. To generate pages without a docs.json, run `openapi-pages openapi-file`.',
    })
  }
  const folder = stats.isDirectory() ? argument : dirname(argument)
  const progress = createProgress(context.stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(folder, options, context), options, context, progress)
  return { progress, workspace, root: workspace.toInside(folder) }
}

/** Finds the docs directories and documents of the directory that an argument of a command names, relative to a boundary. */
export async function searchDirectory(
  argument: string,
  options: Pick<CommonOptions, 'boundary'> & { readonly quiet?: boolean },
  context: CliContext,
): Promise<FoundDocs & { readonly workspace: Workspace }> {
  const progress = createProgress(context.stderr, options.quiet ?? false)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), { allowHttp: false }, context, progress)
  progress.step(`looking for OpenAPI documents in ${argument}`)
  const found = await findDocs(workspace.toInside(argument), workspace.access)
  progress.clear()
  return { workspace, ...found }
}

/** What to do about Swagger 2.0 documents, if there are any. Paths are relative to the working directory. */
export function describeConversion([path]: readonly string[]): string | undefined {
  if (path === undefined) return undefined
  return `To convert ${path} from Swagger 2.0, run \`npx swagger2openapi ${quoteForShell(path)} --outfile openapi.yaml\``
}
