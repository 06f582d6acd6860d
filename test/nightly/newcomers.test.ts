import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type PackedPackage, packPackages } from '../../scripts/pack.ts'
import { installCommand } from '../../src/docs/config/config-files.ts'
import { askSite } from '../app/support/sites.ts'
import { projectFolder } from '../support/action-harness.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { toInstallationEvent } from '../support/fake-github/payloads.ts'
import { git } from '../support/git-remote.ts'
import { makeNewcomer, type Newcomer, prepareTree } from '../support/newcomer.ts'
import { readBlocks } from '../support/read-blocks.ts'
import { readTree } from '../support/read-tree.ts'
import { readWorkflow, runWorkflow } from '../support/run-workflow.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// Newcomers: the commands of the documentation as printed, with the packages made here. CONTRIBUTING.md describes how to choose another
// repository, and a bare Debian tree.

const sample = join(projectFolder, 'test/fixtures/newcomers/adopting')
const { OPENAPI_PAGES_NEWCOMER_REPOSITORY: publicRepository, OPENAPI_PAGES_NEWCOMER_TREE: bareTree } = process.env
const tree = bareTree === undefined ? undefined : prepareTree(bareTree)

let release = ''
let packages: readonly PackedPackage[] = []
beforeAll(() => {
  release = mkdtempSync(join(tmpdir(), 'openapi-pages-release-'))
  packages = packPackages(release)
})
afterAll(() => rmSync(release, { recursive: true, force: true, maxRetries: 3 }))

const timeout = 600_000

interface RepositoryOptions {
  /** The name on GitHub, and of the clone. Default: `acme/docs`, in `repository`. */
  readonly name?: string
  /** Default: a new one. */
  readonly on?: FakeGitHub
}

/** A repository on a fake GitHub with the files of a folder, and a clone of the newcomer, who may push. */
async function cloneFromGitHub(newcomer: Newcomer, files: string, { name, on }: RepositoryOptions = {}) {
  const folder = makeTemporaryFolder()
  const [bare, source] = [join(folder, 'remote.git'), join(folder, 'source')]
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
  cpSync(files, source, { recursive: true, filter: (path) => path !== join(files, '.git') })
  git(source, 'init', '--quiet')
  git(source, 'add', '--all')
  git(source, 'commit', '--quiet', '--message=First')
  git(source, 'push', '--quiet', bare, 'HEAD:refs/heads/main')
  const github = on ?? (await startFakeGitHub())
  if (!on) onTestFinished(() => github.close())
  const repository = github.createRepository(name ?? 'acme/docs', { bare, private: name !== undefined })
  const url = new URL(github.url)
  Object.assign(url, { username: 'pat', password: github.createJobToken(repository, { contents: 'write' }, 'pat') })
  const to = name === undefined ? 'repository' : repository.name
  // The remote is on GitHub as far as the commands can see.
  await newcomer.run(
    `git clone --quiet --config url.${url}.insteadOf=https://github.com/ https://github.com/${repository.fullName}.git ${to}`,
  )
  return {
    github,
    repository,
    clone: join(newcomer.home, to),
    tip: () => git(bare, 'rev-parse', 'main'),
    /** The files that the newest commit changes. */
    changedFiles: () => git(bare, 'diff', '--name-only', 'main^', 'main').split('\n'),
    /** Runs the workflow of the pushed commit, as GitHub does. */
    runWorkflow: async (path: string, more: Pick<Parameters<typeof runWorkflow>[1], 'secrets' | 'variables'> = {}) => {
      const sha = git(bare, 'rev-parse', 'main')
      const workflow = readWorkflow(git(bare, 'show', `main:${path}`))
      const payload = { ref: 'refs/heads/main', repository: { full_name: repository.fullName, default_branch: 'main' } }
      const runner = { github, repository, folder, event: { name: 'push', ref: 'refs/heads/main', sha, payload }, ...more }
      const [job] = await newcomer.step(`GitHub runs ${path}`, () => runWorkflow(workflow, runner))
      return job
    },
  }
}

