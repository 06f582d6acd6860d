import { classify } from '../../../docs/read/find-docs.ts'
import { findRepository, type GitHubApp, listBranchTips, type RepositoryInfo } from '../../../github/apps/github-app.ts'
import { readTip } from '../../../github/repositories/branches.ts'
import { findCommit, listRepositoryFiles, readRepositoryFile } from '../../../github/repositories/commits.ts'
import { listOpenPullRequests, type PullRequestInfo } from '../../../github/repositories/pull-requests.ts'
import type { GitHubClient, RepositoryName } from '../../../github/requests/github-client.ts'
import type { Project } from '../../../status/update-record.ts'
import type { NewUpdate } from '../../../store/queue/jobs.ts'
import type { StoredRepository, UpdateDetails } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import { baseName, matchesSteps, readNamePattern } from '../../../text/plain/paths.ts'
import type { AppContext } from '../../base/app-context.ts'
import { clientOf, requireGitHubApp, toProjectName } from '../../base/projects.ts'
import { listOvercome } from '../../base/quotas.ts'
import { type Tasks, toTask } from '../../base/tasks.ts'
import type { Metrics } from '../../base/telemetry/metrics.ts'
import { noFiles, planUpdates } from '../webhooks/plan.ts'
import { findDocsRoots, syncProjects } from './sync-projects.ts'

/** The context for comparing with GitHub, also available to the `reconcile` command. */
export type ReconcileContext = Pick<AppContext, 'store' | 'log' | 'now' | 'config'> & {
  readonly app: GitHubApp
  /** Reports differences without changing anything. */
  readonly isDryRun?: boolean
  /** Called for every change. */
  readonly report?: (change: ReconcileChange) => void
}

/** The context in the running app, which counts all changes. */
export function toReconcileContext(context: AppContext, { reconciled }: Metrics): ReconcileContext {
  return { ...context, app: requireGitHubApp(context), report: ({ kind }) => reconciled.inc({ kind }) }
}

export interface ReconcileChange {
  readonly kind:
    | 'deleted'
    | 'restored'
    | 'detached'
    | 'private'
    | 'public'
    | 'renamed'
    | 'default-branch'
    | 'installation'
    | 'found'
    | 'update'
  /** `owner/repo`. */
  readonly repository: string
  /** One line of description. */
  readonly detail: string
}

/** Logs and reports a change, or a planned change in a dry run. */
export function reportChange({ log, isDryRun, report }: ReconcileContext, change: ReconcileChange): void {
  if (!isDryRun) log.info({ ...change }, 'Reconciled with GitHub')
  report?.(change)
}

export function nameOf({ owner, repo }: RepositoryName): string {
  return `${owner}/${repo}`
}

export interface ConfirmedRepository {
  readonly installationId: number
  readonly info: RepositoryInfo
}

/** What the projects of a repository store of it. */
export function toFacts({ installationId, info }: ConfirmedRepository) {
  const { owner, repo, defaultBranch, private: isPrivate } = info
  return { installationId, owner, repo, defaultBranch, private: isPrivate }
}

/** Whether the store matches GitHub's state of a repository. */
export function isUpToDate({ projects, deleted }: StoredRepository, confirmed: ConfirmedRepository): boolean {
  return (
    deleted.every(({ removedBy }) => removedBy !== undefined) &&
    projects.every((project) => listDifferences(project, confirmed).length === 0)
  )
}

/** Whether pushes of the repository may have been missed or handled differently: it was deleted here, or its default branch or installation changed. */
export function mayMissPushes({ projects, deleted }: StoredRepository, { installationId, info }: ConfirmedRepository): boolean {
  return (
    deleted.some(({ removedBy }) => removedBy === undefined) ||
    projects.some((project) => project.defaultBranch !== info.defaultBranch || project.installationId !== installationId)
  )
}

/**
 * Applies GitHub's state of a repository to its projects. Restores deleted projects, except those that a person deleted, unless `restore` is false.
 *
 * @param stored The stored state, read before GitHub's.
 */
