import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = `openapi: 3.1.0
info: { title: T, version: "1" }
paths: { /pets: { get: { responses: { "200": { description: Fine } } } } }
components:
  schemas:
    # openapi-pages-ignore-next-line unused-component: Used next month
    Pet: { type: object }
`

test('check --no-inline-ignore reports problems that a document makes an exception for', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': document })
  const run = async (...args: string[]) =>
    (await runInFolder(folder, ['check', 'openapi.yaml', '--format', 'unix', ...args])).stdout
  expect(await run()).toBe('')
  expect(await run('--no-inline-ignore')).toMatch(/^openapi\.yaml:7:\d+: .* \[info\/unused-component\]\n$/)
})
