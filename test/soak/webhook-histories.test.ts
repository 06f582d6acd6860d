import { expect, test } from 'vitest'
import { reconcile } from '../../src/app/github-events/reconcile/reconcile.ts'
import type { Project } from '../../src/status/update-record.ts'
import { type ConnectedApp, connectApp, validDocument } from '../app/support/connected-app.ts'
import { endUpdate } from '../app/support/people-app.ts'
import { askSite } from '../app/support/sites.ts'
import { addToken } from '../app/support/test-app.ts'
import type { FakeRepository } from '../support/fake-github/fake-repository.ts'
import { toInstallationEvent, toInstallationRepositoriesEvent, toRepositoryEvent } from '../support/fake-github/payloads.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom, type Random } from '../support/random.ts'

/** Number of histories: 5 in CI, 50 in `npm run soak`. */
const histories = Math.min(1_000, runsOr(3, 50))
/** Number of events in one history. */
const events = 14

/** A repository with a project that has a record, a token and a published site, which must all survive. */
interface Watched {
  readonly repository: FakeRepository
  readonly project: Project
  readonly statusId: string
  readonly token: string
  /** The app may have missed webhooks since then, because it was not installed. */
  wasAway: boolean
  /** How often it became private, and how often the app was notified. */
  privatizedCount: number
  notifiedCount: number
}

interface Message {
  readonly event: string
  readonly payload: object
  readonly guid: string
  readonly about: readonly Watched[]
  /** `privatizedCount` of each repository at the time GitHub sent a delivery that reports it as private. */
  readonly privatized: ReadonlyMap<Watched, number>
  readonly sha?: string
}

test(`loses no delivery, exposes nothing private and deletes no live project in ${histories} shuffled and replayed webhook histories`, {
  timeout: 120_000 + histories * 60_000,
}, async () => {
  const random = createRandom(seed)
  const prepared = await connectApp({ withoutRuns: true, github: { rateLimit: 1_000_000 }, env: { SITES_DOMAIN: 'localhost' } })
  const watched: Watched[][] = []
  for (let history = 0; history < histories; history++) {
    watched.push([await prepare(prepared, `acme${history}`, 'api'), await prepare(prepared, `acme${history}`, 'sdk')])
  }
  const connected = await prepared.restart({ withoutRuns: false })
  const counts = { sent: 0, visits: 0, records: 0 }
  for (const [history, repositories] of watched.entries()) {
    await play(connected, repositories, random, counts, `seed ${seed}, history ${history}`)
  }
  console.log(
    `seed ${seed}: ${histories} histories, ${counts.sent} deliveries, ${counts.visits} anonymous visits, ${counts.records} records`,
  )
})

async function prepare({ github, store }: ConnectedApp, owner: string, repo: string): Promise<Watched> {
  // Without a `docs.json`, so that no run replaces the site: its content depends only on access.
  const repository = github.createRepository(`${owner}/${repo}`, { files: { 'openapi.yaml': validDocument } })
  const installationId = repository.installation?.id
  if (installationId === undefined) throw new Error('Not installed')
  const facts = {
    installationId,
    repositoryId: repository.id,
    owner,
    repo,
    root: '',
    hasDocsConfig: false,
    defaultBranch: 'main',
  }
  await store.projects.apply([{ kind: 'upsert', project: { ...facts, private: false } }])
  const [project] = await store.projects.findByRepository(repository.id)
  if (!project) throw new Error('No project')
  const site = { 'index.html': `Secret of ${owner}/${repo}` }
  const { _id: statusId } = await endUpdate(store, project, { sha: repository.tipOf('main'), site })
  const { text: token } = await addToken(store, { scope: 'read', projectId: project.id })
  return { repository, project, statusId, token, wasAway: false, privatizedCount: 0, notifiedCount: 0 }
}

