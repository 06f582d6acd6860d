import { existsSync, mkdirSync, readdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashContent } from '../../src/files/output-folder.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

const makeDocs = () => makeTemporaryFolder({ ...(tinyDocs(['List pets']) as { [path: string]: string }) })

// `failing-writes.e2e.test.ts` kills real runs.

test.each(['a run that changes files', 'a run that changes nothing'])(
  '%s removes the directories of killed runs, and keeps that of a running one',
  async (kind) => {
    const folder = makeDocs()
    if (kind.endsWith('nothing')) await runInFolder(folder, ['update'])
    const running = `.openapi-pages-update-${process.ppid}-aB3dE6`
    for (const name of ['.openapi-pages-update-999999999-aB3dE7', '.openapi-pages-update-999999999-aB3dE8', running]) {
      mkdirSync(join(folder, name))
    }
    writeFileSync(join(folder, '.openapi-pages-update-999999999-aB3dE7/0.old'), 'a page')
    expect((await runInFolder(folder, ['update'])).exitCode).toBe(0)
    expect(readdirSync(folder).filter((name) => name.startsWith('.openapi-pages-update-'))).toEqual([running])
  },
)

test('a build reports that another one is running in its directory', async () => {
  const folder = makeDocs()
  // The process that runs the tests exists, and is not this one.
  const name = `.openapi-pages-site-${hashContent(join(realpathSync(folder), 'site')).slice(0, 8)}-${process.ppid}-aB3dE6`
  const staging = join(folder, name)
  mkdirSync(staging, { recursive: true })
  const { exitCode, stderr } = await runInFolder(folder, ['build', '-o', 'site'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('another build is running there')])
  expect(existsSync(staging)).toBe(true)

  utimesSync(staging, 0, 0)
  expect((await runInFolder(folder, ['build', '-o', 'site'])).exitCode).toBe(0)
  expect(existsSync(staging)).toBe(false)
})
