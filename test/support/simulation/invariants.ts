import type { Project } from '../../../src/status/update-record.ts'
import type { StoredUpdate } from '../../../src/store/records/stored-records.ts'
import type { Store } from '../../../src/store/store.ts'
import type { FakePullRequest } from '../fake-github/types.ts'
import { isAway } from './operations.ts'
import type { Watched, World } from './world.ts'

/** What is wrong in a world that has become quiet, one sentence each. */
export async function findViolations(world: World): Promise<readonly string[]> {
  const found = await world.look(async (store) => {
    const violations: string[] = []
    for (const one of world.watched) violations.push(...(await checkRepository(world, store, one)))
    for (const { update } of await store.statuses.listOpen(100)) {
      // The jobs of a deleted project wait until it is restored.
      if (!(await store.projects.find(update.projectId))) continue
      violations.push(`the record of ${short(update.commit.sha)} has not ended: ${update.summary}`)
    }
    return violations
  })
  const unexpected = world.github.unexpected.map((request) => `unexpected request: ${request}`)
  const doubled = world.github.doubled.map((request) => `a check was concluded again: ${request}`)
  return [...world.violations, ...(found ?? ['no process runs']), ...unexpected, ...doubled]
}

async function checkRepository(world: World, store: Store, one: Watched): Promise<readonly string[]> {
  const { repository } = one
  const { fullName, installation } = repository
  const violations: string[] = []
  const projects = await store.projects.findByRepository(repository.id)
  const [project] = projects
  if (isAway(one)) {
    if (installation?.suspended && !installation.deleted) return []
    const shown = await world.findShown(store, one)
    if (projects.length > 0) violations.push(`${fullName} has a project, but the app has no access`)
    if (shown.length > 0) violations.push(`${fullName} has a site, but the app has no access`)
    return violations
  }
  const tip = repository.tipOf(repository.defaultBranch)
  // A repository without documents gets no project.
  if (!project && tip !== undefined && world.qualities.get(tip) === 'no-docs') return []
  if (!project || projects.length > 1) return [`${fullName} has ${projects.length} projects`]
  const facts = [project.repo, project.private, project.defaultBranch, project.installationId]
  const wanted = [repository.name, repository.private, repository.defaultBranch, installation?.id]
  if (String(facts) !== String(wanted)) violations.push(`${fullName} is stored as ${facts}, expected ${wanted}`)
  const records = await listRecords(store, project)
  violations.push(...(await checkProduction(world, store, one, project, records)))
  violations.push(...checkRecords(world, records))
  violations.push(...checkFeedback(one, records))
  for (const pull of repository.pullRequests) if (pull.state === 'open') violations.push(...checkPull(one, pull))
  return violations.map((violation) => (violation.startsWith(fullName) ? violation : `${fullName}: ${violation}`))
}

async function listRecords(store: Store, { id }: Project): Promise<readonly StoredUpdate[]> {
  const records: StoredUpdate[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await store.statuses.list(id, { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    records.push(...(page?.updates ?? []))
    cursor = page?.nextCursor
    if (cursor === undefined) return records
  }
}

/** The production site is the tip of the default branch. If that has no site, it is an earlier tip. */
async function checkProduction(
  world: World,
  store: Store,
  one: Watched,
  project: Project,
  records: readonly StoredUpdate[],
): Promise<readonly string[]> {
  const { repository, wishes, tipMovedAtMs, tips } = one
  const tip = repository.tipOf(repository.defaultBranch)
  const quality = world.qualities.get(tip)
  const published = (await store.sites.findPublished(project.id))?.build.sha
  const wished = wishes.filter(({ atMs }) => atMs >= tipMovedAtMs).map(({ sha }) => sha)
  if (published !== undefined && wished.includes(published)) return []
  const ofTip = records.find(
    ({ update }) => update.commit.sha === tip && update.commit.ref === `refs/heads/${repository.defaultBranch}`,
  )
  const isBuilt = (await store.sites.find(project.id, tip)) !== undefined
  const about = `${short(tip)} (${quality}, ${isBuilt ? 'built' : 'not built'}), whose record says: ${ofTip?.update.status} ${ofTip?.update.summary ?? ''}`
  if (quality === 'valid' && published !== tip) {
    return [
      `the production site is ${published === undefined ? 'missing' : `at ${short(published)}`}, but ${repository.defaultBranch} is at ${about}`,
    ]
  }
  if (published !== undefined && !tips.has(published))
    return [`the production site is at ${short(published)}, which was never published, not at ${about}`]
  return []
}

function checkRecords(world: World, records: readonly StoredUpdate[]): readonly string[] {
  return records.flatMap(({ update, details }) => {
    const { sha } = update.commit
    const about = `the record ${update._id} of ${short(sha)} (${details.trigger})`
    if (update.status === 'success' && !world.github.downloads.has(sha)) return [`${about} succeeded without a run`]
    const isExpected = world.qualities.get(sha) !== 'valid' || /superseded|newer|queue/i.test(update.summary)
    if (update.status === 'failure' && !isExpected && !world.wasTroubled) return [`${about} failed: ${update.summary}`]
    return []
  })
}

/** Each record writes to GitHub once, and concludes its check. */
function checkFeedback({ repository }: Watched, records: readonly StoredUpdate[]): readonly string[] {
  const ended = new Set(records.flatMap(({ update }) => (update.endedAt === undefined ? [] : [update._id])))
  const open = repository.checkRuns.filter(({ status, externalId }) => status !== 'completed' && ended.has(externalId))
  const ids = repository.checkRuns.map(({ externalId }) => externalId).filter((id) => id !== '')
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index)
  const deployments = repository.deployments.map(({ payload }) => JSON.stringify(payload))
  const twice = deployments.filter((text, index) => deployments.indexOf(text) !== index)
  return [
    ...doubled.map((id) => `the record ${id} has several checks`),
    ...open.map(({ externalId }) => `the check of the record ${externalId} was not concluded`),
    ...twice.map((text) => `several deployments for ${text}`),
  ]
}

/** The head of an open pull request has one concluded check, and the pull request at most one comment. */
function checkPull({ repository, chances, missed }: Watched, pull: FakePullRequest): readonly string[] {
  const sha = repository.headOf(pull)
  const checks = repository.checkRuns.filter(({ headSha }) => headSha === sha)
  const comments = repository.comments.filter(({ issueNumber }) => issueNumber === pull.number)
  const about = `#${pull.number} at ${short(sha)}`
  const open = checks.filter(({ status }) => status !== 'completed').length
  return [
    ...(checks.length === 0 && !missed.has(sha) ? [`${about} has no check`] : []),
    ...(open > 0 ? [`${about} has ${open} checks that were not concluded`] : []),
    ...(checks.length > (chances.get(sha) ?? 1) ? [`${about} has ${checks.length} checks`] : []),
    ...(comments.length > 1 ? [`${about} has ${comments.length} comments`] : []),
  ]
}

function short(sha: string): string {
  return sha.slice(0, 7)
}
