import type { Git } from './git.ts'

/** The commit that the work tree is at; undefined where there is none. @throws {GitError} when git cannot be started. */
export async function findHead(git: Git): Promise<string | undefined> {
  const output = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  return output.code === 0 ? output.stdout.trim() : undefined
}
