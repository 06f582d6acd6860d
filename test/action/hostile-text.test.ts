import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { toCommitMessage } from '../../src/action/delivery/commit-message.ts'
import { botName } from '../../src/action/inputs/inputs.ts'
import { printText, publishReport } from '../../src/action/report/publish-report.ts'
import type { ActionReport } from '../../src/action/report/summary.ts'
import { arbitraryText } from '../support/arbitrary-text.ts'
import { hostileStrings } from '../support/hostile-strings.ts'
import { fc, propertyRuns } from '../support/properties.ts'
import { readCommands } from '../support/read-commands.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeHostileFailure, makeHostileReport } from './hostile-report.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** What is written to the log meanwhile. */
async function captureLog(action: () => unknown): Promise<string> {
  let log = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    log += String(chunk)
    return true
  })
  await action()
  write.mockRestore()
  return log
}

/** What the runner reads of a report: its log and the file of outputs. */
async function publish(report: ActionReport): Promise<{ log: string; outputs: string }> {
  const folder = makeTemporaryFolder()
  const names = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary' }
  for (const [variable, name] of Object.entries(names)) {
    writeFileSync(join(folder, name), '')
    vi.stubEnv(variable, join(folder, name))
  }
  const inputs = { failOn: 'error', failOnDrift: false, sarifFile: 'x.sarif' } as const
  const environment = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  const log = await captureLog(() => publishReport({ ...report, boundary: folder }, inputs, folder, environment))
  return { log, outputs: readFileSync(join(folder, 'output'), 'utf8') }
}

test.each(hostileStrings)('the runner executes no command in %j', async (text) => {
  for (const report of [makeHostileReport(text), makeHostileFailure(text)]) {
    const { log, outputs } = await publish(report)
    const { commands } = readCommands(log)
    const shown = commands.filter(({ name }) => name !== 'group' && name !== 'endgroup')
    const stopped = report.failures.length
    expect(shown.map(({ name }) => name)).toEqual(['notice', 'warning', ...Array(stopped + 2).fill('error'), 'warning'])
    // Untrusted text never becomes a property, such as another file.
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

test.each(hostileStrings)('the commit message contains nothing of %j', (text) => {
  const { update } = makeHostileReport(text)
  if (!update) throw new Error('there is an update')
  const inputs = {
    commitMessage: 'docs: update API pages',
    committer: { name: botName, email: 'x@example.com' },
    commitMethod: 'git',
    signoff: false,
    skipCi: false,
  } as const
  const message = toCommitMessage(inputs, update, [])
  expect(message.trimEnd()).toBe('docs: update API pages\n\n1 page changed, 1 added to the navigation.')
})

/** Pieces of commands, of what may stand around them, and of characters that the runner's comparison skips. */
const piece = fc.constantFrom(
  ...['::', ':', '##[', '#', '[', ']', 'error', 'set-output name=x', 'stop-commands::x', 'add-mask', '%0A', ' ', '\t', 'a'],
  ...['\n', '\r', '\r\n', '\u0085', '\u2028', '\u00a0', '\u00ad', '\u200b', '\u200d', '\ufeff', '\u0000', '\u001b'],
)

const invisible = /\u0000|\u001b|\u00ad|\u200b|\u200d|\ufeff/g

/** The names of the commands in a log, and the lines that the runner shows. */
function interpret(log: string): { commands: string[]; text: string } {
  const { commands, text } = readCommands(log)
  return { commands: commands.map(({ name }) => name), text }
}

test('prints no text that the runner interprets as a workflow command', async () => {
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    arbitraryText({ maxLength: 20 }),
  )
  await fc.assert(
    fc.asyncProperty(text, async (printed) => {
      const log = await captureLog(() => printText(printed))
      // What follows is interpreted again, and every printed line is shown.
      expect(interpret(`${log}::notice::end`).commands).toEqual(['notice'])
      for (const line of printed.split(/\r\n|\r|\n/)) expect(interpret(log).text.split('\n')).toContain(line)
      // The runner's comparison skips these characters; a text that is a command without them is not printed plainly.
      const visible = printed.replace(invisible, '')
      const isCommand = interpret(visible).text.split('\n').length !== visible.split(/\r\n|\r|\n/).length
      if (isCommand) expect(log).not.toBe(`${printed}\n`)
    }),
    { numRuns: propertyRuns(1_000) },
  )
})

test.each([
  '::error file=x::forged',
  'fine\n \t::add-mask::a',
  'fine\r::set-output name=x::a',
  'fine\u2028::warning::forged',
  '\u200b::notice::forged',
  ':\u00ad:notice::forged',
  'openapi.yaml:3:5 error ##[error]forged',
  '::stop-commands::x',
])('stops commands around text that could be one: %j', async (text) => {
  const log = await captureLog(() => printText(text))
  expect(log).toMatch(/^::stop-commands::([\da-f-]{36})\n[\s\S]*\n::\1::\n$/)
  expect(log).toContain(`\n${text}\n`)
  expect(interpret(`${log}::notice::end`).commands).toEqual(['notice'])
})

test('prints other text unchanged', async () => {
  for (const text of ['Committed 1234567 to main', 'a: std::string', 'openapi.yaml:3:5 error', '# heading', 'https://[::1]/']) {
    expect(await captureLog(() => printText(text))).toBe(`${text}\n`)
  }
})
