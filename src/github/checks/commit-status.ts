import { GitHubError } from '../../text/errors.ts'
import { isObject } from '../../text/json/json-values.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { callGitHub, type GitHubOperation, isUncertain, nameRepository } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'

/** A commit status. GitHub keeps all of them and uses the newest one of each context. */
interface CommitStatus {
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** The displayed name. */
  readonly context: string
  readonly state: 'pending' | 'success' | 'failure'
  /** Cut to GitHub's limit of 140 characters. */
  readonly description: string
  readonly targetUrl: string
}

/**
 * Sets the commit status of a context.
 *
 * @param mayExist An earlier attempt may have set it: reads the newest status first and keeps it if it is the same.
 * @throws {GitHubError}
 */
export async function setCommitStatus(
  client: GitHubClient,
  repository: RepositoryName,
  status: CommitStatus,
  mayExist: boolean,
): Promise<void> {
  const { sha, context, state, targetUrl } = status
  const description = toShortDescription(status.description)
  const operation: GitHubOperation = {
    operation: 'set commit status',
    on: nameRepository(repository, sha),
    permission: 'statuses: write',
  }
  const isThere = async () => {
    const { data } = await callGitHub({ ...operation, operation: 'read commit statuses' }, () =>
      client.rest.repos.listCommitStatusesForRef({ ...repository, ref: sha, per_page: 100 }),
    )
    // Newest first. GitHub ignores case in a context.
    const newest = data.find((one) => one.context.toLowerCase() === context.toLowerCase())
    return newest?.state === state && newest.target_url === targetUrl && newest.description === description
  }
  if (mayExist && (await isThere())) return
  try {
    await callGitHub(operation, () =>
      client.rest.repos.createCommitStatus({ ...repository, sha, context, state, description, target_url: targetUrl }),
    )
  } catch (error) {
    if (!isUncertain(error) || !(await isThere())) throw error
  }
}

/** A deployment with its final state. */
interface Deployment {
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** `docs (production)`. */
  readonly environment: string
  /** False for a preview, whose environment is removed with its branch. */
  readonly isProduction: boolean
  /** The `statusId` of its record: one deployment per record. */
  readonly externalId: string
  readonly state: 'success' | 'failure'
  /** Cut to GitHub's limit of 140 characters. */
  readonly description: string
  readonly logUrl: string
  /** URL of the deployed site. */
  readonly siteUrl?: string
}

/**
 * Creates the deployment of a record and sets its state.
 *
 * @param mayExist An earlier attempt may have done a part of it: reads first, and creates only the missing parts.
 * @throws {GitHubError}
 */
export async function setDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  deployment: Deployment,
  mayExist: boolean,
): Promise<void> {
  const operation: GitHubOperation = {
    operation: 'write deployment',
    on: nameRepository(repository, deployment.sha),
    permission: 'deployments: write',
  }
  const found = mayExist ? await findDeployment(client, repository, deployment, operation) : undefined
  const id = found ?? (await createDeployment(client, repository, deployment, operation))
  const named = { ...repository, deployment_id: id }
  const hasState = async () => {
    const { data } = await callGitHub(operation, () => client.rest.repos.listDeploymentStatuses({ ...named, per_page: 100 }))
    // A later deployment may have made it `inactive` since.
    return data.some(({ state }) => state === deployment.state)
  }
  if (found !== undefined && (await hasState())) return
  const { state, description, logUrl, siteUrl } = deployment
  const addresses = { log_url: logUrl, ...(siteUrl === undefined ? {} : { environment_url: siteUrl }) }
  const status = { ...named, state, description: toShortDescription(description), ...addresses }
  try {
    await callGitHub(operation, () => client.rest.repos.createDeploymentStatus(status))
  } catch (error) {
    if (!isUncertain(error) || !(await hasState())) throw error
  }
}

/** In any environment: the default branch or the docs directory may have changed since it was created. */
async function findDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  { sha, externalId }: Deployment,
  operation: GitHubOperation,
): Promise<number | undefined> {
  const { data } = await callGitHub({ ...operation, operation: 'read deployments' }, () =>
    client.rest.repos.listDeployments({ ...repository, sha, per_page: 100 }),
  )
  return data.find(({ payload }) => isObject(payload) && payload['statusId'] === externalId)?.id
}

async function createDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  deployment: Deployment,
  operation: GitHubOperation,
): Promise<number> {
  const { sha, environment, isProduction, externalId } = deployment
  const create = async () => {
    const { data } = await client.rest.repos.createDeployment({
      ...repository,
      ref: sha,
      environment,
      production_environment: isProduction,
      transient_environment: !isProduction,
      // Deploy exactly this commit: GitHub must neither merge the default branch into it nor wait for our own check.
      auto_merge: false,
      required_contexts: [],
      payload: { statusId: externalId },
    })
    // GitHub responds 202 with only a message when it merged first.
    return 'id' in data ? data.id : undefined
  }
  try {
    const id = await callGitHub(operation, create)
    if (id !== undefined) return id
  } catch (error) {
    const made = isUncertain(error) ? await findDeployment(client, repository, deployment, operation) : undefined
    if (made !== undefined) return made
    throw error
  }
  throw new GitHubError(`Cannot ${operation.operation} on ${operation.on}: GitHub did not create one`, {
    failure: 'refused',
    operation: operation.operation,
  })
}

/** GitHub REST, "Create a deployment status". Commit statuses have the same limit. */
const characters = 140

/** Escapes a line and cuts it to the length of the description of a commit status or deployment status. */
function toShortDescription(text: string): string {
  const shown = escapeText(text)
  const all = [...shown]
  return all.length <= characters ? shown : `${all.slice(0, characters - 1).join('')}…`
}
