import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const files = {
  'docs.json': JSON.stringify({ name: 'Shop', description: 'Sell things', navigation: { pages: ['index', 'orders'] } }),
  'index.mdx': '---\ntitle: Start\ndescription: Where to begin\n---\n\nWelcome.\n',
  'orders.mdx': '---\ntitle: Orders\n---\n\nText\n',
}

test('prints each check, and the fix of those that lost points', async () => {
  const folder = makeTemporaryFolder(files)
  const before = snapshotOf(folder)
  const { exitCode, stdout } = await runInFolder(folder, ['score', '--no-color'])
  expect(exitCode).toBe(0)
  expect(stdout).toContain('✔   5/5  `llms.txt` lists the pages: 2 pages listed\n')
  expect(stdout).toContain(
    '!   4/8  Pages have descriptions: 1 of 2 pages have one\n' +
      '         Add `description` to these pages or their operations, and `summary` to the `info` of an API\n' +
      '         orders.md\n',
  )
  expect(stdout).toMatch(/\n✔ 95 of 100, 1 check lost points\n$/)
  expect(snapshotOf(folder)).toEqual(before)
})

test('prints only what to change with --quiet', async () => {
  const { stdout } = await runInFolder(makeTemporaryFolder(files), ['score', '--quiet', '--no-color'])
  expect(stdout.match(/^[✔!]/gm)).toEqual(['!', '✔'])
})

test('exits with 1 below --min', async () => {
  const folder = makeTemporaryFolder(files)
  expect((await runInFolder(folder, ['score', '--min', '95'])).exitCode).toBe(0)
  const { exitCode, stdout } = await runInFolder(folder, ['score', '--min', '96', '--no-color'])
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/\n✖ 95 of 100, at least 96 expected, 1 check lost points\n$/)
})

test.each(['101', '-1', 'high', ''])('refuses --min %j', async (value) => {
  const { exitCode, stderr } = await runInFolder(makeTemporaryFolder(files), ['score', `--min=${value}`])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('expected a number from 0 to 100')
})

test('prints the same JSON in every folder', async () => {
  const run = async () => (await runInFolder(makeTemporaryFolder(files), ['score', '--format', 'json'])).stdout
  const first = await run()
  expect(await run()).toBe(first)
  const { version, score, checks } = JSON.parse(first)
  expect([version, score]).toEqual([1, 95])
  expect(checks.find(({ id }: { id: string }) => id === 'pageDescriptions')).toEqual({
    id: 'pageDescriptions',
    title: 'Pages have descriptions',
    points: 4,
    maxPoints: 8,
    message: '1 of 2 pages have one',
    fix: 'Add `description` to these pages or their operations, and `summary` to the `info` of an API',
    examples: ['orders.md'],
  })
})

test('scores a single document', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1', description: 'Orders' },
    paths: { '/orders': { get: { summary: 'List', operationId: 'list', responses: { 200: { description: 'ok' } } } } },
  }
  const folder = makeTemporaryFolder({ 'api.json': JSON.stringify(document) })
  const { exitCode, stdout } = await runInFolder(folder, ['score', 'api.json', '--format', 'json'])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout).score).toBeGreaterThan(80)
})

test('reports a directory without pages', async () => {
  const { exitCode, stderr } = await runInFolder(makeTemporaryFolder({ 'docs.json': '{' }), ['score'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('cannot score .: its site has no pages')
})

test('our own documentation has at least 95', async () => {
  const { exitCode, stdout } = await runInFolder(process.cwd(), ['score', 'docs', '--min', '95', '--quiet', '--no-color'])
  expect(stdout).toMatch(/✔ \d+ of 100/)
  expect(exitCode).toBe(0)
})