export async function applyConfirmed(
  context: ReconcileContext,
  stored: StoredRepository,
  confirmed: ConfirmedRepository,
  { restore = true }: { readonly restore?: boolean } = {},
): Promise<void> {
  if (isUpToDate(stored, confirmed)) return
  const { info } = confirmed
  if (!context.isDryRun) {
    const confirm = { kind: 'confirm-repository', repositoryId: info.id, values: toFacts(confirmed) } as const
    await context.store.projects.apply([{ ...confirm, tightened: stored.tightened, restore }])
  }
  for (const project of stored.deleted) {
    if (project.removedBy !== undefined) continue
    const detail = `project ${project.id} of ${toProjectName({ ...info, root: project.root })}, which was deleted on ${project.deletedAt.slice(0, 10)}`
    reportChange(context, { kind: 'restored', repository: nameOf(info), detail })
  }
  const [project] = stored.projects
  for (const change of project ? listDifferences(project, confirmed) : []) reportChange(context, change)
}

function listDifferences(project: Project, { installationId, info }: ConfirmedRepository): ReconcileChange[] {
  const repository = nameOf(info)
  const changes: ReconcileChange[] = []
  if (project.private !== info.private) {
    const [kind, detail] = info.private
      ? (['private', 'the repository is private'] as const)
      : (['public', 'the repository is public'] as const)
    changes.push({ kind, repository, detail })
  }
  if (nameOf(project) !== repository) changes.push({ kind: 'renamed', repository, detail: `from ${nameOf(project)}` })
  if (project.defaultBranch !== info.defaultBranch) {
    changes.push({ kind: 'default-branch', repository, detail: `${info.defaultBranch} instead of ${project.defaultBranch}` })
  }
  if (project.installationId !== installationId) {
    changes.push({ kind: 'installation', repository, detail: `${installationId} instead of ${project.installationId ?? 'none'}` })
  }
  return changes
}

/** Deletes the projects of a repository that no longer exists on GitHub. They can be restored for 30 days. */
export async function deleteRepository(
  context: ReconcileContext,
  repositoryId: number,
  projects: readonly Project[],
): Promise<void> {
  if (projects.length === 0) return
  if (!context.isDryRun) {
    await context.store.projects.apply([{ kind: 'delete-repository', repositoryId }])
    await context.store.notes.writeLook(repositoryId, undefined)
  }
  for (const project of projects) {
    const place = toProjectName(project)
    const detail = `project ${project.id} of ${place}: the app was uninstalled, or the repository was deleted`
    reportChange(context, { kind: 'deleted', repository: nameOf(project), detail })
    if (context.isDryRun) continue
    await context.store.audit.add({ actor: 'github', action: 'project.delete', subject: project.id, detail: place })
  }
}

/** Makes a repository private if its visibility cannot be read. */
export async function tightenRepository(
  context: ReconcileContext,
  repositoryId: number,
  projects: readonly Project[],
): Promise<void> {
  const [project] = projects
  if (!project || projects.every((project) => project.private)) return
  if (!context.isDryRun) await context.store.projects.apply([{ kind: 'tighten', repositoryId }])
  const detail = 'the account suspended the app, so its visibility is unknown'
  reportChange(context, { kind: 'private', repository: nameOf(project), detail })
}

/**
 * Creates the projects of a new repository, each with an update of its default branch, so that the dashboard shows a result before the first
 * push. A repository without documentation or OpenAPI documents gets a project with the first push that adds one.
 *
 * @throws {GitHubError}
 */
