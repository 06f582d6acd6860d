import { describe, expect, onTestFinished, test } from 'vitest'
import { toAppSettings } from '../../support/fake-github/app-settings.ts'
import { startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import { addProject, addToken, sampleSha, startTestApp } from '../support/test-app.ts'

async function start(env: Record<string, string> = {}) {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/docs', { files: { 'openapi.yaml': 'openapi: 3.1.0\n' } })
  const app = await startTestApp(onTestFinished, { env: { ...toAppSettings(github), ...env } })
  const project = await addProject(app.store, {
    repositoryId: repository.id,
    owner: 'acme',
    repo: 'docs',
    installationId: repository.installation?.id ?? 0,
  })
  const { text: token } = await addToken(app.store, { scope: 'write', projectId: project.id })
  const trigger = (body?: unknown, headers: Record<string, string> = {}, by: string | undefined = token) =>
    app.api(`/v1/project/update/${project.id}`, { method: 'POST', token: by, body, headers })
  const preview = (body: unknown, headers: Record<string, string> = {}, by = token) =>
    app.api(`/v1/project/preview/${project.id}`, { method: 'POST', token: by, body, headers })
  const idOf = ({ body }: { body: unknown }) => (body as { statusId: string }).statusId
  return { app, github, repository, project, token, trigger, preview, idOf }
}

describe('POST /v1/project/update/{projectId}', () => {
  test('queues an update for the tip of the default branch', async () => {
    const { app, github, repository, trigger, idOf, token } = await start()
    const { after: sha } = repository.commit({ files: { 'docs.json': '{}' }, message: 'Add docs', author: 'hubot' })
    const answer = await trigger()
    expect(answer.status).toBe(202)
    expect((await app.api(`/v1/project/update-status/${idOf(answer)}`, { token })).body).toMatchObject({
      status: 'queued',
      source: 'api',
      author: 'hubot',
      authorInfo: { name: 'hubot', avatarUrl: expect.stringMatching(/^http.*\/avatars\/\d+$/), githubUserId: expect.any(Number) },
      commit: {
        sha,
        ref: 'refs/heads/main',
        message: 'Add docs',
        filesChanged: { added: ['docs.json'], modified: [], removed: [] },
      },
    })
    // One job runs the update, the other creates its check.
    expect((await app.store.queue.stats()).waiting).toBe(2)
    github.assertNoUnexpectedRequests()
  })

  test('accepts a ref and a SHA', async () => {
    const { app, repository, trigger, idOf } = await start()
    const first = repository.tipOf('main')
    const { after: sha } = repository.commit({ branch: 'next', files: { 'a.mdx': 'a' } })
    const byRef = await app.store.statuses.find(idOf(await trigger({ ref: 'refs/heads/next' })))
    expect(byRef?.update.commit).toMatchObject({ sha, ref: 'refs/heads/next' })
    const bySha = await app.store.statuses.find(idOf(await trigger({ ref: 'refs/heads/next', sha: first })))
    expect(bySha?.update.commit).toMatchObject({ sha: first, ref: 'refs/heads/next' })
  })

  test('starts a new update for every request, but only one for each Idempotency-Key', async () => {
    const { trigger, idOf, app, project } = await start()
    expect(idOf(await trigger())).not.toBe(idOf(await trigger()))
    const key = { 'Idempotency-Key': 'deploy-42' }
    const [first, second] = await Promise.all([trigger({}, key), trigger({}, key)])
    expect(first.status).toBe(202)
    expect(idOf(second)).toBe(idOf(first))
    expect((await trigger({ ref: 'refs/heads/main' }, key)).body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await app.store.statuses.list(project.id))?.updates).toHaveLength(3)
  })

  test('returns the stored response for a repeated Idempotency-Key while GitHub is unreachable', async () => {
    const { trigger, idOf, github } = await start()
    const key = { 'Idempotency-Key': 'deploy-43' }
    const first = await trigger({}, key)
    await github.close()
    const second = await trigger({}, key)
    expect(second.status).toBe(202)
    expect(idOf(second)).toBe(idOf(first))
    expect((await trigger({ ref: 'refs/heads/next' }, key)).status).toBe(409)
    expect((await trigger()).status).toBe(503)
  })

  test.each<[string, unknown, number, string]>([
    ['an unknown ref', { ref: 'refs/heads/none' }, 422, 'unprocessable'],
    ['an unknown commit', { sha: 'a'.repeat(40) }, 422, 'unprocessable'],
    ['a branch name instead of a ref', { ref: 'main' }, 400, 'invalid-request'],
    ['a ref with a space', { ref: 'refs/heads/a b' }, 400, 'invalid-request'],
    ['an unknown field', { branch: 'main' }, 400, 'invalid-request'],
    ['a body over the limit', { ref: `refs/heads/${'a'.repeat(100_000)}` }, 413, 'too-large'],
  ])('rejects %s', async (_name, body, status, code) => {
    const { trigger, app } = await start()
    expect((await trigger(body)).body).toMatchObject({ status, code })
    expect((await app.store.queue.stats()).waiting).toBe(0)
  })

  test('names an unknown field', async () => {
    const { trigger } = await start()
    expect((await trigger({ rf: 'x' })).body).toMatchObject({
      detail: 'Invalid `body`: must not have additional properties (`rf`)',
      errors: [{ at: 'body', message: 'must not have additional properties (`rf`)' }],
    })
  })

  test.each([
    ['control characters', 'a\tb'],
    ['more than 255 characters', 'a'.repeat(256)],
  ])('rejects an Idempotency-Key with %s', async (_name, key) => {
    const { trigger } = await start()
    expect((await trigger({}, { 'Idempotency-Key': key })).body).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  test('records the token ID in the audit log and never logs the token', async () => {
    const { app, token, trigger, idOf } = await start()
    const id = idOf(await trigger())
    expect(await app.store.audit.list()).toContainEqual(
      expect.objectContaining({ actor: expect.stringMatching(/^token:tok_/), action: 'update.trigger', subject: id }),
    )
    expect(app.logLines.join('')).toContain(id)
    expect(app.logLines.join('')).not.toContain(token)
  })

  test('returns 422 if updates are off or the app is not installed', async () => {
    const { app, project, trigger, github, repository } = await start()
    await app.store.projects.set(project.id, { enabled: false }, 'test')
    expect((await trigger()).body).toMatchObject({ code: 'unprocessable', detail: expect.stringContaining('Updates are off') })
    await app.store.projects.set(project.id, { enabled: true }, 'test')
    github.removeRepository(repository)
    expect((await trigger()).body).toMatchObject({ code: 'unprocessable' })
  })

  test('returns 503 if the server has no GitHub App', async () => {
    const app = await startTestApp(onTestFinished)
    const project = await addProject(app.store)
    const { text } = await addToken(app.store, { scope: 'write', projectId: project.id })
    const answer = await app.api(`/v1/project/update/${project.id}`, { method: 'POST', token: text })
    expect(answer.body).toMatchObject({ status: 503, code: 'unavailable' })
    expect(answer.headers.get('retry-after')).toBe('60')
  })
})

describe('POST /v1/project/preview/{projectId}', () => {
  const hosted = { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test' }

  test('queues an update for the tip of the branch, and returns the URL of its site', async () => {
    const { app, repository, project, preview, trigger, idOf } = await start(hosted)
    const { after: sha } = repository.commit({ branch: 'next', files: { 'a.mdx': 'a' } })
    const url = (commit: string) => `https://${project.subdomain}--${commit.slice(0, 12)}.sites.test/`
    const answer = await preview({ branch: 'next' })
    expect(answer).toMatchObject({ status: 202, body: { statusId: expect.any(String), previewUrl: url(sha) } })
    const stored = await app.store.statuses.find(idOf(answer))
    expect(stored?.update.commit).toMatchObject({ sha, ref: 'refs/heads/next' })
    expect((await trigger()).body).toMatchObject({ previewUrl: url(repository.tipOf('main')) })
  })

  test('returns the first response for a repeated Idempotency-Key, although the branch has a new commit', async () => {
    const { repository, preview, trigger } = await start(hosted)
    const key = { 'Idempotency-Key': 'preview-1' }
    const first = await preview({ branch: 'main' }, key)
    repository.commit({ files: { 'a.mdx': 'a' } })
    expect((await preview({ branch: 'main' }, key)).body).toEqual(first.body)
    expect((await preview({ branch: 'next' }, key)).body).toMatchObject({ code: 'conflict' })
    expect((await trigger(undefined, key)).body).toMatchObject({ code: 'conflict' })
  })

  test.each([
    ['the server hosts no sites', { SITES_DOMAIN: 'off' }, {}],
    ['the project keeps no previews', hosted, { maxPreviews: 0 }],
  ])('returns no URL if %s', async (_name, env, settings) => {
    const { app, project, preview } = await start(env)
    await app.store.projects.set(project.id, settings, 'test')
    expect((await preview({ branch: 'main' })).body).toEqual({ statusId: expect.any(String) })
  })

  test.each([
    ['no branch', {}, 400],
    ['an unknown branch', { branch: 'none' }, 422],
    ['a branch with a space', { branch: 'a b' }, 400],
    ['an unknown field', { branch: 'main', ref: 'refs/heads/main' }, 400],
  ])('rejects %s', async (_name, body, status) => {
    const { app, preview } = await start(hosted)
    expect((await preview(body)).status).toBe(status)
    expect((await app.store.queue.stats()).waiting).toBe(0)
  })
})

describe('reporting an update', () => {
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

  describe('POST /v1/project/report with an API token', () => {
    test('creates a record with sorted lists without duplicates', async () => {
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

    test('creates one record per Idempotency-Key, and returns 409 for a different body', async () => {
      const { app, project, post } = await start()
      const key = { 'Idempotency-Key': 'run-1' }
      const first = await post(valid, key)
      const second = await post(valid, key)
      const id = (answer: { body: unknown }) => (answer.body as { statusId: string }).statusId
      expect(id(second)).toBe(id(first))
      expect((await post({ ...valid, summary: 'Other' }, key)).body).toMatchObject({ status: 409, code: 'conflict' })
      expect((await app.store.statuses.list(project.id))?.updates).toHaveLength(1)
    })

    test('requires `projectId` with an admin token', async () => {
      const { app, project, post } = await start()
      const admin = (await addToken(app.store, { scope: 'admin' })).text
      expect((await post(valid, {}, admin)).body).toMatchObject({
        code: 'unprocessable',
        detail: expect.stringContaining('projectId'),
      })
      expect((await post({ ...valid, projectId: project.id }, {}, admin)).status).toBe(201)
      expect((await post({ ...valid, projectId: 'prj_none' }, {}, admin)).status).toBe(404)
    })

    test('returns 422 if updates are off', async () => {
      const { app, project, post } = await start()
      await app.store.projects.set(project.id, { enabled: false }, 'test')
      expect((await post(valid)).body).toMatchObject({ status: 422, code: 'unprocessable' })
    })

    test.each<[string, object, string]>([
      ['a summary of two lines', { ...valid, summary: 'a\nb' }, 'body/summary'],
      ['an unknown status', { ...valid, status: 'queued' }, 'body/status'],
      ['a short SHA', { ...valid, commit: { ...valid.commit, sha: 'abc' } }, 'body/commit/sha'],
      ['a branch name instead of a ref', { ...valid, commit: { ...valid.commit, ref: 'main' } }, 'body/commit/ref'],
      [
        'a number as a path',
        { ...valid, commit: { ...valid.commit, filesChanged: { ...files, added: [1] } } },
        'body/commit/filesChanged/added/0',
      ],
      ['an unknown field', { ...valid, extra: 1 }, 'body'],
      ['a missing field', { ...valid, author: undefined }, 'body'],
      ['a list', [], 'body'],
    ])('rejects %s and names the field', async (_name, body, at) => {
      const { post } = await start()
      expect((await post(body)).body).toMatchObject({
        code: 'invalid-request',
        errors: expect.arrayContaining([expect.objectContaining({ at })]),
      })
    })

    test('rejects a body larger than 4 MiB', async () => {
      const { post } = await start()
      const answer = await post({ ...valid, logs: ['x'.repeat(5 * 1024 * 1024)] })
      expect(answer.body).toMatchObject({ status: 413, code: 'too-large' })
    })
  })
})
