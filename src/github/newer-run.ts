import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/**
 * Whether a newer run of a workflow is at work, or waits, on a commit; or has ended well on it. Undefined where the token may not ask
 * (`actions: read`).
 *
 * @throws {GitHubError}
 */
export async function hasNewerRun(
  client: GitHubClient,
  repository: RepositoryName,
  run: {
    /** The name of the workflow's file, such as `docs.yml`. */
    readonly workflow: string
    readonly sha: string
    /** Of the run that asks. */
    readonly runNumber: number
  },
): Promise<boolean | undefined> {
  const about = { operation: 'list workflow runs', on: nameRepository(repository, run.sha), permission: 'actions: read' }
  try {
    const { data } = await callGitHub(about, () =>
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
