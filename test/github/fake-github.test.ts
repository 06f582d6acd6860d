import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { newCheckRun } from '../support/fake-github/feedback-routes.ts'
import {
  toCheckRunEvent,
  toCheckSuiteEvent,
  toExample,
  toInstallationEvent,
  toInstallationRepositoriesEvent,
  toMergeGroupEvent,
  toPullRequestEvent,
  toRepositoryEvent,
} from '../support/fake-github/payloads.ts'
import type { Json } from '../support/fake-github/represent.ts'

let github: FakeGitHub
beforeEach(async () => {
  github = await startFakeGitHub()
})
afterEach(() => github.close())

/** A receiver that records webhooks. */
async function receive(status = 200) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(status).end('received')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  github.webhookUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks`
  return { received, close: () => new Promise((resolve) => server.close(resolve)) }
}

describe('requests', () => {
  test('links of the app lead to pages, which are not requests of the app', async () => {
    const repository = github.createRepository('acme/api', { files: { 'docs/a b.yaml': 'openapi: 3.1.0\n<b>' } })
    const sha = repository.tipOf('main')
    repository.openPullRequest({ head: 'main', title: 'Change' })
    const ask = async (path: string) => {
      const response = await fetch(`${github.url}/acme/api${path}`)
      return [response.status, await response.text()]
    }
    for (const path of ['', '/tree/main', `/commit/${sha}`, '/pull/1']) {
      expect(await ask(path)).toEqual([200, expect.stringContaining(`href="/acme/api/blob/${sha}/docs/a%20b.yaml"`)])
    }
    expect(await ask(`/blob/${sha}/docs/a%20b.yaml?plain=1`)).toEqual([200, expect.stringContaining('<li id="L2"><code>&lt;b')])
    for (const path of [`/blob/${sha}/b.yaml`, '/tree/other', '/pull/2']) expect(await ask(path)).toEqual([404, 'Not Found'])
    github.assertNoUnexpectedRequests()
  })

  test('an unknown request fails the test', async () => {
    expect((await fetch(`${github.url}/repos/acme/api/nonsense`)).status).toBe(404)
    expect(() => github.assertNoUnexpectedRequests()).toThrow(
      'Unexpected requests to the fake GitHub:\n  GET /repos/acme/api/nonsense',
    )
  })

  test.each(['', 'bearer nonsense', 'token ghs_nonsense'])('rejects %j as a token', async (authorization) => {
    github.createRepository('acme/api')
    const answer = await fetch(`${github.url}/repos/acme/api`, { headers: { authorization } })
    expect(answer.status).toBe(401)
    expect((await fetch(`${github.url}/app`, { headers: { authorization } })).status).toBe(401)
  })

  test('gives commits the same IDs as git', () => {
    const repository = github.createRepository('acme/api', { files: {} })
    // `git hash-object` of an empty file, and git's empty tree.
    expect(repository.git.commit(repository.tipOf('main')).treeSha).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
    repository.commit({ files: { empty: '' } })
    expect(repository.git.commit(repository.tipOf('main')).files.get('empty')?.sha).toBe(
      'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
    )
  })
})

describe('webhooks', () => {
  test('are signed, sent and recorded', async () => {
    const { received, close } = await receive()
    const repository = github.createRepository('acme/api')
    const { delivery } = await repository.push({ files: { 'a.yaml': 'a' }, message: 'Add a', author: 'hubot' })
    expect(delivery).toMatchObject({ status: 200, body: 'received' })
    const [{ headers, body } = { headers: {}, body: '' }] = received
    const signature = createHmac('sha256', github.app.webhookSecret).update(body).digest('hex')
    expect(headers).toMatchObject({
      'x-github-event': 'push',
      'x-github-delivery': delivery.guid,
      'x-hub-signature-256': `sha256=${signature}`,
    })
    expect(JSON.parse(body)).toMatchObject({
      ref: 'refs/heads/main',
      after: repository.tipOf('main'),
      created: false,
      forced: false,
      commits: [{ added: ['a.yaml'], modified: [], removed: [], message: 'Add a', author: { username: 'hubot' } }],
      repository: { full_name: 'acme/api', id: repository.id },
      installation: { id: repository.installation?.id },
      sender: { login: 'hubot' },
    })
    expect(github.deliveries).toMatchObject([{ statusCode: 200, redelivery: false, guid: delivery.guid }])
    await close()
  })

  test('records a failing or unreachable receiver', async () => {
    const { close } = await receive(500)
    const repository = github.createRepository('acme/api')
    expect((await repository.push({ files: { a: 'a' } })).delivery.status).toBe(500)
    await close()
    expect((await repository.push({ files: { a: 'b' } })).delivery.status).toBe(0)
    expect(github.deliveries.map(({ statusCode }) => statusCode)).toEqual([500, 502])
  })

  test('describes new branches, forced pushes and deleted branches like GitHub', () => {
    const repository = github.createRepository('acme/api')
    const start = repository.tipOf('main')
    const created = repository.pushPayload(repository.commit({ branch: 'change', files: { a: 'a' } })) as Json
    expect(created).toMatchObject({ created: true, before: '0'.repeat(40), commits: [{ added: ['a'] }] })
    const forced = repository.pushPayload(repository.commit({ branch: 'change', files: { b: 'b' }, parent: start })) as Json
    expect(forced).toMatchObject({ forced: true, created: false, commits: [{ added: ['b'] }] })
    const back = repository.pushPayload(repository.moveBranch('change', start)) as Json
    expect(back).toMatchObject({ forced: true, after: start, commits: [] })
    expect(repository.pushPayload(repository.moveBranch('other', start))).toMatchObject({ created: true, commits: [] })
    const deleted = repository.pushPayload(repository.deleteBranch('change')) as Json
    expect(deleted).toMatchObject({ deleted: true, after: '0'.repeat(40), commits: [], head_commit: null })
  })

  test('keeps the fields of the real example in every payload', () => {
    const repository = github.createRepository('acme/api')
    const { installation } = repository
    if (!installation) throw new Error('not installed')
    repository.commit({ branch: 'change', files: { a: 'a' } })
    const pull = repository.openPullRequest({ head: 'change' })
    const ended = { status: 'completed', conclusion: 'failure' } as const
    const headSha = repository.tipOf('change')
    const run = newCheckRun({ id: 1, suiteId: 2, name: 'openapi-pages', headSha, externalId: 'status-1', ...ended })
    const payloads: [string, string, object][] = [
      ['pull_request', 'opened', toPullRequestEvent(github, repository, 'opened', pull)],
      ['pull_request', 'synchronize', toPullRequestEvent(github, repository, 'synchronize', pull)],
      ['check_run', 'rerequested', toCheckRunEvent(github, repository, run, { action: 'rerequested' }, 'octocat')],
      [
        'check_run',
        'requested_action',
        toCheckRunEvent(github, repository, run, { action: 'requested_action', identifier: 'regenerate' }, 'octocat'),
      ],
      ['check_suite', 'rerequested', toCheckSuiteEvent(github, repository, run.headSha, 'octocat')],
      ['merge_group', 'checks_requested', toMergeGroupEvent(github, repository, 'change', 'main')],
      ['installation', 'created', toInstallationEvent(github, installation, 'created')],
      ['installation_repositories', 'added', toInstallationRepositoriesEvent(github, installation, 'added', [repository])],
      ['repository', 'renamed', toRepositoryEvent(github, repository, 'renamed', { repository: { name: { from: 'old' } } })],
    ]
    for (const [event, action, payload] of payloads) {
      expect(payload, event).toMatchObject({ action })
      const fields = Object.keys(toExample(event, action)).filter(
        (field) => !['organization', 'requester', 'enterprise'].includes(field),
      )
      expect(Object.keys(payload), event).toEqual(expect.arrayContaining(fields))
    }
  })
})

describe('the issuer of workflow tokens', () => {
  test('issues tokens that its keys verify, and invalid ones on request', async () => {
    const repository = github.createRepository('acme/api')
    const sha = repository.tipOf('main')
    const keys = createRemoteJWKSet(new URL(`${github.oidc.issuer}/.well-known/jwks`))
    const verify = (token: string) =>
      jwtVerify(token, keys, { issuer: github.oidc.issuer, audience: 'openapi-pages', algorithms: ['RS256'] })
    const { payload } = await verify(await github.signOidcToken(repository, sha))
    expect(payload).toMatchObject({ repository: 'acme/api', repository_id: String(repository.id), sha, ref: 'refs/heads/main' })
    for (const options of [
      { audience: 'other' },
      { issuer: 'https://evil.example' },
      { expiresInSeconds: -60 },
      { foreignKey: true },
    ]) {
      await expect(verify(await github.signOidcToken(repository, sha, options))).rejects.toThrow()
    }
    const configuration = await fetch(`${github.oidc.issuer}/.well-known/openid-configuration`)
    expect(await configuration.json()).toMatchObject({
      issuer: github.oidc.issuer,
      jwks_uri: `${github.oidc.issuer}/.well-known/jwks`,
    })
  })
})
