import { mayWrite } from '../../../github/apps/users.ts'
import { escapeMarkdown } from '../../../github/report/markdown.ts'
import { type CheckOutcome, concludeCheckRun, createCheckRun } from '../../../github/repositories/check-runs.ts'
import type { Project } from '../../../status/types.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import { clientOf, toCheckName, toJobFailure, toName } from '../../base/projects.ts'
import { toSignedLink } from '../../base/signed-links.ts'
import type { TaskRun, Tasks } from '../../base/tasks.ts'
import type { RunContext } from '../../isolate/run-context.ts'
import { refreshProject } from '../reconcile/settle-repository.ts'
import { mayWriteOn } from './commit-feedback.ts'
import { toCommitBranch } from './report-run.ts'

/** The project of a pressed button, with its current name on GitHub. */
export interface PressedButton {
  readonly stored: StoredUpdate
  readonly project: Project
  /** The branch of the commit, which the button writes to. */
  readonly branch: string
  /** The person who pressed the button. Has write access. */
  readonly login: string
  readonly isRetry: boolean
  readonly signal: AbortSignal
}

/** A button of a check that commits to the branch. */
interface CommitButton {
  /** Part of the name of the check that shows the result. */
  readonly name: string
  readonly identifier: string
  /** Title of a refusal. */
  readonly refusal: string
  /** Action in the audit log. */
  readonly audit: string
  /** A sentence: how to get the same commit without the permission to write. */
  readonly hint: string
  run(context: RunContext, pressed: PressedButton): Promise<ButtonResult>
}

/** Runs a button that commits to the branch of a check, and shows the result in a separate check. @throws {GitHubError} */
export async function runCommitButton(
  context: RunContext,
  button: CommitButton,
  { statusId, login, userId }: Tasks['regenerate' | 'accept-changes'],
  { isRetry, signal }: TaskRun,
): Promise<void> {
  const stored = await context.store.statuses.find(statusId)
  const known = stored && (await context.store.projects.find(stored.update.projectId))
  if (!stored || !known?.enabled) return
  // Another repository may have taken over the name.
  const project = await refreshProject(context, known)
  const result = await authorize(context, button, { stored, project, login, userId, isRetry, signal })
  context.log.info({ statusId, login, button: button.name, outcome: result.title }, 'Handled a button of a check')
  const detail = `${login}: ${result.title}`
  await context.store.audit.add({ actor: `github:${login}`, action: button.audit, subject: statusId, detail })
  await showResult(context, { stored, project, isRetry, ...button }, result)
}

/** Runs the button if GitHub confirms that the user and the app may write to the branch. @throws {GitHubError} for temporary errors. */
async function authorize(
  context: RunContext,
  { refusal, hint, run }: CommitButton,
  { userId, ...pressed }: Omit<PressedButton, 'branch'> & { readonly userId: number },
): Promise<ButtonResult> {
  const { stored, project, login } = pressed
  const { installationId } = project
  const branch = toCommitBranch(stored.update.commit.ref, project)
  if (branch === undefined) return refuse(refusal, 'The app does not commit to the default branch, forks or merge queues.')
  try {
    if (!(await mayWrite(clientOf(context, project), toName(project), { login, id: userId }))) {
      return refuse(refusal, `${login} has no write access to this repository.`)
    }
    if (installationId === undefined || !(await mayWriteOn(context, installationId, 'contents'))) {
      return refuse(refusal, `The app does not have \`contents: write\`. ${hint}`)
    }
    return await run(context, { ...pressed, branch })
  } catch (error) {
    const failure = error instanceof GitHubError ? toJobFailure(error) : undefined
    if (!failure || failure.mayPass) throw error
    return refuse(refusal, `${failure.reason}.`)
  }
}

/** Shows the result of a button in a separate check on the same commit. @throws {GitHubError} */
export async function showResult(
  context: RunContext,
  options: {
    readonly stored: StoredUpdate
    readonly project: Project
    readonly name: string
    readonly identifier: string
    readonly isRetry: boolean
  },
  result: ButtonResult,
): Promise<void> {
  const { stored, project, name, identifier, isRetry } = options
  const { _id: statusId, createdAt, commit } = stored.update
  const client = clientOf(context, project)
  const { id } = await createCheckRun(client, toName(project), {
    name: `${toCheckName(project.root)}: ${name}`,
    headSha: commit.sha,
    externalId: `${identifier} ${statusId}`,
    detailsUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(createdAt)),
    mayExist: isRetry,
  })
  const outcome: CheckOutcome = { ...result, annotations: [], actions: [], completedAt: context.now().toISOString() }
  await concludeCheckRun(client, toName(project), id, outcome)
}

/** What the check of a pressed button shows. */
export type ButtonResult = Pick<CheckOutcome, 'conclusion' | 'title' | 'summary'>

/** @param reason A sentence. */
export function refuse(title: string, reason: string): ButtonResult {
  return { conclusion: 'neutral', title: `${title}: ${toClause(reason)}`.slice(0, 250), summary: escapeMarkdown(reason) }
}

/** Lowers the first letter for a title, unless the sentence starts with a login. */
function toClause(sentence: string): string {
  return sentence.replace(/^(?:The|This|No|New|Only|Cannot) /, (word) => word.toLowerCase())
}
