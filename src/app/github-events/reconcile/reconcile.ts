import { setTimeout as sleep } from 'node:timers/promises'
import {
  findRepository,
  findRepositoryInstallation,
  type GitHubApp,
  type InstallationInfo,
  listInstallationRepositories,
  listInstallations,
  type RepositoryInfo,
} from '../../../github/apps/github-app.ts'
import type { RepositoryName } from '../../../github/requests/github-client.ts'
import type { StoredRepository } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import { type AppContext, type AppPart, runExclusively } from '../../base/app-context.ts'
import { toTask } from '../../base/tasks.ts'
import type { Metrics } from '../../base/telemetry/metrics.ts'
import {
  applyConfirmed,
  catchUpWithHeads,
  deleteRepository,
  discoverProjects,
  isRepositoryError,
  isUpToDate,
  mayMissPushes,
  nameOf,
  type ReconcileContext,
  reportChange,
  tightenRepository,
  toReconcileContext,
} from './settle-repository.ts'

interface ReconcileOptions {
  /** Compares only this installation and others of the same account. Default: all. */
  readonly installationId?: number
  /** Compares only these repositories. */
  readonly repositoryIds?: ReadonlySet<number>
  /** Compares the branches of every repository, instead of only those pushed to since the last comparison. */
  readonly isFull: boolean
  readonly signal?: AbortSignal
}

type ReconcileResult = Awaited<ReturnType<typeof reconcile>>

const nothingStored: StoredRepository = { projects: [], deleted: [], tightened: 0 }

/**
 * Synchronizes the store with GitHub: installations, repositories, names, visibility, default branches, and branch tips.
 *
 * Running it again changes nothing. Requests respect the rate limit of each installation. Unreachable installations are not changed.
 *
 * @returns `failures`: names and reasons of everything that could not be compared, and was not changed. `isComplete`: false if GitHub did not
 *   respond, so that another attempt may succeed.
 * @throws {GitHubError} if the installations of the app cannot be listed.
 */
export async function reconcile(context: ReconcileContext, options: ReconcileOptions) {
  const { store, app, log } = context
  const isOtherApp = await belongsToOtherApp(context)
  const before = await store.projects.listRepositories()
  const installations = selectInstallations(await listInstallations(app.client), before, options)
  const looks = await store.notes.readLooks()
  const failures: string[] = []
  const seen = new Set<number>()
  /** Installations with an unknown list of repositories. */
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
      // Read the store first: webhooks that arrive meanwhile are newer than GitHub's list.
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
    if (!listed.has(installationId)) app.forget(installationId)
    try {
      if (isOtherApp) await detach(context, repositoryId)
      else await confirmRepository(context, { repositoryId, installationIds: [] })
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error
      failures.push(`${nameOf(project)}: ${error.message}`)
      if (!isRepositoryError(error)) isComplete = false
    }
  }
  if (isOtherApp && isComplete && !context.isDryRun) await store.notes.write('app-id', String(app.appId))
  return { installations: installations.length, repositories, failures, isComplete }
}

/** Whether the installations in the store belong to another GitHub App. If so, missing installations are not deleted ones. */
async function belongsToOtherApp({ store, app, isDryRun }: ReconcileContext): Promise<boolean> {
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
  // After reinstalling the app, an account has a new installation ID.
  return all.filter(({ id, account }) => id === installationId || owners.has(account.toLowerCase()))
}