export async function discoverProjects(
  context: ReconcileContext,
  client: GitHubClient,
  confirmed: ConfirmedRepository,
): Promise<void> {
  const { store } = context
  const { info } = confirmed
  const { id: repositoryId, owner, repo, defaultBranch } = info
  if (isIgnored(context, info)) return
  const paths = await listTipFiles(client, { owner, repo }, defaultBranch)
  const { roots } = findDocsRoots(paths)
  if (roots.length === 0 && !paths.some(looksLikeDocument)) return
  const sha = await readTip(client, { owner, repo }, defaultBranch)
  const head = await findCommit(client, { owner, repo }, sha)
  if (!head) {
    const message = `Cannot read commit on \`${owner}/${repo}@${sha.slice(0, 7)}\`: not found`
    throw new GitHubError(message, { failure: 'not-found', operation: 'read commit' })
  }
  reportChange(context, {
    kind: 'found',
    repository: nameOf(info),
    detail: `${roots.length || 'no'} docs ${roots.length === 1 ? 'directory' : 'directories'} at ${head.sha.slice(0, 7)}`,
  })
  if (context.isDryRun) return
  const found = { repositoryId, ...toFacts(confirmed), root: roots[0] ?? '', hasDocsConfig: roots.length > 0 }
  await store.projects.apply([{ kind: 'upsert', project: found }])
  const [project] = await store.projects.findByRepository(repositoryId)
  if (!project) return
  const projects = await syncProjects(context, project, roots)
  const commit = { sha: head.sha, ref: `refs/heads/${defaultBranch}`, message: head.message, filesChanged: noFiles }
  const updates = planUpdates(context, projects, {
    commit,
    ...head.by,
    details: { trigger: 'catch-up' },
    once: 'head',
    source: 'internal',
    logs: ['First update of this repository, after the installation of the app'],
  })
  await store.accept({ updates })
}

/**
 * The files of a branch; none if the repository has no commits, for which GitHub answers 409.
 *
 * @throws {GitHubError} `not-found` too: GitHub answers 404 also by mistake, for a moment.
 */
async function listTipFiles(client: GitHubClient, repository: RepositoryName, branch: string): Promise<readonly string[]> {
  try {
    return (await listRepositoryFiles(client, repository, branch)).paths
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'conflict') return []
    throw error
  }
}

function looksLikeDocument(path: string): boolean {
  return isData(path) && /openapi|swagger/i.test(baseName(path))
}

function isData(path: string): boolean {
  return /\.(json|ya?ml)$/i.test(path) && !/(?:^|\/)(?:\.|node_modules\/)/.test(path)
}

/** Files of other programs. */
const otherFiles =
  /^(?:package|package-lock|composer|tsconfig.*|lerna|turbo|renovate|pnpm-.*|docker-compose.*|compose|mkdocs|_config)\.\w+$/

/** The most files whose content says whether a repository has an OpenAPI document. */
const readCandidates = 10

/** Whether a commit has documentation or an OpenAPI document. One request for its files decides, unless only their content tells. @throws {GitHubError} */
export async function hasDocumentation(client: GitHubClient, repository: RepositoryName, sha: string): Promise<boolean> {
  const { paths, isTruncated } = await listRepositoryFiles(client, repository, sha)
  if (isTruncated || findDocsRoots(paths).roots.length > 0 || paths.some(looksLikeDocument)) return true
  const candidates = paths.filter((path) => isData(path) && !otherFiles.test(baseName(path)))
  const sorted = candidates.toSorted((a, b) => Number(/api|spec/i.test(b)) - Number(/api|spec/i.test(a)) || a.length - b.length)
  for (const path of sorted.slice(0, readCandidates)) {
    const bytes = await readRepositoryFile(client, repository, sha, path)
    if (bytes && (await classify(path, bytes)) !== undefined) return true
  }
  return false
}

/** Whether `IGNORED_REPOSITORIES` lists a repository, so that it gets no project. */
export function isIgnored({ config: { ignoredRepositories = [] } }: ReconcileContext, { owner, repo }: RepositoryName): boolean {
  const names = [owner, repo].map((name) => name.toLowerCase())
  const toSteps = (pattern: string) =>
    pattern
      .toLowerCase()
      .split('/')
      .map((name) => readNamePattern(name) ?? [])
  return ignoredRepositories.some((pattern) => matchesSteps(toSteps(pattern), names))
}

