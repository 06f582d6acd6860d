import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { ActionReport } from '../../src/action/action-report.ts'
import { toCommitMessage } from '../../src/action/commit-message.ts'
import { botName } from '../../src/action/inputs.ts'
import { publishReport } from '../../src/action/publish-report.ts'
import { hostileStrings } from '../support/hostile-strings.ts'
import { readCommands } from '../support/read-commands.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeHostileFailure, makeHostileReport } from './hostile-report.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** What the runner reads of a report: its log and the file of outputs. */
async function publish(report: ActionReport): Promise<{ log: string; outputs: string }> {
  const folder = makeTemporaryFolder()
  const names = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary' }
  for (const [variable, name] of Object.entries(names)) {
    writeFileSync(join(folder, name), '')
    vi.stubEnv(variable, join(folder, name))
  }
  let log = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    log += String(chunk)
    return true
  })
  const inputs = { failOn: 'error', failOnDrift: false, sarifFile: 'x.sarif' } as const
  await publishReport({ ...report, boundary: folder }, inputs, folder, {
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  })
  write.mockRestore()
  return { log, outputs: readFileSync(join(folder, 'output'), 'utf8') }
}

test.each(hostileStrings)('requirement 17: the runner obeys nothing of %j', async (text) => {
  for (const report of [makeHostileReport(text), makeHostileFailure(text)]) {
    const { log, outputs } = await publish(report)
    const { commands } = readCommands(log)
    const shown = commands.filter(({ name }) => name !== 'group' && name !== 'endgroup')
    const stopped = report.failures.length
    expect(shown.map(({ name }) => name)).toEqual(['notice', 'warning', ...Array(stopped + 2).fill('error'), 'warning'])
    // Nothing of a stranger's names a property, such as another file.
    for (const { properties } of shown) {
      const names = ['title', 'file', 'line', 'endLine', 'col', 'endColumn']
      expect(Object.keys(properties).filter((name) => !names.includes(name))).toEqual([])
    }
    expect(log).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    // Each output has its own delimiter, and there are as many as there should be.
    const delimiters = [...outputs.matchAll(/^[\w-]+<<(ghadelimiter_[\w-]+)$/gm)].map(([, delimiter]) => delimiter)
    expect(delimiters).toHaveLength(new Set(delimiters).size)
    expect(outputs.split('\n').filter((line) => delimiters.includes(line))).toHaveLength(delimiters.length)
  }
})

test.each(hostileStrings)('nothing of %j gets into the message of a commit', (text) => {
  const { update } = makeHostileReport(text)
  if (!update) throw new Error('there is an update')
  const inputs = {
    commitMessage: 'docs: update API pages',
    committer: { name: botName, email: 'x@example.com' },
    commitMethod: 'git',
    skipCi: false,
  } as const
  const message = toCommitMessage(inputs, update, [])
  expect(message.trimEnd()).toBe('docs: update API pages\n\n1 page changed, 1 added to the navigation.')
})
