import type { Project, UpdateSource } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { approveIdentifier, regenerateIdentifier } from '../run/report-run.ts'
import { toTask } from '../run/tasks.ts'
import type { Payload } from './plan.ts'
import { noWork, type Plan, type PlanContext, planUpdates, settleProjects } from './plan.ts'

/** A person asked for one check again: a new record and with it a new check, since the old one would keep its annotations. */
export async function planCheckRerun(context: PlanContext, payload: Payload<'check_run.rerequested'>): Promise<Plan> {
  const found = await findUpdate(context, payload.repository.id, payload.check_run.external_id)
  return found ? await planRerun(context, found, payload.sender.login) : noWork
}

/** A person asked for all checks of a commit again. */
export async function planSuiteRerun(context: PlanContext, payload: Payload<'check_suite.rerequested'>): Promise<Plan> {
  const { head_sha: sha } = payload.check_suite
  const { projects, changes, confirm } = await settleProjects(context, payload)
  const plans: Plan[] = []
  for (const project of projects) {
    const known = await context.store.statuses.list(project.id, { sha, limit: 1 })
    const stored = known?.updates[0]
    if (stored) plans.push(await planRerun(context, { stored, project }, payload.sender.login))
  }
  return {
    projectChanges: changes,
    updates: plans.flatMap(({ updates = [] }) => updates),
    tasks: [...(projects.length > 0 ? confirm : []), ...plans.flatMap(({ tasks = [] }) => tasks)],
  }
}

/** A person pressed a button of a check. */
export async function planCheckAction(context: PlanContext, payload: Payload<'check_run.requested_action'>): Promise<Plan> {
  const identifier = payload.requested_action?.identifier
  if (identifier !== regenerateIdentifier && identifier !== approveIdentifier) return noWork
  const found = await findUpdate(context, payload.repository.id, payload.check_run.external_id)
  if (!found) return noWork
  const { stored, project } = found
  const { login, id: userId } = payload.sender
  const { installationId } = project
  const statusId = stored.update._id
  const id = context.store.newId()
  return {
    tasks: [
      identifier === approveIdentifier
        ? toTask(id, 'approve-preview', installationId, { statusId, login, userId })
        : toTask(id, 'regenerate', installationId, { statusId, login }),
    ],
  }
}

interface Found {
  readonly stored: StoredUpdate
  readonly project: Project
}

/** The record of a check. One that names a record of another repository names none. */
async function findUpdate({ store }: PlanContext, repositoryId: number, statusId: string | null): Promise<Found | undefined> {
  const stored = statusId === null ? undefined : await store.statuses.find(statusId)
  const project = stored && (await store.projects.find(stored.update.projectId))
  return stored && project?.repositoryId === repositoryId ? { stored, project } : undefined
}

/** A new record for the commit of an old one; nothing is published by it where the branch has gone on. */
export async function planRerun(
  context: PlanContext,
  { stored, project }: Found,
  login: string,
  source: UpdateSource = 'internal',
): Promise<ReturnType<typeof planUpdates>> {
  const { update, details } = stored
  const { ref, sha } = update.commit
  const newest = await context.store.statuses.list(project.id, { ref, limit: 1 })
  const isNewest = newest?.updates[0]?.update.commit.sha === sha
  const { before, pullNumber, filesTruncated } = details
  return planUpdates(context, [project], {
    commit: update.commit,
    author: update.author,
    details: {
      trigger: 'rerun',
      rerunOf: update._id,
      ...(before === undefined ? {} : { before }),
      ...(pullNumber === undefined ? {} : { pullNumber }),
      ...(filesTruncated === undefined ? {} : { filesTruncated }),
    },
    once: 'always',
    source,
    logs: [`Runs ${update._id} again, asked for by ${login}`],
    validationOnly: !isNewest,
  })
}
