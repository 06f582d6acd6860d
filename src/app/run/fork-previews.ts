import { parseConfig } from '../../docs-config/parse-config.ts'
import { configFileNames, defaultConfig, type GitHubSetting } from '../../docs-config/project-config.ts'
import { GitHubError } from '../../errors.ts'
import { readPullRequestTrust } from '../../github/pull-request.ts'
import { readRepositoryFile } from '../../github/repository.ts'
import { joinPath } from '../../source/relative-path.ts'
import { toSourceFile } from '../../source/source-file.ts'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { clientOf, type RunContext, toName } from './run-context.ts'

/** Whether the site of a commit of a fork is built. `reason` is a line for the log of the record. */
export type ForkPreview =
  | { readonly kind: 'build'; readonly reason: string }
  | { readonly kind: 'waiting' | 'off'; readonly reason: string }

/**
 * The `github` settings of the base repository's default branch: those that hold for a commit of a fork, whose author could otherwise
 * switch on what is meant to hold him back.
 *
 * The default where there is no configuration file, or none that can be read. @throws {GitHubError} when GitHub cannot be asked.
 */
export async function readBaseSettings(context: RunContext, project: Project): Promise<GitHubSetting> {
  const client = clientOf(context, project)
  for (const name of configFileNames) {
    const path = joinPath(project.root, name)
    const bytes = await readRepositoryFile(client, toName(project), undefined, path).catch((error: unknown) => {
      if (error instanceof GitHubError && error.failure === 'refused') return 'too-large' as const
      throw error
    })
    if (bytes === 'too-large') break
    if (bytes) return (await parseConfig(toSourceFile(path, bytes))).config.github
  }
  return defaultConfig.github
}

/** What an author is to a repository whose earlier work was accepted there. Source: GitHub GraphQL, `CommentAuthorAssociation`. */
const trustedAssociations: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR', 'CONTRIBUTOR']

const approver = 'someone with write access can approve it with the button of the check, or on the dashboard'

/**
 * Decides whether the site of a commit of a fork is built, by what GitHub says now: payloads can be old.
 *
 * @throws {GitHubError}
 */
export async function decideForkPreview(
  context: RunContext,
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
  if (!pull) return { kind: 'waiting', reason: `The preview waits for approval: GitHub does not know \`${ref}\`; ${approver}` }
  // What the author is to the repository says nothing of a commit that is not, or no longer, the head of the pull request.
  if (pull.headSha !== sha) {
    return { kind: 'waiting', reason: `The preview waits for approval: the pull request has a newer commit; ${approver}` }
  }
  if (pull.isSameRepository) return { kind: 'build', reason: 'Preview of a branch of this repository' }
  if (trustedAssociations.includes(pull.authorAssociation)) {
    return {
      kind: 'build',
      reason: `Preview of a fork, from an author who is known here (${pull.authorAssociation.toLowerCase()})`,
    }
  }
  return {
    kind: 'waiting',
    reason: `The preview waits for approval: its author has not contributed to this repository before; ${approver}`,
  }
}
