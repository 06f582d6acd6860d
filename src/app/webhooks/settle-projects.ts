import type { Project } from '../../status/types.ts'
import type { ProjectChange } from '../../store/types.ts'
import { type PayloadRepository, toFacts } from './payload.ts'
import type { PlanContext } from './plan.ts'

/**
 * The projects of the repository of a payload, with what has changed about the repository since we last heard of it.
 *
 * The first push of a repository makes one project that stands for all of it, until the run has seen its files.
 */
export async function settleProjects(
  { store }: PlanContext,
  payload: { repository: PayloadRepository; installation?: { readonly id: number } | undefined },
): Promise<{ readonly projects: readonly Project[]; readonly changes: readonly ProjectChange[] }> {
  const facts = toFacts(payload, '')
  const known = await store.projects.findByRepository(facts.repositoryId)
  if (known.length === 0) {
    // Before the transaction of the delivery, since records need the id. Left alone by a crash it is only a project without records.
    await store.projects.apply([{ kind: 'upsert', project: facts }])
    return { projects: await store.projects.findByRepository(facts.repositoryId), changes: [] }
  }
  const { installationId, owner, repo, defaultBranch, private: isPrivate } = facts
  const isSame = known.every(
    (project) =>
      project.installationId === installationId &&
      project.owner === owner &&
      project.repo === repo &&
      project.defaultBranch === defaultBranch &&
      project.private === isPrivate,
  )
  if (isSame) return { projects: known, changes: [] }
  const values = { ...(installationId === undefined ? {} : { installationId }), owner, repo, defaultBranch, private: isPrivate }
  return { projects: known, changes: [{ kind: 'update-repository', repositoryId: facts.repositoryId, values }] }
}
