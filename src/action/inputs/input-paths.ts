import { existsSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { docsConfigNames } from '../../docs/config/config-files.ts'
import { findUpdateTargets } from '../../docs/read/find-docs.ts'
import { findBoundary, findInside, type InsidePath, type OwnedPath, resolveThroughLinks } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { askGit } from '../../git/commit.ts'
import { ConfigError } from '../../text/errors.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import type { DocsInputs } from './inputs.ts'

/** The folders that a run works on. */
export interface DocsDirectories {
  /** Absolute. All other paths are relative to it. */
  readonly boundary: OwnedPath
  /** The working directory, relative to the boundary. `''` is the boundary itself. */
  readonly folder: string
  /** Relative to the boundary, sorted, at least one. */
  readonly roots: readonly string[]
  /** Documents that are only checked, because there is no `docs.json` and the inputs name nothing. Relative to the boundary. */
  readonly checkedDocuments: readonly string[]
}

/**
 * Finds the docs directories of a run: those named by the input `root`, else the working directory if it has a `docs.json`, else every
 * folder below it with a `docs.json` that mentions OpenAPI. Without any, the documents below the working directory are checked.
 *
 * @param workspace absolute.
 * @throws {ConfigError} if a folder is missing, is outside the workspace or in another work tree, or if a glob matches nothing.
 */
export async function findDocsDirectories(
  workspace: OwnedPath,
  inputs: Pick<DocsInputs, 'workingDirectory' | 'roots' | 'documents'>,
): Promise<DocsDirectories> {
  const top = resolveThroughLinks(workspace)
  const folder = toFolder(top, inputs.workingDirectory, 'working-directory', top)
  const boundary = findBoundary(folder, workspace)
  const isNamed = inputs.roots.length > 0 || inputs.documents.length > 0
  const searched = { files: openDiskFiles(boundary), git: askGit(boundary) }
  const targets = isNamed ? undefined : await findUpdateTargets(toRelative(boundary, folder), searched)
  const found = targets
    ? targets.roots.map((root) => toFolder(boundary, root, 'root', boundary))
    : inputs.roots.length > 0
      ? await findNamedDirectories(top, folder, inputs.roots)
      : [folder]
  const roots = found.map((root) => {
    if (findBoundary(root, workspace) === boundary) return toRelative(boundary, root)
    throw new ConfigError(
      `Cannot update \`${toRelative(folder, root)}\`: it is not in the same Git work tree as the working directory`,
      {
        hint: 'Use one step per checkout, and set its `working-directory`',
      },
    )
  })
  if (roots.length > 1 && inputs.documents.length > 0) {
    throw new ConfigError(`Unexpected input \`openapi\` with ${roots.length} docs directories, expected one docs directory`, {
      hint: 'Name the documents in each `docs.json`, or use one step per docs directory',
    })
  }
  const sorted = [...new Set(roots)].sort()
  return { boundary, folder: toRelative(boundary, folder), roots: sorted, checkedDocuments: targets?.checkedDocuments ?? [] }
}

async function findNamedDirectories(top: OwnedPath, folder: string, patterns: readonly string[]): Promise<readonly InsidePath[]> {
  const { isDynamicPattern } = await import('tinyglobby')
  const excluded = patterns.filter((pattern) => pattern.startsWith('!'))
  const found: InsidePath[] = []
  for (const pattern of patterns) {
    if (excluded.includes(pattern)) continue
    if (!isDynamicPattern(pattern)) found.push(toFolder(folder, pattern, 'root', top))
    else {
      const roots = await findDocsConfigs(folder, pattern, excluded)
      if (roots.length > 0) found.push(...roots.map((root) => toFolder(root, '', 'root', top)))
      else {
        throw new ConfigError(`No directory with a \`docs.json\` matches \`${pattern}\` in the input \`root\``, {
          hint: 'Use a glob relative to the working directory, for example `packages/*/docs`',
        })
      }
    }
  }
  return found
}

async function findDocsConfigs(folder: string, pattern: string, excluded: readonly string[]): Promise<readonly string[]> {
  const toFile = (path: string) => `${path.replace(/(?<!\/)\/+$/, '')}/{${docsConfigNames.join(',')}}`
  const paths = await findFiles([toFile(pattern), ...excluded.map(toFile)], folder)
  return [...new Set(paths.map((path) => resolveThroughLinks(join(path, '..'))))]
}

function toFolder(from: string, path: string, input: string, top: OwnedPath): InsidePath {
  const folder = findInside(top, toRelative(top, join(from, path)))
  const refuse = (what: string) => new ConfigError(`Unexpected \`${path}\` for the input \`${input}\`${what}`)
  if (folder === undefined) throw refuse(', expected a directory in the workspace')
  if (!existsSync(folder)) throw refuse(': no such directory')
  if (!statSync(folder).isDirectory()) throw refuse(', expected a directory')
  return folder
}

function toRelative(from: string, to: string): string {
  return relative(from, to).split(sep).join('/')
}

/**
 * Finds the documents named by the input `openapi`, sorted and relative to the boundary. Keeps URLs.
 *
 * Keeps a plain path even if the file is missing, because the check reports it.
 *
 * @throws {ConfigError} if a glob matches nothing.
 */
export async function findDocuments(patterns: readonly string[], boundary: string, root: string): Promise<readonly string[]> {
  const { isDynamicPattern } = await import('tinyglobby')
  const excluded = patterns.filter((pattern) => pattern.startsWith('!'))
  const found = new Set<string>()
  for (const pattern of patterns) {
    if (excluded.includes(pattern)) continue
    if (isUrl(pattern)) found.add(pattern)
    else if (!isDynamicPattern(pattern)) found.add(joinPath(root, pattern))
    else {
      const paths = await findFiles([pattern, ...excluded], join(boundary, root))
      if (paths.length === 0) {
        throw new ConfigError(`No file matches \`${pattern}\` in the input \`openapi\``, {
          hint: `Use a glob relative to the working directory, \`${root || '.'}\``,
        })
      }
      for (const path of paths) found.add(relative(boundary, path).split(sep).join('/'))
    }
  }
  return [...found].sort()
}

/** Returns the files below a folder that match globs, as absolute paths. */
async function findFiles(patterns: readonly string[], folder: string): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby')
  return glob([...patterns], {
    cwd: folder,
    absolute: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**', '**/.git/**'],
  })
}
