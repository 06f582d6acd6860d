import { type AccessLevel, accessLevels, findPermission } from '../../../github/apps/users.ts'
import type { Project } from '../../../status/types.ts'
import { GitHubError } from '../../../text/errors.ts'
import { clientOf, toName } from '../../base/projects.ts'
import { refreshProject } from '../../github-events/reconcile/settle-repository.ts'
import { Problem } from '../../http/problem-details.ts'
import type { Visit } from './visit.ts'

/**
 * Asks GitHub for the repository and the user's access, before an action that loosens access, publishes or deletes. The access of a
 * visit may be a minute old.
 *
 * @returns The project with its current name and visibility.
 * @throws {Problem} `forbidden` without the wanted access; `unavailable` if GitHub is unreachable.
 */
export async function confirmAccess({ context, person }: Visit, project: Project, wanted: AccessLevel): Promise<Project> {
  const { login, userId: id } = person
  try {
    const current = await refreshProject(context, project)
    const given = await findPermission(clientOf(context, current), toName(current), { login, id })
    if (given === undefined || accessLevels.indexOf(given) < accessLevels.indexOf(wanted)) throw new Problem('forbidden')
    return current
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    context.log.warn({ reason: error.message, projectId: project.id }, 'Cannot confirm the access of a user')
    if (error.failure === 'not-found' || error.failure === 'forbidden') throw new Problem('forbidden')
    throw new Problem('unavailable', 'GitHub is unreachable', { headers: { 'Retry-After': '10' } })
  }
}
