import { configFileNames } from '../../docs/config/config-files.ts'
import { type Config, defaultConfig, type GitHubSetting, parseConfig } from '../../docs/config/project-config.ts'
import { readRepositoryFile } from '../../github/repositories/commits.ts'
import { readPullRequestTrust } from '../../github/repositories/pull-requests.ts'
import type { Project } from '../../status/update-record.ts'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import { GitHubError } from '../../text/errors.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import type { AppContext } from '../base/app-context.ts'
import { clientOf, toName } from '../base/projects.ts'

/** Whether to build the site of a commit from a fork. `reason` is a line for the logs of the record. */
type ForkPreview =
  | { readonly kind: 'build'; readonly reason: string }
  | { readonly kind: 'waiting' | 'off'; readonly reason: string }

/** The settings that a fork cannot change. */
export type BaseSettings = Pick<Config, 'github' | 'changes'>

/** Reads the configuration file on the default branch; `undefined` if there is none. @throws {GitHubError} `refused` for one over 1 MB. */
export async function readConfigFile(context: AppContext, project: Project): Promise<SourceFile | undefined> {
  for (const name of configFileNames) {
    const path = joinPath(project.root, name)
    const bytes = await readRepositoryFile(clientOf(context, project), toName(project), undefined, path)
    if (bytes) return toSourceFile(path, bytes)
  }
  return undefined
}

/**
 * Reads the settings `github` and `changes` from the default branch of the base repository. Commits from forks use them, so that their
 * authors cannot change the settings that restrict forks.
 *
 * @returns The defaults if the configuration file is missing or unreadable.
 * @throws {GitHubError} if GitHub is unreachable.
 */
export async function readBaseSettings(context: AppContext, project: Project): Promise<BaseSettings> {
  const source = await readConfigFile(context, project).catch((error: unknown) => {
    if (error instanceof GitHubError && error.failure === 'refused') return undefined
    throw error
  })
  return source ? (await parseConfig(source)).config : defaultConfig
}

/** Associations of authors who have contributed before. Source: GitHub GraphQL, `CommentAuthorAssociation`. */
const trustedAssociations: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR', 'CONTRIBUTOR']

const approver = 'Someone with write access can approve it in the check or on the dashboard'

/**
 * Decides whether to build the site of a commit from a fork. It reads the current state from GitHub, because payloads can be outdated.
 *
 * @throws {GitHubError}
 */
export async function decideForkPreview(
  context: AppContext,
  { project, stored, settings }: { readonly project: Project; readonly stored: StoredUpdate; readonly settings: GitHubSetting },
): Promise<ForkPreview> {
  const { sha, ref } = stored.update.commit
  const { forkPreviews } = settings
  if (forkPreviews === 'never') return { kind: 'off', reason: 'No preview: `github.forkPreviews` is `never`' }
  if (forkPreviews === 'always') return { kind: 'build', reason: 'Preview of a fork: `github.forkPreviews` is `always`' }
  const approval = await context.store.sites.findApproval(project.id, sha)
  if (approval) {
    const { approvedBy, approvedAt } = approval
    return { kind: 'build', reason: `Preview of a fork, approved by ${approvedBy.replace(/^github:/, '')} at ${approvedAt}` }
  }
  const pullNumber = Number(/^refs\/pull\/(\d+)\//.exec(ref)?.[1] ?? Number.NaN)
  const pull = Number.isSafeInteger(pullNumber)
    ? await readPullRequestTrust(clientOf(context, project), toName(project), pullNumber)
    : undefined
  if (!pull) return { kind: 'waiting', reason: `The preview needs approval: no pull request found for \`${ref}\`. ${approver}` }
  // The author's association covers only the current head of the pull request.
  if (pull.headSha !== sha) {
    return { kind: 'waiting', reason: `The preview needs approval: the pull request has a newer commit. ${approver}` }
  }
  if (pull.isSameRepository) return { kind: 'build', reason: 'Preview of a branch of this repository' }
  if (trustedAssociations.includes(pull.authorAssociation)) {
    return {
      kind: 'build',
      reason: `Preview of a fork, by a trusted author (${pull.authorAssociation.toLowerCase()})`,
    }
  }
  return {
    kind: 'waiting',
    reason: `The preview needs approval: the author of the pull request has not contributed to this repository before. ${approver}`,
  }
}
