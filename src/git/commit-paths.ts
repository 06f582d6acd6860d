import { GitError } from '../errors.ts'
import type { Git } from './git.ts'
import { toGitError } from './to-git-error.ts'

/** Who a commit is by. */
export interface Committer {
  readonly name: string
  readonly email: string
}

/**
 * Commits exactly the files at some paths (relative to the work tree) as they stand on the disk. What else is staged or
 * changed stays as it is.
 *
 * @throws {GitError} when git refuses it.
 */
export async function commitPaths(
  git: Git,
  options: { readonly paths: readonly string[]; readonly message: string; readonly committer: Committer },
): Promise<void> {
  const { name, email } = options.committer
  const identity = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
  const input = toPathspecs(options.paths)
  const added = await git.run(['add', '--all', ...fromInput], { input, environment: literalPaths })
  if (added.code !== 0) throw toAddError(added.stderr) ?? toGitError('stage the pages', added)
  // `whitespace` keeps lines that begin with `#`, which the usual clean-up takes for comments.
  const commitArgs = ['commit', '--quiet', '--only', '--cleanup=whitespace', `--message=${options.message}`, ...fromInput]
  const committed = await git.run(commitArgs, { input, environment: { ...identity, ...literalPaths } })
  if (committed.code !== 0) throw toGitError('commit the pages', committed)
}

/** Takes back that some paths were staged; their files stay as they are. */
export async function unstagePaths(git: Git, paths: readonly string[]): Promise<void> {
  await git.run(['reset', '--quiet', ...fromInput], { input: toPathspecs(paths), environment: literalPaths })
}

const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']

/** A path is a name here and no pattern, whatever signs it has. */
export const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

function toPathspecs(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('')
}

function toAddError(stderr: string): GitError | undefined {
  if (!/paths are ignored by one of your \.gitignore files/.test(stderr)) return undefined
  const paths = stderr.split('\n').filter((line) => line !== '' && !/^(The following|hint:)/.test(line))
  return new GitError(`Cannot commit \`${paths[0]}\`: \`.gitignore\` covers it`, {
    hint: 'take the folder of the pages out of `.gitignore`, or keep the division virtual with `materialise: false`',
  })
}
