import { createHash } from 'node:crypto'
import { finishUpdate, type Project, type QueuedUpdate, type SiteAudience } from '../../../src/status/update-record.ts'
import type { StoredApiChanges, UpdateDetails } from '../../../src/store/records/stored-records.ts'
import type { Store } from '../../../src/store/store.ts'
import type { CollaboratorPermission, FakeRepository } from '../../support/fake-github/fake-repository.ts'
import { type ConnectedApp, type ConnectOptions, connectApp } from './connected-app.ts'
import { addProject, addUpdate, startNext } from './test-app.ts'
import { Visitor } from './visitor.ts'

export interface PeopleApp extends ConnectedApp {
  readonly base: string
  /** Adds a repository with a project and the roles of users. */
  addRepository(
    fullName: string,
    roles: Readonly<Record<string, CollaboratorPermission>>,
    options?: { readonly private?: boolean; readonly root?: string },
  ): Promise<{ readonly repository: FakeRepository; readonly project: Project }>
  /** A browser with a signed-in user. */
  visitorOf(login: string): Promise<Visitor>
}

/** Starts an app with users from a fake GitHub and without workers. */
export async function startPeopleApp(options: ConnectOptions = {}): Promise<PeopleApp> {
  const connected = await connectApp({ withoutRuns: true, ...options, env: { SITES_DOMAIN: 'localhost', ...options.env } })
  const { github, app, store } = connected
  const base = app.context.urls.base()
  return {
    ...connected,
    base,
    async addRepository(fullName, roles, { private: isPrivate = false, root = '' } = {}) {
      const [owner = '', repo = ''] = fullName.split('/')
      const repository = github.findRepository(fullName) ?? github.createRepository(fullName, { private: isPrivate })
      for (const [login, role] of Object.entries(roles)) repository.collaborators.set(login, role)
      const installationId = repository.installation?.id
      if (installationId === undefined) throw new Error('The app is not installed there')
      const facts = { installationId, repositoryId: repository.id, owner, repo, root, private: isPrivate }
      return { repository, project: await addProject(store, facts) }
    },
    async visitorOf(login) {
      github.signedInAs = login
      const visitor = new Visitor(base)
      await visitor.signIn()
      return visitor
    },
  }
}

interface Ending {
  readonly sha: string
  readonly message?: string
  readonly ref?: string
  readonly author?: string
  /** ISO times. Default: now. */
  readonly createdAt?: string
  readonly endedAt?: string
  readonly details?: UpdateDetails
  readonly status?: 'success' | 'failure'
  readonly summary?: string
  readonly report?: object
  readonly apiChanges?: StoredApiChanges
  readonly logs?: readonly string[]
  /** The files of its site, if it has one. */
  readonly site?: Readonly<Record<string, string>>
  /** The audiences of the default branch, with the files of each. */
  readonly audiences?: readonly (SiteAudience & { readonly site: Readonly<Record<string, string>> })[]
  /** Whether the site is published. */
  readonly publish?: boolean
}

/** Creates an ended update, with its site. */
export async function endUpdate(store: Store, project: Project, ending: Ending): Promise<QueuedUpdate> {
  const { sha, message = 'Document routing rules', ref = 'refs/heads/main', author = 'octocat' } = ending
  const { details, site, report, apiChanges, audiences } = ending
  const { status = 'success', summary = 'Valid: 1 document.', logs = ['Ended'], publish = ref === 'refs/heads/main' } = ending
  const { createdAt, endedAt = new Date().toISOString() } = ending
  const filesChanged = { added: [], modified: ['openapi.yaml'], removed: [] }
  const queued = await addUpdate(store, project, {
    author,
    commit: { sha, ref, message, filesChanged },
    ...((details || apiChanges) && { details: { trigger: 'push', ...(apiChanges && { apiBase: '1'.repeat(40) }), ...details } }),
    ...(createdAt !== undefined && { createdAt }),
  })
  const { job, update } = await startNext(store)
  const ended = finishUpdate(update, { status, summary, logs, endedAt })
  const finished =
    site && ({ buildId: await stage(store, project, queued, site, audiences), publish: publish ? 'always' : 'never' } as const)
  const settled = audiences && { isTip: true, audiences: audiences.map(({ name, groups }) => ({ name, groups })) }
  const results = { report: report && JSON.stringify(report), site: finished, apiChanges, ...settled }
  await store.queue.finish(job.lease, ended, results)
  await store.queue.complete(job.lease)
  return queued
}

/** Gives a project a verified domain whose DNS records are wrong now. */
export async function addWrongDomain(store: Store, projectId: string): Promise<void> {
  await store.domains.set(projectId, 'billing.example.com', 'github:octocat')
  const domain = await store.domains.find(projectId)
  if (!domain) throw new Error('The project is gone')
  await store.domains.verify(domain, 'github:octocat')
  await store.domains.recordCheck(domain, 'wrong', 7 * 86_400_000)
}

async function stage(
  store: Store,
  project: Project,
  update: QueuedUpdate,
  site: Readonly<Record<string, string>>,
  audiences: Ending['audiences'] = [],
) {
  const sites = [{ name: 'public', site }, ...audiences].map(({ name, site: files }) => ({
    audience: name,
    files: Object.entries(files).map(([path, text]) => {
      const bytes = Buffer.from(text)
      return { path, bytes, hash: createHash('sha256').update(bytes).digest('hex') }
    }),
  }))
  const all = sites.flatMap(({ files }) => files)
  await store.sites.addContents(all.map(({ hash, bytes }) => ({ hash, sizeBytes: bytes.length, bodies: { identity: bytes } })))
  const { sha, ref } = update.commit
  const counts = {
    pageCount: all.length,
    fileCount: all.length,
    sizeBytes: all.reduce((sum, { bytes }) => sum + bytes.length, 0),
  }
  const built = audiences.map(({ name, groups }) => ({ name, groups }))
  const staged = { projectId: project.id, statusId: update._id, sha, ref, ...counts, audiences: built }
  const buildId = await store.sites.stage(staged)
  if (buildId === undefined) throw new Error('The project is gone')
  for (const { audience, files } of sites) {
    await store.sites.addFiles(
      { buildId, audience },
      files.map(({ path, hash }) => ({ path, hash })),
    )
  }
  return buildId
}

/** A recognizable commit SHA. */
export function toSha(digit: string): string {
  return digit.repeat(40).slice(0, 40)
}
