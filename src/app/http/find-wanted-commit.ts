import { GitHubError } from '../../errors.ts'
import { compareCommits, findCommit } from '../../github/commits.ts'
import type { GitHubApp } from '../../github/github-app.ts'
import type { Project, UpdateCommit } from '../../status/types.ts'
import { Problem } from './problems.ts'
import { withinTime } from './within-time.ts'

/** A commit as a new record needs it. */
export interface WantedCommit {
  readonly commit: UpdateCommit
  /** GitHub login, else the name in the commit. */
  readonly author: string
  /** A sentence for the log of the record, where GitHub cut the lists of files. */
  readonly truncated: string | undefined
}

/** A caller that waits longer has given up; GitHub's own limit for a webhook is 10 s. */
const timeoutMs = 15_000

const nothingChanged = { added: [], modified: [], removed: [] }

/**
 * Looks up what a trigger names, as the installation of the project: the commit, and what it changed since its first parent.
 *
 * @throws {Problem} `unprocessable` where the repository has no such ref or commit, or the app may not read it; `unavailable` where
 *   GitHub cannot be asked now.
 */
export async function findWantedCommit(
  app: GitHubApp,
  project: Project,
  { ref, sha }: { ref: string; sha?: string | undefined },
): Promise<WantedCommit> {
  if (project.installationId === undefined) {
    throw new Problem('unprocessable', 'The GitHub App is not installed on the repository of this project')
  }
  const client = app.installation(project.installationId)
  const repository = { owner: project.owner, repo: project.repo }
  const look = async (): Promise<WantedCommit> => {
    const tip = await findCommit(client, repository, ref)
    if (!tip) throw new Problem('unprocessable', `The repository has no \`${ref}\``)
    const found = sha === undefined || sha === tip.sha ? tip : await findCommit(client, repository, sha)
    if (!found) throw new Problem('unprocessable', `The repository has no commit \`${sha}\``)
    const parent = found.parents[0]
    const comparison = parent === undefined ? undefined : await compareCommits(client, repository, parent, found.sha)
    return {
      commit: { sha: found.sha, ref, message: found.message, filesChanged: comparison?.filesChanged ?? nothingChanged },
      author: found.author,
      truncated: comparison?.truncated,
    }
  }
  try {
    return await withinTime(look(), timeoutMs, unavailable)
  } catch (error) {
    throw error instanceof GitHubError ? toProblem(error) : error
  }
}

function toProblem({ failure, retryAfterMs, permission }: GitHubError): Problem {
  if (failure === 'forbidden' || failure === 'not-found') {
    return new Problem(
      'unprocessable',
      `The GitHub App may not read this repository${permission ? ` (needs \`${permission}\`)` : ''}`,
    )
  }
  return unavailable(retryAfterMs)
}

function unavailable(retryAfterMs = 30_000): Problem {
  return new Problem('unavailable', 'GitHub cannot be asked now', {
    headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
  })
}
