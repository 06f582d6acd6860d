import type { DeletedProject } from '../../../store/records/stored-records.ts'
import { toProjectName } from '../../base/projects.ts'
import { Breadcrumb } from '../pages/elements.tsx'
import { formatDay } from '../pages/formats.ts'
import { ActionForm } from '../pages/forms.tsx'
import { toProjectPath } from './visit.ts'

/** The page with the deleted projects that the user may restore. */
export function DeletedProjects({ projects }: { readonly projects: readonly DeletedProject[] }) {
  return (
    <>
      <Breadcrumb items={[<a href="/projects">Projects</a>]} />
      <h1>Deleted projects</h1>
      <p class="lead">
        A deleted project keeps its site, records and tokens for 30 days. Its site is private after a restore until GitHub
        confirms that the repository is public.
      </p>
      {projects.length === 0 ? (
        <p class="empty">No deleted projects.</p>
      ) : (
        <ul class="list plain-list">
          {projects.map((project) => (
            <li>
              <span>
                {toProjectName(project)}
                <small>
                  Deleted on {formatDay(project.deletedAt)}
                  {toActor(project.removedBy)}
                </small>
              </span>
              <span class="action">
                <ActionForm action={`${toProjectPath(project)}/restore`} label="Restore" of={toProjectName(project)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function toActor(removedBy: string | undefined): string {
  return removedBy === undefined ? ' with its repository' : ` by ${removedBy.replace(/^github:/, '')}`
}
