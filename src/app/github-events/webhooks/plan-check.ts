import type { Project, UpdateSource } from '../../../status/update-record.ts'
import type { NewUpdate } from '../../../store/queue/jobs.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { type TaskName, toTask } from '../../base/tasks.ts'
import { compareProjects, joinPlans, noWork, type Payload, type Plan, type PlanContext, planUpdates } from './plan.ts'

/** A user re-runs a check. This creates a new record with a new check, because the old check would keep its annotations. */
export async function planCheckRerun(context: PlanContext, payload: Payload<'check_run.rerequested'>): Promise<Plan> {
  const found = await findUpdate(context, payload.repository.id, payload.check_run.external_id)
  if (!found) return noWork
  const { changes, confirm } = await compareProjects(context, payload)
  const updates = await planRerun(context, found, `requested by ${payload.sender.login}`)
  return { projectChanges: changes, updates, tasks: confirm }
}

/** A user re-runs all checks of a commit. */
export async function planSuiteRerun(context: PlanContext, payload: Payload<'check_suite.rerequested'>): Promise<Plan> {
  const { head_sha: sha } = payload.check_suite
  const { projects, changes, confirm } = await compareProjects(context, payload)
  const updates: NewUpdate[] = []
  for (const project of projects) {
    const stored = await context.store.statuses.findNewest(project.id, { sha })
    if (stored) updates.push(...(await planRerun(context, { stored, project }, `requested by ${payload.sender.login}`)))
  }
  return joinPlans({ projects, changes, confirm }, updates)
}

/** A user pressed a button of a check. */
export async function planCheckAction(context: PlanContext, payload: Payload<'check_run.requested_action'>): Promise<Plan> {
  const name = buttonNames.find((button) => button === payload.requested_action?.identifier)
  const found = name && (await findUpdate(context, payload.repository.id, payload.check_run.external_id))
  if (!name || !found) return noWork
  const { stored, project } = found
  const { login, id: userId } = payload.sender
  const button = { statusId: stored.update._id, login, userId }
  const { changes, confirm } = await compareProjects(context, payload)
  return { projectChanges: changes, tasks: [...confirm, toTask(context.store.newId(), name, project.installationId, button)] }
}

/** The identifiers of buttons, which are the names of their tasks. */
const buttonNames = ['approve-preview', 'regenerate', 'accept-changes'] as const satisfies readonly TaskName[]

export type ButtonName = (typeof buttonNames)[number]

interface Found {
  readonly stored: Pick<StoredUpdate, 'update' | 'details'>
  readonly project: Project
}

/** Finds the record of a check. Ignores records of other repositories. */
async function findUpdate({ store }: PlanContext, repositoryId: number, statusId: string | null): Promise<Found | undefined> {
  const stored = statusId === null ? undefined : await store.statuses.find(statusId)
  const project = stored && (await store.projects.find(stored.update.projectId))
  return stored && project?.repositoryId === repositoryId ? { stored, project } : undefined
}

/**
 * Plans a new record for the commit of an old one. It only validates if the branch has a newer commit.
 *
 * @param reason Ends a line of the logs: `requested by ada`.
 */
export async function planRerun(
  context: PlanContext,
  { stored, project }: Found,
  reason: string,
  source: UpdateSource = 'internal',
): Promise<readonly NewUpdate[]> {
  const { update, details } = stored
  const { ref, sha } = update.commit
  const newest = await context.store.statuses.findNewest(project.id, { ref })
  const isNewest = newest?.update.commit.sha === sha
  const { before, pullNumber, filesTruncated } = details
  return planUpdates(context, [project], {
    commit: update.commit,
    author: update.author,
    ...(update.authorInfo && { authorInfo: update.authorInfo }),
    details: {
      trigger: 'rerun',
      ...(before === undefined ? {} : { before }),
      ...(pullNumber === undefined ? {} : { pullNumber }),
      ...(filesTruncated === undefined ? {} : { filesTruncated }),
    },
    once: 'always',
    source,
    logs: [`Re-run of ${update._id}, ${reason}`],
    validationOnly: !isNewest,
  })
}
