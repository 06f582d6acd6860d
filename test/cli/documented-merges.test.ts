import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../support/action-harness.ts'
import { type GitHistory, makeHistory } from '../support/git-history.ts'
import { readBlocks } from '../support/read-blocks.ts'
import { gitConfig } from '../support/repository-template.ts'
import { runInFolder } from './run-in-folder.ts'

// The commands of the pages about moves and merge conflicts, as printed, in a repository that needs them.

type Edit = (text: string) => string
const replace =
  (from: string, to: string): Edit =>
  (text) => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }
const addPath = (before: string, name: string) =>
  replace(
    `  ${before}:\n`,
    `  /${name}:\n    get: {tags: [pets], summary: List ${name}, responses: {'200': {description: A}}}\n  ${before}:\n`,
  )
const rename = replace('/pets/{petId}/reservation', '/pets/{petId}/booking')
const retitle = (title: string) => replace('summary: Reserve a pet', `summary: ${title}`)

function run(folder: string, script: string): void {
  const program = script.replaceAll(
    /^openapi-pages /gm,
    `'${process.execPath}' '${join(projectFolder, 'bin/openapi-pages.cjs')}' `,
  )
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_GLOBAL: gitConfig, GIT_CONFIG_NOSYSTEM: '1' }
  const person = {
    GIT_AUTHOR_NAME: 'Pat',
    GIT_AUTHOR_EMAIL: 'a@b.example',
    GIT_COMMITTER_NAME: 'Pat',
    GIT_COMMITTER_EMAIL: 'a@b.example',
  }
  execFileSync('sh', ['-e', '-c', program], { cwd: folder, env: { ...env, ...person }, stdio: 'pipe' })
}

function change(folder: string, edit: Edit, path = 'openapi.yaml'): void {
  writeFileSync(join(folder, path), edit(readFileSync(join(folder, path), 'utf8')))
}

async function makeRepository(): Promise<GitHistory> {
  const history = makeHistory()
  for (const name of ['docs.json', 'openapi.yaml', 'index.mdx', 'guides'])
    cpSync(join(projectFolder, 'examples/petstore', name), join(history.folder, name), { recursive: true })
  await runInFolder(history.folder, ['update'])
  history.commit({})
  return history
}

async function expectUpToDate(folder: string, count: number): Promise<void> {
  const { exitCode, stdout, stderr } = await runInFolder(folder, ['update', '--check'])
  expect([exitCode, stderr, stdout]).toEqual([0, '', expect.stringContaining(`✔ ${count} pages up to date`)])
}

test.each<[heading: string, ours: Edit, theirs: Edit, pages: number, resolve: { readonly [path: string]: Edit }]>([
  [
    'Both branches add an operation',
    addPath('/internal/recount', 'vets'),
    addPath('/adoptions', 'shelters'),
    10,
    { 'docs.json': (text) => text.replace(/<{7}.*\n(.*)\n={7}\n(.*\n)>{7}.*\n/, '$1,\n$2') },
  ],
  ['Both branches change a generated page', retitle('Hold a pet'), rename, 8, {}],
  ['Both branches change a generated page', rename, retitle('Hold a pet'), 8, {}],
  [
    'Both branches change the same line of a document',
    retitle('Hold a pet'),
    retitle('Book a pet'),
    8,
    { 'openapi.yaml': (text) => text.replace(/<{7}.*\n(.*\n)={7}\n.*\n>{7}.*\n/, '$1') },
  ],
])('resolves a merge conflict: %s', async (heading, ours, theirs, pages, resolve) => {
  const { folder, git, commit } = await makeRepository()
  for (const [branch, edit] of [['topic', theirs] as const, ['main', ours] as const]) {
    git('checkout', '--quiet', '-B', branch, 'main')
    change(folder, edit)
    await runInFolder(folder, ['update'])
    commit({})
    if (branch === 'topic') git('checkout', '--quiet', 'main')
  }
  expect(() => git('merge', '--quiet', 'topic')).toThrow()
  for (const [path, edit] of Object.entries(resolve)) change(folder, edit, path)
  const [script = ''] = readBlocks(heading, 'sh', 'docs/merge-conflicts.md')
  run(folder, script)
  expect(git('status', '--porcelain')).toBe('')
  expect(() => git('grep', '-lE', '^(<{7}|>{7})')).toThrow()
  await expectUpToDate(folder, pages)
  // The page is still a generated one: the next change of the document reaches it.
  change(folder, (text) => text.replace(/summary: (?:Reserve|Hold|Book) a pet/, 'summary: Keep a pet'))
  const { stdout } = await runInFolder(folder, ['update'])
  expect(stdout).toContain('title changed')
})

test('moves a page, its entry and its URL', async () => {
  const { folder, git } = await makeRepository()
  const [script = ''] = readBlocks('A page', 'sh', 'docs/moving.md')
  run(folder, script)
  expect(git('status', '--porcelain')).not.toContain('?? api-reference')
  const { navigation, redirects } = JSON.parse(readFileSync(join(folder, 'docs.json'), 'utf8'))
  expect(JSON.stringify(navigation)).toMatch(/"guides\/list-pets"/)
  expect(JSON.stringify(navigation)).not.toContain('api-reference/pets/list-pets')
  expect(redirects).toContainEqual({ source: '/api-reference/pets/list-pets', destination: '/guides/list-pets' })
})
