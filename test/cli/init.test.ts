import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectFolder, readActionFile } from '../support/action-harness.ts'
import { answerQuestions } from '../support/answer-questions.ts'
import { readTree } from '../support/read-tree.ts'
import { readWorkflow } from '../support/run-workflow.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = readFileSync(join(projectFolder, 'examples/petstore/openapi.yaml'), 'utf8')
const shops = document.replace('title: Petstore', 'title: Shops')
const docsConfig = JSON.stringify({ name: 'Pets', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } }, undefined, 2)
const recordFiles = ['.openapi-pages-cache/.gitignore', '.openapi-pages-cache/init.json']
const checkWorkflow = '.github/workflows/api-check.yml'

/** A repository with one commit of these files, whose remote is on GitHub. */
function makeRepository(
  files: Readonly<Record<string, string>>,
  { branch = 'main', remote = 'git@github.com:acme/docs.git' }: { branch?: string; remote?: string | null } = {},
): string {
  const folder = makeTemporaryFolder(files)
  const git = (...args: readonly string[]) => runProgram('git', args, { cwd: folder })
  git('init', '--quiet', '--initial-branch', branch)
  if (remote !== null) git('remote', 'add', 'origin', remote)
  git('add', '--all')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'First')
  return folder
}

const readFiles = (folder: string) => Object.keys(readTree(folder)).filter((path) => !path.startsWith('.git/'))
const added = (folder: string, before: readonly string[]) =>
  readFiles(folder).filter((path) => !before.includes(path) && !recordFiles.includes(path))
const readText = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

describe('a repository with only an OpenAPI document', () => {
  test('prints the commands that need no setup first, and the next three last', async () => {
    const folder = makeRepository({ 'openapi.yaml': document })
    const { exitCode, stdout } = await runInFolder(folder, ['init', '--yes'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^Try it without any setup:\n {2}openapi-pages build openapi\.yaml .*\n {2}openapi-pages preview openapi\.yaml /,
    )
    expect(stdout).toContain('\n  Git         branch main\n')
    expect(
      stdout
        .split('\nNext\n')[1]
        ?.trimEnd()
        .split('\n')
        .map((line) => line.trim().split(/ {3}/)[0]),
    ).toEqual([
      'openapi-pages check .',
      'openapi-pages preview',
      "git add docs.json openapi-pages.config.yaml .github && git commit -m 'Set up openapi-pages'",
    ])
    expect(readFiles(folder)).toEqual([
      checkWorkflow,
      '.github/workflows/github-pages.yml',
      ...recordFiles,
      'docs.json',
      'openapi-pages.config.yaml',
      'openapi.yaml',
    ])
    expect(
      execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: folder, encoding: 'utf8' }),
    ).not.toContain('cache')
  })

  test('counts API pages that cannot be recorded', async () => {
    const files = { 'docs.json': docsConfig, 'openapi.yaml': document, 'a.mdx': '---\nopenapi: GET /nothing\n---\n' }
    const folder = makeRepository(files)
    const alone = await runInFolder(folder, ['init', '--yes'])
    expect(alone.stdout).toContain('! 1 API page cannot be recorded. To see why, run `openapi-pages adopt`\n')
    const inDocs = Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text]))
    const below = makeRepository({ ...inDocs, 'docs/b.mdx': '---\nopenapi: GET /pets\n---\n' })
    const { stdout } = await runInFolder(below, ['init', '--yes'])
    expect(stdout).toContain('docs/openapi-pages.lock.json      records the existing API page')
    expect(stdout).toContain('! 1 API page cannot be recorded. To see why, run `openapi-pages adopt docs`\n')
    expect((await runInFolder(below, ['adopt', 'docs'])).stdout).toContain('a.mdx')
  })

  test('writes no second workflow that deploys to GitHub Pages', async () => {
    const path = '.github/workflows/static.yaml'
    const workflow = 'on: push\njobs: {deploy: {steps: [{uses: actions/deploy-pages@v4}]}}\n'
    const folder = makeRepository({ 'openapi.yaml': document, [path]: workflow })
    const { stdout } = await runInFolder(folder, ['init', '--yes'])
    expect(stdout).toContain(`  Pages       ${path} deploys to GitHub Pages, so init does not deploy a site there\n`)
    expect(added(folder, ['openapi.yaml', path])).toEqual([checkWorkflow, 'docs.json', 'openapi-pages.config.yaml'])
  })

  test('prints commands for npx if npx runs it', async () => {
    const folder = makeRepository({ 'openapi.yaml': document })
    const env = { npm_command: 'exec' }
    const plan = await runInFolder(folder, ['init'], { env })
    expect(plan.stdout).toMatch(/^Try it without any setup:\n {2}npx openapi-pages build /)
    expect(plan.stdout).toMatch(/run `npx openapi-pages init --yes`\n$/)
    const { stdout } = await runInFolder(folder, ['init', '--yes'], { env })
    expect(stdout).toContain('run `npx openapi-pages init --undo`\n')
    expect(stdout.split('\nNext\n')[1]?.match(/^ {2}\S+ \S+ \S+/gm)).toEqual([
      '  npx openapi-pages check',
      '  npx openapi-pages preview',
      '  git add docs.json',
    ])
  })

  test('the result builds, checks and is not changed by a second run', async () => {
    const folder = makeRepository({ 'openapi.yaml': document }, { branch: 'trunk' })
    await runInFolder(folder, ['init', '--yes'])
    const before = readTree(folder)
    const second = await runInFolder(folder, ['init', '--yes'])
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('✔ Already set up, nothing to write\n') })
    expect(readTree(folder)).toEqual(before)
    expect(await runInFolder(folder, ['check', '.'])).toMatchObject({ exitCode: 0 })
    expect(await runInFolder(folder, ['update', '--check'])).toMatchObject({ exitCode: 0 })
    expect(await runInFolder(folder, ['build'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('no problems') })
    expect(existsSync(join(folder, 'site/api-reference/pets/list-pets/index.html'))).toBe(true)
    expect(readWorkflow(readText(folder, '.github/workflows/github-pages.yml')).on).toEqual({
      push: { branches: ['trunk'] },
      workflow_dispatch: null,
    })
  })

  test.each([[[]], [['--dry-run']]])('prints the plan and writes nothing without a terminal or with %j', async (more) => {
    const folder = makeRepository({ 'openapi.yaml': document })
    const before = readTree(folder)
    const { exitCode, stdout } = await runInFolder(folder, ['init', ...more])
    expect([exitCode, readTree(folder)]).toEqual([0, before])
    expect(stdout).toMatch(/\n {2}\+ docs\.json {2,}names the site, with a tab for openapi\.yaml\n/)
    expect(stdout).toMatch(/\nNothing was written\. To write these files, run `openapi-pages init --yes`\n$/)
  })
})

