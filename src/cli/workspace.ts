import { type Stats, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type Diagnostic, renameFiles } from '../diagnostics/diagnostic.ts'
import { isDocsConfigPath } from '../docs-config/project-config.ts'
import { ConfigError } from '../errors.ts'
import { findBoundary, isInside, resolveThroughLinks } from '../files/boundary.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { overlayFiles } from '../files/files.ts'
import type { FetchDocument, LoadedDocument } from '../openapi/document-set.ts'
import { isUrl } from '../source/relative-path.ts'
import { type SourceFile, toSourceFile } from '../source/source-file.ts'
import type { UpdateEnvironment } from '../update/types.ts'
import type { CliContext } from './cli-context.ts'
import type { CommonOptions } from './command-options.ts'
import { createProgress, type Progress } from './terminal.ts'

/** One boundary on the disk as a command works in it: what is inside has paths relative to it, what is shown has the person's. */
export interface Workspace {
  /** Absolute, links resolved. */
  readonly boundary: string
  readonly environment: UpdateEnvironment
  /**
   * An argument as a path relative to the boundary. URLs are kept.
   *
   * @throws {ConfigError} when it is outside.
   */
  toInside(argument: string): string
  /** A path relative to the boundary as a path relative to `shownFrom`. URLs are kept. */
  toShown(path: string): string
  /**
   * The files of diagnostics by their shown names, for the lines around; and the diagnostics with these names.
   *
   * @param sourceOf the files that are known; others are read.
   */
  show(
    diagnostics: readonly Diagnostic[],
    sourceOf?: (file: string) => SourceFile | undefined,
  ): Promise<{ diagnostics: Diagnostic[]; sources: Map<string, SourceFile> }>
}

interface WorkspaceOptions extends Pick<CommonOptions, 'allowHttp'> {
  /** Paths are shown relative to this folder instead of the working directory. */
  readonly shownFrom?: string
  /** The document on standard input and its absolute path, which hides any file there. */
  readonly stdin?: { readonly path: string; readonly bytes: Uint8Array } | undefined
}

/** The boundary of an argument: the folder of `--boundary`, else as `findBoundary` says. An address belongs to the working directory. */
export function chooseBoundary(argument: string, options: Pick<CommonOptions, 'boundary'>, context: CliContext): string {
  const { workingDirectory } = context
  if (options.boundary === undefined) {
    let found = findBoundary(isUrl(argument) ? '.' : argument, workingDirectory)
    // The folder of a missing file may be missing too. Reading the file reports it.
    while (!statPath(found)?.isDirectory() && dirname(found) !== found) found = dirname(found)
    return found
  }
  const folder = resolveThroughLinks(resolve(workingDirectory, options.boundary))
  if (!statPath(folder)?.isDirectory()) {
    throw new ConfigError(`cannot use ${options.boundary} as --boundary: no such folder`)
  }
  return folder
}

/** Refuses URLs with credentials, without printing them. */
function rejectCredentials(address: string): void {
  if (!URL.canParse(address)) return
  const url = new URL(address)
  if (url.username === '' && url.password === '') return
  throw new ConfigError(
    `cannot read ${url.protocol}//…@${url.host}${url.pathname}: an address with a user name or password in it is not asked`,
    { hint: 'Take them out of the address.' },
  )
}

