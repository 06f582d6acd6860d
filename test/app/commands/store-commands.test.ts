import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { databaseFileName } from '../../../src/app/base/open-store.ts'
import { main } from '../../../src/app/main.ts'
import { openSqliteStore, type Store } from '../../../src/store/store.ts'
import { addProject, claimNext, newPush, toCreatedId } from '../../store/store-fixture.ts'
import { toCommand } from '../../support/bundled-programs.ts'
import { compileCache } from '../../support/compile-cache.ts'
import { toAppSettings } from '../../support/fake-github/app-settings.ts'
import { startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import { putSite } from '../../support/put-site.ts'

// Runs the commands while a store is open, as in a running server. Most run in the process of the test, which takes a tenth of the time of a
// child process.

let folder = ''
let dataDir = ''
let store: Store
let settings: Readonly<Record<string, string>> = {}
const start = process.cwd()

beforeEach(async () => {
  settings = {}
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-commands-'))
  dataDir = join(folder, 'data')
  store = await openSqliteStore({ path: join(dataDir, databaseFileName) })
  process.chdir(folder)
})

afterEach(async () => {
  process.chdir(start)
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function run(...args: string[]): Promise<Ended> {
  const collect = (method: 'log' | 'error') => {
    const lines: string[] = []
    const spy = vi.spyOn(console, method).mockImplementation((...values) => void lines.push(`${format(...values)}\n`))
    return { lines, spy }
  }
  const [log, error] = [collect('log'), collect('error')]
  try {
    const code = await main(args, { DATA_DIR: dataDir, ...settings })
    return { code, stdout: log.lines.join(''), stderr: error.lines.join('') }
  } finally {
    log.spy.mockRestore()
    error.spy.mockRestore()
  }
}

function runProcess(...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, toCommand(args), {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...compileCache, DATA_DIR: dataDir, NO_COLOR: '1', ...settings },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

describe('token', () => {
  test('create prints only the token to stdout; create and revoke take effect immediately', async () => {
    const project = await addProject(store)
    const made = await runProcess('token', 'create', '--project', project.id, '--scope', 'write', '--name', 'ci', '--days', '7')
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^opk_[\w-]{43}\n$/) })
    expect(made.stderr).toMatch(/^Created tok_[0-9a-f]{24} with scope write, valid until \d{4}-\d\d-\d\d\. Copy it now, .*:\n$/)
    const token = made.stdout.trim()
    expect(await store.tokens.check(token)).toMatchObject({
      kind: 'valid',
      token: { grant: { scope: 'write', projectId: project.id } },
    })
    const [stored] = await store.tokens.list()

    const listed = await run('token', 'list')
    expect(listed.stdout).toMatch(
      new RegExp(`^TOKEN .*\\n${stored?.id} +write +${project.id} +public +until \\d{4}-\\d\\d-\\d\\d +ci\\n$`),
    )
    expect(listed.stdout).not.toContain(token)

    expect(await runProcess('token', 'revoke', stored?.id ?? '')).toMatchObject({ code: 0, stdout: `Revoked ${stored?.id}\n` })
    expect(await store.tokens.check(token)).toEqual({ kind: 'revoked' })
    expect((await run('token', 'list')).stdout).toContain('revoked 20')
    expect(await run('token', 'revoke', stored?.id ?? '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no active token'),
    })
    expect((await store.audit.list()).map(({ actor, action }) => [actor, action])).toEqual([
      ['cli', 'token.revoke'],
      ['cli', 'token.create'],
    ])
  })

  test('creates an admin token without a project', async () => {
    const { stdout } = await run('token', 'create', '--scope', 'admin')
    expect(await store.tokens.check(stdout.trim())).toMatchObject({ kind: 'valid', token: { grant: { scope: 'admin' } } })
  })

  test('has an audience of the project', async () => {
    const project = await addProject(store)
    const audiences = [{ name: 'partners', groups: ['oidc:corp/partners'] }]
    await putSite(store, project, { 'index.html': 'one' }, { audiences })
    const create = (audience: string) => run('token', 'create', '--project', project.id, '--audience', audience)
    expect(await create('partner')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown value `partner` for --audience, expected `public` or `partners`'),
    })
    const { stdout } = await create('partners')
    expect(await store.tokens.check(stdout.trim())).toMatchObject({ kind: 'valid', token: { audience: 'partners' } })
    expect((await store.audit.list())[0]?.detail).toContain('for partners')
  })

  test.each([
    [['create'], 'missing --project'],
    [['create', '--scope', 'admin', '--audience', 'staff'], 'unknown value `staff` for --audience, expected `public`'],
    [['create', '--project', 'prj_none'], 'no project prj_none'],
    [['create', '--scope', 'admin', '--project', 'prj_none'], 'unexpected --project'],
    [['create', '--scope', 'root'], 'unexpected --scope'],
    [['create', '--scope', 'admin', '--days', '0'], 'unexpected --days'],
    [['create', '--scope', 'admin', '--days', '1e9'], 'unexpected --days'],
    [['revoke'], 'missing the token ID'],
    [['revoke', 'tok_one', 'tok_two'], 'unexpected argument tok_two for `token revoke`'],
    [['list', '--days', '7'], 'unexpected --days for `token list`'],
    [['revoke', '--name', 'ci'], 'unexpected --name for `token revoke`'],
    [['create', 'ci', '--scope', 'admin'], 'unexpected argument ci for `token create`'],
    [
      ['create', '--scpoe', 'admin'],
      'unknown option --scpoe for `token`\n  Did you mean `--scope`? See `openapi-pages-app token --help`.',
    ],
    [['create', '--scope'], 'missing value for --scope of `token`'],
    [['create', '-x'], 'unknown option -x for `token`\n  See `openapi-pages-app token --help`.'],
    [['remove'], 'unknown action remove'],
    [['toString'], 'unknown action toString'],
    [[], 'missing action for `token`'],
  ])('rejects %j and creates no token', async (args, message) => {
    expect(await run('token', ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(await store.tokens.list()).toEqual([])
  })
})

describe('project', () => {
  test('list and show print the projects of the running server', async () => {
    expect((await run('project', 'list')).stdout).toContain('No projects.')
    const project = await addProject(store, { owner: 'acme', repo: 'docs\u001b[2J' })
    const docs = await addProject(store, { owner: 'acme', repo: 'docs\u001b[2J', root: 'docs' })
    const { stdout } = await run('project', 'list')
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^PROJECT +REPOSITORY +SUBDOMAIN +STATE$/),
      expect.stringMatching(new RegExp(`^${project.id} +acme/docs\\\\u001b\\[2J +${project.subdomain} +on$`)),
      expect.stringMatching(new RegExp(`^${docs.id} .*\\(docs/\\) +${docs.subdomain} +on$`)),
      '',
    ])
    expect((await run('project', 'show', docs.id)).stdout).toMatch(/^root +docs$/m)
  })

  test('set changes the subdomain, disables and enables a project', async () => {
    const project = await addProject(store)
    const other = await addProject(store, { repositoryId: 2 })
    expect((await run('project', 'set', project.id, '--subdomain', 'pets', '--disable')).code).toBe(0)
    expect(await store.projects.find(project.id)).toEqual({ ...project, subdomain: 'pets', enabled: false })
    expect((await run('project', 'set', project.id, '--enable', '--site-access', 'public')).stdout).toMatch(
      /^siteAccess +public\nenabled +true$/m,
    )
    expect(await run('project', 'set', other.id, '--subdomain', 'pets')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another project already uses the subdomain pets'),
    })
  })

  test.each([
    [['set', 'prj_none', '--enable'], 'no project prj_none'],
    [['show', 'prj_none'], 'no project prj_none'],
    [['show'], 'missing the project ID'],
    [['set', 'prj_none'], 'nothing to set'],
    [['set', 'prj_none', '--subdomain', 'Not_a_label'], 'expected a DNS label'],
    [['set', 'prj_none', '--enable', '--disable'], 'unexpected --enable with --disable'],
    [['set', 'prj_none', '--site-access', 'all'], 'expected repository or public'],
    [['set', 'prj_none', '--enable=no'], 'unexpected value for --enable of `project`'],
    [['show', 'prj_none', '--disable'], 'unexpected --disable for `project show`'],
    [['list', 'prj_none'], 'unexpected argument prj_none for `project list`'],
    [['delete', 'prj_none'], 'unknown action delete'],
  ])('rejects %j', async (args, message) => {
    expect(await run('project', ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('deleted projects', () => {
  test('can be listed and restored', async () => {
    const project = await addProject(store, { owner: 'acme', repo: 'api' })
    expect((await run('project', 'list', '--deleted')).stdout).toBe('No projects were deleted in the last 30 days.\n')
    await store.projects.apply([{ kind: 'delete-repository', repositoryId: project.repositoryId }])
    expect((await run('project', 'list')).stdout).not.toContain(project.id)
    expect((await run('project', 'list', '--deleted')).stdout).toMatch(new RegExp(`${project.id} +acme/api +acme-api +2\\d{3}-`))
    expect(await run('project', 'restore', project.id)).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored') })
    expect(await store.projects.find(project.id)).toMatchObject({ id: project.id, private: true })
    expect(await run('project', 'restore', project.id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no deleted project'),
    })
  })
})

describe('reconcile', () => {
  test('shows the differences with --dry-run and corrects them without it', async () => {
    const github = await startFakeGitHub()
    onTestFinished(() => github.close())
    settings = toAppSettings(github)
    const repository = github.createRepository('acme/api', { files: { 'openapi.yaml': 'openapi: 3.1.0\n' } })
    const installationId = repository.installation?.id ?? 0
    const project = await addProject(store, { installationId, repositoryId: repository.id, owner: 'acme', repo: 'api' })
    repository.private = true
    const planned = await run('reconcile', '--dry-run')
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(planned.stdout).toMatch(/^make private +acme\/api +the repository is private$/m)
    expect(planned.stdout).toContain('1 installation and 1 repository: 2 differences, nothing changed (--dry-run)')
    expect(await store.projects.find(project.id)).toMatchObject({ private: false })
    const made = await run('reconcile')
    expect(made.stdout).toMatch(
      /^queued an update +acme\/api +acme\/api: main is at [0-9a-f]{7}, which has no update, or no site$/m,
    )
    expect(made.stdout).toContain('2 differences corrected')
    expect(await store.projects.find(project.id)).toMatchObject({ private: true })
    expect((await store.statuses.list(project.id))?.updates).toMatchObject([{ update: { source: 'internal' } }])
    expect((await run('reconcile')).stdout).toBe('Compared 1 installation and 1 repository: no differences\n')
    github.fault({ route: 'GET /installation/repositories', status: 404 })
    const failed = await run('reconcile')
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot compare acme') })
    github.assertNoUnexpectedRequests()
  })

  test('reports that no GitHub App is set up', async () => {
    expect(await run('reconcile')).toMatchObject({ code: 2, stderr: expect.stringContaining('no GitHub App yet') })
  })
})

test('inspect prints what GitHub refuses, also as JSON', async () => {
  const project = await addProject(store)
  await store.accept({ updates: [newPush(store, project, { now: Date.now })] })
  const job = await claimNext(store, 'w', 60_000)
  const refusal = { reason: '403 \u001b[2JNo', refusal: 'forbidden' }
  if (job) await store.queue.retry(job.lease, refusal)
  const { code, stdout } = await run('inspect')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 run of \S+ +\S+Z +403 \\u001b\[2JNo$/m)])
  expect(stdout).toContain('Unknown: the key of the GitHub App is missing here')
  const sections: unknown = JSON.parse((await run('inspect', '--format', 'json')).stdout)
  const item = expect.objectContaining({ reason: 'forbidden', count: 1, projectId: project.id })
  expect(sections).toContainEqual(expect.objectContaining({ id: 'refused', items: [item] }))
  const wrong = expect.stringContaining('unexpected --format xml, expected text or json')
  expect(await run('inspect', '--format=xml')).toMatchObject({ code: 2, stderr: wrong })
})

describe('backup', () => {
  test('copies an open store, and the copy contains the same data', async () => {
    const project = await addProject(store)
    const push = newPush(store, project, { now: Date.now })
    const id = toCreatedId(await store.accept({ delivery: { id: 'd1', event: 'push' }, updates: [push] }))
    const target = join(folder, 'backup')
    expect((await runProcess('backup', target)).code).toBe(0)
    expect(readdirSync(target)).toEqual([databaseFileName])
    expect(statSync(target).mode & 0o777).toBe(0o700)
    expect(statSync(join(target, databaseFileName)).mode & 0o777).toBe(0o600)
    const restored = await openSqliteStore({ path: join(target, databaseFileName) })
    expect(await restored.statuses.find(id)).toEqual(await store.statuses.find(id))
    expect(await restored.projects.list()).toEqual(await store.projects.list())
    expect(await restored.deliveries.findMissing(['d1'])).toEqual([])
    expect(await claimNext(restored)).toMatchObject({ kind: 'run', lease: { jobId: id } })
    await restored.close()
  })

  test('`--mark-restored --revoke-all` revokes every token, link and session', async () => {
    const { id: projectId } = await addProject(store)
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const tokens = [
      await store.tokens.create({ grant: { scope: 'admin' }, name: 'a', expiresAt }, 'cli'),
      await store.tokens.create({ grant: { scope: 'read', projectId }, name: 'b', expiresAt }, 'cli'),
    ]
    await store.tokens.revoke(tokens[1]?.stored.id ?? '', 'cli')
    const place = { host: 'pets.example.com', projectId }
    const link = await store.tokens.create({ grant: { scope: 'link', ...place }, name: 'c', expiresAt }, 'github:octocat')
    expect(await store.tokens.checkLink(link?.token ?? '', place)).toEqual(link?.stored)
    const octocat = { userId: 7, login: 'octocat', issuer: 'github', subject: '7', groups: [] }
    await store.sessions.create('session', { ...octocat, sealedTokens: 'sealed', expiresAt })
    const sessionId = (await store.sessions.find('session'))?.id ?? ''
    await store.passes.createCode('code', { ...place, sessionId, challenge: 'c', expiresAt, passExpiresAt: expiresAt })
    await store.passes.redeem('code', { host: place.host, challenge: 'c', secret: 'pass' })

    expect(await run('backup', '--mark-restored')).toMatchObject({ code: 0, stdout: expect.stringContaining('add --revoke-all') })
    expect((await store.tokens.check(tokens[0]?.token ?? '')).kind).toBe('valid')
    expect(await store.passes.check('pass', place)).toEqual({ userId: 7, groups: [] })

    expect(await run('backup', '--mark-restored', '--revoke-all')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Revoked 2 tokens and links and 1 session'),
    })
    expect((await store.tokens.check(tokens[0]?.token ?? '')).kind).toBe('revoked')
    expect(await store.tokens.checkLink(link?.token ?? '', place)).toBeUndefined()
    expect(await store.sessions.find('session')).toBeUndefined()
    expect(await store.passes.check('pass', place)).toBeUndefined()
    expect(await store.notes.read('backup-of')).toBeDefined()
    expect((await store.audit.list(1))[0]).toMatchObject({ actor: 'cli', action: 'access.revoke-all' })
    expect(await run('backup', '--revoke-all')).toMatchObject({ code: 2, stderr: expect.stringContaining('--mark-restored') })
  })

  test('never overwrites files', async () => {
    const target = join(folder, 'file')
    writeFileSync(target, 'mine')
    expect(await run('backup', target)).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })
    expect(await run('backup')).toMatchObject({ code: 2, stderr: expect.stringContaining('missing the target directory') })
  })

  test('explains in one line why it cannot create the directory', async () => {
    writeFileSync(join(folder, 'file'), 'mine')
    expect(await run('backup', 'file/today')).toEqual({
      code: 2,
      stdout: '',
      stderr: `openapi-pages: cannot create file/today: not a directory\n  Name a directory that this user can create, such as ${join(dataDir, 'backups', 'today')}\n`,
    })
    mkdirSync(join(dataDir, 'link.key'))
    expect((await run('backup', 'backups/today')).stderr).toMatch(
      /^openapi-pages: cannot use [^\n]*link\.key: it is not a regular file\n {2}Replace it with a regular file\n$/,
    )
    expect(readdirSync(folder)).toEqual(['data', 'file'])
  })

  test('leaves no directory behind if it fails', async () => {
    const target = join(folder, 'backups', 'today')
    dataDir = join(folder, 'nowhere')
    for (const _ of ['first', 'again']) {
      expect(await run('backup', target)).toMatchObject({ code: 2, stderr: expect.stringContaining('no database') })
    }
    dataDir = join(folder, 'data')
    expect(await run('backup', target, 'tomorrow')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unexpected argument tomorrow for `backup`'),
    })
    expect(readdirSync(folder)).toEqual(['data'])
    expect((await run('backup', target)).code).toBe(0)
  })
})

