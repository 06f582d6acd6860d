import { GitHubError } from '../../text/errors.ts'
import { callGitHub, nameRepository } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'

/** The file list of a commit. */
interface RepositoryListing {
  /**
   * Plain and executable files, relative to the repository with `/`, sorted by UTF-16 units. Links and submodules are excluded.
   */
  readonly paths: readonly string[]
  /** GitHub's list is limited to 100,000 entries or 7 MB. */
  readonly isTruncated: boolean
}

/** Lists the files of a commit without reading them. @throws {GitHubError} */
export async function listRepositoryFiles(
  client: GitHubClient,
  repository: RepositoryName,
  sha: string,
): Promise<RepositoryListing> {
  const operation = { operation: 'list files', on: nameRepository(repository, sha), permission: 'contents: read' }
  const { data } = await callGitHub(operation, () => client.rest.git.getTree({ ...repository, tree_sha: sha, recursive: 'true' }))
  const isFile = (mode: string | undefined) => mode === '100644' || mode === '100755'
  const paths = data.tree.flatMap(({ path, mode }) => (isFile(mode) && path !== undefined ? [path] : []))
  return { paths: paths.sort(), isTruncated: data.truncated }
}

/**
 * Reads a small file; `undefined` if there is none.
 *
 * @param sha The commit. Default: the tip of the default branch.
 * @throws {GitHubError} `refused` for a file over 1 MB, because this response would not contain its content.
 */
export async function readRepositoryFile(
  client: GitHubClient,
  repository: RepositoryName,
  sha: string | undefined,
  path: string,
): Promise<Uint8Array | undefined> {
  const operation = {
    operation: `read \`${path.slice(0, 200)}\``,
    on: nameRepository(repository, sha),
    permission: 'contents: read',
  }
  try {
    const { data } = await callGitHub(operation, () =>
      client.rest.repos.getContent({ ...repository, path, ...(sha === undefined ? {} : { ref: sha }) }),
    )
    if (Array.isArray(data) || data.type !== 'file') return undefined
    if (data.encoding !== 'base64') {
      throw new GitHubError(`Cannot ${operation.operation} on ${operation.on}: the file is larger than 1 MB`, {
        failure: 'refused',
        operation: operation.operation,
      })
    }
    return Buffer.from(data.content, 'base64')
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

/**
 * Whether a person may write to a repository. Checked before an action they request.
 *
 * @param person With `id`, the login must still belong to that account: logins can change hands.
 * @throws {GitHubError} when the request fails. An unknown login may not write.
 */
export async function mayWrite(client: GitHubClient, repository: RepositoryName, person: GitHubPerson): Promise<boolean> {
  const permission = await findPermission(client, repository, person)
  return permission === 'write' || permission === 'admin'
}

interface GitHubPerson {
  readonly login: string
  readonly id?: number | undefined
}

/**
 * The access of a person to a repository; `undefined` for none.
 *
 * @throws {GitHubError} when the request fails.
 */
export async function findPermission(
  client: GitHubClient,
  repository: RepositoryName,
  { login, id }: GitHubPerson,
): Promise<'read' | 'write' | 'admin' | undefined> {
  const operation = { operation: 'check the permission of a user', on: nameRepository(repository), permission: 'metadata: read' }
  try {
    const { data } = await callGitHub(operation, () =>
      client.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: login }),
    )
    if (id !== undefined && data.user?.id !== id) return undefined
    const { permission } = data
    return permission === 'admin' || permission === 'write' || permission === 'read' ? permission : undefined
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

/** A person with access to a repository. `role` is GitHub's name, such as `maintain` or the name of a custom role. */
export interface Collaborator {
  readonly login: string
  readonly role: string
  readonly level: 'read' | 'write' | 'admin'
}

/** The first 100 people with access to a repository, including the members of its organization. @throws {GitHubError} */
export async function listCollaborators(client: GitHubClient, repository: RepositoryName): Promise<readonly Collaborator[]> {
  const operation = { operation: 'list collaborators', on: nameRepository(repository), permission: 'metadata: read' }
  const { data } = await callGitHub(operation, () => client.rest.repos.listCollaborators({ ...repository, per_page: 100 }))
  return data.map(({ login, role_name: role, permissions }) => ({
    login,
    role,
    level: permissions?.admin ? 'admin' : permissions?.push || permissions?.maintain ? 'write' : 'read',
  }))
}

/**
 * Whether a newer run of a workflow on a commit is queued, running or successful. Undefined when the token lacks `actions: read`.
 *
 * @throws {GitHubError}
 */
export async function hasNewerRun(
  client: GitHubClient,
  repository: RepositoryName,
  run: {
    /** The file name of the workflow, such as `docs.yml`. */
    readonly workflow: string
    readonly sha: string
    /** Number of the current run. */
    readonly runNumber: number
  },
): Promise<boolean | undefined> {
  const operation = { operation: 'list workflow runs', on: nameRepository(repository, run.sha), permission: 'actions: read' }
  try {
    const { data } = await callGitHub(operation, () =>
      client.rest.actions.listWorkflowRuns({ ...repository, workflow_id: run.workflow, head_sha: run.sha, per_page: 100 }),
    )
    return data.workflow_runs.some(
      ({ run_number: number, status, conclusion }) =>
        number > run.runNumber && (status !== 'completed' || conclusion === 'success'),
    )
  } catch (error) {
    if (error instanceof GitHubError && (error.failure === 'forbidden' || error.failure === 'not-found')) return undefined
    throw error
  }
}
