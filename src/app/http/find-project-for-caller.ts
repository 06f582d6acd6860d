import type { Project } from '../../status/types.ts'
import type { AppContext } from '../app-context.ts'
import { type Caller, mayKnow } from './authenticate.ts'
import { Problem } from './problems.ts'

/**
 * The project of an id in an address.
 *
 * @throws {Problem} `not-found`, the same for one that does not exist and one that is not the caller's.
 */
export async function findProjectForCaller({ store }: AppContext, caller: Caller, projectId: string): Promise<Project> {
  const project = await store.projects.find(projectId)
  if (!project || !mayKnow(caller, project)) throw new Problem('not-found')
  return project
}