async function play(
  connected: ConnectedApp,
  repositories: Watched[],
  random: Random,
  counts: { sent: number; visits: number; records: number },
  name: string,
): Promise<void> {
  const { github, store, app } = connected
  const pool: Message[] = []
  const acknowledged: { readonly sha: string; readonly of: Watched; readonly wasAway: boolean }[] = []

  const visit = async () => {
    for (const one of repositories) {
      const host = `${one.project.subdomain}.localhost:${new URL(app.context.urls.base()).port}`
      const { status, text } = await askSite(app.address, host, '/', { headers: { Accept: 'text/html' } })
      counts.visits += 1
      const isNotified = one.notifiedCount === one.privatizedCount && one.privatizedCount > 0
      if (one.repository.private && isNotified) expect([name, status, text.includes('Secret')]).toEqual([name, 404, false])
    }
  }
  const deliver = async (message: Message) => {
    // Half of the repeats have another ID, as a second delivery of the same event.
    const again = random() < 0.2 ? { guid: `${message.guid}-${counts.sent}` } : { guid: message.guid }
    const { status } = await github.deliver(message.event, message.payload, again)
    counts.sent += 1
    expect([name, message.event, status]).toEqual([name, message.event, 202])
    for (const [of, count] of message.privatized) of.notifiedCount = Math.max(of.notifiedCount, count)
    const [of] = message.about
    if (message.sha !== undefined && of) acknowledged.push({ sha: message.sha, of, wasAway: of.wasAway || isAway(of) })
    await visit()
  }

  let happened = 0
  while (happened < events || pool.length > 0) {
    const isNext = happened < events && (pool.length === 0 || random() < 0.5)
    if (isNext) {
      pool.push(
        ...happen(connected, repositories, random, `${seed}-${counts.sent}-${happened}-${repositories[0]?.repository.id}`),
      )
      happened += 1
    } else {
      const message = random.of(pool)
      await deliver(message)
      // Some are delivered again, later and in another order.
      if (random() < 0.7) pool.splice(pool.indexOf(message), 1)
      if (random() < 0.3) await connected.idle()
    }
  }
  const updates = await connected.idle()
  await visit()

  const { github: side, log, now } = app.context
  if (!side.app) throw new Error('Not connected')
  for (const { repository } of repositories) if (repository.installation) repository.installation.suspended = false
  await reconcile({ store, log, now, app: side.app }, { isFull: true })
  const after = await connected.idle()
  counts.records = after.length
  await visit()
  for (const one of repositories) {
    const { repository, project, statusId, token } = one
    const place = `${name}, ${repository.fullName}`
    const found = await store.projects.find(project.id)
    if (isAway(one)) {
      expect([place, found]).toEqual([place, undefined])
      continue
    }
    // It still exists with its ID, records, token and site, and is as public or private as on GitHub.
    expect([place, found?.id, (await store.statuses.find(statusId)) !== undefined]).toEqual([place, project.id, true])
    expect([place, (await store.tokens.check(token)).kind]).toEqual([place, 'valid'])
    expect([place, (await store.sites.findShown({ subdomain: project.subdomain })) !== undefined]).toEqual([place, true])
    const { name: repo, private: isPrivate } = repository
    expect([place, found]).toEqual([place, { ...found, repo, private: isPrivate, installationId: repository.installation?.id }])
    const shas = new Set(after.filter(({ update }) => update.projectId === project.id).map(({ update }) => update.commit.sha))
    expect([place, shas.has(repository.tipOf('main'))]).toEqual([place, true])
    const lost = acknowledged.filter(({ sha, of, wasAway }) => of === one && !wasAway && !one.wasAway && !shas.has(sha))
    expect([place, lost.map(({ sha }) => sha)]).toEqual([place, []])
  }
  expect(updates.filter(({ update }) => update.endedAt === undefined)).toEqual([])
}

/** Whether the app has lost all access to it. */
function isAway({ repository }: Watched): boolean {
  const { installation } = repository
  return !installation || installation.deleted || installation.suspended || !installation.repositories.includes(repository)
}

/** Makes a change on GitHub and returns the webhooks that it sends. */
function happen(connected: ConnectedApp, repositories: Watched[], random: Random, guid: string): Message[] {
  const { github } = connected
  const one = random.of(repositories)
  const { repository } = one
  const { installation } = repository
  if (!installation) throw new Error('Not installed')
  const privatized = new Map(repository.private ? [[one, one.privatizedCount]] : [])
  const message = (event: string, payload: object, more: Partial<Message> = {}): Message[] => [
    { event, payload, guid, about: [one], privatized: new Map(), ...more },
  ]
  const kinds = [
    'push',
    'push',
    'push',
    'push',
    'push',
    repository.private ? 'publicized' : 'privatized',
    'renamed',
    installation.repositories.includes(repository) ? 'removed' : 'added',
    installation.deleted ? 'installed' : 'uninstalled',
    installation.suspended ? 'unsuspend' : 'suspend',
  ] as const
  const kind = random.of(kinds)
  switch (kind) {
    case 'push': {
      const push = repository.commit({ files: { 'openapi.yaml': `${validDocument}# ${guid}\n` } })
      return message('push', repository.pushPayload(push), { sha: push.after, privatized })
    }
    case 'privatized':
      repository.private = true
      one.privatizedCount += 1
      return message('repository', toRepositoryEvent(github, repository, kind), {
        privatized: new Map([[one, one.privatizedCount]]),
      })
    case 'publicized':
      repository.private = false
      return message('repository', toRepositoryEvent(github, repository, kind))
    case 'renamed': {
      // Sometimes renames it to the former name of the other one.
      const taken = new Set(repositories.map((other) => other.repository.name))
      repository.name = random.of(['api', 'sdk', 'pets'].filter((name) => !taken.has(name)))
      return message('repository', toRepositoryEvent(github, repository, kind), { privatized })
    }
    case 'removed':
      one.wasAway = true
      installation.repositories.splice(installation.repositories.indexOf(repository), 1)
      return message('installation_repositories', toInstallationRepositoriesEvent(github, installation, kind, [repository]))
    case 'added':
      installation.repositories.push(repository)
      return message('installation_repositories', toInstallationRepositoriesEvent(github, installation, kind, [repository]))
    case 'uninstalled':
      for (const other of repositories) other.wasAway = true
      installation.deleted = true
      return message('installation', toInstallationEvent(github, installation, 'deleted'))
    case 'installed': {
      const again = github.createInstallation(installation.account)
      for (const other of repositories) {
        other.repository.installation = again
        again.repositories.push(other.repository)
      }
      return message('installation', toInstallationEvent(github, again, 'created'))
    }
    case 'suspend':
    case 'unsuspend':
      if (kind === 'suspend') for (const other of repositories) other.wasAway = true
      installation.suspended = kind === 'suspend'
      return message('installation', toInstallationEvent(github, installation, kind))
    default:
      return kind satisfies never
  }
}
