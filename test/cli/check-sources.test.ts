import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { testCases } from './cases.ts'
import { runInFolder } from './run-in-folder.ts'

const valid = 'openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths: {}\n'

testCases('check-sources')

test.runIf(process.platform === 'linux')('reports that a system directory is not writable', async () => {
  const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': valid }), ['check', 'a.yaml', '-o', '/proc/report'])
  const stderr = 'openapi-pages: cannot write /proc/report: files cannot be created in its directory\n  No files were changed\n'
  expect(run).toEqual({ exitCode: 2, stdout: '', stderr })
})
