import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { isLeftover } from './run-folder.ts'

// Gives the worker its own temporary folder before each test file, so that leftovers can be attributed to that file.
const workerFolder = join(dirname(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? ''), `w${process.env['VITEST_POOL_ID']}`)
mkdirSync(workerFolder, { recursive: true })
for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = workerFolder

const readEntries = () => readdirSync(workerFolder).filter(isLeftover)

const servers = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap' || kind === 'PipeServerWrap').length
const serversBefore = servers()

// Hooks run last to first, so all other hooks of the file have run.
afterAll(async () => {
  const left = () => ({ entries: readEntries(), servers: Math.max(0, servers() - serversBefore) })
  await vi.waitFor(
    () => expect(left(), 'left in the temporary folder or still listening').toEqual({ entries: [], servers: 0 }),
    30_000,
  )
})
