import { GitHubError } from '../../errors.ts'
import type { GitHubApp } from '../../github/github-app.ts'
import {
  findInstallation,
  findRepository,
  findRepositoryInstallation,
  type InstallationInfo,
  listInstallationRepositories,
  listInstallations,
  type RepositoryInfo,
} from '../../github/installations.ts'
import type { RepositoryName } from '../../github/types.ts'
import type { StoredRepository } from '../../store/project-store.ts'
import {
  applyConfirmed,
  catchUpWithBranches,
  deleteRepository,
  discoverProjects,
  isOfOneRepository,
  isSettled,
  nameOf,
  type ReconcileContext,
  reportChange,
  tightenRepository,
} from './settle-repository.ts'

interface ReconcileOptions {
  /** One installation and, where its account has another one, that one too; all of them where absent. */
  readonly installationId?: number
  /** Only these repositories. */
  readonly repositoryIds?: ReadonlySet<number>
  /** Compares the branches of every repository; otherwise of those that were pushed to since the last comparison. */
  readonly isFull: boolean
  readonly signal?: AbortSignal
}

interface ReconcileResult {
  readonly installations: number
  readonly repositories: number
  /** What could not be compared, each with the reason: GitHub refused or did not answer. Nothing was changed about it. */
  readonly failures: readonly string[]
  /** False where GitHub did not answer, so that another attempt may go further. */
  readonly isComplete: boolean
}

const nothingStored: StoredRepository = { projects: [], deleted: [], tightened: 0 }

/**
 * Brings the store in line with GitHub: installations, repositories, names, visibility, default branches, and the tips of branches.
 *
 * A second run right after finds nothing to do. Requests are paced by the budget of each installation; installations that cannot be
 * asked are left as they are.
 *
 * @throws {GitHubError} when the installations of the app cannot be listed.
 */
export async function reconcile(context: ReconcileContext, options: ReconcileOptions): Promise<ReconcileResult> {
  const { store, app, log } = context
  const isOtherApp = await isOfOtherApp(context)
  const before = await store.projects.listRepositories()
  const installations = selectInstallations(await listInstallations(app.client), before, options)
  const looks = await store.notes.readLooks()
  const failures: string[] = []
  const seen = new Set<number>()
  /** Installations of which it is not known which repositories they have. */
  const unknown = new Set<number>()
  let repositories = 0
  let isComplete = true
  for (const installation of installations) {
    options.signal?.throwIfAborted()
    if (installation.isSuspended) {
      unknown.add(installation.id)
      for (const [repositoryId, { projects }] of before) {
        if (projects.some(({ installationId }) => installationId === installation.id)) {
          await tightenRepository(context, repositoryId, projects)
        }
      }
      continue
    }
    try {
      // Read before GitHub is asked: what webhooks say meanwhile counts more than the list.
      const stored = await store.projects.listRepositories()
      const listed = await listInstallationRepositories(app.installation(installation.id))
      for (const { id } of listed) seen.add(id)
      for (const info of listed) {
        options.signal?.throwIfAborted()
        if (options.repositoryIds && !options.repositoryIds.has(info.id)) continue
        repositories += 1
        const known = stored.get(info.id) ?? nothingStored
        const failure = await reconcileRepository(context, { installation, info, known, look: looks.get(info.id), options })
        if (failure !== undefined) failures.push(failure)
      }
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error
      unknown.add(installation.id)
      isComplete = false
      failures.push(`${installation.account}: ${error.message}`)
      log.warn({ installationId: installation.id, reason: error.message }, 'Cannot reconcile an installation')
    }
  }
  const listed = new Set(installations.map(({ id }) => id))
  for (const [repositoryId, { projects }] of before) {
    options.signal?.throwIfAborted()
    const [project] = projects
    const installationId = project?.installationId
    if (!project || installationId === undefined || seen.has(repositoryId) || unknown.has(installationId)) continue
    if (options.installationId !== undefined && installationId !== options.installationId) continue
    if (options.repositoryIds && !options.repositoryIds.has(repositoryId)) continue
    repositories += 1
    const isListed = listed.has(installationId)
    if (!isListed) app.forget(installationId)
    try {
      if (isOtherApp) await detach(context, repositoryId)
      else await confirmRepository(context, { repositoryId, installationIds: isListed ? [installationId] : [] })
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error
      failures.push(`${nameOf(project)}: ${error.message}`)
      if (!isOfOneRepository(error)) isComplete = false
    }
  }
  if (isOtherApp && isComplete && !context.isDryRun) await store.notes.write('app-id', String(app.appId))
  return { installations: installations.length, repositories, failures, isComplete }
}

