import { describe, expect, onTestFinished, test } from 'vitest'
import { addProject, addToken, addUpdate, finishNext, sampleSha, startNext, startTestApp } from '../app/support/test-app.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { runBin } from '../support/run-bin.ts'
import { serve } from '../support/serve.ts'
import { runInFolder } from './run-in-folder.ts'

async function start() {
  const app = await startTestApp(onTestFinished)
  const project = await addProject(app.store)
  const { text: token } = await addToken(app.store, { scope: 'read', projectId: project.id })
  const env = { OPENAPI_PAGES_URL: app.address, OPENAPI_PAGES_TOKEN: token }
  const wait = (...args: string[]) => runInFolder('/', ['wait', ...args], { env })
  return { app, project, token, env, wait }
}

describe('wait for an update of the app', () => {
  test('prints the log and exits with the result', async () => {
    const { app, project, wait } = await start()
    const good = await addUpdate(app.store, project)
    const waiting = wait(good._id)
    const running = await startNext(app.store)
    await finishNext(app.store, running, { status: 'success', summary: 'Valid: 1 document.', logs: ['openapi.yaml: valid'] })
    expect(await waiting).toMatchObject({ exitCode: 0, stdout: '  openapi.yaml: valid\n✔ Valid: 1 document.\n' })

    const bad = await addUpdate(app.store, project)
    await finishNext(app.store, await startNext(app.store), { status: 'failure', summary: 'Failed: 1 error.' })
    expect(await wait(bad._id)).toEqual({ exitCode: 1, stdout: '✖ Failed: 1 error.\n', stderr: '' })
  })

  test('waits for a commit before its record exists', async () => {
    const { app, project, wait } = await start()
    const waiting = wait('--sha', sampleSha, '--project', project.id, '--timeout', '30s')
    await addUpdate(app.store, project)
    await finishNext(app.store, await startNext(app.store), { status: 'success', summary: 'Valid.' })
    expect(await waiting).toMatchObject({ exitCode: 0, stdout: '✔ Valid.\n' })
  })

  test('prints JSON', async () => {
    const { app, project, wait } = await start()
    const { _id: id } = await addUpdate(app.store, project)
    await finishNext(app.store, await startNext(app.store), {
      status: 'failure',
      summary: 'Failed.',
      logs: ['openapi.yaml: 1 error'],
    })
    const { exitCode, stdout } = await wait(id, '--format', 'json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      outcome: 'failure',
      update: { _id: id, logs: ['openapi.yaml: 1 error'] },
    })
    const missing = await wait('nothing', '--format=json')
    expect([missing.exitCode, JSON.parse(missing.stdout)]).toEqual([
      2,
      expect.objectContaining({ version: 1, outcome: 'unknown', reason: expect.stringContaining('404') }),
    ])
  })

  test('uses the OIDC token of a GitHub workflow', async () => {
    const github = await startFakeGitHub()
    onTestFinished(() => github.close())
    const app = await startTestApp(onTestFinished, { env: { GITHUB_URL: github.url, GITHUB_OIDC_ISSUER: github.oidc.issuer } })
    const repository = github.createRepository('acme/docs')
    const project = await addProject(app.store, { repositoryId: repository.id })
    const { _id: id } = await addUpdate(app.store, project)
    await finishNext(app.store, await startNext(app.store), { status: 'success', summary: 'Valid.' })
    const issuer = await serve(async (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://issuer')
      const audience = searchParams.get('audience') ?? ''
      const value = await github.signOidcToken(repository, repository.tipOf('main'), { audience })
      response.end(JSON.stringify({ value: request.headers.authorization === 'Bearer request' ? value : 'no' }))
    })
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/token?api-version=2`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request' }
    const address = app.context.urls.base()
    expect(await runInFolder('/', ['wait', id, '--url', address], { env })).toMatchObject({ exitCode: 0, stdout: '✔ Valid.\n' })
    const without = await runInFolder('/', ['wait', id, '--url', address])
    expect(without).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('missing API token') })
  })

  test('escapes text from the server', async () => {
    const logs = ['::error file=x::forged', '  ::warning::x', '\u001b[31mred', '##[group]x', 'two\nlines']
    const record = { _id: 'x\n::error::id', status: 'failure', summary: '\r::error::summary', logs }
    const url = await serve((_request, response) => response.end(JSON.stringify(record)))
    const text = await runInFolder('/', ['wait', 'x', '--url', url, '--token', 't'])
    expect(text.exitCode).toBe(1)
    expect(text.stdout).not.toMatch(/^\s*::|[\u001b\r]|##\[/m)
    expect(text.stdout.trimEnd().split('\n')).toHaveLength(6)
    const json = await runInFolder('/', ['wait', 'x', '--url', url, '--token', 't', '--format', 'json'])
    expect(json.stdout).not.toMatch(/^\s*::|[\u001b\r]|##\[/m)
    expect(JSON.parse(json.stdout)).toMatchObject({ update: record })
    const refusal = await serve((_request, response) => {
      response.writeHead(404).end(JSON.stringify({ code: 'not-found', detail: 'x\n::error::detail\u001b' }))
    })
    expect((await runInFolder('/', ['wait', 'x', '--url', refusal, '--token', 't'])).stderr).not.toMatch(/^\s*::|\u001b/m)
  })
})

describe('wait exits with 2 if the result is unknown', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ['no URL', ['x'], {}, 'missing option --url, the URL of the app'],
    ['plain http', ['x', '--url', 'http://pages.example.com'], {}, 'Tokens are sent over plain http only to localhost'],
    ['nothing to wait for', ['--url', 'https://a.example'], {}, 'missing status ID, or the options --sha and --project'],
    [
      'a commit without its project',
      ['--sha', sampleSha, '--url', 'https://a.example'],
      {},
      'missing option --project, required with --sha',
    ],
    [
      'a short commit',
      ['--sha', 'abc', '--project', 'p', '--url', 'https://a.example'],
      {},
      'expected a full commit SHA of 40 digits',
    ],
    ['both', ['x', '--sha', sampleSha, '--url', 'https://a.example'], {}, 'together with a status ID'],
    ['no token', ['x', '--url', 'https://a.example'], {}, 'missing API token'],
    [
      'a token of two lines',
      ['x', '--url', 'https://a.example'],
      { OPENAPI_PAGES_TOKEN: 'a\nb' },
      'unexpected character in the token',
    ],
    ['a time that is none', ['x', '--url', 'https://a.example', '--timeout', 'soon'], {}, 'unexpected soon for --timeout'],
    ['no time', ['x', '--url', 'https://a.example', '--timeout', '0'], {}, 'Use a duration such as 90s, 10m or 1h'],
    ['an option that is none', ['x', '--tmeout', '1'], {}, 'Did you mean `--timeout`?'],
  ])('%s', async (_name, args, env, words) => {
    const { exitCode, stdout, stderr } = await runInFolder('/', ['wait', ...args], { env })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('bug in openapi-pages')
  })

  test('reports a rejected token without printing it', async () => {
    const { app, project, token, env, wait } = await start()
    const { _id: id } = await addUpdate(app.store, project)
    const other = await addToken(app.store, { scope: 'read', projectId: (await addProject(app.store)).id })
    const foreign = await runInFolder('/', ['wait', id], { env: { ...env, OPENAPI_PAGES_TOKEN: other.text } })
    expect([foreign.exitCode, foreign.stderr]).toEqual([
      2,
      expect.stringContaining('unknown result of the update: the app responded with 404'),
    ])
    const unknown = await wait(id, '--token', `opk_${'x'.repeat(43)}`)
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('the app responded with 401: The token is invalid'),
    ])
    expect(foreign.stderr + unknown.stderr + unknown.stdout).not.toMatch(/opk_/)
    expect((await wait(id, '--timeout', '1s')).stderr).not.toContain(token)
  })

  test('an update that does not finish in time', async () => {
    const { app, project, wait } = await start()
    const { _id: id } = await addUpdate(app.store, project)
    const { exitCode, stderr } = await wait(id, '--timeout', '1s')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the update is still queued after 1 s')])
  })

  test('an unreachable app', async () => {
    const { app, env } = await start()
    await app.stop()
    const { code, stdout, stderr } = await runBin(['wait', 'x', '--timeout', '1s'], { cwd: '/', env })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`Cannot reach ${app.address}: the host refused the connection. Trying again`)
    expect(stderr).toContain('Wait longer with `--timeout`')
  })
})
