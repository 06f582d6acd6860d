import { describe, expect, onTestFinished, test } from 'vitest'
import type { Project } from '../../../src/status/update-record.ts'
import { type FakeGitHub, startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import type { OidcOptions } from '../../support/fake-github/types.ts'
import { addProject, addUpdate, startTestApp, type TestApp } from '../support/test-app.ts'

interface Setting {
  readonly app: TestApp
  readonly github: FakeGitHub
  readonly repository: FakeRepository
  readonly project: Project
  readonly sign: (options?: OidcOptions) => Promise<string>
}

async function start(): Promise<Setting> {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const app = await startTestApp(onTestFinished, {
    env: { GITHUB_URL: github.url, GITHUB_OIDC_ISSUER: github.oidc.issuer, BASE_URL: 'https://pages.example.com' },
  })
  const repository = github.createRepository('acme/docs')
  const project = await addProject(app.store, { repositoryId: repository.id })
  const sign = (options?: OidcOptions) => github.signOidcToken(repository, repository.tipOf('main'), options)
  return { app, github, repository, project, sign }
}

function report(sha: string, values: object = {}): object {
  return {
    status: 'success',
    summary: 'Valid: 1 document, 3 operations.',
    author: 'octocat',
    logs: ['Checked openapi.yaml'],
    commit: {
      sha,
      ref: 'refs/heads/main',
      message: 'Start',
      filesChanged: { added: ['openapi.yaml'], modified: [], removed: [] },
    },
    ...values,
  }
}

describe('reading records with a workflow token', () => {
  test('returns records of the workflow’s own repository', async () => {
    const { app, project, sign } = await start()
    const update = await addUpdate(app.store, project)
    const token = await sign()
    expect((await app.api(`/v1/project/update-status/${update._id}`, { token })).body).toEqual(update)
    expect((await app.api(`/v1/project/${project.id}/updates`, { token })).body).toEqual({ updates: [update] })
    const audience = 'https://pages.example.com'
    expect((await app.api(`/v1/project/update-status/${update._id}`, { token: await sign({ audience }) })).status).toBe(200)
  })

  test('returns 404 for other repositories', async () => {
    const { app, sign } = await start()
    const other = await addProject(app.store)
    const update = await addUpdate(app.store, other)
    const token = await sign()
    expect((await app.api(`/v1/project/update-status/${update._id}`, { token })).status).toBe(404)
    expect((await app.api(`/v1/project/${other.id}/updates`, { token })).status).toBe(404)
  })

  test.each<[string, OidcOptions]>([
    ['another issuer', { issuer: 'https://token.actions.githubusercontent.com' }],
    ['another audience', { audience: 'https://other.example.com' }],
    ['a signature by another key', { foreignKey: true }],
    ['an expired lifetime', { expiresInSeconds: -120 }],
    ['an invalid repository ID', { claims: { repository_id: '1e3' } }],
    ['no repository ID', { claims: { repository_id: undefined } }],
    ['a list as SHA', { claims: { sha: ['a'] } }],
  ])('returns 401 for a token with %s', async (_name, options) => {
    const { app, project, sign } = await start()
    const update = await addUpdate(app.store, project)
    const answer = await app.api(`/v1/project/update-status/${update._id}`, { token: await sign(options) })
    expect(answer.body).toMatchObject({ code: 'unauthorized', detail: 'The token is invalid, expired or revoked' })
  })

  test('identifies the repository by ID, not by name', async () => {
    const { app, github, project } = await start()
    const update = await addUpdate(app.store, project)
    const other = github.createRepository('acme/other')
    const claims = { repository: `${project.owner}/${project.repo}` }
    const token = await github.signOidcToken(other, other.tipOf('main'), { claims })
    expect((await app.api(`/v1/project/update-status/${update._id}`, { token })).status).toBe(404)
  })

  test('returns 503 if the issuer’s keys cannot be fetched', async () => {
    const { app, github, project, sign } = await start()
    const update = await addUpdate(app.store, project)
    const token = await sign()
    await github.close()
    const answer = await app.api(`/v1/project/update-status/${update._id}`, { token })
    expect(answer.body).toMatchObject({ code: 'unavailable' })
    expect(answer.headers.get('retry-after')).not.toBeNull()
  })
})

describe('POST /v1/project/report with a workflow token', () => {
  const post = (app: TestApp, token: string, body: object, headers = {}) =>
    app.api('/v1/project/report', { method: 'POST', token, body, headers })

  test('creates an ended record and a link to its page', async () => {
    const { app, project, repository, sign } = await start()
    const answer = await post(app, await sign(), report(repository.tipOf('main')))
    expect(answer.status).toBe(201)
    const { statusId, detailsUrl } = answer.body as { statusId: string; detailsUrl: string }
    expect(detailsUrl).toMatch(/^https:\/\/pages\.example\.com\/updates\//)
    const stored = await app.store.statuses.find(statusId)
    expect(stored?.update).toMatchObject({ projectId: project.id, status: 'success', source: 'github', author: 'octocat' })
    const page = await fetch(detailsUrl.replace('https://pages.example.com', app.address), { headers: { Accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Valid: 1 document, 3 operations.')])
  })

  test('finds the project by docs directory', async () => {
    const { app, repository, sign } = await start()
    const docs = await addProject(app.store, { repositoryId: repository.id, root: 'docs' })
    const answer = await post(app, await sign(), report(repository.tipOf('main'), { root: 'docs' }))
    const { statusId } = answer.body as { statusId: string }
    expect((await app.store.statuses.find(statusId))?.update.projectId).toBe(docs.id)
    expect((await post(app, await sign(), report(repository.tipOf('main'), { root: 'none' }))).status).toBe(404)
  })

  test.each<[string, (setting: Setting) => Promise<{ token: string; body: object }>, number, string]>([
    ['another commit', async ({ sign }) => ({ token: await sign(), body: report('b'.repeat(40)) }), 403, 'forbidden'],
    [
      'another ref',
      async ({ sign, repository }) => ({
        token: await sign({ claims: { ref: 'refs/heads/feature' } }),
        body: report(repository.tipOf('main')),
      }),
      403,
      'forbidden',
    ],
    [
      'a repository that is not connected',
      async ({ github }) => {
        const other = github.createRepository('evil/docs')
        return { token: await github.signOidcToken(other, other.tipOf('main')), body: report(other.tipOf('main')) }
      },
      404,
      'not-found',
    ],
    [
      'another project by its ID',
      async ({ app, sign, repository }) => {
        const foreign = await addProject(app.store)
        return { token: await sign(), body: report(repository.tipOf('main'), { projectId: foreign.id }) }
      },
      404,
      'not-found',
    ],
    [
      'another audience',
      async ({ sign, repository }) => ({
        token: await sign({ audience: 'https://attacker.example' }),
        body: report(repository.tipOf('main')),
      }),
      401,
      'unauthorized',
    ],
    [
      'another issuer',
      async ({ sign, repository }) => ({
        token: await sign({ issuer: 'https://attacker.example' }),
        body: report(repository.tipOf('main')),
      }),
      401,
      'unauthorized',
    ],
  ])('rejects a report for %s', async (_name, make, status, code) => {
    const setting = await start()
    const { token, body } = await make(setting)
    expect((await post(setting.app, token, body)).body).toMatchObject({ status, code })
    expect(await setting.app.store.statuses.list(setting.project.id)).toEqual({ updates: [] })
  })

  test('cannot trigger an update', async () => {
    const { app, project, sign } = await start()
    const answer = await app.api(`/v1/project/update/${project.id}`, { method: 'POST', token: await sign() })
    expect(answer.body).toMatchObject({ code: 'forbidden' })
  })
})
