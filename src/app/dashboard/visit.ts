import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ComponentChild, h } from 'preact'
import type { AccessLevel } from '../../github/user-sign-in.ts'
import type { Project } from '../../status/types.ts'
import { isPublicSite, type SiteBuild, type SiteHost } from '../../store/stored-sites.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { isListed, parseWait, whileThere } from '../http/waiting.ts'
import { drawer, type Frame, renderPage } from '../pages/layout.ts'
import { sendPage, toFormPolicy } from '../pages/send-page.ts'
import { type Access, mayDo, type People, type Person, SignedOut } from '../people/people.ts'
import { toEntrance } from '../sites/private-sites.ts'
import { toSiteUrl } from '../sites/sites-domain.ts'

/** One request of a person: who asks, and what they may see. */
export interface Visit {
  readonly context: AppContext
  readonly person: Person
  readonly access: Access
  readonly now: Date
  /** Where a host of a site is reached; `undefined` where this server hosts none. */
  siteUrl(host: SiteHost): string | undefined
}

export function toProjectPath({ id }: Pick<Project, 'id'>): string {
  return `/projects/${encodeURIComponent(id)}`
}

export function toUpdatePath({ update }: StoredUpdate): string {
  return `/projects/${encodeURIComponent(update.projectId)}/updates/${encodeURIComponent(update._id)}`
}

/** First line of the commit message; the commit itself where there is none. */
export function toSubject({ update }: StoredUpdate): string {
  return update.commit.message.trim().split('\n', 1)[0] || `Commit ${update.commit.sha.slice(0, 7)}`
}

/** `#482` of a pull request, else the name of the branch or tag. */
export function toRefName({ update, details }: StoredUpdate): string {
  if (details.pullNumber !== undefined) return `#${details.pullNumber}`
  return update.commit.ref.replace(/^refs\/(heads|tags)\//, '')
}

/** The URL of a site of the project; for a private site one that signs the person in there. */
export function toVisitUrl(project: Project, url: string): string {
  return isPublicSite(project) ? url : toEntrance(url)
}

/** Where the build of an update is looked at: the project's own address while it shows it, else the commit's. */
export function toBuildHost({ subdomain }: Project, { sha, isPublished }: SiteBuild): SiteHost {
  return isPublished ? { subdomain } : { subdomain, preview: { kind: 'commit', sha } }
}

/**
 * Who asks and what they may see.
 *
 * @throws {SignedOut} for a visitor who is not signed in; {Problem} `unavailable` when GitHub cannot be asked.
 */
export async function startVisit(context: AppContext, people: People, request: FastifyRequest): Promise<Visit> {
  const person = await people.find(request)
  if (!person) throw new SignedOut('Nobody is signed in')
  const access = await person.access()
  const place = context.sitesPlace()
  return { context, person, access, now: context.now(), siteUrl: (host) => place && toSiteUrl(place, host) }
}

/**
 * A project that the person may see.
 *
 * @throws {Problem} `not-found`, the same for one that is not there and one that is not theirs to see; `forbidden` for one that they see and
 * may not do this to.
 */
export async function findProject({ context, access }: Visit, projectId: string, wanted: AccessLevel = 'read'): Promise<Project> {
  const project = await context.store.projects.find(projectId)
  if (!project || !mayDo(access, project, 'read')) throw new Problem('not-found')
  if (!mayDo(access, project, wanted)) throw new Problem('forbidden')
  return project
}

/** Up to so many repositories it is cheaper to ask for each than to read all projects of the server. */
const fewRepositories = 300

/** The projects that the person may see, by name. */
export async function listProjects({ context, access }: Visit): Promise<readonly Project[]> {
  const { projects } = context.store
  if (access.size > fewRepositories) return (await projects.list()).filter((project) => mayDo(access, project, 'read'))
  const found = await Promise.all([...access.keys()].map((repositoryId) => projects.findByRepository(repositoryId)))
  const nameOf = ({ owner, repo, root }: Project) => [owner, repo, root].join('\n')
  return found.flat().sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

/**
 * Answers with 304 while a page is as the browser has it; holds the answer as long as the browser asks (`Prefer: wait`).
 *
 * @param read What the page depends on, as a text.
 * @returns The tag for the page to follow itself by, or `undefined` where the answer was sent.
 */
export async function settleTag(
  { context, person }: Visit,
  { request, reply, read }: { request: FastifyRequest; reply: FastifyReply; read: () => Promise<string> },
): Promise<string | undefined> {
  const { prefer, 'if-none-match': known } = request.headers
  // Pages show times to the minute.
  const minute = () => Math.floor(context.now().getTime() / 60_000)
  const readTag = async () => {
    const text = [person.sessionId, request.url, minute(), await read()].join('\n')
    return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  }
  let etag = await readTag()
  const seconds = typeof prefer === 'string' ? parseWait(prefer) : 0
  if (seconds > 0 && known !== undefined && isListed(known, etag)) {
    const wait = { seen: etag, timeoutMs: seconds * 1000 }
    await whileThere(request, (signal) => context.waiters.waitForOther(readTag, { ...wait, signal }))
    etag = await readTag()
  }
  setPersonalHeaders(reply)
  reply.header('ETag', etag)
  if (known === undefined || !isListed(known, etag)) return etag
  await reply.code(304).send()
  return undefined
}

/** Of a page for one person: kept by their browser alone, and asked about each time. */
export function setPersonalHeaders(reply: FastifyReply): void {
  reply.headers({
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': toFormPolicy(),
    // Browsers send `Origin: null` with the forms of a page that sends no referrer at all.
    'Referrer-Policy': 'same-origin',
    Vary: 'Cookie',
  })
}

/** The header and side bar around a page; `aside` comes from `sideBar`. */
export function toFrame({ person }: Visit, section: Frame['section'], aside: ComponentChild): Frame {
  return { login: person.login, section, ...(aside !== undefined && { aside: drawer('Projects', aside) }) }
}

interface SendOptions {
  readonly visit: Visit
  readonly title: string
  readonly section: Frame['section']
  readonly aside: ComponentChild
  readonly content: ComponentChild
  /** The page follows itself by it where there is one. */
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
    frame: toFrame(visit, section, aside === undefined ? undefined : h('div', { 'data-part': 'side' }, aside)),
    ...(etag !== undefined && { live: { etag, reloads: false } }),
    children: content,
  })
  setPersonalHeaders(reply)
  return sendPage(reply, html, status, '')
}