/** Compares at most this number of branches and pull requests per project, most recently pushed first. */
const comparedBranches = 200

/**
 * Queues missing updates for the tips of the default branch, and of other branches and pull requests from forks with earlier updates. Ends the
 * previews of deleted branches and closed pull requests. With `isNewHere`, webhooks of the repository never arrived for a while: then open pull
 * requests without earlier updates are checked too, and those whose head was checked before get their comments.
 *
 * @throws {GitHubError}
 */
export async function catchUpWithHeads(
  context: ReconcileContext,
  client: GitHubClient,
  { owner, repo, defaultBranch }: RepositoryInfo,
  projects: readonly Project[],
  isNewHere: boolean,
): Promise<void> {
  const { store, isDryRun = false } = context
  // Read before those of GitHub: later ones may be of new branches.
  const builds = (await Promise.all(projects.map(({ id }) => store.sites.list(id, { limit: 1_000 })))).flat()
  const known = await Promise.all(
    projects.map(async (project) => {
      const { updates } = await store.overviews.listRefs(project.id, { limit: comparedBranches })
      return { project, commits: new Map(updates.map(({ update: { commit } }) => [commit.ref, commit.sha])) }
    }),
  )
  const knownRefs = [...builds.map(({ ref }) => ref), ...known.flatMap(({ commits }) => [...commits.keys()])]
  const heads = await listHeads(client, { owner, repo, defaultBranch }, isNewHere || knownRefs.some(isPull))
  const openRefs = isNewHere ? [...heads].flatMap(([ref, { pull }]) => (pull ? [ref] : [])) : []
  for (const { projectId, ref } of new Map(builds.map((build) => [`${build.projectId} ${build.ref}`, build])).values()) {
    const isListed = isPull(ref) || ref.startsWith('refs/heads/')
    if (!isDryRun && isListed && !heads.has(ref)) await store.sites.dropPreviews(projectId, ref)
  }
  for (const { project, commits } of known) {
    if (!project.enabled) continue
    const overcome = await listOvercome(context, project)
    for (const ref of new Set([`refs/heads/${defaultBranch}`, ...commits.keys(), ...openRefs])) {
      const head = ref.startsWith('refs/heads/gh-readonly-queue/') ? undefined : heads.get(ref)
      if (!head) continue
      // The store decides this again. Asking first saves requests to GitHub.
      const statusId = await store.statuses.findForTip({ projectId: project.id, ref, sha: head.sha, overcome })
      if (statusId !== undefined) {
        const details = isNewHere && head.pull ? { changedPull: head.pull.number } : undefined
        if (details && !isDryRun) await store.accept({ wanted: [{ statusId, subject: 'comment', details }] })
        continue
      }
      const before = head.pull?.baseSha ?? commits.get(ref)
      const pullNumber = head.pull?.number
      const details = {
        ...(before !== undefined && { before, filesTruncated: true }),
        ...(pullNumber !== undefined && { pullNumber }),
      }
      await addMissedUpdate(context, client, { ...project, owner, repo }, { ref, sha: head.sha, overcome, details })
    }
  }
}

const isPull = (ref: string) => ref.startsWith('refs/pull/')

/** The branches of a repository and the heads of its open pull requests, by ref. @throws {GitHubError} */
async function listHeads(
  client: GitHubClient,
  { owner, repo, defaultBranch }: RepositoryName & Pick<RepositoryInfo, 'defaultBranch'>,
  hasPulls: boolean,
) {
  const repository = { owner, repo }
  const heads = new Map<string, { readonly sha: string; readonly pull?: PullRequestInfo }>()
  for (const [branch, sha] of await listBranchTips(client, repository)) heads.set(`refs/heads/${branch}`, { sha })
  const pulls = hasPulls ? await listOpenPullRequests(client, repository) : []
  for (const pull of pulls) {
    const ref = pull.isSameRepository ? `refs/heads/${pull.headRef}` : `refs/pull/${pull.number}/head`
    // Previews and comments are not for the default branch.
    if (ref !== `refs/heads/${defaultBranch}`) heads.set(ref, { sha: pull.headSha, pull })
  }
  return heads
}

