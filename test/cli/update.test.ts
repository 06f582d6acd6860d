import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { testCases } from './cases.ts'
import { runInFolder } from './run-in-folder.ts'

testCases('update')

test.each(['http', 'https'])('exits with 2 if an %s URL in docs.json is refused or unreachable', async (scheme) => {
  const url = `${scheme}://example.invalid/a.yaml`
  const folder = makeTemporaryFolder({ 'docs.json': `{"navigation": {"tabs": [{"tab": "API", "openapi": "${url}"}]}}` })
  const { exitCode, stdout, stderr } = await runInFolder(folder, ['update'])
  expect([exitCode, `${stdout}${stderr}`]).toEqual([2, expect.stringContaining(url)])
})
