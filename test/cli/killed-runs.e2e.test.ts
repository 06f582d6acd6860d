import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const program = join(import.meta.dirname, '../../bin/openapi-pages.cjs')
const preload = pathToFileURL(join(import.meta.dirname, '../support/signal-at.mjs')).href

/** Starts a command that sends itself a signal at its change number `at` of a path. */
function start(folder: string, words: readonly string[], signal: { name: string; path: string; at: number }): ChildProcess {
  const child = spawn(process.execPath, ['--import', preload, program, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], SIGNAL: signal.name, SIGNAL_AT: String(signal.at), SIGNAL_PATH: signal.path },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const makeDocs = (titles: readonly string[]) => makeTemporaryFolder({ ...(tinyDocs(titles) as { [path: string]: string }) })

function textsOf(folder: string) {
  return Object.entries(snapshotOf(folder)).map(([path, text]) => [path, text.replace(/^\S+ /, '')])
}

test.each([
  ['the first update', false],
  ['an update that adds, changes, moves and removes pages', true],
])('%s can be killed at each change of the disk', async (_name, isLater) => {
  const before = makeDocs(['List pets', 'List cats', 'Add a dog'])
  if (isLater) {
    expect((await runInFolder(before, ['update'])).exitCode).toBe(0)
    const { paths, ...rest } = JSON.parse(tinyDocument('List cats', 'Add a dog', 'List birds'))
    Object.assign(paths['/list-cats'].get, { description: 'All cats' })
    Object.assign(paths['/add-a-dog'].get, { tags: ['Dogs'] })
    writeFileSync(join(before, 'openapi.json'), JSON.stringify({ ...rest, paths }))
  }
  const undisturbed = makeTemporaryFolder()
  cpSync(before, undisturbed, { recursive: true })
  expect((await runInFolder(undisturbed, ['update'])).exitCode).toBe(0)
  for (let at = 0; ; at++) {
    const folder = makeTemporaryFolder()
    cpSync(before, folder, { recursive: true })
    const [, signal] = await once(start(folder, ['update'], { name: 'SIGKILL', path: folder, at }), 'exit')
    if (signal === null) {
      expect(at).toBeGreaterThan(10)
      return
    }
    expect((await runInFolder(folder, ['update'])).exitCode, `change ${at}`).toBe(0)
    expect(textsOf(folder), `change ${at}`).toEqual(textsOf(undisturbed))
  }
})

test('the second of two builds into one directory reports that another build is running, and the first ends', async () => {
  const folder = makeDocs(['List pets'])
  const staging = join(folder, '.openapi-pages-site-')
  const first = start(folder, ['build', '-o', 'site'], { name: 'SIGSTOP', path: staging, at: 1 })
  if (first.stdout) await once(first.stdout, 'data')
  const { exitCode, stderr } = await runInFolder(folder, ['build', '-o', 'site'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('another build is running there')])
  first.kill('SIGCONT')
  expect(await once(first, 'exit')).toEqual([0, null])
  expect(Object.keys(snapshotOf(folder)).filter((path) => path.includes('openapi-pages-site'))).toEqual([])
})
