import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type AccessLevel, accessLevels, findPermission } from '../../../github/apps/users.ts'
import type { Project } from '../../../status/update-record.ts'
import type { DeletedProject, StoredUpdate } from '../../../store/records/stored-records.ts'
import { isPublicSite, type SiteBuild, type SiteHost } from '../../../store/sites/stored-sites.ts'
import { GitHubError } from '../../../text/errors.ts'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import type { AppContext } from '../../base/app-context.ts'
import { clientOf, toName } from '../../base/projects.ts'
import { toSiteUrl } from '../../base/sites-domain.ts'
import { refreshProject } from '../../github-events/reconcile/settle-repository.ts'
import { Problem } from '../../http/problem-details.ts'
import { matchesETag, parseWait, type StatusWaiters, withDisconnectSignal } from '../../http/waiting.ts'
import { toSiteEntryUrl } from '../../sites/private-sites.ts'
import { toFormPolicy } from '../pages/send-page.ts'
import { mayDo, type People, SignedOut } from '../people/people.ts'

/** A request by a signed-in user, with the projects they may access. */
export type Visit = Readonly<Awaited<ReturnType<typeof startVisit>>>

/** See `startVisit`. */
export type OpenVisit = (request: FastifyRequest) => Promise<Visit>

/** The parameters of the paths of a project. */
export const ProjectPath = Type.Object({ projectId: Type.String() })

export type ProjectRequest = FastifyRequest<{ Params: { readonly projectId: string } }>

export function toProjectPath({ id }: Pick<Project, 'id'>): string {
  return `/projects/${encodeUrlPart(id)}`
}

export function toUpdatePath({ update }: StoredUpdate): string {
  return `/projects/${encodeUrlPart(update.projectId)}/updates/${encodeUrlPart(update._id)}`
}

/** An update as lists show it. */
export interface MarkedUpdate extends StoredUpdate {
  /** Whether it has breaking changes of the API that are not accepted. */
  readonly isBreaking: boolean
}

/** Finds out which updates of a list have breaking changes. */
export async function markBreaking({ store }: AppContext, updates: readonly StoredUpdate[]): Promise<readonly MarkedUpdate[]> {
  const breaking = await store.apiChanges.findBreaking(updates.map(({ update }) => update._id))
  return updates.map((stored) => ({ ...stored, isBreaking: breaking.has(stored.update._id) }))
}

/** First line of the commit message, or the short SHA if the message is empty. */
export function toSubject({ update }: StoredUpdate): string {
  return update.commit.message.trim().split('\n', 1)[0] || `Commit ${update.commit.sha.slice(0, 7)}`
}

/** The URL of a page on a site of the project. For a private site, the URL also signs the user in. */
export function toVisitUrl(project: Project, url: string): string {
  return isPublicSite(project) ? url : toSiteEntryUrl(url)
}

/** The project's host if the build is published, otherwise the host of its commit. */
export function toBuildHost({ subdomain }: Project, { sha, isPublished }: SiteBuild): SiteHost {
  return isPublished ? { subdomain } : { subdomain, preview: { kind: 'commit', sha } }
}

/**
 * Finds the signed-in user and the projects they may access.
 *
 * @throws {SignedOut} if no user is signed in; {Problem} `unavailable` if GitHub is unreachable.
 */
export async function startVisit(context: AppContext, people: People, waiters: StatusWaiters, request: FastifyRequest) {
  const person = await people.find(request)
  if (!person) throw new SignedOut('No user is signed in')
  const access = await person.access()
  const place = context.urls.sites()
  /** The URL of a site; `undefined` if this server hosts no sites. */
  const siteUrl = (host: SiteHost) => place && toSiteUrl(place, host)
  return { context, person, access, now: context.now(), waiters, siteUrl }
}

/**
 * Finds a project that the user has `wanted` access to.
 *
 * @throws {Problem} `not-found` for an unknown project and for one without read access; `forbidden` if the user can read it but has less
 * access than `wanted`.
 */
export async function findProject({ context, access }: Visit, projectId: string, wanted: AccessLevel = 'read'): Promise<Project> {
  const project = await context.store.projects.find(projectId)
  if (!project || !mayDo(access, project, 'read')) throw new Problem('not-found')
  if (!mayDo(access, project, wanted)) throw new Problem('forbidden')
  return project
}

/** Up to this number of repositories, one query per repository is cheaper than reading all projects. */
const fewRepositories = 300

/** The projects that the user may read, sorted by name. */
export async function listProjects({ context, access }: Visit): Promise<readonly Project[]> {
  const { projects } = context.store
  if (access.levels.size > fewRepositories) return (await projects.list()).filter((project) => mayDo(access, project, 'read'))
  const found = await Promise.all([...access.levels.keys()].map((repositoryId) => projects.findByRepository(repositoryId)))
  const nameOf = ({ owner, repo, root }: Project) => [owner, repo, root].join('\n')
  return found.flat().sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** The deleted projects that the user may restore. */
export async function listRestorable({ context, access }: Visit): Promise<readonly DeletedProject[]> {
  return (await context.store.projects.listDeleted()).filter((project) => mayDo(access, project, 'admin'))
}

/**
 * Sends 304 if the browser's copy of the page is current. `Prefer: wait` holds the response until the page changes.
 *
 * @param read Reads a string that changes with the content of the page.
 * @returns The entity tag of the page, or `undefined` if the response was sent.
 */
export async function revalidatePage(
  { context, person, waiters }: Visit,
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
  const seconds = parseWait(prefer)
  if (seconds > 0 && matchesETag(known, etag)) {
    const wait = { seen: etag, timeoutMs: seconds * 1000 }
    await withDisconnectSignal(request, (signal) => waiters.waitForOther(readTag, { ...wait, signal }))
    etag = await readTag()
  }
  setPersonalHeaders(reply)
  reply.header('ETag', etag)
  if (!matchesETag(known, etag)) return etag
  await reply.code(304).send()
  return undefined
}

/** Headers of a personal page: only the user's browser caches it, and revalidates it on every request. */
export function setPersonalHeaders(reply: FastifyReply): void {
  reply.headers({
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': toFormPolicy(),
    // With `no-referrer`, browsers would send `Origin: null` with forms.
    'Referrer-Policy': 'same-origin',
    Vary: 'Cookie',
  })
}

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
