import { brotliDecompressSync } from 'node:zlib'
import type { Project } from '../../../src/status/update-record.ts'
import type { StoredUpdate } from '../../../src/store/records/stored-records.ts'
import { publicFilesOf } from '../../../src/store/sites/stored-sites.ts'
import type { Store } from '../../../src/store/store.ts'
import type { FakeCheckRun, FakePullRequest } from '../fake-github/types.ts'
import { type CommitContent, stopReasons } from './simulated-programs.ts'
import { isAway, type Watched, type World } from './world.ts'

/** What is wrong in a world where nothing has happened for some time, one sentence each. */
export async function findViolations(world: World): Promise<readonly string[]> {
  const found = await world.look(async (store) => {
    const violations: string[] = []
    for (const one of world.watched) violations.push(...(await checkRepository(world, store, one)))
    return violations
  })
  const unexpected = world.github.unexpected.map((request) => `unexpected request: ${request}`)
  const doubled = world.github.doubled.map((request) => `a check was concluded again: ${request}`)
  return [...(found ?? ['no process runs']), ...unexpected, ...doubled]
}

async function checkRepository(world: World, store: Store, one: Watched): Promise<readonly string[]> {
  const { repository } = one
  const { fullName, installation } = repository
  const violations: string[] = []
  const projects = await store.projects.findByRepository(repository.id)
  const [project] = projects
  if (isAway(one)) {
    if (installation?.suspended && !installation.deleted) {
      const isPublic = (await world.findPublic(store, one)).length > 0
      return world.isCompared && isPublic ? [`the site of ${fullName} is public, although the app is suspended`] : []
    }
    const shown = await world.findShown(store, one)
    if (projects.length > 0) violations.push(`${fullName} has a project, but the app has no access`)
    if (shown.length > 0) violations.push(`${fullName} has a site, but the app has no access`)
    return violations
  }
  const tip = repository.tipOf(repository.defaultBranch)
  // A repository without documents gets no project.
  if (!project && world.contentOf(tip).quality === 'no-docs') return []
  if (!project || projects.length > 1) return [`${fullName} has ${projects.length} projects`]
  const facts = [project.repo, project.private, project.defaultBranch, project.installationId]
  const wanted = [repository.name, repository.private, repository.defaultBranch, installation?.id]
  if (String(facts) !== String(wanted)) violations.push(`${fullName} is stored as ${facts}, expected ${wanted}`)
  const records = await listRecords(store, project)
  violations.push(...(await checkProduction(world, store, one, project)))
  violations.push(...checkRecords(world, records))
  violations.push(...checkFeedback(world, one, records))
  const heads = listHeads(world, one, records)
  if (isOlderThanProject(world, one, records)) heads.delete(tip)
  for (const sha of heads) if (isTooEarly(world, one, sha, project)) heads.delete(sha)
  for (const sha of heads) violations.push(...checkCommit(world, one, sha))
  const shown = (await store.sites.findPublished(project.id))?.build.sha
  violations.push(...checkDeployment(world, one, { tip, shown }))
  for (const pull of repository.pullRequests) {
    // The comparison does not look for pull requests.
    const isKnown = world.layers !== 'comparison' && heads.has(repository.headOf(pull))
    if (pull.state === 'open' && isKnown) violations.push(...checkComment(world, one, pull))
  }
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

/** The commits that people look at, as far as GitHub told the app about them. */
function listHeads({ layers }: World, { repository, missed }: Watched, records: readonly StoredUpdate[]): Set<string> {
  const known = new Set(records.map(({ update }) => update.commit.ref))
  const branches = [...repository.branches].filter(
    ([branch]) => branch === repository.defaultBranch || known.has(`refs/heads/${branch}`),
  )
  const ran = new Set(records.map(({ update }) => update.commit.sha))
  const pulls = repository.pullRequests.filter(({ state }) => state === 'open').map((pull) => repository.headOf(pull))
  // Without webhooks, a comparison finds a push to a fork within a day: GitHub does not count it as a push to the repository.
  const isKnown = (sha: string) => ran.has(sha) || (layers !== 'comparison' && !missed.has(sha))
  return new Set([...branches.map(([, sha]) => sha), ...pulls.filter(isKnown)])
}

/** Nothing is written about a tip without documents that was pushed before a pull request with documents made the project. */
function isOlderThanProject(world: World, { repository, tipMovedAtMs }: Watched, records: readonly StoredUpdate[]): boolean {
  const tip = repository.tipOf(repository.defaultBranch)
  const isKnown = records.some(({ update }) => update.commit.sha === tip || Date.parse(update.createdAt) <= tipMovedAtMs)
  return world.contentOf(tip).quality === 'no-docs' && !isKnown
}

/** Nothing is written about a pull request that arrived before its repository had a project, without documents or while the app was suspended. */
function isTooEarly(world: World, { arrivals }: Watched, sha: string, { createdAt }: Project): boolean {
  const arrival = arrivals.get(sha)
  const isEarly = arrival !== undefined && arrival.atMs <= Date.parse(createdAt)
  return isEarly && (arrival.isAway || world.contentOf(sha).quality === 'no-docs')
}

/** The production site is the tip of the default branch. If that has no site, it is an earlier tip. */
async function checkProduction(world: World, store: Store, one: Watched, project: Project): Promise<readonly string[]> {
  const { repository, tips } = one
  const tip = repository.tipOf(repository.defaultBranch)
  const { quality } = world.contentOf(tip)
  const site = await store.sites.findPublished(project.id)
  const published = site?.build.sha
  if (site && !(await readFirstPage(store, site.build.id)).startsWith(`Commit ${published}`))
    return [`the production site has lost the files of ${short(site.build.sha)}`]
  const shown = await world.findPublic(store, one)
  const about = `${repository.defaultBranch} is at ${short(tip)} (${quality})`
  if (published !== undefined && !repository.private && !shown.includes(published))
    return [`the production site is hidden, although the repository is public`]
  if (repository.private && shown.length > 0) return ['the site is public, although the repository is private']
  if (isWished(world, one, published)) return []
  // If the queue was full, the tip waits for the next comparison, and its check says so.
  const isUnrun = mayBeUnrun(world, one, tip, findTitle(one, tip))
  if (quality === 'valid' && published !== tip && !isUnrun)
    return [`the production site is ${published === undefined ? 'missing' : `at ${short(published)}`}, but ${about}`]
  if (published !== undefined && !tips.has(published))
    return [`the production site is at ${short(published)}, which was never published, but ${about}`]
  return []
}

/** The Markdown of the first page of a site, as it is sent. */
async function readFirstPage(store: Store, buildId: string): Promise<string> {
  const file = await store.sites.findFile(publicFilesOf({ id: buildId }), 'index.md')
  const encoding = file?.bodies.identity === undefined ? 'br' : 'identity'
  const parts: Uint8Array[] = []
  if (file) for await (const part of store.sites.readBody(file.hash, encoding)) parts.push(part)
  const body = Buffer.concat(parts)
  return (encoding === 'br' && body.length > 0 ? brotliDecompressSync(body) : body).toString()
}

/** Whether a person chose a commit for production, and the branch has not moved since, as far as the app can see. */
function isWished({ layers }: World, { wishes, tipMovedAtMs, isTipAgain }: Watched, sha: string | undefined): boolean {
  return wishes.some((wish) => wish.sha === sha && (wish.atMs >= tipMovedAtMs || (layers === 'comparison' && isTipAgain)))
}

/**
 * Whether an update that did not run may say so: newer updates of the branch or of the installation have filled the queue. A comparison finds the
 * tips of branches among them, but no pull requests.
 */
function mayBeUnrun(world: World, { repository }: Watched, sha: string, title: string | null | undefined): boolean {
  const isTip = [...repository.branches.values()].includes(sha)
  return world.hasShortQueue && title?.startsWith('Not run: ') === true && !(isTip && world.isCompared)
}

function checkRecords(world: World, records: readonly StoredUpdate[]): readonly string[] {
  return records.flatMap(({ update, details }) => {
    const { sha } = update.commit
    if (update.endedAt === undefined) return [`the record of ${short(sha)} has not ended: ${update.summary}`]
    const about = `the record ${update._id} of ${short(sha)} (${details.trigger})`
    if (update.status === 'success' && !world.github.downloads.has(sha)) return [`${about} succeeded without a run`]
    const isExpected = toOutcome(world.contentOf(sha)).conclusion === 'failure' || world.github.gone.has(sha)
    const isUnrun = world.hasShortQueue && update.summary.startsWith('Not run: ')
    if (update.status === 'failure' && !isExpected && !isUnrun) return [`${about} failed: ${update.summary}`]
    return []
  })
}

/** Each record writes to GitHub once, and concludes its check. */
function checkFeedback(
  { github: { gone } }: World,
  { repository }: Watched,
  records: readonly StoredUpdate[],
): readonly string[] {
  const ended = new Set(records.flatMap(({ update }) => (update.endedAt === undefined ? [] : [update._id])))
  const open = repository.checkRuns.filter(
    ({ status, externalId, headSha }) => status !== 'completed' && ended.has(externalId) && !gone.has(headSha),
  )
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

/** What GitHub shows of a commit once its update has ended. */
interface Outcome {
  readonly conclusion: 'success' | 'failure' | 'skipped'
  readonly title: string
  /** The beginning of the description of the commit status. */
  readonly description: string
}

function toOutcome({ quality, errors, warnings }: CommitContent): Outcome {
  const counts = [count(errors, 'error'), count(warnings, 'warning')].filter((text) => !text.startsWith('0')).join(', ')
  const found = counts === '' ? '1 document valid' : `${counts} in 1 of 1 document`
  switch (quality) {
    case 'valid':
      return { conclusion: 'success', title: found, description: 'Valid: 1 document, 3 operations' }
    case 'errors':
      return { conclusion: 'failure', title: found, description: `Failed: ${counts} in openapi.yaml` }
    case 'refused':
    case 'stopped': {
      const title = `Failed: ${stopReasons[quality]}.`
      return { conclusion: 'failure', title, description: title }
    }
    case 'no-docs':
      return {
        conclusion: 'skipped',
        title: 'Nothing to check: this repository has no `docs.json`',
        description: 'Nothing to check',
      }
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** A commit has one check and one commit status, which say what its files are. */
function checkCommit(world: World, one: Watched, sha: string): readonly string[] {
  const { repository, chances } = one
  const content = world.contentOf(sha)
  const outcome = toOutcome(content)
  const about = `${short(sha)} (${content.quality})`
  const checks = repository.checkRuns.filter(({ headSha }) => headSha === sha)
  const newest = checks.at(-1)
  if (!newest) return [`${about} has no check`]
  const violations: string[] = []
  const counted = checks.filter(({ output }) => !output.title?.startsWith('Not run: ')).length
  if (counted > (chances.get(sha) ?? 1)) violations.push(`${about} has ${counted} checks`)
  const { title } = newest.output
  if (title?.startsWith('Not run: ') && newest.conclusion !== 'neutral') violations.push(`${about} is blamed for "${title}"`)
  if (mayBeUnrun(world, one, sha, title)) return violations
  violations.push(...compareCheck(newest, content, outcome).map((text) => `the check of ${about} ${text}`))
  const status = repository.commitStatuses.findLast((one) => one.sha === sha)
  const state = outcome.conclusion === 'failure' ? 'failure' : 'success'
  // Without documents, or without a result, no setting is known.
  const isOptional = content.quality === 'no-docs' || content.quality === 'stopped'
  if (isOptional && status?.state !== 'pending') return violations
  if (!status) return [...violations, `${about} has no commit status`]
  if (status.state !== state || !status.description?.startsWith(outcome.description))
    violations.push(
      `the commit status of ${about} is ${status.state} with "${status.description}", expected ${state} with "${outcome.description}"`,
    )
  // After data was lost, any record of the commit takes over any of its checks.
  const links = (world.hasLostData ? checks : [newest]).map(({ detailsUrl }) => detailsUrl)
  if (!links.includes(status.targetUrl)) violations.push(`the commit status of ${about} links to another record than its check`)
  return violations
}

function compareCheck(run: FakeCheckRun, { errors, warnings }: CommitContent, outcome: Outcome): readonly string[] {
  const { status, conclusion, annotations, output } = run
  if (status !== 'completed') return [`is ${status}`]
  if (conclusion !== outcome.conclusion) return [`says ${conclusion} with "${output.title}", expected ${outcome.conclusion}`]
  if (!output.title?.startsWith(outcome.title)) return [`has the title "${output.title}", expected "${outcome.title}"`]
  if (output.summary?.includes('GitHub rejected the annotations')) return ['has lost its annotations']
  const levels = ['failure', 'warning'].map((level) => annotations.filter((one) => one.annotation_level === level).length)
  if (String(levels) !== String([errors, warnings])) return [`has ${levels} annotations, expected ${[errors, warnings]}`]
  if (errors > 0 && !output.summary?.includes('openapi.yaml')) return [`lists no problems: ${output.summary}`]
  return []
}

/** The newest deployment of production is that of the tip, or of the earlier commit that the site shows because the tip has errors. */
function checkDeployment(
  world: World,
  one: Watched,
  { tip, shown }: { readonly tip: string; readonly shown: string | undefined },
): readonly string[] {
  const { repository } = one
  const content = world.contentOf(tip)
  if (content.quality === 'no-docs' || content.quality === 'stopped') return []
  if (mayBeUnrun(world, one, tip, findTitle(one, tip))) return []
  const deployments = repository.deployments.filter(({ environment }) => environment === 'docs (production)')
  const ofTip = deployments.findLast(({ sha }) => sha === tip)
  // A branch may become the default one after its preview of a commit that may not replace the site.
  if (!ofTip) return content.quality === 'valid' ? [`${short(tip)} is not deployed`] : []
  const state = content.quality === 'valid' ? 'success' : 'failure'
  const said = ofTip.statuses.at(-1)?.state
  if (said !== state) return [`the deployment of ${short(tip)} says ${said}, expected ${state}`]
  const newest = deployments.at(-1)?.sha
  // A comparison does not try a tip again that was checked before another commit. What a person publishes is no deployment.
  const isOlderAllowed = newest === shown || world.layers === 'comparison' || isWished(world, one, shown)
  const mayStay = content.quality !== 'valid' && isOlderAllowed
  return newest === tip || isWished(world, one, newest) || mayStay
    ? []
    : [`the deployment of an older commit follows that of ${short(tip)}`]
}

/** A pull request with errors has one comment, which describes its head. Without errors, a comment says since when. */
function checkComment(world: World, one: Watched, pull: FakePullRequest): readonly string[] {
  const { repository } = one
  const sha = repository.headOf(pull)
  const { quality, errors } = world.contentOf(sha)
  const comments = repository.comments.filter(({ issueNumber }) => issueNumber === pull.number)
  const about = `#${pull.number} at ${short(sha)} (${quality})`
  if (comments.length > 1) return [`${about} has ${comments.length} comments`]
  if (quality === 'stopped' || mayBeUnrun(world, one, sha, findTitle(one, sha))) return []
  const body = comments[0]?.body
  if (body === undefined) return errors > 0 ? [`${about} has no comment`] : []
  const wanted =
    errors > 0
      ? [`**API documentation: ${count(errors, 'error')}`, `Found in \`${short(sha)}\``]
      : [`**API documentation: fixed** in`]
  const missing = wanted.filter((text) => !body.includes(text))
  return missing.map((text) => `the comment on ${about} does not say "${text}": ${body}`)
}

/** What the newest check of a commit says. */
function findTitle({ repository }: Watched, sha: string): string | null | undefined {
  return repository.checkRuns.findLast(({ headSha }) => headSha === sha)?.output.title
}

function short(sha: string): string {
  return sha.slice(0, 7)
}
