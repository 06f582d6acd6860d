import { isDocsConfigPath } from '../../../docs/config/config-files.ts'
import type { Project } from '../../../status/update-record.ts'
import type { ProjectChange, StoredUpdate } from '../../../store/records/stored-records.ts'
import { parentPath } from '../../../text/plain/paths.ts'
import type { AppContext } from '../../base/app-context.ts'
import type { WantedUpdate } from '../../base/tasks.ts'
import { planUpdates } from '../webhooks/plan.ts'

/** Bounds the number of projects that one repository can create. */
export const maxDocsRoots = 50

/** Folders with test data or dependencies. Folders that start with a dot are skipped too. */
const skippedFolders = new Set(['node_modules', 'test', 'tests', '__tests__', 'fixtures', '__fixtures__', 'testdata', 'vendor'])

/**
 * Finds the docs directories of a repository: folders with a `docs.json` or `mint.json`, sorted by depth, at most `maxDocsRoots`.
 *
 * @param paths Relative to the repository, with `/`.
 */
export function findDocsRoots(paths: readonly string[]): { readonly roots: readonly string[]; readonly leftOutCount: number } {
  const found = paths
    .filter(isDocsConfigPath)
    .map(parentPath)
    .filter((root) => !root.split('/').some((step) => step.startsWith('.') || skippedFolders.has(step.toLowerCase())))
  const depth = (root: string) => (root === '' ? 0 : root.split('/').length)
  const sorted = [...new Set(found)].toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
  return { roots: sorted.slice(0, maxDocsRoots), leftOutCount: Math.max(0, sorted.length - maxDocsRoots) }
}

/**
 * Creates a project for each docs directory on the default branch. Returns all projects of the repository.
 *
 * The first project covers the whole repository until its docs directories are known, then becomes the project of the first one. A removed
 * docs directory keeps its project, because another branch may contain it.
 */
export async function syncProjects(
  { store }: Pick<AppContext, 'store'>,
  project: Project,
  roots: readonly string[],
): Promise<readonly Project[]> {
  const known = await store.projects.findByRepository(project.repositoryId)
  const changes = planProjectChanges(known, project, roots)
  if (changes.length === 0) return known
  await store.projects.apply(changes)
  return await store.projects.findByRepository(project.repositoryId)
}

export function planProjectChanges(
  known: readonly Project[],
  { id: _id, subdomain: _subdomain, enabled: _enabled, createdAt: _createdAt, ...facts }: Project,
  roots: readonly string[],
): ProjectChange[] {
  const whole = known.find(({ root }) => root === '')
  const unknown = roots.filter((root) => !known.some((project) => project.root === root))
  const outdated = known.filter(({ root, hasDocsConfig }) => roots.includes(root) && !hasDocsConfig)
  const changes: ProjectChange[] = outdated.map(({ root }) => ({
    kind: 'upsert',
    project: { ...facts, root, hasDocsConfig: true },
  }))
  const [first] = unknown
  const moves = whole && !whole.hasDocsConfig && first !== undefined && !roots.includes('')
  if (moves) changes.push({ kind: 'move-root', projectId: whole.id, root: first, hasDocsConfig: true })
  for (const root of moves ? unknown.slice(1) : unknown) {
    changes.push({ kind: 'upsert', project: { ...facts, root, hasDocsConfig: true } })
  }
  return changes
}

/** Queues an update of the same commit for each newly found project: one push creates one record per docs directory. Idempotent. */
export async function queueSiblings(
  context: AppContext,
  { update, details }: StoredUpdate,
  projects: readonly Project[],
): Promise<void> {
  if (!['push', 'pull_request', 'merge_group', 'catch-up'].includes(details.trigger)) return
  const fresh = projects.filter(({ id, createdAt }) => id !== update.projectId && createdAt >= update.createdAt)
  if (fresh.length === 0) return
  const { commit, author, authorInfo, source } = update
  const { checkRunId: _checkRunId, ...own } = details
  const once = details.trigger === 'push' && details.before !== undefined ? 'push' : 'head'
  const wanted: WantedUpdate = { commit, author, ...(authorInfo && { authorInfo }), source, details: own, once }
  await context.store.accept({ updates: planUpdates(context, fresh, wanted) })
}
