import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeHistory } from '../support/git-history.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

/** Clones a repository over a transport, because Git ignores filters and depths of local paths. */
function clone(origin: ReturnType<typeof makeHistory>, ...options: readonly string[]) {
  origin.git('config', 'uploadpack.allowFilter', 'true')
  const folder = join(makeTemporaryFolder(), 'clone')
  origin.git('clone', '--quiet', ...options, pathToFileURL(origin.folder).href, folder)
  return makeHistory(folder)
}

async function makeDocs() {
  const origin = makeHistory()
  const files = Object.entries(tinyDocs(['List pets', 'List cats'])).map(([path, text]) => [`docs/${path}`, String(text)])
  origin.commit(Object.fromEntries(files))
  expect((await runInFolder(origin.folder, ['update', 'docs'])).exitCode).toBe(0)
  origin.commit({})
  return origin
}

test('keeps the pages that a sparse checkout leaves out', async () => {
  const origin = await makeDocs()
  const { folder, git } = clone(origin, '--no-checkout')
  git('sparse-checkout', 'set', 'docs/specs')
  git('checkout', '--quiet', 'main')
  const before = snapshotOf(join(folder, 'docs'))
  expect(Object.keys(before).filter((path) => path.startsWith('api-reference/'))).toEqual([])
  for (const config of ['', 'rules: {pages-left-out: off}', 'ignore: [{path: docs/docs.json}]']) {
    writeFileSync(join(folder, 'docs/openapi-pages.config.yaml'), config)
    const update = await runInFolder(folder, ['update', 'docs'])
    expect([update.exitCode, update.stdout]).toEqual([1, expect.stringContaining('pages-left-out')])
  }
  rmSync(join(folder, 'docs/openapi-pages.config.yaml'))
  expect(snapshotOf(join(folder, 'docs'))).toEqual(before)

  git('sparse-checkout', 'add', 'docs')
  expect(await runInFolder(folder, ['update', 'docs', '--check'])).toMatchObject({ exitCode: 0 })
})

test.each([
  ['the work tree', false],
  ['the index', true],
])('still finds that a person deleted a page from %s', async (_where, isStaged) => {
  const { folder, git } = await makeDocs()
  const page = Object.keys(snapshotOf(folder)).find((path) => path.startsWith('docs/api-reference/')) ?? ''
  git('rm', '--quiet', page)
  if (!isStaged) git('reset', '--quiet')
  const { exitCode, stdout } = await runInFolder(folder, ['update', 'docs'])
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('deleted manually')])
})

function makeVersions() {
  const origin = makeHistory()
  for (const version of [1, 2, 3]) {
    origin.commit({
      'openapi.json': tinyDocument(...['List pets', 'List cats', 'List dogs'].slice(0, version)),
      'openapi-pages.config.yaml': 'changes:\n  changelog: tags\n',
    })
    origin.tag(`v${version}.0.0`)
  }
  return origin
}

test.each([
  [['--depth', '1', '--branch', 'v3.0.0'], 'git fetch --unshallow --tags'],
  [['--filter=blob:none'], 'git fetch --refetch --no-filter'],
  [['--filter=tree:0'], 'git fetch --refetch --no-filter'],
])('a changelog says that history is missing in a clone with %s', async (options, command) => {
  const { folder } = clone(makeVersions(), ...options)
  const { stderr } = await runInFolder(folder, ['build', 'openapi.json', '-o', 'site'])
  expect(stderr).toContain(command)
  expect(JSON.stringify(snapshotOf(join(folder, 'site')))).not.toContain('First version')
})

test.each(['blob:none', 'tree:0'])('changes says that a clone with --filter=%s lacks the revision', async (filter) => {
  const { folder } = clone(makeVersions(), `--filter=${filter}`)
  const { exitCode, stderr } = await runInFolder(folder, ['changes', 'v1.0.0:openapi.json', 'openapi.json'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('git fetch --refetch --no-filter')
  expect(stderr).not.toMatch(/no such|does not exist/i)
})
