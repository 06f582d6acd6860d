import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectFolder, readActionFile } from '../support/action-harness.ts'
import { answerQuestions } from '../support/answer-questions.ts'
import { readTree } from '../support/read-tree.ts'
import { readWorkflow } from '../support/run-workflow.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { testCases } from './cases.ts'
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

testCases('init')

describe('a repository with only an OpenAPI document', () => {
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
      ['api-check', { 'working-directory': 'docs', mode: 'check', review: true }],
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
    const action = job?.steps.find(({ uses }) => uses?.startsWith('openapi-pages/'))
    expect(action?.with).toMatchObject({ 'working-directory': 'my docs' })
    await runInFolder(join(folder, 'my docs'), ['init', '--undo'])
    expect(readFiles(folder)).toEqual(['my docs/docs.json', 'my docs/openapi.yaml', 'other.yaml'])
  })
})

describe('existing files', () => {
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
