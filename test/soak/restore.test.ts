import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseFileName } from '../../src/app/base/open-store.ts'
import { type ConnectedApp, connectApp, validDocument } from '../app/support/connected-app.ts'
import { endUpdate } from '../app/support/people-app.ts'
import { askSite } from '../app/support/sites.ts'
import { expectSettled, untilDelivered } from '../support/app-scenario.ts'
import type { FakeRepository } from '../support/fake-github/fake-repository.ts'
import { toRepositoryEvent } from '../support/fake-github/payloads.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom } from '../support/random.ts'

/** Number of restores: 3 in CI, 50 in `npm run soak`. */
const restores = Math.min(1_000, runsOr(2, 50))
/** Pushes and visibility changes between two restores. */
const changes = 10

test(`recovers every acknowledged push and exposes nothing private after ${restores} restores of random backups`, async () => {
  const random = createRandom(seed)
  const times = { catchUp: { everyMs: 300, spacingMs: 2_000 }, reconcile: { everyMs: 1_000, retryMs: 100 } }
  const options = { github: { rateLimit: 10_000_000 }, env: { SITES_DOMAIN: 'localhost' } }
  const prepared = await connectApp({ ...options, withoutRuns: true })
  const { github, dataDir } = prepared
  // Without a `docs.json`, so that no run replaces the site: its content depends only on access.
  const files = { 'openapi.yaml': validDocument }
  const repositories = ['acme/api', 'acme/sdk', 'globex/pets'].map((name) => github.createRepository(name, { files }))
  for (const repository of repositories) await prepareSite(prepared, repository)
  let connected = await prepared.restart({ ...times, withoutRuns: false })
  const projects = await connected.store.projects.list()
  const acknowledged: string[] = []
  let lostCount = 0
  let visits = 0

  const visit = async () => {
    for (const { id, private: isPrivate } of repositories) {
      const project = projects.find(({ repositoryId }) => repositoryId === id)
      const host = `${project?.subdomain}.localhost:${new URL(connected.app.context.urls.base()).port}`
      const { status, text } = await askSite(connected.app.address, host, '/', { headers: { Accept: 'text/html' } })
      visits += 1
      if (isPrivate) expect([status, text.includes('Secret')]).toEqual([404, false])
    }
  }
  const change = async (count: number) => {
    const repository = random.of(repositories)
    if (random() < 0.2) {
      repository.private = !repository.private
      const action = repository.private ? 'privatized' : 'publicized'
      const { status } = await github.deliver('repository', toRepositoryEvent(github, repository, action))
      expect(status).toBe(202)
    } else {
      const push = repository.commit({
        files: { 'openapi.yaml': `${validDocument}# ${count}\n` },
        branch: random() < 0.7 ? 'main' : 'topic',
      })
      const { status } = await github.deliver('push', repository.pushPayload(push))
      expect(status).toBe(202)
      acknowledged.push(push.after)
    }
    await visit()
  }

  for (let restore = 1; restore <= restores; restore++) {
    const backup = join(dataDir, 'backup.sqlite')
    const backupAt = Math.floor(random() * changes)
    let inBackup = 0
    for (let count = 0; count < changes; count++) {
      if (count === backupAt) {
        if (random() < 0.5) await connected.idle()
        await connected.store.backup(backup)
        inBackup = acknowledged.length
      }
      await change(restore * changes + count)
    }
    if (random() < 0.5) await connected.idle()
    await connected.app.stop()
    for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, `${databaseFileName}${suffix}`), { force: true })
    renameSync(backup, join(dataDir, databaseFileName))
    lostCount += acknowledged.length - inBackup
    connected = await connected.restart()
    // From the first request on.
    await visit()
    await untilDelivered(github, dataDir)
    await github.settled()
    await visit()
    const place = `seed ${seed}, restore ${restore}`
    const updates = await connected.idle()
    const known = new Set(updates.map(({ update }) => update.commit.sha))
    expect([place, acknowledged.filter((sha) => !known.has(sha))]).toEqual([place, []])
    // Public sites are visible again once GitHub has confirmed them.
    await expect
      .poll(async () => (await connected.store.projects.list()).map((one) => [one.id, one.private]))
      .toEqual(projects.map(({ id, repositoryId }) => [id, repositories.find((one) => one.id === repositoryId)?.private]))
  }
  const updates = await connected.idle()
  expectSettled(
    github,
    repositories,
    updates.filter(({ details }) => details.trigger !== 'api'),
    acknowledged,
  )
  const heads = repositories.flatMap(({ checkRuns }) => checkRuns.map(({ name, headSha }) => `${name} ${headSha}`))
  expect(heads.filter((head, index) => heads.indexOf(head) !== index)).toEqual([])
  console.log(
    `seed ${seed}: ${restores} restores, ${acknowledged.length} pushes acknowledged, ${lostCount} of them not in the backup and fetched again, ` +
      `${visits} anonymous visits, ${updates.length} records, ${heads.length} checks`,
  )
})

async function prepareSite({ store }: ConnectedApp, repository: FakeRepository): Promise<void> {
  const { owner, name: repo, id: repositoryId, installation } = repository
  if (!installation) throw new Error('Not installed')
  const facts = { installationId: installation.id, repositoryId, owner, repo, root: '', hasDocsConfig: false }
  await store.projects.apply([{ kind: 'upsert', project: { ...facts, defaultBranch: 'main', private: false } }])
  const [project] = await store.projects.findByRepository(repositoryId)
  if (!project) throw new Error('No project')
  await endUpdate(store, project, { sha: repository.tipOf('main'), site: { 'index.html': `Secret of ${repo}` } })
}
