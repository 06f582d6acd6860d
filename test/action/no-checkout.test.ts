import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { publishReport } from '../../src/action/report/publish-report.ts'
import { runInProcess } from '../support/github-remote.ts'
import { readCommands } from '../support/read-commands.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeDiagnostic, makeReport } from './report/example-report.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const noGitHub = { environment: {}, token: () => '' }
/** The event names a commit, as no checkout does. */
const event = { sha: 'a'.repeat(40) }

test.each(['commit', 'check'] as const)('suggests actions/checkout for an empty workspace in mode %s', async (mode) => {
  const report = await runInProcess(noGitHub, makeTemporaryFolder(), { mode }, event)
  expect(report.update).toBeUndefined()
  expect(report.failures).toMatchObject([
    { message: 'Cannot find the repository: the workspace is empty', hint: expect.stringContaining('actions/checkout') },
  ])
})

test('suggests actions/checkout if the workspace only has files of other steps', async () => {
  const folder = makeTemporaryFolder({ 'build/output.txt': 'x' })
  const report = await runInProcess(noGitHub, folder, { mode: 'check' }, event)
  expect(report.update).toBeUndefined()
  expect(report.failures).toMatchObject([{ hint: expect.stringContaining('actions/checkout') }])
})

test('checks existing documents without Git', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n' })
  const report = await runInProcess(noGitHub, folder, { mode: 'check', documents: ['openapi.yaml'] }, event)
  expect([report.failures, report.update?.documents.length]).toEqual([[], 1])
})

test('creates no annotation for a missing file', async () => {
  const folder = makeTemporaryFolder({ 'there.yaml': 'x' })
  for (const name of ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY']) {
    writeFileSync(join(folder, name), '')
    vi.stubEnv(name, join(folder, name))
  }
  let log = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    log += String(chunk)
    return true
  })
  const diagnostics = [makeDiagnostic({ file: 'docs.json' }), makeDiagnostic({ file: 'there.yaml' })]
  const inputs = { failOn: 'error', failOnDrift: false, sarifFile: undefined } as const
  await publishReport({ ...makeReport({}, { diagnostics }), boundary: folder }, inputs, folder, { RUNNER_TEMP: folder })
  vi.restoreAllMocks()
  const errors = readCommands(log).commands.filter(({ name }) => name === 'error')
  expect(errors.map(({ properties }) => properties['file'])).toEqual([undefined, 'there.yaml'])
})