test('names the converter of Mintlify for a mint.json, and writes nothing', async () => {
  const files = { 'docs/mint.json': '{"navigation": []}', 'openapi.yaml': document }
  const folder = makeRepository(files)
  expect(await runInFolder(folder, ['init', '--yes'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      'openapi-pages: cannot set up docs/mint.json: it has the format before 2025\n  Run `npx mint upgrade` of Mintlify first, which converts it to a `docs.json`\n',
  })
  expect(readTree(folder)).toEqual(files)
})

test('asks three questions at a terminal, and writes what they choose', async () => {
  const files = { 'one.yaml': document, 'api/two.yaml': shops, 'api/three.json': '{"openapi":"3.1.0"}' }
  const folder = makeRepository(files)
  const questions = answerQuestions(['one.yaml', 'api/two.yaml'], ['Check pull requests'], 'yes')
  expect(await runInFolder(folder, ['init'], { questions })).toMatchObject({ exitCode: 0 })
  expect(questions.asked.map(({ message }) => message)).toEqual([
    'Which OpenAPI documents do you want to publish?',
    'What do you want GitHub Actions to do?',
    'Write these 3 files?',
  ])
  expect(added(folder, Object.keys(files))).toEqual([checkWorkflow, 'docs.json', 'openapi-pages.config.yaml'])
  expect(JSON.parse(readText(folder, 'docs.json')).navigation.tabs).toEqual([
    { tab: 'Petstore', openapi: { source: 'one.yaml', directory: 'api-reference/one' } },
    { tab: 'Shops', openapi: { source: 'api/two.yaml', directory: 'api-reference/api-two' } },
  ])
  expect(await runInFolder(folder, ['check', '.'])).toMatchObject({ exitCode: 0 })
})

test.each([[[undefined]], [[['Nothing'], 'no']], [[['Nothing'], undefined]]] as const)(
  'writes nothing after the answers %j',
  async (answers) => {
    const folder = makeRepository({ 'openapi.yaml': document })
    const before = readTree(folder)
    const { exitCode, stderr } = await runInFolder(folder, ['init'], { questions: answerQuestions(...answers) })
    expect([exitCode, stderr, readTree(folder)]).toEqual([2, 'Canceled, nothing was written\n', before])
  },
)

describe('a repository with a docs.json', () => {
  test('gets workflows for its folder and a configuration file', async () => {
    const files = { 'docs/docs.json': docsConfig, 'docs/openapi.yaml': document }
    const folder = makeRepository(files)
    const { stdout } = await runInFolder(folder, ['init', '--yes'])
    expect(stdout).toContain('  Docs        docs/docs.json\n')
    expect(added(folder, Object.keys(files))).toEqual([
      checkWorkflow,
      '.github/workflows/api-pages.yml',
      'docs/openapi-pages.config.yaml',
    ])
    const inputs = Object.keys(readActionFile().inputs)
    for (const [name, expected] of [
      ['api-pages', { 'working-directory': 'docs' }],
      ['api-check', { 'working-directory': 'docs', mode: 'check' }],
    ] as const) {
      const [job] = Object.values(readWorkflow(readText(folder, `.github/workflows/${name}.yml`)).jobs)
      const action = job?.steps.find(({ uses }) => uses?.startsWith('openapi-pages/'))
      expect(action?.with).toEqual(expected)
      expect(inputs).toEqual(expect.arrayContaining(Object.keys(expected)))
    }
    expect(parse(readText(folder, 'docs/openapi-pages.config.yaml'))).toEqual({ materialize: true })
  })

  test('from one of its folders, the workflows are at the top of the repository', async () => {
    const folder = makeRepository({ 'my docs/docs.json': docsConfig, 'my docs/openapi.yaml': document, 'other.yaml': document })
    const { stdout } = await runInFolder(join(folder, 'my docs'), ['init', '--yes'])
    expect(stdout).toContain('  + ../.github/workflows/api-pages.yml ')
    const [job] = Object.values(readWorkflow(readText(folder, checkWorkflow)).jobs)
    expect(job?.steps.at(-1)?.with).toMatchObject({ 'working-directory': 'my docs' })
    await runInFolder(join(folder, 'my docs'), ['init', '--undo'])
    expect(readFiles(folder)).toEqual(['my docs/docs.json', 'my docs/openapi.yaml', 'other.yaml'])
  })

  test('gets a record of its API pages, as from `adopt`', async () => {
    const page = '---\ntitle: List pets\nopenapi: GET /pets\n---\n'
    const navigation = { tabs: [{ tab: 'API', openapi: 'openapi.yaml', pages: ['reference/list'] }] }
    const files = {
      'docs.json': JSON.stringify({ name: 'Pets', navigation }),
      'openapi.yaml': document,
      'reference/list.mdx': page,
    }
    const [folder, adopted] = [makeRepository(files), makeRepository(files)]
    const { stdout } = await runInFolder(folder, ['init', '--yes'])
    expect(stdout).toContain('records the existing API page, and changes no page')
    await runInFolder(adopted, ['adopt'])
    expect(readText(folder, 'openapi-pages.lock.json')).toBe(readText(adopted, 'openapi-pages.lock.json'))
    expect(readText(folder, 'reference/list.mdx')).toBe(page)
  })

  test('without an OpenAPI document, it gets a division with the one of the repository, and gets its text back', async () => {
    const text = '{\n    "name": "Pets",\n    "navigation": { "groups": [{ "group": "Start", "pages": ["index"] }] }\n}\n'
    const folder = makeRepository({ 'docs.json': text, 'index.mdx': '# Start', 'api/openapi.yaml': document })
    const { stdout } = await runInFolder(folder, ['init', '--yes'])
    expect(stdout).toMatch(/\n {2}~ docs\.json {2,}gets a division with api\/openapi\.yaml\n/)
    expect(JSON.parse(readText(folder, 'docs.json')).navigation.groups[1]).toEqual({
      group: 'API Reference',
      openapi: 'api/openapi.yaml',
    })
    expect((await runInFolder(folder, ['init', '--undo'])).stdout).toContain('  ~ docs.json   restored\n')
    expect(readText(folder, 'docs.json')).toBe(text)
  })

  test('in each folder of a monorepo, it gets one workflow and no configuration', async () => {
    const files = { 'a/docs.json': docsConfig, 'a/openapi.yaml': document, 'b/docs.json': docsConfig, 'b/openapi.yaml': shops }
    const folder = makeRepository(files)
    await runInFolder(folder, ['init', '--yes'])
    expect(added(folder, Object.keys(files))).toEqual([checkWorkflow, '.github/workflows/api-pages.yml'])
  })
})

describe('existing files', () => {
  test('are never overwritten', async () => {
    const mine = '# mine\n'
    const files = {
      'docs.json': docsConfig,
      'openapi.yaml': document,
      'openapi-pages.config.json': '{}',
      '.github/workflows/api-pages.yml': mine,
    }
    const folder = makeRepository(files)
    await runInFolder(folder, ['init', '--yes'])
    expect(added(folder, Object.keys(files))).toEqual([checkWorkflow, '.github/workflows/openapi-pages-api-pages.yml'])
    for (const [path, text] of Object.entries(files)) expect(readText(folder, path)).toBe(text)
  })

  test.each([
    [
      '.github/workflows/docs.yaml',
      'jobs: { a: { steps: [{ uses: openapi-pages/openapi-pages@v1 }] } }',
      'runs openapi-pages already',
    ],
    ['.gitlab-ci.yml', 'a: { script: x }', 'so init writes no workflow. See https://'],
  ])('%s means that no workflow is needed', async (path, text, note) => {
    const files = { 'docs.json': docsConfig, 'openapi.yaml': document, [path]: text }
    const folder = makeRepository(files)
    const questions = answerQuestions('yes')
    const { stdout } = await runInFolder(folder, ['init'], { questions })
    expect(stdout).toContain(note)
    expect(questions.asked.map(({ message }) => message)).toEqual(['Write this file?'])
    expect(added(folder, Object.keys(files))).toEqual(['openapi-pages.config.yaml'])
  })
})

describe('--undo', () => {
  test('restores the folder exactly, and a second time does nothing', async () => {
    const folder = makeRepository({ 'openapi.yaml': document })
    const before = readTree(folder)
    await runInFolder(folder, ['init', '--yes'])
    expect((await runInFolder(folder, ['init', '--undo'])).stdout).toMatch(/\n✔ Undone\n$/)
    expect(readTree(folder)).toEqual(before)
    expect(existsSync(join(folder, '.github'))).toBe(false)
    const again = await runInFolder(folder, ['init', '--undo'])
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Nothing to undo: `openapi-pages init` wrote no files here\n' })
  })

  test('lists files edited since, and does not touch them', async () => {
    const folder = makeRepository({ 'openapi.yaml': document })
    await runInFolder(folder, ['init', '--yes'])
    appendFileSync(join(folder, 'docs.json'), '\n')
    rmSync(join(folder, checkWorkflow))
    const edited = readText(folder, 'docs.json')
    const { stdout } = await runInFolder(folder, ['init', '--undo'])
    expect(stdout).toContain('  = docs.json   not as init wrote it, not touched\n')
    expect(stdout).toMatch(/\n✔ Undone, except for edited files\n$/)
    expect(readFiles(folder)).toEqual(['docs.json', 'openapi.yaml'])
    expect(readText(folder, 'docs.json')).toBe(edited)
  })

  test('covers the files of several runs', async () => {
    const folder = makeRepository({ 'openapi.yaml': document })
    await runInFolder(folder, ['init', '--yes'])
    rmSync(join(folder, 'openapi-pages.config.yaml'))
    await runInFolder(folder, ['init', '--yes'])
    await runInFolder(folder, ['init', '--undo'])
    expect(readFiles(folder)).toEqual(['openapi.yaml'])
  })
})

test.each([
  [
    {},
    '.',
    'cannot set up this directory: it has no docs.json and no OpenAPI 3 document',
    'Add an OpenAPI document, such as openapi.yaml, and run the command again',
  ],
  [
    { 'a/HEAD': '', 'a/objects/x': '', 'a/refs/x': '' },
    'a',
    'cannot set up a: it is a bare Git repository',
    'Clone it, and run the command in the clone',
  ],
  [{ 'openapi.yaml': document }, 'openapi.yaml', 'cannot set up openapi.yaml: it is a file', 'Name its directory'],
  [{}, 'nope', 'cannot set up nope: no such directory', undefined],
])('rejects %#', async (files, argument, message, hint) => {
  const { exitCode, stderr } = await runInFolder(makeTemporaryFolder(files as { [path: string]: string }), ['init', argument])
  expect([exitCode, stderr]).toEqual([2, `openapi-pages: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`])
})
