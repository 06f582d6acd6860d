import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type GitHistory, makeHistory } from '../support/git-history.ts'
import { readTimes } from '../support/read-tree.ts'
import { runBin } from '../support/run-bin.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const document = (version: string, ...paths: string[]) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version },
    paths: Object.fromEntries(
      paths.map((path) => [path, { get: { summary: path.slice(1), tags: ['api'], responses: { 200: { description: 'OK' } } } }]),
    ),
  })

function makeReleases(): GitHistory {
  const history = makeHistory()
  history.commit({ 'openapi-pages.config.yaml': 'changes: { changelog: tags }\n', 'openapi.json': document('1.0.0', '/pets') })
  history.tag('v1.0.0')
  history.commit({ 'openapi.json': document('2.0.0', '/owners') })
  history.tag('v2.0.0')
  return history
}

const build = (cwd: string, cache = join(cwd, '.git/cache')) =>
  runBin(['build', 'openapi.json', '--output', 'site', '--url', 'https://acme.test/'], { cwd, env: { XDG_CACHE_HOME: cache } })

test('builds a changelog from tags, and nothing in a second run', async () => {
  const { folder } = makeReleases()
  const first = await build(folder)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(folder, 'site/changelog.md'), 'utf8')).toContain('Operation `GET /pets` was removed')
  const before = readTimes(join(folder, 'site'))
  const second = await build(folder)
  expect(second.stdout).toContain('in site: unchanged')
  expect(readTimes(join(folder, 'site'))).toEqual(before)
})

test('shows a new version, and its badge on unchanged pages', async () => {
  const history = makeReleases()
  await build(history.folder)
  history.commit({ 'openapi.json': document('2.1.0', '/owners', '/cats') })
  await build(history.folder)
  expect(readFileSync(join(history.folder, 'site/api/cats/index.html'), 'utf8')).toContain('Added, not released yet')
  history.tag('v2.1.0')
  await build(history.folder)
  expect(readFileSync(join(history.folder, 'site/api/cats/index.html'), 'utf8')).toContain('Added in 2.1.0')
})

test('explains an empty changelog', async () => {
  const { folder } = makeReleases()
  const clone = join(makeTemporaryFolder(), 'clone')
  const history = makeHistory()
  history.git('clone', '--quiet', '--depth=1', '--no-tags', `file://${folder}`, clone)
  const shallow = await build(clone)
  expect(shallow.stderr).toContain('The changelog of openapi.json is empty: the clone has no history.')
  expect(shallow.code).toBe(0)
  const plain = makeTemporaryFolder({
    'openapi-pages.config.yaml': 'changes: { changelog: tags }\n',
    'openapi.json': document('1', '/a'),
  })
  const alone = await build(plain, join(plain, 'cache'))
  expect(alone.stderr).toContain('Cannot read the history for the changelog')
  expect(readFileSync(join(plain, 'site/changelog.md'), 'utf8')).toContain('There are no versions to compare yet.')
})

test('has no changelog by default', async () => {
  const { folder } = makeReleases()
  writeFileSync(join(folder, 'openapi-pages.config.yaml'), '')
  expect((await build(folder)).code).toBe(0)
  expect(() => readFileSync(join(folder, 'site/changelog.md'))).toThrow('ENOENT')
})

test('shows accepted changes', async () => {
  const { folder } = makeReleases()
  const accept = ['accept', 'v1.0.0', 'openapi.json', '--all', '--reason', 'Nobody used it', '--author', 'Ada']
  expect(await runBin(accept, { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  await build(folder)
  const text = readFileSync(join(folder, 'site/changelog.md'), 'utf8')
  expect(text).toContain('1 compatible, 1 accepted')
  expect(text).toContain('Operation `GET /pets` was removed (breaking, accepted). Accepted: Nobody used it')
  expect(text).not.toContain('Ada')
})
