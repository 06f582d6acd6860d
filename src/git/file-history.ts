import { GitError } from '../text/errors.ts'
import { type Git, toGitError } from './git.ts'
import { isLacking, openRevision, type RevisionFiles } from './revision-files.ts'

/** Commits that change files, newest first. */
interface FileCommits {
  /** Dates are ISO 8601 in UTC. */
  readonly commits: readonly { readonly sha: string; readonly date: string }[]
  /** Whether there are more than were asked for, or the clone lacks older commits. */
  readonly isCut: boolean
}

/**
 * Lists the tags of commits. Dates are ISO 8601 in UTC: of the tag if it has one, else of the commit.
 *
 * @throws {GitError} if the tags cannot be read.
 */
export async function listTags(git: Git): Promise<{ readonly tag: string; readonly sha: string; readonly date: string }[]> {
  const format = '%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)%00%(objecttype)%00%(*objecttype)'
  const output = await git.run(['for-each-ref', `--format=${format}`, 'refs/tags'])
  if (output.code !== 0) throw toGitError('list the tags', output)
  return output.stdout.split('\n').flatMap((line) => {
    const [tag = '', object = '', peeled = '', seconds = '', type, peeledType] = line.split('\0')
    const isCommit = (peeled === '' ? type : peeledType) === 'commit'
    return isCommit ? [{ tag, sha: peeled || object, date: toDate(seconds) }] : []
  })
}

/**
 * Lists the commits of the current branch that change files, newest first, without those of merged branches.
 *
 * @param paths of files and folders, relative to the folder of `git`. @throws {GitError} if the commits cannot be read.
 */
export async function listCommits(git: Git, paths: readonly string[], limit: number): Promise<FileCommits> {
  const literal = paths.map((path) => `:(literal)${path}`)
  const output = await git.run(['log', '--first-parent', `--max-count=${limit + 1}`, '--format=%H %ct', '--', ...literal])
  if (output.code !== 0) throw toGitError('list the commits', output)
  const commits = output.stdout.split('\n').flatMap((line) => {
    const [sha = '', seconds = ''] = line.split(' ')
    return sha === '' ? [] : [{ sha, date: toDate(seconds) }]
  })
  return { commits: commits.slice(0, limit), isCut: commits.length > limit || (await isShallow(git)) }
}

/** Whether the clone lacks older commits. @throws {GitError} when git cannot be started. */
export async function isShallow(git: Git): Promise<boolean> {
  return (await git.run(['rev-parse', '--is-shallow-repository'])).stdout.trim() === 'true'
}

/** The path of a file in an older commit, if git finds that it was renamed. @throws {GitError} when git cannot be started. */
export async function findEarlierPath(git: Git, path: string, older: string, newer: string): Promise<string | undefined> {
  const args = ['diff', '--relative', '--find-renames', '--diff-filter=R', '--name-status', '-z', older, newer]
  const parts = (await git.run(args)).stdout.split('\0')
  for (let index = 0; index + 2 < parts.length; index += 3) if (parts[index + 2] === path) return parts[index + 1]
  return undefined
}

/**
 * Opens the files of a commit below the folder of `git`, which can be inside a larger repository. Nothing outside of the folder can be read.
 *
 * @throws {GitError} if the commit does not exist, or on reading a file whose content a partial clone lacks.
 */
export async function openCommit(git: Git, sha: string): Promise<RevisionFiles> {
  const revision = await openRevision(git, sha)
  const files: RevisionFiles = {
    ...revision,
    async read(path, limitBytes) {
      const result = await revision.read(path, limitBytes)
      // A version whose files are unknown must not look like the first one.
      if (isLacking(result)) throw new GitError(`${path} of ${sha.slice(0, 7)}: ${result.reason}`)
      return result
    },
  }
  const found = await git.run(['rev-parse', '--show-prefix'])
  if (found.code !== 0) throw toGitError('find the top of the work tree', found)
  const prefix = found.stdout.replace(/\n$/, '')
  if (prefix === '') return files
  return {
    sha,
    async read(path, limitBytes) {
      const result = await files.read(prefix + path, limitBytes)
      if (result.kind !== 'file') return result
      if (!result.identity.startsWith(prefix)) return { kind: 'outside' }
      return { ...result, identity: result.identity.slice(prefix.length) }
    },
    list: async (folder) => (await files.list((prefix + folder).replace(/\/$/, ''))).map((path) => path.slice(prefix.length)),
  }
}

/**
 * The URL of the repository on the web, without a final slash, from the remote `origin`. Only for hosts whose commits have known URLs. Never
 * contains credentials.
 *
 * @param server the URL of GitHub, such as that of a GitHub Enterprise Server. @throws {GitError} when git cannot be started.
 */
export async function findCommitUrl(git: Git, server: string | undefined): Promise<((sha: string) => string) | undefined> {
  const { stdout } = await git.run(['remote', 'get-url', 'origin'])
  const address = stdout
    .trim()
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
  const [, host = '', rest = ''] =
    /^(?:(?:https?|ssh|git):\/\/)?(?:[^/@\s]*@)?([\w.-]+)(?::\d+(?=\/))?[:/]([^\s?#]+)$/.exec(address) ?? []
  const path = rest.replace(/^\/+/, '')
  const own = server !== undefined && URL.canParse(server) ? new URL(server) : undefined
  const segment = own?.hostname === host ? 'commit' : commitSegments.get(host)
  if (segment === undefined || !/^[\w./~-]+$/.test(path)) return undefined
  const origin = own?.hostname === host ? own.origin : `https://${host}`
  return (sha) => `${origin}/${path}/${segment}/${sha}`
}

const commitSegments: ReadonlyMap<string, string> = new Map([
  ['github.com', 'commit'],
  ['gitlab.com', '-/commit'],
  ['bitbucket.org', 'commits'],
  ['codeberg.org', 'commit'],
])

/** @throws {GitError} if the tag has no date. */
function toDate(seconds: string): string {
  const date = new Date(Number(seconds) * 1000)
  if (seconds === '' || Number.isNaN(date.getTime())) throw new GitError(`Cannot read the date \`${seconds}\` of a commit`)
  return date.toISOString()
}
