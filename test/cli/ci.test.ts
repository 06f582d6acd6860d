import { expect, onTestFinished, test, vi } from 'vitest'
import { wrapGitPush } from '../support/git-on-path.ts'
import { type GitRemote, git, makeGitRemote } from '../support/git-remote.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

const makeRemote = () => makeGitRemote(tinyDocs(['List pets']))
const env = { CI_COMMIT_BRANCH: 'main' }
const author = ['--author', 'Docs Bot <docs@example.com>']
const page = 'api-reference/list-pets.mdx'
const head = 'openapi-pages/main'

/** Runs the command in a fresh checkout, as a job does. */
async function runJob(remote: GitRemote, ...args: string[]) {
  const checkout = remote.checkOut()
  const run = await runInFolder(checkout, ['ci', ...args], { env })
  return { ...run, checkout, last: run.stderr.trim().split('\n').at(-1) }
}

test('reports outdated pages and writes nothing without --commit', async () => {
  const remote = makeRemote()
  const before = remote.tip()
  const { exitCode, stdout, checkout } = await runJob(remote)
  expect([exitCode, git(checkout, 'status', '--porcelain'), remote.tip()]).toEqual([1, '', before])
  expect(stdout).toContain('out of date')
})

test('commits pages and pushes them to the branch of the job, and has nothing to commit afterwards', async () => {
  const remote = makeRemote()
  const { exitCode, last } = await runJob(remote, '--commit', ...author)
  expect([exitCode, last]).toEqual([0, `Committed ${remote.tip().slice(0, 7)} to main`])
  expect(remote.read(page)).toContain('GET /')
  expect(remote.log('%an <%ae>%n%B').trim()).toBe('Docs Bot <docs@example.com>\ndocs: update API pages\n\n1 page added')
  const tip = remote.tip()
  expect((await runJob(remote, '--commit', ...author)).last).toBe('Nothing to commit')
  expect(remote.tip()).toBe(tip)
})

/** Runs a script before the first push of a job. See `wrapGitPush`. */
function beforePush(remote: GitRemote, script: string): void {
  const path = process.env['PATH']
  process.env['PATH'] = `${wrapGitPush(remote.folder, script)}:${path}`
  onTestFinished(() => {
    process.env['PATH'] = path
  })
}

test('generates the pages again if another job pushes first', async () => {
  const remote = makeRemote()
  const other = remote.push({ 'openapi.json': tinyDocument('List cats') }, 'later')
  const bare = JSON.stringify(remote.path)
  beforePush(remote, `[ -e ${bare}/moved ] || { touch ${bare}/moved; git -C ${bare} update-ref refs/heads/main ${other}; }`)
  const { exitCode, stderr } = await runJob(remote, '--commit', ...author)
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('main has new commits, generating again')])
  expect([remote.log('%P'), remote.read(page), remote.read('api-reference/list-cats.mdx')]).toEqual([
    other,
    undefined,
    expect.stringContaining('title: List cats'),
  ])
})

test('proposes pages in a merge request of GitLab, updates it, and keeps commits of users', async () => {
  const remote = makeRemote()
  git(remote.path, 'config', 'receive.advertisePushOptions', 'true')
  remote.setHook('pre-receive', 'env | grep ^GIT_PUSH_OPTION_ | sort > push-options; exit 0')
  const base = remote.tip()
  const first = await runJob(remote, '--commit', '--merge-request', '--push-option', 'merge_request.label=docs', ...author)
  expect([first.exitCode, first.last]).toEqual([0, `Pushed ${remote.tip(head).slice(0, 7)} to ${head}`])
  expect([remote.tip(), remote.log('%P', head), git(first.checkout, 'status', '--porcelain')]).toEqual([base, base, ''])
  const { readFileSync } = await import('node:fs')
  expect(readFileSync(`${remote.path}/push-options`, 'utf8').trim().split('\n')).toEqual([
    'GIT_PUSH_OPTION_0=merge_request.create',
    'GIT_PUSH_OPTION_1=merge_request.target=main',
    'GIT_PUSH_OPTION_2=merge_request.title=docs: update API pages',
    'GIT_PUSH_OPTION_3=merge_request.remove_source_branch',
    'GIT_PUSH_OPTION_4=merge_request.label=docs',
    'GIT_PUSH_OPTION_COUNT=5',
  ])

  remote.push({ 'guide.mdx': 'nothing to do with it' })
  expect((await runJob(remote, '--commit', '--merge-request', ...author)).last).toBe(`Already up to date: ${head}`)
  remote.push({ 'openapi.json': tinyDocument('List cats') })
  expect((await runJob(remote, '--commit', '--merge-request', ...author)).last).toMatch(/^Pushed /)
  expect([remote.log('%P', head), remote.read('api-reference/list-cats.mdx', head)]).toEqual([remote.tip(), expect.anything()])

  const theirs = remote.push({ [page]: 'better words' }, head)
  remote.push({ 'openapi.json': tinyDocument('List dogs') })
  expect((await runJob(remote, '--commit', '--merge-request', ...author)).last).toMatch(/^Not updated: .* did not create/)
  expect(remote.tip(head)).toBe(theirs)
})

