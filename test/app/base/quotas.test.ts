import { expect, test } from 'vitest'
import { publicFilesOf } from '../../../src/store/sites/stored-sites.ts'
import { connectApp, docsConfig, validDocument } from '../support/connected-app.ts'
import { startPeopleApp } from '../support/people-app.ts'
import { addUpdate } from '../support/test-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
const hour = 3_600_000

async function connect(env: Readonly<Record<string, string>>, now?: () => Date) {
  const connected = await connectApp({ env, ...(now && { now }) })
  const repository = connected.github.createRepository('acme/api', { files })
  return { ...connected, repository }
}

test('updates wait while their installation is over its CPU quota, also after a restart', async () => {
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const connected = await connect({ INSTALLATION_CPU_MINUTES: '1' }, now)
  const { idle, repository, store } = connected
  await repository.push({ files: { a: 'a' } })
  const [first] = await idle()
  expect(first?.update.status).toBe('success')
  const [project] = await store.projects.list()
  const installationId = project?.installationId ?? 0
  // The check was counted.
  await expect.poll(async () => (await store.usage.read(installationId)).cpuMs).toBeGreaterThan(0)
  await store.usage.addCpuTime(installationId, 60_000)

  const restarted = await connected.restart()
  await repository.push({ files: { a: 'b' } })
  const waiting = async () => (await restarted.updates()).at(-1)?.update
  await expect
    .poll(async () => (await waiting())?.logs.join())
    .toMatch(/^Waiting: this installation has used its quota of 1 CPU minutes an hour/)
  expect(await waiting()).toMatchObject({ status: 'queued', summary: '' })
  const metrics = await restarted.app.tools.metrics.registry.metrics()
  expect(metrics).toContain(`openapi_pages_installation_queued_updates{installation="${installationId}"} 1`)

  aheadMs = hour + 120_000
  const ended = await restarted.idle()
  expect(ended.at(-1)?.update.status).toBe('success')
  expect(ended.at(-1)?.update.logs[0]).toMatch(/^Waiting: /)
})

test('ends the oldest updates without a run if an installation has too many queued', async () => {
  const first = await connectApp({ env: { INSTALLATION_QUEUED_UPDATES: '2' } })
  const repository = first.github.createRepository('acme/api', { files })
  await repository.push({ files: { first: 'first' } })
  await first.idle()
  const connected = await first.restart({ withoutRuns: true })
  for (const branch of ['a', 'b', 'c']) await repository.push({ branch, files: { a: branch } })
  const updates = (await connected.updates()).map(({ update }) => update).slice(1)
  expect(updates.map(({ status }) => status)).toEqual(['failure', 'queued', 'queued'])
  expect(updates[0]?.summary).toBe(
    'Not run: more than 2 updates of this installation were waiting (INSTALLATION_QUEUED_UPDATES).',
  )
})

test('over the storage quota, commits are checked and the published site stays online', async () => {
  const connected = await connectApp({ env: { SITES_DOMAIN: 'sites.test', INSTALLATION_STORED_MB: '1' } })
  const repository = connected.github.createRepository('acme/api', { files })
  await repository.push({ files: { a: 'a' } })
  await connected.idle()
  const [project] = await connected.store.projects.list()
  const published = await connected.store.sites.findPublished(project?.id ?? '')
  expect(published).toBeDefined()
  const { storedBytes } = await connected.store.usage.read(project?.installationId ?? 0)
  expect(storedBytes).toBeGreaterThan(0)
  const { storedBytes: all } = await connected.store.sites.sizes()
  expect(storedBytes).toBe(all)

  // Another build of the project, which takes more than the quota.
  const bytes = Buffer.from(
    Uint8Array.from({ length: 2 * 1024 * 1024 }, (_, index) => (index * 7_919 + (index >> 8) * 104_729) % 251),
  )
  const hash = 'f'.repeat(64)
  await connected.store.sites.addContents([{ hash, sizeBytes: bytes.length, bodies: { identity: bytes } }])
  const buildId = await connected.store.sites.stage({
    projectId: project?.id ?? '',
    statusId: 'other',
    sha: 'e'.repeat(40),
    ref: 'refs/heads/other',
    pageCount: 1,
    fileCount: 1,
    sizeBytes: bytes.length,
  })
  expect(await connected.store.sites.addFiles(publicFilesOf({ id: buildId ?? '' }), [{ path: 'a', hash }])).toBe(true)

  await repository.push({ files: { a: 'b' } })
  const stored = (await connected.idle()).at(-1)
  expect(stored?.update.status).toBe('success')
  expect(stored?.update.summary).toContain('the stored sites of this installation exceed their quota (INSTALLATION_STORED_MB=1)')
  expect(stored?.details.site).toBeUndefined()
  expect((await connected.store.sites.findPublished(project?.id ?? ''))?.build.id).toBe(published?.build.id)
})

test('the settings page shows each quota, and the consequence of exceeding it', async () => {
  const env = { INSTALLATION_CPU_MINUTES: '1', INSTALLATION_QUEUED_UPDATES: '1' }
  const app = await startPeopleApp({ env })
  const { project } = await app.addRepository('acme/api', { boss: 'admin' })
  const boss = await app.visitorOf('boss')
  const show = async () => (await boss.ask(`/projects/${project.id}/settings`)).text
  const before = await show()
  for (const text of ['0 of 1 min in the last hour', '0 of 1']) expect(before).toContain(text)
  const consequences = [
    'Updates wait until the usage in the last hour drops below the quota.',
    'The oldest queued updates are not run.',
  ]
  for (const text of consequences) expect(before).not.toContain(text)
  await app.store.usage.addCpuTime(project.installationId ?? 0, 60_000)
  await addUpdate(app.store, project)
  const after = await show()
  for (const text of ['1 of 1 min in the last hour', ...consequences]) expect(after).toContain(text)
})
