import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import { configFileNames, isDocsConfigPath, lockFileName } from '../../docs/config/config-files.ts'
import type { Update } from '../../docs/types.ts'
import { disk, makeTemporaryFolder } from '../../files/disk-writes.ts'
import { readGit } from '../../git/git.ts'
import { fetchAlone, findRef, linkFolder, toWebUrl } from '../../git/remote-repository.ts'
import { ConfigError, GitError, GitHubError } from '../../text/errors.ts'
import { baseName, isUrl, joinPath } from '../../text/plain/paths.ts'
import { findDocsDirectories } from '../inputs/input-paths.ts'
import type { DocsRepositoryInputs } from '../inputs/inputs.ts'

export type DocsClone = Awaited<ReturnType<typeof cloneDocs>>

/**
 * Clones the newest commit of the docs repository into a temporary folder, whose path has no links. `branch` is the one to update.
 *
 * @throws {GitError} when it cannot be read. @throws {ConfigError} when `docs-ref` is no branch.
 */
export async function cloneDocs(
  { name, branch }: DocsRepositoryInputs,
  options: { readonly serverUrl: string; readonly token: string | undefined; readonly temporaryFolder: string | undefined },
) {
  const folder = makeTemporaryFolder('openapi-pages-docs-', options.temporaryFolder)
  const remove = () => disk.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const linked = await linkFolder(folder, `${toWebUrl(options.serverUrl, name)}.git`, options.token)
    const found = await findRef(linked, name, branch)
    if (found.kind !== 'branch') {
      throw new ConfigError(`Unexpected \`${branch}\` for the input \`docs-ref\`, expected a branch of \`${name}\``)
    }
    await fetchAlone(linked, name, found.sha)
    // Files of Git LFS are neither pages nor documents.
    const environment = { GIT_LFS_SKIP_SMUDGE: '1' }
    await readGit(linked.git, `check out \`${name}\``, ['checkout', '--quiet', '-B', found.name, 'FETCH_HEAD'], { environment })
    return { folder, branch: found.name, sha: found.sha, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Finds the docs directory in the clone, relative to it.
 *
 * @throws {ConfigError} if there is none, or several.
 */
export async function findDocsDirectory(
  { folder }: Pick<DocsClone, 'folder'>,
  { name, directory }: DocsRepositoryInputs,
): Promise<string> {
  if (directory !== undefined && !existsSync(join(folder, directory))) {
    throw new ConfigError(`Unexpected \`${directory}\` for the input \`docs-directory\`: \`${name}\` has no such directory`)
  }
  const asDocs = { workingDirectory: '.', roots: directory === undefined ? [] : [directory], documents: [] }
  const { roots } = await findDocsDirectories(folder, asDocs)
  const [root = '', ...others] = roots
  if (others.length > 0) {
    const names = roots.map((one) => `\`${one || '.'}\``).join(', ')
    throw new ConfigError(`Cannot choose a docs directory: \`${name}\` has ${roots.length}: ${names}`, {
      hint: 'Name one of them in the input `docs-directory`',
    })
  }
  return root
}

/**
 * Checks that the settings of the docs directory can be read: otherwise no page would change, without an error in any document.
 *
 * @throws {ConfigError}
 */
export function checkDocsDirectory(name: string, { diagnostics, hasDocsConfig, root }: Update): void {
  if (!hasDocsConfig) {
    throw new ConfigError(`Cannot find \`docs.json\` in ${root === '' ? '' : `\`${root}\` of `}\`${name}\``, {
      hint: 'Name the directory that contains it in the input `docs-directory`',
    })
  }
  const faults = diagnostics.filter(({ severity, file }) => severity === 'error' && isSettingsFile(file))
  const [first] = faults
  if (!first) return
  const message = `Cannot update \`${name}\`: \`${first.file}\` has ${formatCount(faults.length, 'error')}. The first is in line ${first.range.start.line}: ${first.message}`
  throw new ConfigError(message, { hint: `Correct it in \`${name}\`` })
}

function isSettingsFile(file: string): boolean {
  const names: readonly string[] = [lockFileName, ...configFileNames]
  return isDocsConfigPath(file) || names.includes(baseName(file))
}

/**
 * Chooses the file for each document, relative to the clone: those of the input `document-path`, or else those that `docs.json` names.
 *
 * @throws {ConfigError} if that is not clear.
 */
export function chooseTargets(
  entries: readonly string[],
  { name, paths }: DocsRepositoryInputs,
  { documents, root }: Pick<Update, 'documents' | 'root'>,
): readonly string[] {
  if (paths.length > 0) {
    const targets = paths.map((path) => joinPath(root, path))
    const twice = targets.find((path, index) => targets.indexOf(path) !== index)
    if (twice !== undefined) throw new ConfigError(`Unexpected second document for \`${twice}\` in the input \`document-path\``)
    if (paths.length === entries.length) return targets
    const message = `Unexpected ${formatCount(paths.length, 'path')} in the input \`document-path\`, expected ${entries.length}: one for each document`
    throw new ConfigError(message, { hint: 'List the documents in `openapi`, in the same order' })
  }
  const known = documents.flatMap(({ path }) => (isUrl(path) ? [] : [path]))
  return entries.map((entry) => {
    const [only, ...others] =
      entries.length === 1 && known.length === 1 ? known : known.filter((path) => baseName(path) === baseName(entry))
    if (only !== undefined && others.length === 0) return only
    const names = known.slice(0, 5).map((path) => `\`${path}\``)
    const found = known.length === 0 ? 'no document' : names.join(', ')
    throw new ConfigError(`Cannot choose a file for \`${entry}\` in \`${name}\`: its \`docs.json\` names ${found}`, {
      hint: 'Name the file in the input `document-path`, and in that `docs.json`',
    })
  })
}

/** Whether a diagnostic was there before, at any line. */
export function isKnownIn(before: readonly Diagnostic[]): (diagnostic: Diagnostic) => boolean {
  const toKey = ({ code, file, message }: Diagnostic) => [code, file, message].join('\0')
  const known = new Set(before.map(toKey))
  return (diagnostic) => known.has(toKey(diagnostic))
}

/** What a run needs. A check only reads the docs repository. */
interface Access {
  readonly hasToken: boolean
  readonly isWriting: boolean
}

/** Explains an error about access to the docs repository with everything that the token needs. Returns other errors unchanged. */
export function explainAccess(error: unknown, name: string, access: Access): unknown {
  const isRefused =
    (error instanceof GitError && error.lacksAccess) ||
    (error instanceof GitHubError && ['unauthorized', 'forbidden', 'not-found'].includes(error.failure))
  return isRefused ? new ConfigError(error.message, { hint: howToAllow(name, access), cause: error }) : error
}

/** The hint about the token: what it needs, and where to get it. */
export function howToAllow(name: string, { hasToken, isWriting }: Access): string {
  const needed = isWriting ? '`Contents: write` and `Pull requests: write`' : '`Contents: read`'
  const from = `a GitHub App that is installed on \`${name}\`, or a fine-grained token for it`
  return hasToken
    ? `The input \`token\` needs ${needed} in \`${name}\`. Use the token of ${from}`
    : `Set the input \`token\` to the token of ${from}, with ${needed}`
}
