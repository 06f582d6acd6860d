import { expect, onTestFinished, test } from 'vitest'
import { toPlainContent } from '../../../src/app/sites/site-content.ts'
import type { Store } from '../../../src/store/types.ts'
import { endUpdate, toSha } from '../support/people-app.ts'
import { askSite } from '../support/sites.ts'
import { addProject, addToken, startTestApp } from '../support/test-app.ts'

const site = { 'index.html': 'a' }
const zip = Buffer.alloc(3 * 1024 * 1024, 'zip ')

/** Starts an app without workers, with a project whose site is published. */
async function start({ env = {} }: { env?: Record<string, string> } = {}) {
  const app = await startTestApp(onTestFinished, {
    env: { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test', ...env },
  })
  const { store } = app
  const project = await addProject(store, { private: true })
  const { _id: statusId } = await endUpdate(store, project, { sha: toSha('1'), site })
  const { text: token } = await addToken(store, { scope: 'write', projectId: project.id })
  const { text: reader } = await addToken(store, { scope: 'read', projectId: project.id })
  const jobs = `/v1/static-export/${project.id}/jobs`
  const post = (as: string | undefined = token) => app.api(jobs, { method: 'POST', token: as })
  const get = (path = statusId, as: string | undefined = reader) => app.api(`${jobs}/${path}`, { token: as })
  return { ...app, project, statusId, token, reader, jobs, post, get }
}

/** Claims the task, like a worker. */
async function claimTask(store: Store) {
  const job = await store.queue.claim({ worker: 'test', leaseMs: 60_000 })
  if (job?.kind !== 'task') throw new Error('No task is queued')
  return job
}

test('starts a job, shows its status, and returns the zip file', async () => {
  const { store, project, statusId, jobs, post, get, address } = await start()
  expect((await get()).status).toBe(404)
  const queued = await post()
  const first = {
    jobId: statusId,
    status: 'queued',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    sha: toSha('1'),
  }
  expect([queued.status, queued.body]).toEqual([202, first])
  expect((await post()).text).toBe(queued.text)
  expect((await get()).body).toEqual(first)
  expect((await get()).headers.get('retry-after')).toBe('5')
  expect((await get(`${statusId}/bundle`)).body).toMatchObject({
    code: 'not-found',
    detail: 'The job is `queued`, so there is no zip file',
  })

  const task = await claimTask(store)
  expect([task.name, JSON.parse(task.payload)]).toEqual(['export-site', { statusId }])
  expect((await post()).body).toMatchObject({ jobId: statusId, status: 'running' })
  await store.sites.addExport(statusId, toPlainContent(zip), '2026-11-26T12:00:00.000Z')
  await store.queue.complete(task.lease)
  const completed = await get()
  expect(completed.body).toEqual({
    ...first,
    status: 'completed',
    updatedAt: '2026-11-26T12:00:00.000Z',
    bundleUrl: `https://pages.test${jobs}/${statusId}/bundle`,
    sizeBytes: zip.length,
  })
  expect(completed.headers.has('retry-after')).toBe(false)
  expect((await post()).text).toBe(completed.text)
  expect(await store.queue.stats()).toMatchObject({ waiting: 0, leased: 0 })

  const bundle = await get(`${statusId}/bundle`)
  expect(bundle.text === zip.toString()).toBe(true)
  expect(bundle.headers.get('content-type')).toBe('application/zip')
  expect(bundle.headers.get('content-length')).toBe(String(zip.length))
  expect(bundle.headers.get('content-disposition')).toBe(`attachment; filename="${project.subdomain}-export-111111111111.zip"`)
  expect(bundle.headers.get('cache-control')).toBe('private, no-cache')
  const isShown = async (path: string) => (await askSite(address, `${project.subdomain}.sites.test`, path)).text.includes('zip')
  for (const path of ['/export', '//export', '/%2fexport', '/./export']) expect(await isShown(path), path).toBe(false)
  const audit = await store.audit.list(1)
  expect(audit[0]).toMatchObject({ action: 'site.export', subject: project.id, detail: toSha('1') })
})

test('starts a failed job again, also one that was interrupted', async () => {
  const { store, statusId, post, get } = await start()
  await post()
  const createdAt = '2026-11-26T12:00:00.000Z'
  // The process ended between the two writes.
  await store.statuses.addDetails(statusId, { siteExport: { taskId: 'gone', createdAt } })
  expect((await get()).body).toMatchObject({ status: 'failed', error: 'The export was interrupted', updatedAt: createdAt })
  expect((await post()).body).toMatchObject({ jobId: statusId, status: 'queued' })
  const error = 'the site has more than 1 MB'
  await store.statuses.addDetails(statusId, { siteExport: { taskId: 'gone', createdAt, endedAt: createdAt, error } })
  expect((await get()).body).toMatchObject({ status: 'failed', error })
  expect((await get(`${statusId}/bundle`)).status).toBe(404)
  const again = (await post()).body
  expect(again).toMatchObject({ jobId: statusId, status: 'queued' })
  expect(again).not.toHaveProperty('error')
})

test('shows why a job was given up', async () => {
  let aheadMs = 0
  const app = await startTestApp(onTestFinished, {
    env: { SITES_DOMAIN: 'sites.test' },
    now: () => new Date(Date.now() + aheadMs),
  })
  const { store } = app
  const project = await addProject(store)
  await endUpdate(store, project, { sha: toSha('1'), site })
  const { text: token } = await addToken(store, { scope: 'write', projectId: project.id }, 365 * 86_400_000)
  const post = async () => (await app.api(`/v1/static-export/${project.id}/jobs`, { method: 'POST', token })).body
  const { jobId } = (await post()) as { jobId: string }
  for (let state = 'waiting'; state === 'waiting'; aheadMs += 86_400_000) {
    const { lease } = await claimTask(store)
    state = (await store.queue.retry(lease, { reason: 'GitHub is unreachable' })).kind
  }
  const { body } = await app.api(`/v1/static-export/${project.id}/jobs/${jobId}`, { token })
  expect(body).toMatchObject({ status: 'failed', error: 'GitHub is unreachable' })
  expect(await post()).toMatchObject({ status: 'queued' })
})

test('has a job for each site, until the site is removed', async () => {
  const { store, project, statusId, post, get } = await start({ env: { SITE_PREVIEWS: '0' } })
  await post()
  await store.queue.complete((await claimTask(store)).lease)
  const next = await endUpdate(store, project, { sha: toSha('2'), site: { 'index.html': 'b' } })
  expect((await post()).body).toMatchObject({ jobId: next._id, sha: toSha('2') })
  expect((await get(next._id)).status).toBe(200)
  expect((await get(statusId)).status).toBe(404)
  expect((await get(`${statusId}/bundle`)).status).toBe(404)
})

test('gives nothing to other tokens, and starts no job with tokens that only read', async () => {
  const { api, store, statusId, reader, jobs, post, get } = await start()
  expect((await post(reader)).body).toMatchObject({ code: 'forbidden' })
  await post()
  await store.sites.addExport(statusId, toPlainContent(zip), '2026-11-26T12:00:00.000Z')
  const other = await addProject(store)
  const { text: stranger } = await addToken(store, { scope: 'write', projectId: other.id })
  for (const [token, status] of [
    ['', 401],
    ['opk_wrong', 401],
    [stranger, 404],
  ] as const) {
    expect((await api(jobs, { method: 'POST', ...(token && { token }) })).status).toBe(status)
    for (const path of [statusId, `${statusId}/bundle`]) {
      const answer = await api(`${jobs}/${path}`, token ? { token } : {})
      expect(answer.status).toBe(status)
      expect(answer.text).not.toContain('zip zip')
    }
  }
  // The job of another project below a project that the token can access.
  for (const path of [statusId, `${statusId}/bundle`]) {
    expect((await api(`/v1/static-export/${other.id}/jobs/${path}`, { token: stranger })).status).toBe(404)
  }
  for (const path of ['x', '\0', "' or 1=1 --", statusId.toUpperCase(), 'x'.repeat(100)]) {
    expect([400, 404]).toContain((await get(encodeURIComponent(path))).status)
  }
})

test('starts no job without a published site, access to the repository, storage or CPU time', async () => {
  const { api, store, project, post, token } = await start({ env: { INSTALLATION_CPU_MINUTES: '1' } })
  await store.usage.addCpuTime(project.installationId ?? 0, 60_000)
  const limited = await post()
  expect(limited.body).toMatchObject({
    code: 'rate-limited',
    detail: expect.stringMatching(
      /^This installation has used its quota of 1 CPU minutes an hour \(INSTALLATION_CPU_MINUTES=1\)\. Try again in \d+ s$/,
    ),
  })
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_000)
  await store.projects.apply([{ kind: 'detach-repository', repositoryId: project.repositoryId }])
  expect((await post()).body).toMatchObject({
    code: 'unprocessable',
    detail: 'The GitHub App is not installed on the project’s repository',
  })
  const empty = await addProject(store)
  const { text: admin } = await addToken(store, { scope: 'admin' })
  const answer = await api(`/v1/static-export/${empty.id}/jobs`, { method: 'POST', token: admin })
  expect(answer.body).toMatchObject({ code: 'unprocessable', detail: 'The project has no published site' })
  const large = await api(`/v1/static-export/${project.id}/jobs`, { method: 'POST', token, body: 'x'.repeat(100_000) })
  expect(large.status).toBe(413)
  expect(await store.queue.stats()).toMatchObject({ waiting: 0, leased: 0 })
})

test('starts no job over the storage quota', async () => {
  const { store, project, post } = await start({ env: { INSTALLATION_STORED_MB: '1' } })
  await endUpdate(store, project, { sha: toSha('2'), site: { 'index.html': 'b'.repeat(2 * 1024 * 1024) } })
  expect((await post()).body).toMatchObject({
    code: 'unprocessable',
    detail: 'Cannot store the export: the stored sites of this installation exceed their quota (INSTALLATION_STORED_MB=1)',
  })
})
