import { GitError } from '../errors.ts'
import { type Git, toGitError } from './git.ts'
import { openRevision, type RevisionFiles } from './revision-files.ts'

/** A commit with the files of one folder of the repository. */
interface HistoryCommit {
  readonly sha: string
  /** The part of the tag that `*` matches in the pattern. Absent for commits without a tag. */
  readonly name: string | undefined
  /** ISO 8601 in UTC: of the tag if it has a date, else of the commit. */
  readonly date: string
}

/** Commits, newest first. */
export interface History {
  readonly commits: readonly HistoryCommit[]
  /** Whether there are more than were asked for, or the clone lacks older commits. */
  readonly isCut: boolean
}

/**
 * Lists the tags that match a pattern with one `*`, such as `v*`, by version: the highest first. Pre-releases of a version that is
 * released are left out. The part that `*` matches must start with a number.
 *
 * @throws {GitError} if the tags cannot be read.
 */
export async function listTaggedCommits(git: Git, pattern: string | undefined, limit: number): Promise<History> {
  const format = '%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)%00%(objecttype)%00%(*objecttype)'
  // Pre-releases, which have a `-`, are older than their release.
  const sort = ['-c', 'versionsort.suffix=-', 'for-each-ref', '--sort=-version:refname']
  const output = await git.run([...sort, `--format=${format}`, 'refs/tags'])
  if (output.code !== 0) throw toGitError('list the tags', output)
  const tags = output.stdout.split('\n').flatMap((line) => {
    const [tag = '', object = '', peeled = '', seconds = '', type, peeledType] = line.split('\0')
    const name = matchTag(tag, pattern)
    const isCommit = (peeled === '' ? type : peeledType) === 'commit'
    if (name === undefined || !isCommit) return []
    return [{ sha: peeled || object, name, date: toDate(seconds) }]
  })
  const released = new Set(tags.flatMap(({ name }) => (isPrerelease(name) ? [] : [toRelease(name)])))
  const listed = tags.filter(({ name }) => !isPrerelease(name) || !released.has(toRelease(name)))
  return { commits: listed.slice(0, limit), isCut: listed.length > limit }
}

/**
 * Lists the commits of the current branch that change files, newest first, without those of merged branches.
 *
 * @param paths of files and folders, relative to the folder of `git`. @throws {GitError} if the commits cannot be read.
 */
export async function listCommits(git: Git, paths: readonly string[], limit: number): Promise<History> {
  const literal = paths.map((path) => `:(literal)${path}`)
  const output = await git.run(['log', '--first-parent', `--max-count=${limit + 1}`, '--format=%H %ct', '--', ...literal])
  if (output.code !== 0) throw toGitError('list the commits', output)
  const commits = output.stdout.split('\n').flatMap((line): HistoryCommit[] => {
    const [sha = '', seconds = ''] = line.split(' ')
    return sha === '' ? [] : [{ sha, name: undefined, date: toDate(seconds) }]
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
 * @throws {GitError} if the commit does not exist.
 */
export async function openCommit(git: Git, sha: string): Promise<RevisionFiles> {
  const files = await openRevision(git, sha)
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

/** The version in the name of a tag. By default, tags such as `1.0` and `v1.0` match. */
function matchTag(tag: string, pattern: string | undefined): string | undefined {
  const star = pattern?.indexOf('*') ?? 0
  const [start, end] = [pattern?.slice(0, star) ?? '', pattern?.slice(star + 1) ?? '']
  if (tag.length < start.length + end.length || !tag.startsWith(start) || !tag.endsWith(end)) return undefined
  const version = tag.slice(start.length, tag.length - end.length)
  const [, name] = (pattern === undefined ? /^v?(\d[\w.+-]*)$/ : /^(\d[\w.+-]*)$/).exec(version) ?? []
  return name
}

/** The numbers of a version or date before any pre-release. */
function toRelease(name: string): string {
  return /^\d{4}-\d{2}-\d{2}/.exec(name)?.[0] ?? name.split(/[+-]/)[0] ?? name
}

function isPrerelease(name: string): boolean {
  return /^[\d.]+-/.test(name) && !/^\d{4}-\d{2}-\d{2}/.test(name)
}
