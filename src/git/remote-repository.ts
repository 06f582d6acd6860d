import { joinOwned, type OwnPath } from '../files/boundary.ts'
import { disk, makeTemporaryFolder } from '../files/disk-writes.ts'
import { GitError } from '../text/errors.ts'
import { getOrMake } from '../text/plain/lists.ts'
import { findRemote, type Remote } from './commit.ts'
import { type Git, openGit, openTrustedGit, readGit } from './git.ts'
import { openRevision, type RevisionFiles } from './revisions.ts'

/** A branch, tag or commit of a remote repository. */
interface RemoteRef {
  readonly kind: 'branch' | 'tag' | 'commit'
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly name: string
  readonly sha: string
}

/** A work tree without files whose `origin` is a remote repository. */
export interface LinkedFolder {
  readonly git: Git
  readonly remote: Remote
}

/**
 * Initializes a folder whose `origin` is a repository. Contacts no server.
 *
 * @param token Replaces the credentials that Git has for this server.
 * @throws {GitError} when git refuses it.
 */
export async function linkFolder(folder: OwnPath, url: string, token: string | undefined): Promise<LinkedFolder> {
  disk.mkdirSync(folder, { recursive: true })
  const git = openTrustedGit(folder)
  for (const args of [
    ['init', '--quiet'],
    ['remote', 'add', 'origin', url],
  ]) {
    await readGit(git, `create a repository in \`${folder}\``, args)
  }
  return { git, remote: await findRemote(git, token) }
}

/**
 * Finds a branch, a tag or a commit of a remote repository.
 *
 * @param name of the repository in messages.
 * @param ref Default: the default branch. A branch precedes a tag with the same name.
 * @throws {GitError} when the repository cannot be read, or has no such ref.
 */
export async function findRef({ git, remote }: LinkedFolder, name: string, ref: string | undefined): Promise<RemoteRef> {
  if (ref !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return { kind: 'commit', name: ref, sha: ref }
  const short = ref?.replace(/^refs\/(?:heads|tags)\//, '')
  const [branch, tag] = [`refs/heads/${short}`, `refs/tags/${short}`]
  const patterns = ['HEAD', ...(short === undefined ? [] : [branch, tag, `${tag}^{}`])]
  const args = ['ls-remote', '--symref', remote.name, ...patterns]
  const listed = await readGit(git, `read \`${name}\``, args, { environment: remote.environment })
  const shas = new Map<string, string>()
  let defaultBranch: string | undefined
  for (const line of listed.split('\n')) {
    const [value = '', found = ''] = line.split('\t')
    if (found === 'HEAD' && value.startsWith('ref: refs/heads/')) defaultBranch = value.slice('ref: refs/heads/'.length)
    else if (found !== '') shas.set(found, value)
  }
  if (short === undefined) {
    const sha = shas.get('HEAD')
    if (sha !== undefined && defaultBranch !== undefined) return { kind: 'branch', name: defaultBranch, sha }
    throw new GitError(`Cannot read \`${name}\`: it has no commit yet`, { hint: 'Push a first commit to its default branch' })
  }
  const ofBranch = ref?.startsWith('refs/tags/') ? undefined : shas.get(branch)
  if (ofBranch !== undefined) return { kind: 'branch', name: short, sha: ofBranch }
  // An annotated tag is followed to its commit.
  const ofTag = ref?.startsWith('refs/heads/') ? undefined : (shas.get(`${tag}^{}`) ?? shas.get(tag))
  if (ofTag !== undefined) return { kind: 'tag', name: short, sha: ofTag }
  const instead = defaultBranch === undefined ? '' : `. Its default branch is \`${defaultBranch}\``
  throw new GitError(`Cannot read \`${name}\`: it has no branch or tag \`${short}\`${instead}`, {
    hint: 'Name another one, or none to follow the default branch',
  })
}

/** Fetches a commit without its history. @throws {GitError} when the server refuses it. */
export async function fetchAlone({ git, remote }: LinkedFolder, name: string, sha: string): Promise<void> {
  const args = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--depth=1', remote.name, sha]
  await readGit(git, `read \`${name}\` at \`${sha.slice(0, 7)}\``, args, { environment: remote.environment })
}

/**
 * Reads files of repositories of one server.
 *
 * @param server Its URL, and the token that its repositories are read with. Default: the credentials of Git.
 */
export function openRemoteRepositories(server: { readonly url: string; readonly token: string | undefined }) {
  let folder: OwnPath | undefined
  const linked = new Map<string, Promise<LinkedFolder>>()
  const link = (name: string) => {
    folder ??= makeTemporaryFolder('openapi-pages-sources-')
    const own = joinOwned(folder, String(linked.size))
    return getOrMake(linked, name, () => linkFolder(own, `${toWebUrl(server.url, name)}.git`, server.token))
  }
  const revisions = new Map<string, Promise<RevisionFiles>>()
  return {
    /**
     * Fetches the newest commit of a ref, without its history.
     *
     * @param name `owner/name`.
     * @throws {GitError} when it cannot be read.
     */
    read: async (name: string, ref: string | undefined) => {
      const repository = await link(name)
      const found = await findRef(repository, name, ref)
      const key = `${name}@${found.sha}`
      const open = async () => {
        await fetchAlone(repository, name, found.sha)
        return await openRevision(openGit(repository.git.folder), found.sha)
      }
      return { ...(await getOrMake(revisions, key, open)), ref: found }
    },
    /** The URL of a repository on the web. */
    webUrl: (name: string) => toWebUrl(server.url, name),
    /** Removes everything that was fetched. */
    close: () => {
      if (folder !== undefined) disk.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** The URL of a repository on the web. With `.git`, it can be cloned from there. */
export function toWebUrl(serverUrl: string, name: string): string {
  return `${serverUrl.replace(/(?<!\/)\/+$/, '')}/${name}`
}