/** Whether the installations in the store are those of another GitHub App: that they are not listed says nothing then. */
async function isOfOtherApp({ store, app, isDryRun }: ReconcileContext): Promise<boolean> {
  const known = await store.notes.read('app-id')
  if (known === undefined && !isDryRun) await store.notes.write('app-id', String(app.appId))
  return known !== undefined && known !== String(app.appId)
}

function selectInstallations(
  all: readonly InstallationInfo[],
  stored: ReadonlyMap<number, StoredRepository>,
  { installationId }: ReconcileOptions,
): readonly InstallationInfo[] {
  if (installationId === undefined) return all
  const owners = new Set(
    [...stored.values()]
      .flatMap(({ projects }) => projects)
      .filter((project) => project.installationId === installationId)
      .map(({ owner }) => owner.toLowerCase()),
  )
  // An account that uninstalled the app and installed it again has its repositories under another number.
  return all.filter(({ id, account }) => id === installationId || owners.has(account.toLowerCase()))
}

/** Answers what went wrong about this repository alone. @throws {GitHubError} for what concerns the whole installation. */
async function reconcileRepository(
  context: ReconcileContext,
  asked: {
    readonly installation: InstallationInfo
    readonly info: RepositoryInfo
    readonly known: StoredRepository
    readonly look: string | undefined
    readonly options: ReconcileOptions
  },
): Promise<string | undefined> {
  const { installation, info, known, look, options } = asked
  const confirmed = { installationId: installation.id, info }
  const wasPushed = info.pushedAt !== look
  const wantsBranches = wasPushed || (options.isFull && known.projects.length + known.deleted.length > 0)
  if (isSettled(known, confirmed) && !wantsBranches) return undefined
  const { store, app, locks, isDryRun } = context
  try {
    await locks(toLock(info.id), async () => {
      const current = await store.projects.findRepository(info.id)
      // Deleted, restored or found since the list was read: the list may be older than that.
      if (toIds(current) !== toIds(known)) return await settle(context, info.id, [info], [installation.id])
      await applyConfirmed(context, known, confirmed)
      if (!wantsBranches) return
      const client = app.installation(installation.id)
      const projects = isDryRun ? known.projects : await store.projects.findByRepository(info.id)
      if (known.projects.length + known.deleted.length === 0) await discoverProjects(context, client, confirmed)
      else await catchUpWithBranches(context, client, info, projects)
      if (!isDryRun) await store.notes.writeLook(info.id, info.pushedAt)
    })
  } catch (error) {
    if (!isOfOneRepository(error)) throw error
    context.log.warn({ repositoryId: info.id, reason: error.message }, 'Cannot reconcile a repository')
    return `${nameOf(info)}: ${error.message}`
  }
  return undefined
}

function toIds({ projects, deleted }: StoredRepository): string {
  return [...projects.map(({ id }) => id), '/', ...deleted.map(({ id }) => id)].join(' ')
}

function toLock(repositoryId: number): string {
  return `repository ${repositoryId}`
}

/**
 * Asks GitHub about one repository, and does what follows: names and visibility are brought up to date, deleted projects restored, or
 * live ones deleted.
 *
 * @param names Names it may have, beside those of its projects.
 * @throws {GitHubError}
 */
