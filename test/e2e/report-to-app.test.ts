import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { docsConfig, validDocument } from '../app/support/connected-app.ts'
import { makeExampleRemote, pullRequestFrom, runAction } from '../support/action-harness.ts'
import { startAppProcess } from '../support/app-process.ts'
import { readStore, untilIdle } from '../support/app-scenario.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { git } from '../support/git-remote.ts'
import { readCommands } from '../support/read-commands.ts'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const requestToken = 'request-token-of-the-runner'

/** GitHub, a checkout of the example, and what a runner with `id-token: write` has in its environment. */
async function prepare(claims: { readonly [claim: string]: unknown } = {}) {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/docs', { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
  const remote = makeExampleRemote('petstore')
  const checkout = remote.checkOut()
  const sha = git(checkout, 'rev-parse', 'HEAD')
  const signed: string[] = []
  const issuer = await serve(async (request, response) => {
    const audience = new URL(request.url ?? '', 'http://issuer').searchParams.get('audience') ?? ''
    if (request.headers.authorization !== `Bearer ${requestToken}`) response.writeHead(401).end()
    else {
      const value = await github.signOidcToken(repository, sha, { audience, claims })
      signed.push(value)
      response.end(JSON.stringify({ value }))
    }
  })
  const identity = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
  }
  const event = {
    name: 'push',
    ref: 'refs/heads/main',
    sha,
    payload: { ref: 'refs/heads/main', repository: { full_name: 'acme/docs' } },
  }
  const run = async (appUrl: string, options: Partial<Parameters<typeof runAction>[1]> = {}) => {
    const result = await runAction(checkout, {
      temporaryFolder: remote.folder,
      event,
      environment: identity,
      ...options,
      inputs: { 'app-url': appUrl, ...options.inputs },
    })
    // No token is in the log, but in the commands that mask it from there on.
    const masked = readCommands(result.stdout)
      .commands.filter(({ name }) => name === 'add-mask')
      .map(({ data }) => data)
    const shown = result.stdout.replace(/^::add-mask::.*$/gm, '') + result.stderr + result.summary
    for (const token of [requestToken, ...signed]) expect(shown).not.toContain(token)
    return { ...result, masked, warnings: result.commands.filter(({ name }) => name === 'warning').map(({ data }) => data) }
  }
  return { github, repository, remote, checkout, sha, signed, event, run }
}

/** The app in a separate process, with the repository installed. */
async function startKnowing({ github, repository }: Pick<Awaited<ReturnType<typeof prepare>>, 'github' | 'repository'>) {
  const dataDir = makeTemporaryFolder()
  const app = await startAppProcess(github, dataDir, { env: { GITHUB_OIDC_ISSUER: github.oidc.issuer } })
  onTestFinished(() => void app.child.kill('SIGKILL'))
  await github.deliver('push', repository.pushPayload(repository.commit({ files: { 'x.md': 'x' } })))
  await untilIdle(dataDir)
  return { app, dataDir, appUrl: app.address.replace('127.0.0.1', 'localhost') }
}

