import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInFolder } from '../cli/run-in-folder.ts'
import { cloneArbitrary, type HostileClone, writeClone } from '../support/hostile-clones.ts'
import { fc, runsOr, seed } from '../support/properties.ts'
import { readTimes, readTree } from '../support/read-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// Commands in untrusted clones change nothing outside of the work tree and in `.git`, connect to nothing, and end with a result. A clone
// that found a fault is a file of the corpus, which runs first.

const corpus = join(import.meta.dirname, '../fixtures/hostile-clones')

/** What a user runs in a clone. All of it names only the clone. */
const commandLines = [
  'init --dry-run',
  'check',
  'changes HEAD~1',
  'bundle . -o bundled.json',
  'check --fix --allow-dirty',
  'update',
  'check --write-baseline',
  'build',
  'init --yes --force --host gitlab',
  'init --yes --force --host github --baseline',
  'init --undo',
]

let connections = 0
const server = createServer((_request, response) => response.end('{}')).on('connection', () => connections++)
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port returns its address as an object.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** All that is not part of the work tree, except the cache of the user. */
function readOutside(top: string) {
  const git = join(top, 'clone/.git')
  const folders = ['home', 'git', ...(statSync(git).isDirectory() ? ['clone/.git'] : [])].map((name) => join(top, name))
  const trees = folders.filter((folder) => existsSync(folder)).map((folder) => [readTree(folder), readTimes(folder)])
  const files = [git, join(top, 'canary')].map((path) => (statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined))
  return { names: readdirSync(top).filter((name) => name !== 'cache'), trees, files }
}

async function play(clone: HostileClone): Promise<void> {
  const top = makeTemporaryFolder()
  const root = writeClone(clone, top, url)
  const env = { HOME: join(top, 'home'), XDG_CACHE_HOME: join(top, 'cache') }
  for (const line of commandLines) {
    const before = readOutside(top)
    const { exitCode, stdout, stderr } = await runInFolder(root, line.split(' '), { env })
    const about = { line, clone, stdout, stderr }
    expect({ ...about, outside: readOutside(top), connections }).toEqual({ ...about, outside: before, connections: 0 })
    expect({ ...about, exitCode }).toEqual({ ...about, exitCode: expect.toBeOneOf([0, 1, 2]) })
    expect({ ...about, text: stdout + stderr }).toEqual({ ...about, text: expect.not.stringContaining('unexpected error') })
  }
}

const timeout = 3_600_000

test.each(readdirSync(corpus))('the clone %s', { timeout }, async (name) => {
  await play(JSON.parse(readFileSync(join(corpus, name), 'utf8')))
})

/** Each part has its own folder of temporary files and its own seed. */
const parts = Array.from({ length: 10 }, (_, part) => part)

describe('random clones', () => {
  test.each(parts)('part %i', { timeout }, async (part) => {
    const property = fc.asyncProperty(cloneArbitrary, play)
    await fc.assert(property, { seed: seed + part, numRuns: Math.ceil(runsOr(200, 2_000) / parts.length), endOnFailure: true })
  })
})