test.each([
  ['serve', 'docs', 'unexpected argument docs for `serve`\n  See `openapi-pages-app serve --help`.'],
  ['reconcile', 'now', 'unexpected argument now for `reconcile`'],
  ['serve', '--port=1', 'unknown option --port for `serve`'],
  ['reconcile', '\u001b[2J', 'unexpected argument \\u001b[2J for `reconcile`'],
])('rejects %s %j', async (command, argument, message) => {
  expect(await run(command, argument)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
})

test('reports a missing database and creates none', async () => {
  dataDir = join(folder, 'nowhere')
  expect(await run('token', 'list')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`no database at ${dataDir}`),
  })
  expect(readdirSync(folder)).toEqual(['data'])
  dataDir = join(folder, 'data')
})

test('`serve` stops if it cannot write the setup URL', async () => {
  mkdirSync(join(dataDir, 'setup-url.txt'))
  const { code, stderr } = await runProcess('serve')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^openapi-pages: cannot remove \S+setup-url\.txt: [^\n]+\n$/)])
})

test('`serve` stops if another server uses the data directory', async () => {
  const path = join(dataDir, databaseFileName)
  const other = await openSqliteStore({ path, isServer: true })
  const message = `openapi-pages: cannot open the store ${path}.server: another process uses it\n`
  expect(await runProcess('serve')).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  await other.close()
  await (await openSqliteStore({ path, isServer: true })).close()
})

test('reports that the data directory is a file', async () => {
  dataDir = join(folder, 'file')
  writeFileSync(dataDir, 'mine')
  expect(await runProcess('serve')).toEqual({
    code: 2,
    stdout: '',
    stderr: `openapi-pages: cannot create ${dataDir}: file already exists\n  Use a directory\n`,
  })
  expect(readFileSync(dataDir, 'utf8')).toBe('mine')
  dataDir = join(folder, 'data')
})
