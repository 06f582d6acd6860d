import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { normalizeArgv } from '../../src/cli/command-line.ts'
import { packageVersion } from '../../src/update/package-version.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

describe('usage errors', () => {
  test.each([
    ['lint', 'unknown command lint', 'To check documents: `openapi-pages check`. See `openapi-pages --help`.'],
    ['validate a.yaml', 'unknown command validate', 'To check documents: `openapi-pages check`. See `openapi-pages --help`.'],
    ['dev', 'unknown command dev', 'To preview the site: `openapi-pages preview`. See `openapi-pages --help`.'],
    [
      'generate',
      'unknown command generate',
      'To generate the pages of a docs.json: `openapi-pages update`. Without a docs.json: `openapi-pages openapi-file <document>`. See `openapi-pages --help`.',
    ],
    ['setup', 'unknown command setup', 'To set up a repository: `openapi-pages init`. See `openapi-pages --help`.'],
    ['sevre', 'unknown command sevre', 'Did you mean `serve`? See `openapi-pages --help`.'],
    ['chek x', 'unknown command chek', 'Did you mean `check`? See `openapi-pages --help`.'],
    [
      'publish',
      'unknown command publish',
      'Available commands: init, openapi-check, check, changes, diff, accept, update, ci, status, adopt, openapi-file, bundle, build, preview, lsp, mcp, wait, doctor, explain, rules, completion, serve, token, project, backup, reconcile, migrate-store. See `openapi-pages --help`.',
    ],
    [
      'openapi.yaml',
      'unknown command openapi.yaml',
      'To check a document: `openapi-pages check openapi.yaml`. See `openapi-pages --help`.',
    ],
    ['help chek', 'unknown command chek', 'Did you mean `check`? See `openapi-pages --help`.'],
    ['chek --help', 'unknown command chek', 'Did you mean `check`? See `openapi-pages --help`.'],
    ['chek -v', 'unknown command chek', 'Did you mean `check`? See `openapi-pages --help`.'],
    [
      '--quiet token list',
      'unexpected option before token',
      'Put the command first: `openapi-pages-app token …`. See `openapi-pages-app token --help`.',
    ],
    ['help serve', 'cannot show help for serve here', 'See `openapi-pages-app serve --help`.'],
    [
      'check -draft.yaml',
      'unknown option -draft.yaml for `check`',
      'To check the file, write `./-draft.yaml`. See `openapi-pages check --help`.',
    ],
    ['--nope', 'unknown option --nope', 'See `openapi-pages --help`.'],
    ['bundle', 'missing argument <pathOrUrl> for `bundle`', 'See `openapi-pages bundle --help`.'],
    ['bundle --format xml a.yaml', 'unknown format `xml`, expected `json` or `yaml`', undefined],
    [
      'check --ouput x a.yaml',
      'unknown option --ouput for `check`',
      'Did you mean `--output`? See `openapi-pages check --help`.',
    ],
    [
      'check --stdin-path a.yaml b.yaml',
      'unexpected --stdin-path without the argument `-`',
      'Use `-` to read the document from stdin',
    ],
    ['openapi-file', 'missing argument <pathOrUrl> for `openapi-file`', 'See `openapi-pages openapi-file --help`.'],
    ['check --qiet a.yaml', 'unknown option --qiet for `check`', 'Did you mean `--quiet`? See `openapi-pages check --help`.'],
    ['check -x a.yaml', 'unknown option -x for `check`', 'See `openapi-pages check --help`.'],
    ['update --dryrun', 'unknown option --dryrun for `update`', 'Did you mean `--dry-run`? See `openapi-pages update --help`.'],
    [
      'openapi-file --ouput x a.yaml',
      'unknown option --ouput for `openapi-file`',
      'Did you mean `--outDir`? See `openapi-pages openapi-file --help`.',
    ],
    [
      'openapi-file --force a.yaml',
      'unknown option --force for `openapi-file`',
      'Did you mean `--overwrite`? See `openapi-pages openapi-file --help`.',
    ],
    [
      'check --json a.yaml',
      'unknown option --json for `check`',
      'Did you mean `--format json`? See `openapi-pages check --help`.',
    ],
    ['check --format', 'missing value for --format <format> for `check`', 'See `openapi-pages check --help`.'],
    [
      'check --format jsn a.yaml',
      'unknown format `jsn`, expected `text`, `json`, `sarif`, `github`, `gitlab`, `junit`, `checkstyle` or `unix`',
      'Did you mean `--format json`?',
    ],
    ['update --format github', 'unknown format `github`, expected `text` or `json`', undefined],
    [
      'openapi-file a.yaml b.yaml',
      'unexpected argument b.yaml for `openapi-file`',
      'Run it once per document, and name the output directory with -o. See `openapi-pages openapi-file --help`.',
    ],
    ['update a b', 'unexpected argument b for `update`', 'See `openapi-pages update --help`.'],
    ['--quiet --format json chek x', 'unknown command chek', 'Did you mean `check`? See `openapi-pages --help`.'],
    ['--qiet check a.yaml', 'unknown option --qiet for `check`', 'Did you mean `--quiet`? See `openapi-pages check --help`.'],
    ['--check check a.yaml', 'unknown option --check for `check`', 'See `openapi-pages check --help`.'],
    ['--boundary', 'unknown option --boundary', 'See `openapi-pages --help`.'],
    ['check --boundary nope a.yaml', 'cannot use nope as --boundary: no such directory', undefined],
    ['check ftp://example.com/a.yaml', 'cannot read ftp://example.com/a.yaml: unexpected `ftp:`, expected `https:`', undefined],
    [
      'check https://name:secret@example.com/a.yaml',
      'cannot read https://…@example.com/a.yaml: URLs with a user name or password are not supported',
      'Remove the credentials from the URL',
    ],
    ['openapi-file file:///a.yaml', 'cannot read file:///a.yaml: unexpected `file:`, expected `https:`', undefined],
    ['openapi-file --writeFiles=maybe a.yaml', 'unexpected value maybe for --writeFiles, expected true or false', undefined],
  ])('%s', async (line, message, hint) => {
    const run = await runInFolder(makeTemporaryFolder({}), line.split(' '))
    expect(run).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `openapi-pages: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`,
    })
  })

  test('escapes arguments', async () => {
    const { stderr } = await runInFolder(makeTemporaryFolder({}), ['\x1b[31m\n::error::x'])
    expect(stderr).toMatch(/^openapi-pages: unknown command \\u001b\[31m\\n::error::x\n {2}Available commands:/)
  })

  test('prints help as an error without arguments', async () => {
    const run = await runInFolder(makeTemporaryFolder({}), [])
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(/^Usage: openapi-pages/)
  })
})

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

test.each(['check', 'openapi-check', 'openapi-file', 'bundle', 'build', 'preview'])(
  '`%s a.yml` beside `a.yaml` asks whether that is meant',
  async (command) => {
    const folder = makeTemporaryFolder({ 'a.yaml': 'openapi: 3.1.0' })
    const { exitCode, stderr } = await runInFolder(folder, [command, 'a.yml'])
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^openapi-pages: cannot read a\.yml: .*\n {2}Did you mean `a\.yaml`\?\n$/),
    ])
  },
)