/**
 * Queues an update of the commit that a branch or pull request points at on GitHub, unless the store finds that it has one.
 *
 * @throws {GitHubError}
 */
export async function addMissedUpdate(
  context: ReconcileContext,
  client: GitHubClient,
  project: Project,
  {
    ref,
    sha,
    overcome,
    details,
  }: Pick<NewUpdate, 'overcome'> & {
    readonly ref: string
    readonly sha: string
    readonly details?: Pick<UpdateDetails, 'before' | 'filesTruncated' | 'pullNumber'>
  },
): Promise<void> {
  const head = await findCommit(client, { owner: project.owner, repo: project.repo }, sha)
  if (!head) return
  const detail = `${toProjectName(project)}: ${ref.replace(/^refs\/(heads\/)?/, '')} is at ${sha.slice(0, 7)}, which has no update, or no site`
  if (!context.isDryRun) {
    const updates = planUpdates(context, [project], {
      commit: { sha, ref, message: head.message, filesChanged: noFiles },
      ...head.by,
      details: { trigger: 'catch-up', ...details },
      once: 'tip',
      overcome,
      source: 'internal',
      logs: ['Found by comparing with GitHub: no webhook of this commit arrived, or it had no site'],
    })
    const result = await context.store.accept({ updates })
    if (result.kind !== 'accepted' || result.updates[0]?.outcome !== 'created') return
  }
  reportChange(context, { kind: 'update', repository: nameOf(project), detail })
}

/** Whether an error affects only one repository, which may be empty, blocked or just deleted. Other repositories are still compared. */
export function isRepositoryError(error: unknown): error is GitHubError {
  return (
    error instanceof GitHubError &&
    ['not-found', 'forbidden', 'invalid', 'conflict', 'refused', 'protected'].includes(error.failure)
  )
}

/**
 * Reads name, visibility and default branch of a project's repository from GitHub in one request, and stores them.
 *
 * @throws {GitHubError} if they cannot be read. If access was denied, a task then confirms the repository.
 */
export async function refreshProject(context: AppContext, project: Project): Promise<Project> {
  const { store } = context
  const { repositoryId, installationId, owner, repo } = project
  const client = clientOf(context, project)
  const confirmLater = async ({ compareBranches }: Pick<Tasks['confirm'], 'compareBranches'> = {}) => {
    const names = { repositoryId, owner, repo, ...(installationId === undefined ? {} : { installationId }) }
    const payload = compareBranches ? { ...names, compareBranches } : names
    await store.accept({ tasks: [toTask(store.newId(), 'confirm', installationId, payload)] })
  }
  const stored = await store.projects.findRepository(repositoryId)
  const info = await findRepository(client, repositoryId).catch(async (error: unknown) => {
    const isRefused = error instanceof GitHubError && (error.failure === 'forbidden' || error.failure === 'not-found')
    if (isRefused) await confirmLater()
    throw error
  })
  if (!info || installationId === undefined) {
    await confirmLater()
    const reason = 'the app was uninstalled, or the repository was deleted'
    throw new GitHubError(`Cannot read \`${owner}/${repo}\`: ${reason}`, { failure: 'not-found', operation: 'read repository' })
  }
  const reconcileContext = { ...context, app: requireGitHubApp(context) }
  // This request does not confirm the installation, so deleted projects stay deleted.
  await applyConfirmed(reconcileContext, { ...stored, deleted: [] }, { installationId, info }, { restore: false })
  if (info.defaultBranch !== project.defaultBranch) await confirmLater({ compareBranches: true })
  return (await store.projects.find(project.id)) ?? project
}