describe('a report to the app', () => {
  test('uses the OIDC token of the workflow, without a secret', async () => {
    const prepared = await prepare()
    const { dataDir, appUrl } = await startKnowing(prepared)
    const result = await prepared.run(appUrl)
    expect([result.code, result.warnings]).toEqual([0, []])
    expect(result.masked).toEqual(prepared.signed)
    const { updates } = await readStore(dataDir)
    const record = updates.find(({ update }) => update.source === 'github')?.update
    expect(record).toMatchObject({
      _id: result.outputs['status-id'],
      status: 'success',
      summary: 'Valid: 1 document, 8 operations. 8 pages changed.',
      author: 'pat',
      commit: { sha: prepared.sha, ref: 'refs/heads/main', message: 'A change by Pat' },
    })
    expect(record?.logs).toContain(`Committed ${result.outputs['commit-sha']} to main`)
    const link = /\[Update `[\w-]+`\]\(([^)]+)\)/.exec(result.summary)?.[1] ?? ''
    expect(link).toMatch(/^http:\/\/localhost:\d+\/updates\//)
    const page = await fetch(link.replace('localhost', '127.0.0.1'), { headers: { Accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('8 pages changed')])
  })

  test('creates a record of a failure, with its diagnostics', async () => {
    const prepared = await prepare()
    const { dataDir, appUrl } = await startKnowing(prepared)
    writeFileSync(join(prepared.checkout, 'openapi.yaml'), 'openapi: 3.1.0\ninfo: {title: Pets}\npaths: {}\n')
    const result = await prepared.run(appUrl, { inputs: { mode: 'check' } })
    expect(result.code).toBe(1)
    const { updates } = await readStore(dataDir)
    const stored = updates.find(({ update }) => update.source === 'github')
    expect(stored?.update).toMatchObject({ status: 'failure', summary: expect.stringMatching(/^Failed: .* in openapi\.yaml/) })
  })

  test('uses an API token without an OIDC token', async () => {
    const prepared = await prepare()
    const bodies: unknown[] = []
    const appUrl = await serve(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      bodies.push([request.method, request.url, request.headers.authorization, (JSON.parse(text) as { root: string }).root])
      response.writeHead(201).end(JSON.stringify({ statusId: 'u1' }))
    })
    const token = `opk_${'a'.repeat(43)}`
    const result = await prepared.run(appUrl, { environment: {}, inputs: { 'app-token': token } })
    expect([result.code, result.outputs['status-id'], result.warnings]).toEqual([0, 'u1', []])
    expect(bodies).toEqual([['POST', '/v1/project/report', `Bearer ${token}`, '']])
    expect(result.masked).toContain(token)
    expect(result.stdout.replace(/^::add-mask::.*$/gm, '')).not.toContain(token)
  })
})

describe('does not fail the run if the app', () => {
  test('is down', async () => {
    const { run } = await prepare()
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo // A listening server has one.
    await new Promise((resolve) => closed.close(resolve))
    const result = await run(`http://127.0.0.1:${port}`)
    expect([result.code, result.outputs['committed'], result.outputs['status-id']]).toEqual([0, 'true', ''])
    expect(result.warnings).toEqual([
      `Cannot report to \`http://127.0.0.1:${port}\`: the host refused the connection. Check the URL and that the app is running`,
    ])
    expect(result.summary).toContain('Cannot report to')
  })

  test('responds with a workflow command', async () => {
    const { run } = await prepare()
    const problem = { code: 'unprocessable', detail: '\n::error::forged\u001b[2J' }
    const appUrl = await serve((_request, response) => response.writeHead(422).end(JSON.stringify(problem)))
    const result = await run(appUrl)
    expect([result.code, result.outputs['committed']]).toEqual([0, 'true'])
    expect(result.warnings).toEqual([expect.stringContaining('the app responded with 422: \\n::error::forged')])
    expect(result.commands.filter(({ name }) => name === 'error')).toEqual([])
  })

  test('redirects, and does not send the token there', async () => {
    const { run } = await prepare()
    let elsewhere = 0
    const other = await serve((_request, response) => {
      elsewhere++
      response.end()
    })
    const appUrl = await serve((_request, response) => response.writeHead(307, { location: other }).end())
    const result = await run(appUrl)
    expect([result.code, elsewhere]).toEqual([0, 0])
    expect(result.warnings).toEqual([expect.stringContaining(`the URL redirects to ${other}`)])
  })

  test('has another URL than the OIDC token', async () => {
    const prepared = await prepare()
    const { app } = await startKnowing(prepared)
    const result = await prepared.run(app.address)
    expect(result.code).toBe(0)
    expect(result.warnings).toEqual([expect.stringContaining('use the `BASE_URL` of the server')])
  })

  test('gets no OIDC token, as in a fork', async () => {
    const { run, sha } = await prepare()
    const none = await run('http://127.0.0.1:9', { environment: {} })
    expect(none.warnings).toEqual([
      expect.stringContaining('Give the job `permissions: { contents: write, pull-requests: write, id-token: write }`'),
    ])
    const fork = await run('http://127.0.0.1:9', { environment: {}, event: { ...pullRequestFrom('x', 'mallory/docs'), sha } })
    expect([fork.code, fork.warnings]).toEqual([0, []])
    expect(fork.text).toContain('workflows of forks have no OIDC token')
  })

  test('has a plain http URL, and sends nothing', async () => {
    const { run } = await prepare()
    const result = await run('http://pages.example.com', { inputs: { 'app-token': 'opk_secret' } })
    expect(result.code).toBe(1)
    expect(result.stdout).toContain('Unexpected `http://pages.example.com` for the input `app-url`, expected an `https:` URL')
  })
})