test('pushes to another branch, and has nothing to propose if the pages are up to date', async () => {
  const remote = makeRemote()
  expect((await runJob(remote, '--commit', '--push-to', 'pages', ...author)).last).toMatch(/ to pages$/)
  git(remote.path, 'update-ref', 'refs/heads/main', remote.tip('pages'))
  expect((await runJob(remote, '--commit', '--push-to', 'pages', ...author)).last).toBe(
    'Nothing to propose: the pages of main are up to date',
  )
})

test('commits the pages of valid documents, and exits with 1 because of the others', async () => {
  const remote = makeRemote()
  await runJob(remote, '--commit', ...author)
  remote.push({ 'openapi.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}\n' })
  const { exitCode, last } = await runJob(remote, '--commit', ...author)
  expect([exitCode, last]).toEqual([1, 'Nothing to commit'])
  expect(remote.read(page)).toBeDefined()
})

test('explains what is missing', async () => {
  const remote = makeRemote()
  const checkout = remote.checkOut()
  const run = async (args: string[], variables = {}) => (await runInFolder(checkout, ['ci', ...args], { env: variables })).stderr
  expect(await run(['--commit'])).toContain('Name the branch of the checked-out commit with --branch')
  expect(await run(['--push-to', 'x'])).toContain('unexpected --push-to without --commit')
  expect(await run(['--commit', '--author', 'Pat'], env)).toContain('expected `Name <email>`')
  expect(await run(['--commit'], { CI_COMMIT_BRANCH: 'gone' })).toContain('the remote has no such branch')
})

test('commits the pages of all docs directories below the directory in one commit', async () => {
  const remote = makeGitRemote({ ...tinyDocs(['List pets'], 'a/docs/'), ...tinyDocs(['List cats'], 'b/docs/') })
  const { exitCode, last, stdout } = await runJob(remote, '--commit', ...author)
  expect([exitCode, last]).toEqual([0, `Committed ${remote.tip().slice(0, 7)} to main`])
  expect(stdout).toContain('✔ 2 pages added')
  expect([remote.read(`a/docs/${page}`), remote.read('b/docs/api-reference/list-cats.mdx')]).not.toContain(undefined)
  expect((await runJob(remote)).exitCode).toBe(0)
})

test('shows the changes of each docs directory, with the command and the setting for it', async () => {
  const two = { ...tinyDocs(['List pets'], 'a/docs/'), ...tinyDocs(['List cats', 'List dogs'], 'b docs/') }
  const { exitCode, stdout, checkout } = await runJob(makeGitRemote(two))
  expect(exitCode).toBe(1)
  expect(stdout.split('\n').filter((line) => line.includes('docs.json'))).toEqual([
    expect.stringMatching(/^ {2}~ a\/docs\/docs\.json +1 entry added$/),
    expect.stringMatching(/^ {2}~ b docs\/docs\.json +2 entries added$/),
  ])
  expect(stdout).toContain('`materialize: false` in a/docs/openapi-pages.config.yaml.')
  expect(stdout).toContain("✖ 7 files out of date (run `openapi-pages update a/docs`, `openapi-pages update 'b docs'`)")
  for (const folder of ['b docs', 'a/docs']) await runInFolder(checkout, ['update', folder])
  expect((await runInFolder(checkout, ['ci'])).exitCode).toBe(0)
})

test('checks documents without a docs.json, also on a commit without a branch', async () => {
  const remote = makeGitRemote({ 'a/openapi.json': tinyDocument('List pets'), 'b.json': tinyDocument('List cats') })
  const checkout = remote.checkOut()
  git(checkout, 'checkout', '--quiet', '--detach')
  expect(await runInFolder(checkout, ['ci', '--commit'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('✔ No docs.json, so there are no pages to update\n'),
    stderr: 'Nothing to commit: there is no docs.json, so no pages are generated\n',
  })
  const json = await runInFolder(checkout, ['ci', '--format', 'json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, changed: false, diagnostics: [] })
  remote.push({ 'b.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}\n' })
  expect((await runJob(remote)).exitCode).toBe(1)
})

test.each([{ CI_COMMIT_BRANCH: 'main' }, {}])('says how to use a checkout of another user, with %j', async (variables) => {
  const checkout = makeRemote().checkOut()
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { exitCode, stderr } = await runInFolder(checkout, ['ci', '--commit'], { env: variables })
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('the checkout belongs to another user, so git does not trust it'),
  ])
  expect(stderr).toContain('safe.directory "$PWD"')
})

test('says how to push in every CI system', async () => {
  const remote = makeRemote()
  remote.setHook(
    'pre-receive',
    'echo "GitLab: You are not allowed to push code to protected branches on this project." >&2; exit 1',
  )
  const { exitCode, stderr } = await runJob(remote, '--commit', ...author)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('cannot push to `main`: a branch rule rejected it')
  expect(stderr).toContain('or in GitLab with `--merge-request`')
  expect(stderr).not.toMatch(/input `token`|permissions/)
})
