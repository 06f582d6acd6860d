import type { ComponentChildren } from 'preact'
import type { Project, UpdateState } from '../../status/types.ts'
import { Icon, IsolatedText } from '../pages/elements.tsx'
import { hostOf, stateLabels, toAgo } from '../pages/formats.ts'
import { toProjectName } from '../run/run-context.ts'
import { listProjects, toProjectPath, toRefName, toSubject, toUpdatePath, type Visit } from './visit.ts'

/** The full list is on the projects page. */
const shownProjects = 12
const shownUpdates = 5

/**
 * The side bar of a project page.
 *
 * @param hasUpdates Whether to list the latest updates, for a page that has no such list itself.
 */
export async function projectSideBar(visit: Visit, project: Project, hasUpdates = false): Promise<ComponentChildren> {
  const projects = await listProjects(visit)
  return (
    <>
      {await sideBar(visit, { projects, current: project })}
      {hasUpdates && (await latestUpdates(visit, projects))}
    </>
  )
}

/** Lists the user's projects. */
export async function sideBar(
  { context, siteUrl }: Visit,
  { projects, current }: { projects: readonly Project[]; current: Project | undefined },
): Promise<ComponentChildren> {
  const first = projects.slice(0, shownProjects)
  const isListed = first.some(({ id }) => id === current?.id)
  const shown = current && !isListed ? [current, ...first.slice(0, -1)] : first
  const production = await Promise.all(
    shown.map(({ id, defaultBranch }) => context.store.statuses.list(id, { ref: `refs/heads/${defaultBranch}`, limit: 1 })),
  )
  return (
    <section>
      <h2>Projects</h2>
      <ul>
        {shown.map((project, index) => {
          const state = production[index]?.updates[0]?.update.status
          const url = siteUrl({ subdomain: project.subdomain })
          const note = !project.hasDocsConfig ? 'Checks only: no docs.json' : url ? hostOf(url) : project.subdomain
          return (
            <Entry
              href={toProjectPath(project)}
              title={toProjectName(project)}
              note={note}
              state={state}
              isCurrent={project.id === current?.id}
            />
          )
        })}
        {projects.length > shown.length && (
          <li>
            <a href="/projects">All {projects.length.toLocaleString('en-US')} projects</a>
          </li>
        )}
      </ul>
    </section>
  )
}

async function latestUpdates({ context, now }: Visit, projects: readonly Project[]): Promise<ComponentChildren> {
  const ids = projects.map(({ id }) => id)
  const latest = await context.store.overviews.list(ids, { limit: shownUpdates })
  return (
    <section>
      <h2>Latest updates</h2>
      <ul>
        {latest?.updates.map((stored) => (
          <Entry
            href={toUpdatePath(stored)}
            title={toSubject(stored)}
            note={
              <>
                <bdi>{toRefName(stored)}</bdi>, {toAgo(stored.update.createdAt, now)}
              </>
            }
            state={stored.update.status}
          />
        ))}
      </ul>
    </section>
  )
}

interface EntryProps {
  readonly href: string
  readonly title: string
  readonly note: ComponentChildren
  readonly state: UpdateState | undefined
  readonly isCurrent?: boolean
}

function Entry({ href, title, note, state, isCurrent = false }: EntryProps) {
  return (
    <li class={`is-${state ?? 'queued'}`}>
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={state ?? 'queued'} />
        {state && <span class="hidden">{stateLabels[state]}: </span>}
        <span>
          <IsolatedText text={title} />
          <small>{note}</small>
        </span>
      </a>
    </li>
  )
}
