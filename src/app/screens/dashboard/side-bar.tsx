import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Project } from '../../../status/update-record.ts'
import { toProjectName } from '../../base/projects.ts'
import { Breadcrumb, Icon, IsolatedText } from '../pages/elements.tsx'
import { hostOf, toAgo, toMark, toRefName } from '../pages/formats.ts'
import { Drawer, type Frame, renderPage } from '../pages/layout.tsx'
import { sendPage } from '../pages/send-page.ts'
import { isAdministrator } from '../people/people.ts'
import {
  listProjects,
  type MarkedUpdate,
  markBreaking,
  setPersonalHeaders,
  toProjectPath,
  toSubject,
  toUpdatePath,
  type Visit,
} from './visit.ts'

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
  const newest = await Promise.all(
    shown.map(({ id, defaultBranch }) => context.store.statuses.findNewest(id, { ref: `refs/heads/${defaultBranch}` })),
  )
  const production = await markBreaking(
    context,
    newest.filter((stored) => stored !== undefined),
  )
  return (
    <section>
      <h2>Projects</h2>
      <ul>
        {shown.map((project) => {
          const latest = production.find(({ update }) => update.projectId === project.id)
          const url = siteUrl({ subdomain: project.subdomain })
          const note = !project.hasDocsConfig ? 'Checks only: no docs.json' : url ? hostOf(url) : project.subdomain
          return (
            <Entry
              href={toProjectPath(project)}
              title={toProjectName(project)}
              note={note}
              latest={latest}
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
  const list = await context.store.statuses.list(ids, { limit: shownUpdates })
  const updates = await markBreaking(context, list?.updates ?? [])
  return (
    <section>
      <h2>Latest updates</h2>
      <ul>
        {updates.map((stored) => (
          <Entry
            href={toUpdatePath(stored)}
            title={toSubject(stored)}
            note={
              <>
                <bdi>{toRefName(stored)}</bdi>, {toAgo(stored.update.createdAt, now)}
              </>
            }
            latest={stored}
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
  /** The update whose state is shown. */
  readonly latest: MarkedUpdate | undefined
  readonly isCurrent?: boolean
}

function Entry({ href, title, note, latest, isCurrent = false }: EntryProps) {
  const mark = toMark(latest?.update.status ?? 'queued', latest?.isBreaking ?? false)
  return (
    <li class={`is-${mark.name}`}>
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={mark.name} />
        {latest && <span class="hidden">{mark.label}: </span>}
        <span>
          <IsolatedText text={title} />
          <small>{note}</small>
        </span>
      </a>
    </li>
  )
}

/** The header and side bar around a page; `aside` comes from `sideBar`. */
export function toFrame({ person, access }: Visit, section: Frame['section'], aside: ComponentChildren): Frame {
  const { login } = person
  return {
    login,
    section,
    isAdministrator: isAdministrator(access),
    ...(aside !== undefined && { aside: <Drawer label="Projects">{aside}</Drawer> }),
  }
}

interface SendOptions {
  readonly visit: Visit
  readonly title: string
  readonly section: Frame['section']
  readonly aside: ComponentChildren
  readonly content: ComponentChildren
  /** If present, the page updates itself when its entity tag changes. */
  readonly etag?: string
  readonly status?: number
}

/** Sends a page of the dashboard. */
export function sendDashboardPage(
  reply: FastifyReply,
  { visit, title, section, aside, content, etag, status }: SendOptions,
): FastifyReply {
  const html = renderPage({
    title: `${title} · openapi-pages`,
    frame: toFrame(visit, section, aside === undefined ? undefined : <div data-part="side">{aside}</div>),
    ...(etag !== undefined && { live: { etag, reloads: false } }),
    children: content,
  })
  setPersonalHeaders(reply)
  return sendPage(reply, html, status, '')
}

/** The links from the projects page to a page of a project. */
export function ProjectCrumbs({ project }: { readonly project: Project }) {
  return <Breadcrumb items={listProjectCrumbs(project)} />
}

export function listProjectCrumbs(project: Project): readonly ComponentChildren[] {
  return [<a href="/projects">Projects</a>, <a href={toProjectPath(project)}>{toProjectName(project)}</a>]
}
