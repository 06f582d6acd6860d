import { describe, expect, onTestFinished, test } from 'vitest'
import { isObject } from '../../src/text/is-object.ts'
import type { ApiAnswer } from './support/api-client.ts'
import { addProject, addToken, addUpdate, finishNext, startNext, startTestApp } from './support/test-app.ts'

const idsOf = ({ body }: ApiAnswer): string[] =>
  isObject(body) && Array.isArray(body['updates']) ? body['updates'].map((update: { _id: string }) => update._id) : []

async function startWithRecords(count: number) {
  const app = await startTestApp(onTestFinished)
  const project = await addProject(app.store)
  const { text: token } = await addToken(app.store, { scope: 'read', projectId: project.id })
  const updates = []
  for (let index = 0; index < count; index++) updates.push(await addUpdate(app.store, project))
  const list = (query = '') => app.api(`/v1/project/${project.id}/updates${query}`, { token })
  return { app, project, token, list, newestFirst: updates.map(({ _id }) => _id).reverse() }
}

describe('GET /v1/project/{projectId}/updates', () => {
  test('newest first; pages are whole and do not overlap while records come in', async () => {
    const { app, project, list, newestFirst } = await startWithRecords(7)
    const first = await list('?limit=3')
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 3))
    await addUpdate(app.store, project)
    const found = [...idsOf(first)]
    for (let answer = first; isObject(answer.body) && answer.body['nextCursor'] !== undefined; ) {
      answer = await list(`?limit=3&cursor=${encodeURIComponent(String(answer.body['nextCursor']))}`)
      found.push(...idsOf(answer))
    }
    expect(found).toEqual(newestFirst)
  })

  test('an empty list', async () => {
    const { list } = await startWithRecords(0)
    expect((await list()).body).toEqual({ updates: [] })
  })

  test('the records are those of the status call', async () => {
    const { app, list, token, newestFirst } = await startWithRecords(1)
    const one = await app.api(`/v1/project/update-status/${newestFirst[0]}`, { token })
    expect((await list()).body).toEqual({ updates: [one.body] })
  })

  test('filters', async () => {
    const { app, project, list, newestFirst } = await startWithRecords(2)
    const sha = 'a'.repeat(40)
    const commit = { sha, ref: 'refs/heads/next', message: '', filesChanged: { added: [], modified: [], removed: [] } }
    const other = await addUpdate(app.store, project, { commit })
    await finishNext(app.store, await startNext(app.store), { status: 'failure', summary: 'Failed.' })
    expect(idsOf(await list('?ref=refs/heads/next'))).toEqual([other._id])
    expect(idsOf(await list(`?sha=${sha}`))).toEqual([other._id])
    expect(idsOf(await list('?status=failure'))).toHaveLength(1)
    expect(idsOf(await list('?status=queued&ref=refs/heads/main&limit=1')).length).toBe(1)
    expect(idsOf(await list())).toEqual([other._id, ...newestFirst])
    expect(idsOf(await list('?ref=refs/heads/none'))).toEqual([])
  })

  test.each([
    ['limit=0', 'querystring/limit'],
    ['limit=101', 'querystring/limit'],
    ['limit=ten', 'querystring/limit'],
    ['status=running', 'querystring/status'],
    ['sha=abc', 'querystring/sha'],
    ['ref=main', 'querystring/ref'],
    ['cursor=forged', 'querystring/cursor'],
    ['page=2', 'querystring'],
  ])('400 for ?%s, naming the place', async (query, at) => {
    const { list } = await startWithRecords(1)
    const answer = await list(`?${query}`)
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'invalid-request',
      errors: expect.arrayContaining([expect.objectContaining({ at })]),
    })
  })

  test('404 for another project and for none, 401 without a token', async () => {
    const { app, token } = await startWithRecords(1)
    const stranger = await addProject(app.store)
    await addUpdate(app.store, stranger)
    for (const id of [stranger.id, 'prj_none', `prj_${'0'.repeat(24)}`]) {
      expect((await app.api(`/v1/project/${id}/updates`, { token })).body).toMatchObject({ code: 'not-found' })
    }
    expect((await app.api(`/v1/project/${stranger.id}/updates`)).status).toBe(401)
  })
})
