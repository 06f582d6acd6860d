import { GitHubError } from '../errors.ts'
import { isObject } from '../text/is-object.ts'
import { callGitHub, type GitHubOperation, nameRepository } from './call-github.ts'
import { toShortDescription } from './to-short-description.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** A deployment with the state it ended in. */
export interface Deployment {
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** `docs (production)`. */
  readonly environment: string
  /** False for a preview, whose environment goes with its branch. */
  readonly isProduction: boolean
  /** Our `statusId`: one deployment for each record. */
  readonly externalId: string
  readonly state: 'success' | 'failure'
  /** Cut to GitHub's 140 characters. */
  readonly description: string
  readonly logUrl: string
  /** Where what was deployed is looked at. */
  readonly siteUrl?: string
}

/**
 * Makes the deployment of a record and gives it its state.
 *
 * @param mayExist An earlier attempt may have done a part of it: what is there is looked for first and not made again.
 * @throws {GitHubError}
 */
export async function setDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  deployment: Deployment,
  mayExist: boolean,
): Promise<void> {
  const about: GitHubOperation = {
    operation: 'write deployment',
    on: nameRepository(repository, deployment.sha),
    permission: 'deployments: write',
  }
  const found = mayExist ? await findDeployment(client, repository, deployment, about) : undefined
  const id = found ?? (await createDeployment(client, repository, deployment, about))
  const named = { ...repository, deployment_id: id }
  const hasState = async () => {
    const { data } = await callGitHub(about, () => client.rest.repos.listDeploymentStatuses({ ...named, per_page: 100 }))
    // A later deployment may have made it `inactive` since: it had its state.
    return data.some(({ state }) => state === deployment.state)
  }
  if (found !== undefined && (await hasState())) return
  const { state, description, logUrl, siteUrl } = deployment
  const addresses = { log_url: logUrl, ...(siteUrl === undefined ? {} : { environment_url: siteUrl }) }
  const status = { ...named, state, description: toShortDescription(description), ...addresses }
  try {
    await callGitHub(about, () => client.rest.repos.createDeploymentStatus(status))
  } catch (error) {
    if (!isUncertain(error) || !(await hasState())) throw error
  }
}

/** The request may have been acted on although no answer came. */
function isUncertain(error: unknown): boolean {
  return error instanceof GitHubError && (error.failure === 'unreachable' || error.failure === 'unavailable')
}

async function findDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  { sha, environment, externalId }: Deployment,
  about: GitHubOperation,
): Promise<number | undefined> {
  const { data } = await callGitHub({ ...about, operation: 'read deployments' }, () =>
    client.rest.repos.listDeployments({ ...repository, sha, environment, per_page: 100 }),
  )
  return data.find(({ payload }) => isObject(payload) && payload['statusId'] === externalId)?.id
}

async function createDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  deployment: Deployment,
  about: GitHubOperation,
): Promise<number> {
  const { sha, environment, isProduction, externalId } = deployment
  const create = async () => {
    const { data } = await client.rest.repos.createDeployment({
      ...repository,
      ref: sha,
      environment,
      production_environment: isProduction,
      transient_environment: !isProduction,
      // The record tells of this very commit: GitHub is not to merge into it, nor to wait for our own check.
      auto_merge: false,
      required_contexts: [],
      payload: { statusId: externalId },
    })
    // GitHub answers 202 with a message alone where it merged first.
    return 'id' in data ? data.id : undefined
  }
  try {
    const id = await callGitHub(about, create)
    if (id !== undefined) return id
  } catch (error) {
    const made = isUncertain(error) ? await findDeployment(client, repository, deployment, about) : undefined
    if (made !== undefined) return made
    throw error
  }
  throw new GitHubError(`Cannot ${about.operation} on ${about.on}: GitHub made none`, {
    failure: 'refused',
    operation: about.operation,
  })
}