test('adopts the pages of a repository with a docs.json', { timeout }, async () => {
  const isPublic = publicRepository !== undefined
  const newcomer = makeNewcomer({ packages, tree })
  const page = 'docs/adopting.md'
  const [setUp = '', check = '', push = '', ...others] = readBlocks('Set up a repository', 'sh', page)
  expect(others).toEqual([])
  const { clone, tip, changedFiles, runWorkflow } = await cloneFromGitHub(newcomer, publicRepository ?? sample)
  const status = () => git(clone, 'status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean)

  // Without a terminal, `init` prints the command that writes its plan.
  const plan = await newcomer.runAll(setUp, clone)
  expect(status()).toEqual([])
  const init = /run `(openapi-pages init --yes)`/.exec(plan)?.[1] ?? ''
  await newcomer.run(init, clone)
  await newcomer.run(/`(openapi-pages init --undo)`/.exec(readFileSync(join(projectFolder, page), 'utf8'))?.[1] ?? '', clone)
  expect(status()).toEqual([])
  await newcomer.run(init, clone)
  const lockFile =
    status()
      .find((line) => line.endsWith('openapi-pages.lock.json'))
      ?.slice('?? '.length) ?? ''
  const directory = dirname(lockFile)
  const workflows = ['api-check.yml', 'api-pages.yml'].map((name) => `?? .github/workflows/${name}`)
  expect(status().sort()).toEqual([...workflows, `?? ${join(directory, 'openapi-pages.config.yaml')}`, `?? ${lockFile}`].sort())

  // Public documents may have errors.
  const output = await newcomer.runAll(check.replaceAll(/ docs$/gm, ` ${directory}`), clone, isPublic ? [0, 1] : [0])
  if (!isPublic) expect(output).toContain('✔ 4 pages up to date\n')
  expect(status().length).toBe(4)
  await newcomer.runAll(push, clone)
  const first = await runWorkflow('.github/workflows/api-pages.yml')
  expect(first?.runs[0]?.outputs).toMatchObject({ committed: 'false', 'pages-added': '0', 'pages-removed': '0' })

  // The newcomer adds an operation beside one that has a page.
  const lock: { pages: { [path: string]: { document: string; operation: string } } } = JSON.parse(
    readFileSync(join(clone, lockFile), 'utf8'),
  )
  const [{ document, operation } = { document: '', operation: '' }] = Object.values(lock.pages)
  const path = join(clone, directory, document)
  const [method = '', at = ''] = operation.split(' ')
  const description = parse(readFileSync(path, 'utf8'))
  const { tags } = description.paths[at][method.toLowerCase()]
  description.paths['/newcomers'] = {
    get: { ...(tags && { tags }), summary: 'List newcomers', responses: { 200: { description: 'All of them' } } },
  }
  writeFileSync(path, `${JSON.stringify(description, undefined, 2)}\n`)
  await newcomer.runAll(push, clone)
  const pushed = tip()
  const second = await runWorkflow('.github/workflows/api-pages.yml')
  const outputs = second?.runs[0]?.outputs
  console.log(`          pages added: ${outputs?.['pages-added']}, errors in documents: ${outputs?.['error-count']}`)
  if (isPublic && outputs?.['committed'] === 'false') return
  expect(second).toMatchObject({ failed: false, runs: [{ outputs: { committed: 'true', 'pages-added': '1' } }] })
  expect(tip()).not.toBe(pushed)
  expect(changedFiles()).toEqual(expect.arrayContaining([lockFile, expect.stringMatching(/list-?newcomers\.mdx?$/i)]))
  if (!isPublic) {
    expect(changedFiles()).toEqual(['docs/api-reference/endpoint/list-newcomers.mdx', 'docs/docs.json', lockFile])
    expect(await newcomer.run('git pull --quiet && cat docs/api-reference/endpoint/list-newcomers.mdx', clone)).toBe(
      "---\ntitle: 'List newcomers'\nopenapi: 'GET /newcomers'\n---\n",
    )
  }
})

test('keeps docs in another repository up to date', { timeout }, async () => {
  const newcomer = makeNewcomer({ packages, tree })
  const page = readFileSync(join(projectFolder, 'docs/action.md'), 'utf8')
  const petstore = join(projectFolder, 'examples/petstore')
  const document = readFileSync(join(petstore, 'openapi.yaml'), 'utf8')
  const docsConfig = readFileSync(join(petstore, 'docs.json'), 'utf8')
  // The docs have two documents, and none has the name of the other repository's.
  const both = docsConfig.replace('"openapi": "openapi.yaml"', '"openapi": ["openapi/pets.yaml", "openapi/users.yaml"]')
  expect(both).not.toBe(docsConfig)
  const users = "openapi: 3.1.0\ninfo: { title: Users, version: '1' }\npaths: {}\n"
  const files = { 'docs.json': both, 'openapi/pets.yaml': document, 'openapi/users.yaml': users }
  const docs = await cloneFromGitHub(newcomer, makeTemporaryFolder(files), { name: 'acme/docs' })
  const { github } = docs
  const api = await cloneFromGitHub(newcomer, makeTemporaryFolder({ 'openapi.yaml': document }), { name: 'acme/api', on: github })

  // 1. The workflow of the repository with the document, and a GitHub App.
  const workflow = '.github/workflows/update-docs-repository.yml'
  expect(page).toContain(`Copy [\`update-docs-repository.yml\`](`)
  const text = readFileSync(join(projectFolder, 'examples/workflows/update-docs-repository.yml'), 'utf8')
  mkdirSync(join(api.clone, '.github/workflows'), { recursive: true })
  const push = 'git add --all && git commit --quiet --message="Update the docs" && git push --quiet'
  const app = { secrets: { DOCS_APP_PRIVATE_KEY: 'key' }, variables: { DOCS_APP_CLIENT_ID: 'id' } }
  writeFileSync(join(api.clone, workflow), text)
  await newcomer.run(push, api.clone)
  const first = await api.runWorkflow(workflow, app)
  const [, hint = ''] = /Name the file in the input `([\w-]+)`/.exec(first?.runs[0]?.summary ?? '') ?? []
  expect([first?.failed, hint]).toEqual([true, 'document-path'])

  // 2. The advice of the error.
  writeFileSync(join(api.clone, workflow), text.replace(/^( +)docs-repository: .*$/m, `$&\n$1${hint}: openapi/pets.yaml`))
  await newcomer.run(push, api.clone)
  const second = await api.runWorkflow(workflow, app)
  expect(second).toMatchObject({ failed: false, runs: [{ outputs: { operation: 'pull-request-created', 'pages-added': '8' } }] })
  const [pull] = docs.repository.pullRequests
  expect(pull).toMatchObject({ base: 'main', head: 'openapi-pages/from/acme/api/main', state: 'open' })

  // 3. A change of the API, and a merge.
  writeFileSync(join(api.clone, 'openapi.yaml'), document.replace('summary: List pets', 'summary: List all pets'))
  await newcomer.run(push, api.clone)
  expect(await api.runWorkflow(workflow, app)).toMatchObject({
    failed: false,
    runs: [{ outputs: { operation: 'pull-request-updated' } }],
  })
  const { barePath = '' } = docs.repository
  git(barePath, 'update-ref', 'refs/heads/main', `refs/heads/${pull?.head}`)
  if (pull) Object.assign(pull, { state: 'closed', isMerged: true })
  docs.repository.deleteBranch(pull?.head ?? '')
  expect(await api.runWorkflow(workflow, app)).toMatchObject({ failed: false, runs: [{ outputs: { operation: 'none' } }] })

  // 4. The other direction, on the machine of the newcomer.
  const section = 'Follow a document of another repository'
  const [sources = ''] = readBlocks(section, 'yaml', 'docs/action.md')
  const [update = '', ...others] = readBlocks(section, 'sh', 'docs/action.md')
  expect([others, sources]).toEqual([[], expect.stringContaining('repository: acme/api')])
  await newcomer.run('git pull --quiet', docs.clone)
  writeFileSync(join(docs.clone, 'openapi-pages.config.yaml'), sources)
  await newcomer.run(installCommand)
  const command = `GITHUB_SERVER_URL=${github.url} ${update.trim()}`
  expect(await newcomer.run(command, docs.clone, [2])).toContain('Set GITHUB_TOKEN: it needs `Contents: read` in acme/api')
  const token = github.createJobToken(api.repository, { contents: 'read' }, 'pat')
  expect(await newcomer.run(`GITHUB_TOKEN=${token} ${command}`, docs.clone)).toContain('✔ 8 pages up to date\n')
  writeFileSync(join(api.clone, 'openapi.yaml'), document)
  await newcomer.run(push, api.clone)
  expect(await newcomer.run(`GITHUB_TOKEN=${token} ${command}`, docs.clone)).toContain('  ~ openapi/pets.yaml')
  expect(readFileSync(join(docs.clone, 'openapi/pets.yaml'), 'utf8')).toBe(document)
  github.assertNoUnexpectedRequests()
})

test('publishes a website of an openapi.yaml', { timeout }, async () => {
  const newcomer = makeNewcomer({ packages, tree, env: { PORT: '0' } })
  const folder = makeTemporaryFolder()
  cpSync(join(projectFolder, 'examples/petstore/openapi.yaml'), join(folder, 'openapi.yaml'))
  const { clone, tip } = await cloneFromGitHub(newcomer, folder)
  const guide = 'docs/start-api-team.md'
  const [install = ''] = readBlocks('Install', 'sh', guide)
  expect(await newcomer.runAll(install, clone)).toContain('✔ openapi.yaml is valid')

  const [use = '', ...others] = readBlocks('Turn an OpenAPI document into a website', 'sh')
  expect(others).toEqual([])
  const commands = use.trim().split('\n')
  const preview = newcomer.start(commands.pop() ?? '', clone)
  await newcomer.runAll(commands.join('\n'), clone)
  const url = await newcomer.step('the preview has started', async () => {
    await expect.poll(preview.output).toMatch(/http:\/\/localhost:\d+\//)
    return /http:\/\/localhost:\d+\//.exec(preview.output())?.[0] ?? ''
  })
  for (const page of [await (await fetch(url)).text(), readFileSync(join(clone, 'site/index.html'), 'utf8')])
    expect(page).toContain('<title>Petstore')
  await preview.stop()

  // Publish it on GitHub Pages, with the commands that `init` prints.
  const [init = ''] = readBlocks('Set up a repository', 'sh', guide)
  const plan = await newcomer.runAll(init, clone)
  const result = await newcomer.run(/run `(openapi-pages init --yes)`/.exec(plan)?.[1] ?? '', clone)
  const before = tip()
  await newcomer.runAll(`${/^ {2}(git add .+?) {3}/m.exec(result)?.[1]}\ngit push --quiet`, clone)
  const files = ['api-check.yml', 'github-pages.yml'].map((name) => `.github/workflows/${name}`)
  const changed = git(clone, 'diff', '--name-only', before, tip()).split('\n')
  expect(changed).toEqual([...files, 'docs.json', 'openapi-pages.config.yaml'])
  const { steps } = readWorkflow(git(clone, 'show', `HEAD:${files[1]}`)).jobs['build'] ?? { steps: [] }
  await newcomer.run('git clone --quiet repository runner')
  const runner = join(newcomer.home, 'runner')
  for (const { run } of steps) if (run !== undefined) await newcomer.run(`BASE_URL=https://acme.example/docs; ${run}`, runner)
  expect(steps.at(-1)).toMatchObject({ uses: expect.stringContaining('upload-pages-artifact'), with: { path: 'site' } })
  const built = readFileSync(join(runner, 'site/api-reference/pets/list-pets/index.html'), 'utf8')
  expect(built).toContain('https://acme.example/docs/api-reference/pets/list-pets')
})

/** A job of a GitLab pipeline, as far as these tests run it. */
interface GitlabJob {
  readonly variables: Readonly<Record<string, string>>
  readonly before_script: readonly string[]
  readonly script: readonly string[]
  readonly artifacts?: { readonly reports?: Readonly<Record<string, string>>; readonly paths?: readonly string[] }
}

test('runs the jobs for GitLab in a repository with only an openapi.yaml', { timeout }, async () => {
  const newcomer = makeNewcomer({ packages, tree })
  const bare = join(newcomer.home, 'remote.git')
  const document = readFileSync(join(projectFolder, 'examples/petstore/openapi.yaml'), 'utf8')
  git(newcomer.home, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
  await newcomer.run(
    `git clone --quiet --config url.${newcomer.inside(bare)}.insteadOf=git@gitlab.com:acme/api.git git@gitlab.com:acme/api.git clone 2>&1`,
  )
  const clone = join(newcomer.home, 'clone')
  writeFileSync(join(clone, 'openapi.yaml'), document)
  await newcomer.run(
    "git checkout --quiet -b main && git add --all && git commit --quiet --message='First' && git push --quiet origin main",
    clone,
  )
  /** Runs a job of a file in a fresh checkout, as a runner does, and returns the checkout. */
  const runJob = async (path: string, name: string, { codes = [0], more = {} }: { codes?: number[]; more?: object } = {}) => {
    const jobs: { readonly [name: string]: GitlabJob } = parse(readFileSync(path, 'utf8'))
    const job = jobs[name]
    if (!job) throw new Error(`${path} has no job ${name}`)
    const checkout = join(newcomer.home, `job-${jobCount++}`)
    await newcomer.run(`git clone --quiet ${newcomer.inside(bare)} ${newcomer.inside(checkout)}`)
    const variables = {
      CI_COMMIT_BRANCH: 'main',
      CI_PROJECT_DIR: newcomer.inside(checkout),
      CI_SERVER_HOST: 'gitlab.com',
      CI_PROJECT_PATH: 'acme/api',
      CI_PAGES_URL: 'https://acme.gitlab.io/api',
      ...job.variables,
      ...more,
    }
    const settings = Object.entries(variables).map(([key, value]) => `export ${key}='${value}'`)
    const block = [...settings, ...job.before_script, ...job.script].join('\n')
    const output = await newcomer.step(`GitLab runs ${name}`, async () => await newcomer.runQuietly(block, checkout, codes))
    return { checkout, output, job }
  }
  let jobCount = 0
  const example = join(projectFolder, 'examples/ci/gitlab.yml')
  const good = await runJob(example, 'openapi-pages')
  for (const report of Object.values(good.job.artifacts?.reports ?? {}))
    expect(existsSync(join(good.checkout, report))).toBe(true)
  const commit = await runJob(example, 'openapi-pages-commit', { more: { OPENAPI_PAGES_TOKEN: 'x' } })
  expect(commit.output).toContain('Nothing to commit: there is no docs.json, so no pages are generated')

  // A merge request with an error.
  writeFileSync(join(clone, 'openapi.yaml'), document.replace('summary: List pets', 'sumary: List pets'))
  await newcomer.run("git commit --quiet --all --message='Change' && git push --quiet origin HEAD", clone)
  const wrong = await runJob(example, 'openapi-pages', { codes: [1] })
  expect(JSON.parse(readFileSync(join(wrong.checkout, 'gl-code-quality-report.json'), 'utf8'))).toMatchObject([
    { check_name: 'unknown-field', location: { path: 'openapi.yaml' } },
  ])
  writeFileSync(join(clone, 'openapi.yaml'), document)
  await newcomer.run("git commit --quiet --all --message='Fix'", clone)
})

test('checks each commit with pre-commit', { timeout }, async () => {
  const newcomer = makeNewcomer({ packages, tree })
  const [{ id } = {}] = parse(readFileSync(join(projectFolder, 'examples/ci/pre-commit-config.yaml'), 'utf8')).repos[0].hooks
  const hooks: { id: string; entry: string }[] = parse(readFileSync(join(projectFolder, '.pre-commit-hooks.yaml'), 'utf8'))
  const hook = hooks.find((each) => each.id === id)
  // What pre-commit does for a hook in `node`: it installs the repository, and runs the entry.
  await newcomer.run(installCommand)
  const folder = join(newcomer.home, 'api')
  await newcomer.run('git init --quiet api')
  const document = readFileSync(join(projectFolder, 'examples/petstore/openapi.yaml'), 'utf8')
  writeFileSync(join(folder, '.git/hooks/pre-commit'), `#!/bin/sh\nexec ${hook?.entry}\n`, { mode: 0o755 })
  writeFileSync(join(folder, 'pets.yaml'), document.replace('summary: List pets', 'sumary: List pets'))
  const refused = await newcomer.run("git add --all && git commit --quiet --message='First'", folder, [1])
  expect(refused).toContain('hint: Did you mean `summary`?')
  // The hint, followed with the command that applies it.
  const shown = await newcomer.run('openapi-pages check --fix', folder, [1])
  await newcomer.run(`openapi-pages check --fix ${/add (--allow-dirty)/.exec(shown)?.[1]}`, folder)
  await newcomer.run("git add --all && git commit --quiet --message='First'", folder)
})

test('proposes pages if a rule protects the branch', { timeout }, async () => {
  const newcomer = makeNewcomer({ packages, tree })
  const folder = makeTemporaryFolder()
  for (const name of ['docs.json', 'openapi.yaml']) cpSync(join(projectFolder, 'examples/petstore', name), join(folder, name))
  const { clone, github, repository, tip, runWorkflow: run } = await cloneFromGitHub(newcomer, folder)
  await newcomer.run(installCommand)
  const result = await newcomer.run('openapi-pages init --yes', clone)
  await newcomer.runAll(`${/^ {2}(git add .+?) {3}/m.exec(result)?.[1]}\ngit push --quiet`, clone)
  const before = tip()
  repository.rules.set('main', { kind: 'ruleset', reason: 'Changes must be made through a pull request.' })
  // By default, workflows may not open pull requests. The setting that `init` and the message name allows it.
  const setting = 'Allow GitHub Actions to create and approve pull requests'
  expect(result).toContain(setting)
  const body = { message: 'GitHub Actions is not permitted to create or approve pull requests.' }
  github.fault({ route: 'POST /repos/{owner}/{repo}/pulls', status: 403, body })
  const refused = await run('.github/workflows/api-pages.yml')
  expect([refused?.failed, refused?.runs[0]?.text]).toEqual([true, expect.anything()])
  expect(refused?.runs[0]?.summary).toContain(setting)
  const proposed = await run('.github/workflows/api-pages.yml')
  expect(proposed).toMatchObject({
    failed: false,
    runs: [{ outputs: { operation: 'pull-request-created', 'pages-added': '8' } }],
  })
  expect([tip(), repository.pullRequests.length]).toEqual([before, 1])
})

test('hosts the app', { timeout }, async () => {
  const baseUrl = 'https://pages.example.com'
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const reserved = createServer().listen(0, '127.0.0.1')
  await once(reserved, 'listening')
  // A server that listens on a port returns its address as an object. Strings are for pipes.
  const { port } = reserved.address() as AddressInfo
  reserved.close()
  const address = `http://127.0.0.1:${port}`
  const env = { GITHUB_URL: github.url, PORT: String(port), CHROMIUM_PATH: 'off' }
  const newcomer = makeNewcomer({ packages, tree, env })
  const guide = 'docs/start-platform-team.md'
  const waitFor = (title: string, poll: () => unknown, expected: unknown) =>
    newcomer.step(title, () => expect.poll(poll).toEqual(expected))

  // 1. Install, start, and start again with a public URL. The README names `serve`, which is the default command.
  const [first = '', second = '', ...others] = readBlocks('1. Start the app', 'sh', guide)
  const [inReadme = '', ...more] = readBlocks('Host the app', 'sh')
  const serve = inReadme.trim().split('\n')
  expect([others, more, first]).toEqual([[], [], `${installCommand}\n${inReadme.replace(' serve', '')}`])
  await newcomer.run(installCommand)
  const unreachable = newcomer.start(serve.join('\n'))
  await waitFor(`$ ${serve.join('\n')}`, unreachable.output, expect.stringContaining('sites     '))
  expect(unreachable.output()).toContain('setup-url.txt')
  await unreachable.stop()
  const app = newcomer.start(second)
  await waitFor(`$ ${second.trim()}`, app.output, expect.stringContaining('setup-url.txt'))

  // 2. The setup page. The proxy forwards its hostname to the app.
  const [show = '', ...rest] = readBlocks('2. Create the GitHub App', 'sh', guide)
  expect(rest).toEqual([])
  const setup = new URL((await newcomer.runAll(show)).trim())
  expect(setup.origin).toBe(baseUrl)
  const open = (path: string, host = setup.host) => askSite(address, host, path, { headers: { Accept: 'text/html' } })
  const { text } = await open(setup.pathname + setup.search)
  const decode = (value = '') => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const state = new URL(decode(/<form method="post" action="([^"]+)"/.exec(text)?.[1])).searchParams.get('state')
  const manifest: { hook_attributes: { url: string } } = JSON.parse(decode(/name="manifest" value="([^"]+)"/.exec(text)?.[1]))
  const created = await open(`/setup/created?code=${github.confirmManifest(manifest)}&state=${state}`)
  expect([created.status, existsSync(join(newcomer.home, 'data/setup-url.txt'))]).toEqual([200, false])
  expect(github.webhookUrl).toBe(`${baseUrl}/api/github/webhooks`)
  github.webhookUrl = `${address}/api/github/webhooks`

  // Install the app on a repository, whose default branch is checked at once.
  const repository = github.createRepository('acme/docs', { files: readTree(join(projectFolder, 'examples/petstore')) })
  if (!repository.installation) throw new Error('Not installed')
  await github.deliver('installation', toInstallationEvent(github, repository.installation, 'created'))
  const conclusions = () => repository.checkRuns.map(({ conclusion }) => conclusion)
  await waitFor('the app is installed, and checks the repository', conclusions, ['success'])

  // 3. Push.
  await repository.push({ files: { 'new.mdx': '---\ntitle: New page\n---\n' } })
  await waitFor('a push is checked', conclusions, ['success', 'success'])
  const site = await open('/new/', 'acme-docs.sites.example.com')
  expect([site.status, site.text]).toEqual([200, expect.stringContaining('<title>New page')])

  // 4. A backup, while the app runs.
  const [backUp = ''] = readBlocks('4. Before others use it', 'sh', guide)
  expect(await newcomer.runAll(backUp)).toBe('Backed up openapi-pages.sqlite, github-app.json, link.key to backups/first\n')
  const readKeys = (path: string) => readFileSync(join(newcomer.home, path, 'github-app.json'), 'utf8')
  expect(readKeys('backups/first')).toBe(readKeys('data'))
  github.assertNoUnexpectedRequests()
})
