import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { projectFolder } from '../support/action-harness.ts'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n"

interface Row {
  readonly state: string
  readonly message: string
  readonly fix?: string
}

/** Runs `doctor` as JSON, with an empty cache folder. */
async function diagnose(folder: string, env: { [name: string]: string } = {}, ...more: readonly string[]) {
  const argv = ['doctor', '--format', 'json', '--allow-http', ...more]
  const { exitCode, stdout } = await runInFolder(folder, argv, { env: { XDG_CACHE_HOME: makeTemporaryFolder({}), ...env } })
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Row[] } // Written by this program.
  return { exitCode, checks, open: checks.filter(({ state }) => state !== 'ok') }
}

test('finds no problems in a good repository, and changes nothing', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': document, 'openapi-pages.config.yaml': 'order: tags\n' })
  const { exitCode, checks, open } = await diagnose(folder)
  expect([exitCode, open]).toEqual([0, []])
  const messages = checks.map(({ message }) => message).join('\n')
  expect(messages).toMatch(/^Node\.js \d+\.\d+\.\d+\nGit \d+\.\d+.*\n/)
  expect(messages).toContain('\nFound 1 OpenAPI document\nNo token is needed on the command line')
  const { stdout } = await runInFolder(folder, ['doctor'], { env: { XDG_CACHE_HOME: makeTemporaryFolder({}) } })
  expect(stdout).toMatch(/^✔ Node\.js .*\n[\s\S]*\n\n✔ No problems found\n$/)
})

test('shows how to use a checkout of another user', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': document })
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  expect((await diagnose(folder)).open).toEqual([
    {
      subject: 'repository',
      state: 'problem',
      message: 'Cannot read the repository: the checkout belongs to another user, so git does not trust it',
      fix: expect.stringContaining('safe.directory'),
    },
  ])
})

test('shows how to fix an empty directory', async () => {
  const empty = await runInFolder(makeTemporaryFolder({}), ['doctor', '--quiet'])
  expect([empty.exitCode, empty.stdout]).toEqual([
    1,
    expect.stringMatching(
      /✖ No docs\.json and no OpenAPI 3 document found\n {4}Run the command in another directory.*`openapi-pages init`\n\n✖ 1 problem to fix\n$/,
    ),
  ])
})

test('warns about a shallow checkout', async () => {
  const origin = makeTemporaryFolder({ 'openapi.yaml': document })
  const git = (cwd: string, ...args: readonly string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' })
  git(origin, 'init', '--quiet')
  for (const text of ['1', '2']) {
    writeFileSync(join(origin, 'a.txt'), text)
    git(origin, 'add', '--all')
    git(origin, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', text)
  }
  const checkout = makeTemporaryFolder({})
  git(checkout, 'clone', '--quiet', '--depth', '1', pathToFileURL(origin).href, '.')
  expect((await diagnose(checkout)).open).toMatchObject([
    {
      state: 'warning',
      message: expect.stringContaining('The checkout has only 1 commit'),
      fix: expect.stringContaining('fetch-depth: 0'),
    },
  ])
  expect((await diagnose(origin)).open).toEqual([])
})

test('checks the token of a job in GitHub Actions', async () => {
  let permissions: object = { push: true }
  const asked: (string | undefined)[] = []
  const api = await serve((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`)
    if (request.headers.authorization === 'Bearer good') response.end(JSON.stringify({ permissions }))
    else response.writeHead(403).end()
  })
  const folder = makeTemporaryFolder({ 'openapi.yaml': document })
  const job = { GITHUB_ACTIONS: 'true', GITHUB_API_URL: api, GITHUB_REPOSITORY: 'acme/docs' }
  expect((await diagnose(folder, job)).open).toMatchObject([
    { state: 'warning', fix: expect.stringContaining('Set `GITHUB_TOKEN`') },
  ])
  expect((await diagnose(folder, { ...job, GITHUB_TOKEN: 'good' })).open).toEqual([])
  expect(asked).toEqual([])
  expect((await diagnose(folder, { ...job, GITHUB_TOKEN: 'good' }, '--network')).open).toEqual([])
  expect(asked).toEqual(['/repos/acme/docs Bearer good'])
  permissions = { push: false }
  expect((await diagnose(folder, { ...job, GITHUB_TOKEN: 'good' }, '--network')).open).toMatchObject([
    {
      state: 'warning',
      message: 'The token may read contents, but not write them',
      fix: expect.stringContaining('contents: write'),
    },
  ])
  expect(await diagnose(folder, { ...job, GITHUB_TOKEN: 'bad' }, '--network')).toMatchObject({
    exitCode: 1,
    open: [{ state: 'problem', message: 'GitHub refused the token with status 403' }],
  })
})

test('reads remote documents only with --network', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/a.yaml') response.end(document)
    else response.writeHead(404).end()
  })
  const navigation = {
    tabs: [
      { tab: 'A', openapi: `${origin}/a.yaml` },
      { tab: 'B', openapi: `${origin}/b.yaml` },
    ],
  }
  const folder = makeTemporaryFolder({ 'docs.json': JSON.stringify({ name: 'Pets', navigation }) })
  expect((await diagnose(folder)).open).toEqual([])
  const { checks, open } = await diagnose(folder, {}, '--network')
  expect(checks.map(({ message }) => message)).toContain(`${origin}/a.yaml is reachable`)
  expect(open).toMatchObject([{ state: 'problem', message: expect.stringContaining(`Cannot read ${origin}/b.yaml: `) }])
})

test('the problem matcher of GitHub reads the unix format of `check`', async () => {
  const folder = makeTemporaryFolder({
    'docs/a.yaml': 'openapi: 3.1.0\ninfo: { title: A }\npaths: {}\ncomponents: { schemas: { B: { type: object } } }\n',
  })
  const { stdout } = await runInFolder(folder, ['check', 'docs/a.yaml', '--format', 'unix'])
  const { problemMatcher } = JSON.parse(readFileSync(join(projectFolder, 'examples/problem-matcher.json'), 'utf8')) as {
    readonly problemMatcher: readonly { readonly severity: string; readonly pattern: readonly { readonly regexp: string }[] }[] // Documented by actions/toolkit.
  }
  const found = [stdout, stdout.replaceAll('[error/', '[warning/')]
    .join('')
    .split('\n')
    .flatMap((line) =>
      problemMatcher.flatMap(({ severity, pattern: [{ regexp } = { regexp: '(?!)' }] }) => {
        const match = new RegExp(regexp).exec(line)
        return match ? [[severity, ...match.slice(1)]] : []
      }),
    )
  expect(found).toContainEqual([
    'error',
    'docs/a.yaml',
    '2',
    '1',
    'Missing `version` in the Info Object. Add `version: 1.0.0`',
    'missing-field',
  ])
  expect(found.map(([severity]) => severity)).toContain('warning')
})
