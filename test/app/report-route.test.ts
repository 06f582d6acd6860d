import { describe, expect, onTestFinished, test } from 'vitest'
import { addProject, addToken, sampleSha, startTestApp } from './support/test-app.ts'

const files = { added: ['b.mdx', 'a.mdx', 'a.mdx'], modified: ['a.mdx'], removed: [] }
const valid = {
  status: 'failure',
  summary: 'Failed: 1 error in openapi.yaml.',
  author: 'octocat',
  commit: { sha: sampleSha, ref: 'refs/heads/main', message: 'Start', filesChanged: files },
}

async function start() {
  const app = await startTestApp(onTestFinished)
  const project = await addProject(app.store)
  const { text: token } = await addToken(app.store, { scope: 'write', projectId: project.id })
  const post = (body: unknown, headers: Record<string, string> = {}, by: string | undefined = token) =>
    app.api('/v1/project/report', { method: 'POST', token: by, body, headers })
  return { app, project, token, post }
}

describe('POST /v1/project/report by a token', () => {
  test('makes a record with sorted lists, each path once', async () => {
    const { app, project, post, token } = await start()
    const answer = await post({ ...valid, logs: ['one', 'token opk_abcdefghijklmnopqrstuvwxyz'] })
    const { statusId } = answer.body as { statusId: string }
    const record = (await app.api(`/v1/project/update-status/${statusId}`, { token })).body
    expect(record).toMatchObject({
      projectId: project.id,
      status: 'failure',
      logs: ['one', 'token opk_***'],
      commit: { filesChanged: { added: ['a.mdx', 'b.mdx'], modified: [], removed: [] } },
    })
  })

  test('an Idempotency-Key makes one record; with another body it is a conflict', async () => {
    const { app, project, post } = await start()
    const key = { 'Idempotency-Key': 'run-1' }
    const first = await post(valid, key)
    const second = await post(valid, key)
    const id = (answer: { body: unknown }) => (answer.body as { statusId: string }).statusId
    expect(id(second)).toBe(id(first))
    expect((await post({ ...valid, summary: 'Other' }, key)).body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await app.store.statuses.list(project.id))?.updates).toHaveLength(1)
  })

  test('an admin names the project', async () => {
    const { app, project, post } = await start()
    const admin = (await addToken(app.store, { scope: 'admin' })).text
    expect((await post(valid, {}, admin)).body).toMatchObject({
      code: 'unprocessable',
      detail: expect.stringContaining('projectId'),
    })
    expect((await post({ ...valid, projectId: project.id }, {}, admin)).status).toBe(201)
    expect((await post({ ...valid, projectId: 'prj_none' }, {}, admin)).status).toBe(404)
  })

  test.each([
    ['a read token', 403, 'forbidden'],
    ['a token of another project that names this one', 404, 'not-found'],
    ['no token', 401, 'unauthorized'],
  ])('refuses %s', async (who, status, code) => {
    const { app, project, post } = await start()
    const stranger = await addProject(app.store)
    const read = (await addToken(app.store, { scope: 'read', projectId: project.id })).text
    const foreign = (await addToken(app.store, { scope: 'write', projectId: stranger.id })).text
    const answer =
      who === 'no token'
        ? await app.api('/v1/project/report', { method: 'POST', body: valid })
        : await post({ ...valid, projectId: project.id }, {}, who === 'a read token' ? read : foreign)
    expect(answer.body).toMatchObject({ status, code })
    expect((await app.store.statuses.list(project.id))?.updates).toEqual([])
  })

  test('422 for a project that is switched off', async () => {
    const { app, project, post } = await start()
    await app.store.projects.set(project.id, { enabled: false }, 'test')
    expect((await post(valid)).body).toMatchObject({ status: 422, code: 'unprocessable' })
  })

  test.each<[string, object, string]>([
    ['a summary of two lines', { ...valid, summary: 'a\nb' }, 'body/summary'],
    ['an unknown status', { ...valid, status: 'queued' }, 'body/status'],
    ['a short sha', { ...valid, commit: { ...valid.commit, sha: 'abc' } }, 'body/commit/sha'],
    ['a branch for a ref', { ...valid, commit: { ...valid.commit, ref: 'main' } }, 'body/commit/ref'],
    [
      'a number for a path',
      { ...valid, commit: { ...valid.commit, filesChanged: { ...files, added: [1] } } },
      'body/commit/filesChanged/added/0',
    ],
    ['a field nobody knows', { ...valid, extra: 1 }, 'body'],
    ['a missing field', { ...valid, author: undefined }, 'body'],
    ['a list', [], 'body'],
  ])('400 for %s, naming the place', async (_name, body, at) => {
    const { post } = await start()
    expect((await post(body)).body).toMatchObject({
      code: 'invalid-request',
      errors: expect.arrayContaining([expect.objectContaining({ at })]),
    })
  })

  test.each([
    ['not JSON', '{"status":', {}, 400, 'invalid-request'],
    ['nothing', '', {}, 400, 'invalid-request'],
    ['a form', 'status=success', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, 'unsupported-media-type'],
    ['text', '{}', { 'Content-Type': 'text/plain' }, 415, 'unsupported-media-type'],
    ['a key that reaches a prototype', '{"__proto__":{"status":"success"}}', {}, 400, 'invalid-request'],
    ['over 4 MiB', JSON.stringify({ ...valid, logs: ['x'.repeat(5 * 1024 * 1024)] }), {}, 413, 'too-large'],
  ])('a body that is %s', async (_name, body, headers, status, code) => {
    const { post } = await start()
    expect((await post(body, headers)).body).toMatchObject({ status, code })
  })
})
