import { describe, expect, onTestFinished, test } from 'vitest'
import { isObject } from '../../../src/text/json/json-values.ts'
import type { ApiAnswer } from '../support/api-client.ts'
import { endUpdate, toSha } from '../support/people-app.ts'
import { addProject, addToken, startTestApp } from '../support/test-app.ts'

const texts = { 'index.html': 'a', 'b.html': 'bb' }
const shasOf = ({ body }: ApiAnswer): string[] =>
  isObject(body) && Array.isArray(body['sites']) ? body['sites'].map((site: { sha: string }) => site.sha) : []

/** Starts an app with a project that has three sites; the second is from a branch. */
async function start(env: Record<string, string> = { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test' }) {
  const app = await startTestApp(onTestFinished, { env })
  const project = await addProject(app.store)
  await endUpdate(app.store, project, { sha: toSha('1'), site: texts })
  await endUpdate(app.store, project, { sha: toSha('2'), site: texts, ref: 'refs/heads/next' })
  const last = await endUpdate(app.store, project, { sha: toSha('3'), site: texts })
  const { text: token } = await addToken(app.store, { scope: 'read', projectId: project.id })
  const { text: writeToken, id } = await addToken(app.store, { scope: 'write', projectId: project.id })
  const get = (path: string, as = token) => app.api(`/v1/project/${project.id}${path}`, { token: as })
  const publish = (body: unknown, as = writeToken) =>
    app.api(`/v1/project/${project.id}/site`, { method: 'PUT', token: as, body })
  return { app, project, last, token, writeToken, tokenId: id, get, publish }
}

describe('GET /v1/project/{projectId}/sites', () => {
  test('lists sites newest first with URLs and cursors', async () => {
    const { project, last, get } = await start()
    const all = await get('/sites')
    expect(shasOf(all)).toEqual([toSha('3'), toSha('2'), toSha('1')])
    expect(isObject(all.body) && Array.isArray(all.body['sites']) && all.body['sites'][0]).toEqual({
      sha: toSha('3'),
      ref: 'refs/heads/main',
      statusId: last._id,
      createdAt: expect.any(String),
      status: 'success',
      isPublished: true,
      pageCount: 2,
      fileCount: 2,
      sizeBytes: 3,
      url: `https://${project.subdomain}--333333333333.sites.test/`,
    })
    const first = await get('/sites?limit=2')
    expect(shasOf(first)).toEqual([toSha('3'), toSha('2')])
    const cursor = isObject(first.body) ? String(first.body['nextCursor']) : ''
    const second = await get(`/sites?limit=2&cursor=${encodeURIComponent(cursor)}`)
    expect([shasOf(second), isObject(second.body) && 'nextCursor' in second.body]).toEqual([[toSha('1')], false])
    expect(isObject((await get('/sites?limit=3')).body) && 'nextCursor' in Object((await get('/sites?limit=3')).body)).toBe(false)
    expect(shasOf(await get('/sites?ref=refs/heads/next'))).toEqual([toSha('2')])
  })

  test.each(['limit=0', 'limit=101', 'cursor=nonsense', 'ref=main', 'unknown=1'])('rejects ?%s', async (query) => {
    const { get } = await start()
    expect((await get(`/sites?${query}`)).body).toMatchObject({ code: 'invalid-request' })
  })

  test('omits URLs if the server hosts no sites, and returns an empty list for a project without sites', async () => {
    const { app, get } = await start({ SITES_DOMAIN: 'off' })
    expect((await get('/sites')).text).not.toContain('"url"')
    const empty = await addProject(app.store)
    const { text: token } = await addToken(app.store, { scope: 'admin' })
    expect((await app.api(`/v1/project/${empty.id}/sites`, { token })).body).toEqual({ sites: [] })
    expect((await app.api(`/v1/project/${empty.id}/site`, { token })).status).toBe(404)
  })
})

describe('GET /v1/project/{projectId}/sites/{sha}', () => {
  test('finds a site by full or shortened SHA', async () => {
    const { get } = await start()
    expect((await get(`/sites/${toSha('1')}`)).body).toMatchObject({ sha: toSha('1'), isPublished: false })
    expect((await get(`/sites/${toSha('1').slice(0, 12)}`)).body).toMatchObject({ sha: toSha('1') })
    expect((await get(`/sites/${toSha('9')}`)).status).toBe(404)
    expect((await get('/sites/main')).status).toBe(400)
  })
})

test('production stays at its branch when another branch is pushed to the same commit', async () => {
  const { app, project, get } = await start()
  await endUpdate(app.store, project, { sha: toSha('3'), site: texts, ref: 'refs/heads/release' })
  expect((await get('/site')).body).toMatchObject({ site: { sha: toSha('3'), ref: 'refs/heads/main' } })
})

describe('PUT /v1/project/{projectId}/site', () => {
  test('publishes at once, and changes nothing when repeated', async () => {
    const { app, project, tokenId, get, publish } = await start()
    expect((await get('/site')).body).toMatchObject({
      site: { sha: toSha('3') },
      publishedBy: 'push',
      url: `https://${project.subdomain}.sites.test/`,
    })
    const back = await publish({ sha: toSha('1') })
    expect([back.status, back.body]).toEqual([
      200,
      expect.objectContaining({ site: expect.objectContaining({ sha: toSha('1') }), publishedBy: `token:${tokenId}` }),
    ])
    expect((await get('/site')).text).toBe(back.text)
    expect((await publish({ sha: toSha('1') })).text).toBe(back.text)
    expect((await app.store.audit.list(1))[0]).toMatchObject({ actor: `token:${tokenId}`, subject: project.id })
    await publish({ sha: toSha('3') })
    expect((await get('/site')).body).toMatchObject({ site: { sha: toSha('3') } })
  })

  test('rejects commits without a site', async () => {
    const { get, publish } = await start()
    expect((await publish({ sha: toSha('9') })).body).toMatchObject({ code: 'unprocessable' })
    expect((await get('/site')).body).toMatchObject({ site: { sha: toSha('3') } })
  })
})

test('publishes no commit of another project', async () => {
  const { app, project, writeToken } = await start()
  await endUpdate(app.store, await addProject(app.store), { sha: toSha('5'), site: texts })
  const foreign = await app.api(`/v1/project/${project.id}/site`, { method: 'PUT', token: writeToken, body: { sha: toSha('5') } })
  expect(foreign.status).toBe(422)
})