export async function confirmRepository(
  context: ReconcileContext,
  {
    repositoryId,
    names = [],
    installationIds,
  }: {
    readonly repositoryId: number
    readonly names?: Parameters<typeof askAboutRepository>[1]['names']
    readonly installationIds: readonly number[]
  },
): Promise<RepositoryState> {
  return await context.locks(toLock(repositoryId), () => settle(context, repositoryId, names, installationIds))
}

/** Under the lock of the repository, so that an older answer of GitHub is never acted on after a newer one. */
async function settle(
  context: ReconcileContext,
  repositoryId: number,
  names: Parameters<typeof askAboutRepository>[1]['names'],
  installationIds: readonly number[],
): Promise<RepositoryState> {
  const stored = await context.store.projects.findRepository(repositoryId)
  const known = [...stored.projects, ...stored.deleted].map(({ owner, repo }) => ({ owner, repo }))
  const state = await askAboutRepository(context.app, { repositoryId, names: [...known, ...names], installationIds })
  if (state.kind === 'installed') await applyConfirmed(context, stored, state)
  else if (state.kind === 'suspended') await tightenRepository(context, repositoryId, stored.projects)
  else await deleteRepository(context, repositoryId, stored.projects)
  return state
}

async function detach(context: ReconcileContext, repositoryId: number): Promise<void> {
  const { projects } = await context.store.projects.findRepository(repositoryId)
  const [project] = projects
  if (!project) return
  if (!context.isDryRun) await context.store.projects.apply([{ kind: 'detach-repository', repositoryId }])
  const detail = 'its installation is one of another GitHub App than the one that this server uses now'
  reportChange(context, { kind: 'detached', repository: nameOf(project), detail })
}

/** What GitHub's API says of a repository at this moment. */
type RepositoryState =
  | { readonly kind: 'installed'; readonly installationId: number; readonly info: RepositoryInfo }
  /** The account suspended the app: nothing can be asked about its repositories. */
  | { readonly kind: 'suspended'; readonly installationId: number }
  /** The repository is deleted, or the app is not installed on it. */
  | { readonly kind: 'gone' }

/**
 * Asks GitHub where the app is installed on a repository, and what the repository is like now.
 *
 * Identified by its number: a name that was given to another repository meanwhile does not lead to that one.
 *
 * @param names What it was called, as far as known; a newer name is found by the number.
 * @param installationIds Installations that may see it.
 * @throws {GitHubError}
 */
async function askAboutRepository(
  app: GitHubApp,
  {
    repositoryId,
    names,
    installationIds,
  }: {
    readonly repositoryId: number
    readonly names: readonly RepositoryName[]
    readonly installationIds: readonly number[]
  },
): Promise<RepositoryState> {
  const asked = new Set<string>()
  const askByName = async ({ owner, repo }: RepositoryName): Promise<RepositoryState | undefined> => {
    const name = `${owner}/${repo}`.toLowerCase()
    if (asked.has(name)) return undefined
    asked.add(name)
    const installation = await findRepositoryInstallation(app.client, { owner, repo })
    if (!installation) return undefined
    const installationId = installation.id
    if (installation.isSuspended) return { kind: 'suspended', installationId }
    const info = await findRepository(app.installation(installationId), repositoryId)
    if (!info) return undefined
    // The token sees every public repository: that the app is installed was said of the name.
    return `${info.owner}/${info.repo}`.toLowerCase() === name
      ? { kind: 'installed', installationId, info }
      : await askByName(info)
  }
  for (const name of names) {
    const state = await askByName(name)
    if (state) return state
  }
  for (const installationId of new Set(installationIds)) {
    const installation = await findInstallation(app.client, installationId)
    if (!installation) continue
    if (installation.isSuspended) return { kind: 'suspended', installationId }
    const info = await findRepository(app.installation(installationId), repositoryId)
    const state = info && (await askByName(info))
    if (state) return state
  }
  return { kind: 'gone' }
}
