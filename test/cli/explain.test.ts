import { expect, test } from 'vitest'
import { changeCodes } from '../../src/changes/change.ts'
import { diagnosticCodes } from '../../src/diagnostics/diagnostic.ts'
import { runInFolder } from './run-in-folder.ts'

const explain = async (...words: readonly string[]) => await runInFolder('.', ['explain', ...words])

test('explains a diagnostic with its examples', async () => {
  const { exitCode, stdout } = await explain('entry-unique')
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^entry-unique \(error\): Duplicate entry/)])
  expect(stdout).toContain('\nWrong:\n\n  components:\n')
  expect(stdout).toContain('\nRight:\n\n  components:\n')
  expect(stdout).not.toContain('```')
})

test('explains a change with an example', async () => {
  const { stdout } = await explain('operation-removed')
  expect(stdout).toBe(`operation-removed (breaking): Operation removed

Clients that call it get an error.

**Instead:** Deprecate the operation with a date in \`x-sunset\`, and remove it after that date.

Before:

  paths:
    /pets:
      get: {}
      delete: {}

After:

  paths:
    /pets:
      get: {}
`)
  const [code] = JSON.parse((await explain('operation-removed', '--json')).stdout).codes
  expect(code.example.base).toBe(`${code.example.revision}    delete: {}\n`)
})

test('prints a code as JSON', async () => {
  const { stdout } = await explain('entry-unique', '--json')
  const { version, codes } = JSON.parse(stdout)
  expect([version, codes.length, codes[0].severity, codes[0].wrong.length, codes[0].right.length]).toEqual([1, 1, 'error', 1, 1])
  expect(codes[0].meaning).not.toContain('Wrong:')
})

test('separates every example from its meaning', async () => {
  const { codes } = JSON.parse((await explain('--json')).stdout)
  expect(codes.filter(({ meaning }: { meaning: string }) => /wrong$|right$|^(?:Wrong|Right):$/m.test(meaning))).toEqual([])
  // Headings belong to the next chapter of the page.
  expect(codes.filter(({ meaning }: { meaning: string }) => /^# /m.test(meaning))).toEqual([])
})

test('lists all codes without an argument and with --list', async () => {
  const codes = [...Object.keys(diagnosticCodes), ...Object.keys(changeCodes)]
  const { stdout } = await explain()
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(codes)
  expect((await explain('--list')).stdout).toBe(stdout)
  const all = JSON.parse((await explain('--json')).stdout).codes
  expect(all.map(({ code }: { code: string }) => code)).toEqual(codes)
  expect(all.filter(({ meaning }: { meaning: string }) => meaning === '')).toEqual([])
})

test('suggests the nearest code for an unknown one', async () => {
  const { exitCode, stderr } = await explain('securty-scheme')
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Did you mean `security-scheme`?')])
})
