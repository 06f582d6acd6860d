import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { normalizeArgv } from '../../src/cli/base/command-line.ts'
import { packageVersion } from '../../src/docs/config/config-files.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { testCases } from './cases.ts'
import { runInFolder } from './run-in-folder.ts'

testCases('usage')

describe('options before the command', () => {
  test.each(['--color', '--quiet --no-color', '--format json', '--boundary .', '--boundary=.', '--check'])(
    '%s update says what `update` with it says',
    async (options) => {
      const words = options.split(' ')
      const before = await runInFolder(makeTemporaryFolder({}), [...words, 'update'])
      const after = await runInFolder(makeTemporaryFolder({}), ['update', ...words])
      expect(before).toEqual(after)
      expect(before.stderr).not.toMatch(/unknown|unexpected/)
    },
  )
})

describe('help and version', () => {
  test.each(['-h', '--help', 'help', 'check --help', 'openapi-check -h', 'update --help', 'openapi-file --help', 'help check'])(
    '%s',
    async (line) => {
      const run = await runInFolder(makeTemporaryFolder({}), line.split(' '))
      expect([run.exitCode, run.stderr]).toEqual([0, ''])
      expect(run.stdout).toMatch(/^Usage: openapi-pages/)
      expect(run.stdout).toContain('\nExamples:\n  openapi-pages ')
      expect(run.stdout).not.toMatch(/default: (?:true|false)/)
    },
  )

  test.each(['--quiet update --help', '-h update', '--format json -h update'])(
    '%s prints the help of the command',
    async (line) => {
      const run = await runInFolder(makeTemporaryFolder({}), line.split(' '))
      expect([run.exitCode, run.stderr]).toEqual([0, ''])
      expect(run.stdout).toMatch(/^Usage: openapi-pages update /)
    },
  )

  test.each(['-v', '--version', 'check --version', 'update -v', '-v update'])('%s', async (line) => {
    expect(await runInFolder(makeTemporaryFolder({}), line.split(' '))).toEqual({
      exitCode: 0,
      stdout: `${packageVersion}\n`,
      stderr: '',
    })
  })

  test('prints the version of the package', () => {
    const manifest: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(packageVersion).toBe(manifest.version)
  })
})

describe('normalizeArgv', () => {
  test.each([
    ['openapi-file a.yaml -w', 'openapi-file a.yaml --writeFiles'],
    ['openapi-file -w a.yaml', 'openapi-file --writeFiles a.yaml'],
    ['openapi-file -w false a.yaml', 'openapi-file --no-writeFiles a.yaml'],
    ['openapi-file -w=false a.yaml', 'openapi-file --no-writeFiles a.yaml'],
    ['openapi-file --writeFiles=false a.yaml', 'openapi-file --no-writeFiles a.yaml'],
    ['openapi-file --write-files true a.yaml', 'openapi-file --writeFiles a.yaml'],
    ['openapi-file --no-writeFiles a.yaml', 'openapi-file --no-writeFiles a.yaml'],
    ['openapi-file -o=out a.yaml', 'openapi-file -o out a.yaml'],
    ['openapi-file -o out a.yaml', 'openapi-file -o out a.yaml'],
    ['openapi-file --out-dir=out a.yaml', 'openapi-file --outDir out a.yaml'],
    ['check -- -w false', 'check -- -w false'],
    ['check a.yaml', 'check a.yaml'],
  ])('%s → %s', (line, expected) => {
    expect(normalizeArgv(line.split(' '))).toEqual(expected.split(' '))
  })
})
