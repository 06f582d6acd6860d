import type { GitHubApp } from '../../github/apps/github-app.ts'
import type { GitHubClient } from '../../github/requests/github-client.ts'
import type { Project } from '../../status/update-record.ts'
import type { ServerTrouble } from '../../store/queue/jobs.ts'
import { codeOf, GitHubError, type GitHubFailure, StoreError } from '../../text/errors.ts'
import type { AppContext } from './app-context.ts'

/** The GitHub App. @throws {Error} if it is not set up. No job is claimed then. */
export function requireGitHubApp({ github }: Pick<AppContext, 'github'>): GitHubApp {
  if (!github.app) throw new Error('No GitHub App is set up')
  return github.app
}

/** The GitHub client of a project's installation. @throws {GitHubError} `not-found` if the app is not installed. */
export function clientOf(context: Pick<AppContext, 'github'>, { installationId, owner, repo }: Project): GitHubClient {
  if (installationId === undefined) {
    throw new GitHubError(`Cannot access \`${owner}/${repo}\`: the GitHub App is not installed on it`, {
      failure: 'not-found',
      operation: 'find installation',
    })
  }
  return requireGitHubApp(context).installation(installationId)
}

/** The display name of a project: `owner/repo (root/)`. */
export function toProjectName({ owner, repo, root }: Pick<Project, 'owner' | 'repo' | 'root'>): string {
  return `${owner}/${repo}${root === '' ? '' : ` (${root}/)`}`
}

/** The repository of an organization that has the ruleset for all of its repositories. */
export const organizationRepository = '.github'

/** The name of a project's check, unique for each docs directory of a repository. */
export function toCheckName(root: string): string {
  return root === '' ? 'openapi-pages' : `openapi-pages (${root}/)`
}

/** Picks the repository name, because requests accept no other fields of a project. */
export function toName({ owner, repo }: Project): { readonly owner: string; readonly repo: string } {
  return { owner, repo }
}

/** Why GitHub refuses something, as a clause. @throws the error itself if another attempt may succeed. */
export function toRefusal(error: unknown): string {
  const { mayPass, reason } = toJobFailure(error)
  if (mayPass) throw error
  return reason.replace(/^Cannot /, 'cannot ')
}

/** How to handle an error of a job. `reason` is a sentence for the record, without a full stop. */
interface JobFailure {
  /** False if GitHub refuses it: another attempt would fail the same way for now. */
  readonly mayPass: boolean
  /** What to list until it works: the kind of GitHub's refusal, or what of this server fails. Absent for incidents of GitHub. */
  readonly refusal?: GitHubFailure | ServerTrouble
  readonly reason: string
  readonly retryAfterMs?: number
}

const temporaryFailures: ReadonlySet<GitHubFailure> = new Set([
  'rate-limited',
  'unavailable',
  'unreachable',
  'conflict',
  'unauthorized',
])

/** Decides whether another attempt can succeed. The record does not show details of unexpected errors. */
export function toJobFailure(error: unknown): JobFailure {
  if (error instanceof StoreError) return { mayPass: true, refusal: 'storage', reason: 'the server cannot use its storage' }
  if (!(error instanceof GitHubError)) {
    const code = codeOf(error) ?? ''
    // Errors of Node.js itself start with `ERR_`.
    return /^E[A-Z]+$/.test(code)
      ? { mayPass: true, refusal: 'system', reason: `the disk or the system of the server fails (${code})` }
      : { mayPass: true, refusal: 'unexpected', reason: 'the server has an unexpected error, which its log explains' }
  }
  const { failure, message, hint, retryAfterMs } = error
  const mayPass = temporaryFailures.has(failure)
  return {
    mayPass,
    ...(mayPass ? {} : { refusal: failure }),
    reason: mayPass || hint === undefined ? message : `${message}. ${hint}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}
