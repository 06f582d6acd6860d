import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const titles = (count: number) => Array.from({ length: count }, (_, index) => `List ${index}`)

/** Docs with 12 pages of a document at a URL, and a function that changes how many operations it has. */
async function makeDocs(config = '') {
  let count = 12
  const origin = await serve((_request, response) => response.end(tinyDocument(...titles(count))))
  const tabs = [{ tab: 'API', openapi: `${origin}/openapi.json` }]
  const folder = makeTemporaryFolder({
    'docs.json': JSON.stringify({ name: 'Zoo', navigation: { tabs } }),
    'openapi-pages.config.yaml': config,
  })
  const update = async (...args: readonly string[]) => await runInFolder(folder, ['update', '--allow-http', ...args])
  expect((await update()).exitCode).toBe(0)
  const setCount = (next: number) => {
    count = next
  }
  return {
    folder,
    update,
    setCount,
    countPages: () => Object.keys(snapshotOf(folder)).filter((path) => path.endsWith('.mdx')).length,
  }
}

describe('a document at a URL that loses many operations', () => {
  test.each([
    [0, false],
    [7, false],
    [8, true],
    [11, true],
  ])('with %s of 12 left, the update removes pages without a confirmation: %s', async (left, isRemoved) => {
    const { folder, update, setCount, countPages } = await makeDocs()
    const before = snapshotOf(folder)
    setCount(left)
    const { exitCode, stdout } = await update()
    expect([exitCode, countPages()]).toEqual(isRemoved ? [0, left] : [1, 12])
    if (isRemoved) return
    expect(stdout).toContain(`${12 - left} of 12 pages of \`API\` would be removed`)
    expect(snapshotOf(folder)).toEqual(before)
    expect((await update('--check')).exitCode).toBe(1)
    expect((await update('--remove')).exitCode).toBe(0)
    expect(countPages()).toBe(left)
  })

  test('is confirmed by the setting', async () => {
    const { update, setCount, countPages } = await makeDocs('update:\n  remove: true\n')
    setCount(2)
    expect((await update()).exitCode).toBe(0)
    expect(countPages()).toBe(2)
  })
})

test.each([
  ['rules', 'rules: {mass-removal: info}\n'],
  ['rules that switch it off', 'rules: {mass-removal: off}\n'],
  ['ignore by code', 'ignore: [{code: mass-removal}]\n'],
  ['ignore by path', 'ignore: [{path: docs.json}]\n'],
  ['a baseline', 'baseline: known.json\n'],
])('%s cannot hide that an update was stopped', async (_name, config) => {
  const { folder, update, setCount, countPages } = await makeDocs()
  setCount(2)
  writeFileSync(join(folder, 'openapi-pages.config.yaml'), config)
  const stopped = await update('--format', 'json')
  const line = (JSON.parse(stopped.stdout).diagnostics as { code: string; message: string; pointer: string }[]).find(
    ({ code }) => code === 'mass-removal',
  )
  expect(line?.message).toContain('10 of 12 pages of `API` would be removed')
  // An entry as a baseline would have it.
  const known = [
    'docs.json',
    'mass-removal',
    line?.pointer.replace(/\d+/g, '*'),
    line?.message.replace(/\d+ of \d+/, '0 of 0'),
    1,
  ]
  writeFileSync(join(folder, 'known.json'), JSON.stringify({ version: 1, problems: [known] }))
  for (const args of [[], ['--check'], ['--quiet'], ['--keep-going']]) {
    const { exitCode, stdout } = await update(...args)
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('10 of 12 pages of `API` would be removed')])
  }
  expect(countPages()).toBe(12)
})

test('a document of this repository loses its pages without a confirmation', async () => {
  const folder = makeTemporaryFolder({
    'docs.json': JSON.stringify({ name: 'Zoo', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }),
    'openapi.json': tinyDocument(...titles(12)),
  })
  await runInFolder(folder, ['update'])
  writeFileSync(join(folder, 'openapi.json'), tinyDocument(...titles(1)))
  expect(await runInFolder(folder, ['update'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('11 pages removed'),
  })
})