/** Returns an error that affects only this repository. @throws {GitHubError} for errors of the whole installation. */
async function reconcileRepository(
  context: ReconcileContext,
  target: {
    readonly installation: InstallationInfo
    readonly info: RepositoryInfo
    readonly known: StoredRepository
    readonly look: string | undefined
    readonly options: ReconcileOptions
  },
): Promise<string | undefined> {
  const { installation, info, known, look, options } = target
  const confirmed = { installationId: installation.id, info }
  const wasPushed = info.pushedAt !== look
  const isKnown = known.projects.length + known.deleted.length > 0
  // A repository that was just added may have been looked at before, while it was removed.
  const isExpected = isKnown ? options.isFull || mayMissPushes(known, confirmed) : options.repositoryIds !== undefined
  const wantsBranches = wasPushed || isExpected
  if (isUpToDate(known, confirmed) && !wantsBranches) return undefined
  const { store, app, isDryRun } = context
  try {
    await runExclusively(store, toLock(info.id), async () => {
      const current = await store.projects.findRepository(info.id)
      // The projects changed after the list was read, so the list may be outdated.
      if (toIds(current) !== toIds(known)) {
        const options = { repositoryId: info.id, names: [info], installationIds: [installation.id] }
        return await confirmLocked(context, { ...options, compareBranches: wantsBranches })
      }
      await applyConfirmed(context, known, confirmed)
      if (!wantsBranches) return
      const client = app.installation(installation.id)
      const projects = isDryRun ? known.projects : await store.projects.findByRepository(info.id)
      if (!isKnown) await discoverProjects(context, client, confirmed)
      else await catchUpWithHeads(context, client, info, projects, look === undefined || mayMissPushes(known, confirmed))
      if (!isDryRun) await store.notes.writeLook(info.id, info.pushedAt)
    })
  } catch (error) {
    if (!isRepositoryError(error)) throw error
    context.log.warn({ repositoryId: info.id, reason: error.message }, 'Cannot reconcile a repository')
    // The next comparison looks again.
    if (!isDryRun) await store.notes.writeLook(info.id, undefined)
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

interface ConfirmOptions {
  readonly repositoryId: number
  /** Possible names, in addition to those of its projects. The ID leads to the current name. */
  readonly names?: readonly RepositoryName[]
  /** Installations that may have access to it, except those whose repositories were just listed. */
  readonly installationIds: readonly number[]
  readonly compareBranches?: boolean | undefined
}

/**
 * Reads the state of a repository from GitHub and applies it: updates names and visibility, restores deleted projects, or deletes projects.
 *
 * @throws {GitHubError}
 */
export async function confirmRepository(context: ReconcileContext, options: ConfirmOptions): Promise<RepositoryState> {
  return await runExclusively(context.store, toLock(options.repositoryId), () => confirmLocked(context, options))
}

/** Requires the lock of the repository, so that an older response of GitHub is never applied after a newer one. */
async function confirmLocked(
  context: ReconcileContext,
  { repositoryId, names = [], installationIds, compareBranches }: ConfirmOptions,
): Promise<RepositoryState> {
  const stored = await context.store.projects.findRepository(repositoryId)
  const known = [...stored.projects, ...stored.deleted].map(({ owner, repo }) => ({ owner, repo }))
  const state = await readRepositoryState(context.app, { repositoryId, names: [...known, ...names], installationIds })
  if (state.kind === 'installed') {
    await applyConfirmed(context, stored, state)
    const isNewHere = mayMissPushes(stored, state)
    if (compareBranches || isNewHere) {
      const projects = await context.store.projects.findByRepository(repositoryId)
      await catchUpWithHeads(context, context.app.installation(state.installationId), state.info, projects, isNewHere)
    }
  } else if (state.kind === 'suspended') await tightenRepository(context, repositoryId, stored.projects)
  else await deleteRepository(context, repositoryId, stored.projects)
  return state
}

async function detach(context: ReconcileContext, repositoryId: number): Promise<void> {
  const { projects } = await context.store.projects.findRepository(repositoryId)
  const [project] = projects
  if (!project) return
  if (!context.isDryRun) await context.store.projects.apply([{ kind: 'detach-repository', repositoryId }])
  const detail = 'its installation belongs to a different GitHub App'
  reportChange(context, { kind: 'detached', repository: nameOf(project), detail })
}

/** The current state of a repository on GitHub. */
type RepositoryState =
  | { readonly kind: 'installed'; readonly installationId: number; readonly info: RepositoryInfo }
  /** The account suspended the app, so its repositories cannot be read. */
  | { readonly kind: 'suspended'; readonly installationId: number }
  /** The repository is deleted, or the app is not installed on it. */
  | { readonly kind: 'gone' }

/**
 * Finds the installation of a repository and reads its current state. Identifies the repository by ID, because another repository may have
 * taken over its name.
 *
 * @throws {GitHubError}
 */
async function readRepositoryState(
  app: GitHubApp,
  { repositoryId, names, installationIds }: Required<Omit<ConfirmOptions, 'compareBranches'>>,
): Promise<RepositoryState> {
  const triedNames = new Set<string>()
  const findByName = async ({ owner, repo }: RepositoryName): Promise<RepositoryState | undefined> => {
    const name = `${owner}/${repo}`.toLowerCase()
    if (triedNames.has(name)) return undefined
    triedNames.add(name)
    const installation = await findRepositoryInstallation(app.client, { owner, repo })
    if (!installation) return undefined
    const installationId = installation.id
    if (installation.isSuspended) return { kind: 'suspended', installationId }
    const info = await findRepository(app.installation(installationId), repositoryId)
    if (!info) return undefined
    // The token can read every public repository, but the installation was found by name. Check the name again.
    return `${info.owner}/${info.repo}`.toLowerCase() === name
      ? { kind: 'installed', installationId, info }
      : await findByName(info)
  }
  for (const name of names) {
    const state = await findByName(name)
    if (state) return state
  }
  // GitHub answers 404 also by mistake, for a moment. Lists without the repository are certain.
  const listed = installationIds.length === 0 ? [] : await listInstallations(app.client)
  for (const { id: installationId, isSuspended } of listed) {
    if (!installationIds.includes(installationId)) continue
    if (isSuspended) return { kind: 'suspended', installationId }
    const repositories = await listInstallationRepositories(app.installation(installationId))
    const info = repositories.find(({ id }) => id === repositoryId)
    if (info) return { kind: 'installed', installationId, info }
  }
  return { kind: 'gone' }
}

export const defaultReconcileTimes = {
  /** Delay between comparisons. */
  everyMs: 3_600_000,
  /** Delay after a comparison with failures; doubled each time, up to `everyMs`. */
  retryMs: 10_000,
  /** After a longer time offline, public sites are private until GitHub confirms that they are public. */
  gapMs: 900_000,
}
export type ReconcileTimes = Readonly<typeof defaultReconcileTimes>

/** How often to compare all branches and pull requests, so that previews of deleted ones end within a day. */
const fullEveryMs = 22 * 3_600_000

/** How often to record that the server is online; well below `gapMs`. */
const onlineEveryMs = 60_000

/** Compares the store with GitHub at start and every hour. */
export function createReconcilePart(
  times: ReconcileTimes = defaultReconcileTimes,
): (context: AppContext, tools: { readonly metrics: Metrics }) => AppPart {
  return (context, { metrics }) => {
    const stopping = new AbortController()
    let online: Promise<void> | undefined
    return {
      async prepare() {
        await hideAfterGap(context, times)
      },
      serve() {
        online = repeat(stopping.signal, async () => {
          await context.store.notes.write('online-until', context.now().toISOString()).catch((error: unknown) => {
            context.log.warn({ err: error }, 'Cannot record that the server is online')
          })
          return onlineEveryMs
        })
      },
      lead: (signal) => comparePeriodically(context, metrics, times, signal),
      async stop() {
        stopping.abort()
        await Promise.race([online, sleep(1_000)])
      },
    }
  }
}

/** A repository may have become private while the server was offline or since its backup. Makes public sites private until GitHub confirms them. */
async function hideAfterGap({ store, now, log }: AppContext, { gapMs }: ReconcileTimes): Promise<void> {
  const onlineUntil = await store.notes.read('online-until')
  const backupOf = await store.notes.read('backup-of')
  const gap = onlineUntil === undefined ? Number.POSITIVE_INFINITY : now().getTime() - Date.parse(onlineUntil)
  if (backupOf === undefined && gap <= gapMs) return
  const open = (await store.projects.list()).filter((project) => !project.private && project.installationId !== undefined)
  if (open.length === 0) return
  // Another process may have begun its comparison before.
  const installations = new Set(open.map(({ installationId }) => installationId))
  const tasks = [...installations].flatMap((installationId) =>
    installationId === undefined ? [] : [toTask(store.newId(), 'reconcile', installationId, { installationId })],
  )
  await store.accept({ projectChanges: [{ kind: 'tighten-all' }], tasks })
  const fields = { projects: open.length, ...(backupOf === undefined ? { onlineUntil } : { backupOf }) }
  log.warn(fields, 'Public sites are private until GitHub confirms that their repositories are public')
}

async function comparePeriodically(
  context: AppContext,
  metrics: Metrics,
  times: ReconcileTimes,
  signal: AbortSignal,
): Promise<void> {
  let fullAtMs = Number.NEGATIVE_INFINITY
  let retryMs = times.retryMs
  await repeat(signal, async () => {
    const nowMs = context.now().getTime()
    const isFull = nowMs - fullAtMs >= fullEveryMs
    const result = await compareOnce(context, metrics, isFull, signal)
    if (result?.isComplete && isFull) fullAtMs = nowMs
    if (result?.failures.length === 0) {
      retryMs = times.retryMs
      return times.everyMs
    }
    const waitMs = Math.min(retryMs, times.everyMs)
    retryMs *= 2
    return waitMs
  })
}

/** Returns `undefined` if nothing could be compared. */
async function compareOnce(
  context: AppContext,
  metrics: Metrics,
  isFull: boolean,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { store, log, now, github } = context
  if (!github.app) return undefined
  try {
    const result = await reconcile(toReconcileContext(context, metrics), { isFull, signal })
    const { installations, repositories, failures, isComplete } = result
    log.info({ installations, repositories, failures: failures.length }, 'Compared with GitHub')
    if (isComplete) {
      await store.notes.write('reconciled-at', now().toISOString())
      await store.notes.write('backup-of', undefined)
    }
    return result
  } catch (error) {
    if (!signal.aborted) log.warn(error instanceof GitHubError ? { reason: error.message } : { err: error }, 'Cannot reconcile')
    return undefined
  }
}

/** Repeats work. Each call returns the delay before the next one in milliseconds. */
async function repeat(signal: AbortSignal, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted) await sleep(await work(), undefined, { signal }).catch(() => undefined)
}
