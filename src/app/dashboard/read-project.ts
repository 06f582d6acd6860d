import type { Project } from '../../status/types.ts'
import type { SiteBuild } from '../../store/stored-sites.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { readReport } from '../read-report.ts'

/** @throws {Problem} `not-found` where the project has no such update. */
export async function findUpdate({ store }: AppContext, project: Project, statusId: string): Promise<StoredUpdate> {
  const stored = await store.statuses.find(statusId)
  if (stored?.update.projectId !== project.id) throw new Problem('not-found')
  return stored
}

/** Another text once anything that pages of the project show has changed. */
export async function readProjectStamp({ store }: AppContext, project: Project): Promise<string> {
  const [updates, published, links] = await Promise.all([
    store.overviews.readStamp([project.id]),
    store.sites.findPublished(project.id),
    store.links.list(project.id),
  ])
  const shown = [published?.build.id, published?.publishedAt, project.enabled, project.subdomain]
  return [updates, ...shown, ...links.map(({ id }) => id)].join('\n')
}

/** The builds of some updates, by commit. */
export async function findBuilds(
  { store }: AppContext,
  project: Project,
  updates: readonly StoredUpdate[],
): Promise<ReadonlyMap<string, SiteBuild>> {
  const shas = [...new Set(updates.map(({ update }) => update.commit.sha))]
  const builds = await Promise.all(shas.map((sha) => store.sites.find(project.id, sha)))
  return new Map(builds.flatMap((build) => (build ? [[build.sha, build]] : [])))
}

/** How many operations the newest report of the default branch counted. */
export async function countOperations({ store }: AppContext, { id, defaultBranch }: Project): Promise<number | undefined> {
  const last = await store.statuses.findLastSuccess(id, `refs/heads/${defaultBranch}`)
  const report = last && (await readReport(store, last))
  return report?.documents.reduce((sum, { operationCount }) => sum + operationCount, 0)
}
