import type { Remote } from './find-remote.ts'
import type { Git } from './git.ts'
import { toGitError } from './to-git-error.ts'

/**
 * The commits that some branches of the remote are at, all asked for at once; a branch that is not there is not in the answer.
 *
 * @throws {GitError} when the remote cannot be asked.
 */
export async function readTips(git: Git, remote: Remote, branches: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`)
  const output = await git.run(['ls-remote', remote.name, ...refs], { environment: remote.environment })
  if (output.code !== 0) throw toGitError(`read \`${branches[0]}\` of the remote`, output)
  const tips = new Map<string, string>()
  for (const line of output.stdout.split('\n')) {
    const [sha = '', ref = ''] = line.split('\t')
    // The patterns also match the end of longer names.
    if (refs.includes(ref)) tips.set(ref.slice('refs/heads/'.length), sha)
  }
  return tips
}
