import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { appCommandNames } from '../../src/cli/base/command-line.ts'
import { projectFolder } from '../support/action-harness.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
const scripts = new Map<string, string>()
let helpNames: readonly string[] = []

beforeAll(async () => {
  for (const shell of shells) scripts.set(shell, (await runInFolder(projectFolder, ['completion', shell])).stdout)
  const { stdout } = await runInFolder(projectFolder, ['--help'])
  const listed = stdout.split(/^Start:$/m)[1]?.split(/^Examples:$/m)[0] ?? ''
  helpNames = Array.from(listed.matchAll(/^ {2}([\w|-]+) /gm), ([, names = '']) => names.split('|'))
    .flat()
    .filter((name) => name !== 'help')
})

function makeBashFolder(): string {
  return makeTemporaryFolder({ 'completion.bash': scripts.get('bash') ?? '' })
}

/** What bash offers after these words, of which the last may be incomplete. bash separates `=` from the words around it. */
function complete(...words: readonly string[]): string[] {
  const folder = makeBashFolder()
  const script = `source completion.bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _openapi_pages; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-u', '-c', script, 'bash', 'openapi-pages', ...words], { cwd: folder, encoding: 'utf8' })
  return output.split('\n').filter((line) => line !== '')
}

describe('bash completes', () => {
  test('commands, in the order of the help', () => {
    expect(helpNames.length).toBeGreaterThan(12)
    const offered = complete('')
    expect([...offered].sort()).toEqual(
      [...helpNames, ...appCommandNames.filter((name) => !helpNames.includes(name)), '--help', '--version'].sort(),
    )
    expect(complete('comp')).toEqual(['completion'])
  })

  test.each([
    [['check', '--wri'], ['--write-baseline']],
    [['openapi-check', '--wri'], ['--write-baseline']],
    [['--quiet', 'update', '--keep'], ['--keep-going']],
    [['update', '--wri'], []],
    [['check', '--format', ''], expect.arrayContaining(['text', 'json', 'sarif', 'github'])],
    [['changes', 'main', 'HEAD', '--fail-on', 'r'], ['risky']],
    [['changes', '--format', '=', 'ju'], ['junit']],
    [['changes', '--format', '='], expect.arrayContaining(['sarif', 'markdown'])],
    // Without a result, bash completes file names.
    [['check', 'op'], []],
    [['build', '--output', '-'], []],
    [['unknown', '--'], []],
    [['completion', ''], [...shells]],
    [['completion', 'p'], ['powershell']],
    [['completion', '--'], ['--help']],
  ])('%j', (words, expected) => {
    expect(complete(...words)).toEqual(expected)
  })

  test('file names, and registers its function', () => {
    const script = 'eval "$(cat completion.bash)"; complete -p openapi-pages'
    const output = execFileSync('bash', ['-c', script], { cwd: makeBashFolder(), encoding: 'utf8' })
    expect(output).toBe('complete -o default -F _openapi_pages openapi-pages\n')
  })
})

test.each(shells)('the script for %s has each option of each command, and says how to enable it', async (shell) => {
  const script = scripts.get(shell) ?? ''
  expect(script).toMatch(
    /^(?:#compdef openapi-pages\n)?# Completion of openapi-pages for \w+\. To enable it, .*\n# {3}.*openapi-pages completion /i,
  )
  for (const name of helpNames) {
    expect(script).toMatch(new RegExp(`(?<![\\w-])${name}(?![\\w-])`))
    const { stdout } = await runInFolder(projectFolder, [name, '--help'])
    for (const [, long = ''] of stdout.matchAll(/^ {2}(?:-\w, )?--([a-zA-Z-]+)/gm))
      expect(script, `${name} --${long}`).toContain(shell === 'fish' ? `-l ${long}` : `--${long}`)
  }
})

test('describes options with quotes and brackets safely', () => {
  // Each description is one word for its shell.
  expect(scripts.get('zsh')).toContain("[remove the files that init wrote, unless they were edited since]'")
  expect(scripts.get('fish')).toContain("-d 'Take over existing API pages'")
})

test('rejects an unknown shell', async () => {
  expect(await runInFolder(projectFolder, ['completion', 'tcsh'])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'openapi-pages: unknown shell tcsh, expected `bash`, `zsh`, `fish` or `powershell`\n',
  })
})