/** Opens what is below a boundary for reading. Nothing is read yet. */
export function openWorkspace(
  boundary: string,
  { allowHttp, shownFrom, stdin }: WorkspaceOptions,
  context: CliContext,
  progress: Progress,
): Workspace {
  const workingDirectory = resolveThroughLinks(context.workingDirectory)
  const disk = openDiskFiles(boundary)
  const files = stdin ? overlayFiles(disk, relative(boundary, stdin.path).replaceAll(sep, '/'), stdin.bytes) : disk
  const fetched = new Map<string, Promise<LoadedDocument>>()
  const fetchDocument: FetchDocument = (url, limits) => {
    const known = fetched.get(url)
    if (known) return known
    progress.step(`reading ${url}`)
    const answer = import('../files/fetch-document.ts').then(({ createFetchDocument }) =>
      createFetchDocument({ allowHttp, proxyVariables: context.env })(url, limits),
    )
    fetched.set(url, answer)
    return answer
  }
  const shownFolder = resolveThroughLinks(shownFrom ?? workingDirectory)
  const toShown = (path: string) => (isUrl(path) ? path : relative(shownFolder, join(boundary, path)).replaceAll(sep, '/') || '.')
  const readSource = async (path: string): Promise<SourceFile | undefined> => {
    if (isUrl(path)) {
      const answer = await fetched.get(path)
      return answer?.kind === 'loaded' ? toSourceFile(path, answer.bytes) : undefined
    }
    const result = await files.read(path)
    return result.kind === 'file' ? toSourceFile(path, result.bytes) : undefined
  }
  return {
    boundary,
    environment: {
      files,
      fetchDocument,
      findIgnored: async (paths) => {
        const [{ openGit }, { createFindIgnored }] = await Promise.all([import('../git/git.ts'), import('../git/git.ts')])
        return await createFindIgnored(openGit(boundary))(paths)
      },
      findLineEndings: async (paths) => {
        const [{ openGit }, { createFindLineEndings }] = await Promise.all([import('../git/git.ts'), import('../git/git.ts')])
        return await createFindLineEndings(openGit(boundary))(paths)
      },
      onProgress: (step) => progress.step(step),
    },
    toInside(argument) {
      if (isUrl(argument)) {
        rejectCredentials(argument)
        return argument
      }
      const scheme = /^[a-z][a-z0-9+.-]*:(?=\/\/)/i.exec(argument)?.[0]
      if (scheme !== undefined) throw new ConfigError(`cannot read ${argument}: unexpected \`${scheme}\`, expected \`https:\``)
      const path = resolve(workingDirectory, argument)
      const inside = isInside(boundary, path) ? path : resolveThroughLinks(path)
      if (isInside(boundary, inside)) return relative(boundary, inside).replaceAll(sep, '/')
      const shown = relative(workingDirectory, boundary) || '.'
      throw new ConfigError(`${argument} is outside ${shown}, the folder that may be read`, {
        hint: 'Name a folder that holds it with --boundary.',
      })
    },
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

/**
 * What a command that is about one docs directory begins with. `verb` is what cannot be done to an argument that is none.
 *
 * @throws {ConfigError} for what is no folder, or is outside the boundary.
 */
export function openDocsDirectory(
  argument: string,
  verb: string,
  options: Pick<CommonOptions, 'allowHttp' | 'boundary' | 'quiet'>,
  context: CliContext,
): { progress: Progress; workspace: Workspace; root: string } {
  const folder = findDocsDirectory(argument, verb, context)
  const progress = createProgress(context.stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(folder, options, context), options, context, progress)
  return { progress, workspace, root: workspace.toInside(folder) }
}

/**
 * The folder that is meant by an argument; a `docs.json` stands for its folder.
 *
 * @throws {ConfigError} for what is no folder. `verb` is what cannot be done to it.
 */
function findDocsDirectory(argument: string, verb: string, { workingDirectory }: CliContext): string {
  const stats = statPath(resolve(workingDirectory, argument))
  if (stats?.isDirectory()) return argument
  if (stats && isDocsConfigPath(basename(argument))) return dirname(argument)
  if (!stats) throw new ConfigError(`cannot read ${argument}: no such folder`)
  throw new ConfigError(`cannot ${verb} ${argument}: it is a file`, {
    hint: 'Name the folder with the docs.json; to write the pages of one document without one, run `openapi-pages openapi-file`.',
  })
}

/**
 * For commands that take one document.
 *
 * @throws {ConfigError} when what is named is a folder, or nothing.
 */
export function rejectFolder(source: string, { workingDirectory }: Pick<CliContext, 'workingDirectory'>): void {
  if (source === '') throw new ConfigError('cannot read an empty argument: name a file or an address')
  if (isUrl(source) || !statPath(resolve(workingDirectory, source))?.isDirectory()) return
  throw new ConfigError(`cannot read ${source}: it is a folder`, {
    hint: 'Name the OpenAPI document in it; for a folder with a docs.json, run `openapi-pages update`.',
  })
}

/** `undefined` if nothing exists at the path or it is inaccessible: reading it reports why. */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
