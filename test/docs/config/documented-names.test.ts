import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings, toVariable } from '../../../src/app/base/config/settings.ts'
import { createProgram } from '../../../src/app/commands/app-program.ts'
import { loadProgram } from '../../../src/cli/run-cli.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { isObject } from '../../../src/text/json/json-values.ts'
import { projectFolder, readActionFile } from '../../support/action-harness.ts'
import { readSourceFiles } from '../../support/source-graph.ts'

// Every name that users can write or see is in the documentation. The names come from the code.

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
const reference = read('docs/cli.md')

test('docs/cli.md has every command, alias, argument and option of both programs', async () => {
  const output = { write: () => undefined, isTerminal: false, columns: undefined }
  const readStdin = () => Promise.resolve(new Uint8Array())
  const cli = await loadProgram({ workingDirectory: toOwnPath('.'), env: {}, readStdin, stdout: output, stderr: output })
  const { commands } = createProgram({ env: {}, onEnd: () => undefined })
  const sections = new Map(reference.split(/^##+ /m).map((section) => [section.slice(0, section.indexOf('\n')), section]))
  const ofApp = commands.flatMap((command) => [
    [`openapi-pages-app ${command.name()}`, command] as const,
    ...command.commands.map((action) => [`${command.name()} ${action.name()}`, action] as const),
  ])
  const ofCli = cli.commands.map((command) => {
    const names = [command.name(), ...command.aliases()]
    return [names.find((name) => sections.has(name)) ?? command.name(), command] as const
  })
  expect(ofApp.length + ofCli.length).toBeGreaterThan(25)
  const missing = [...ofCli, ...ofApp].flatMap(([title, command]) => {
    const section = sections.get(title) ?? ''
    const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ short, long }) => [short ?? [], long ?? []].flat())
    const names = [...command.aliases(), ...command.registeredArguments.map((argument) => argument.name()), ...options]
    return [title, ...names]
      .filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(section))
      .map((name) => `${title}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('docs/cli.md has every exit code', () => {
  const [, codes = ''] = /export type ExitCode = ([\d |]+)/.exec(read('src/cli/base/cli-context.ts')) ?? []
  expect(codes.split(' | ')).toEqual(['0', '1', '2'])
  for (const code of codes.split(' | ')) expect(reference).toMatch(new RegExp(`^\\| \`${code}\` \\| `, 'm'))
})

test('docs/action-reference.md has every input and output of the Action', () => {
  const { inputs, outputs } = readActionFile()
  const text = read('docs/action-reference.md')
  expect(Object.keys(inputs).filter((name) => !text.includes(`\n### ${name}\n`))).toEqual([])
  expect(Object.keys(outputs).filter((name) => !text.includes(`\n- \`${name}\`: `))).toEqual([])
})

test('docs/configuration.md has every setting of the configuration file', () => {
  const names = listNames(JSON.parse(read('docs/schemas/config.schema.json')))
  expect(names.length).toBeGreaterThan(15)
  const text = read('docs/configuration.md')
  expect(
    [...new Set(names)].filter((name) => !new RegExp(`(?<![\\w-])${name.replace('$', '\\$')}(?![\\w-])`).test(text)),
  ).toEqual([])
})

function listNames(schema: unknown): string[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  // The codes have their own pages, which other tests compare.
  return Object.entries(properties).flatMap(([name, child]) => [
    name,
    ...(/^(?:rules|levels)$/.test(name) ? [] : listNames(child)),
  ])
}

test('docs/self-hosting.md has every setting of the app', () => {
  const text = read('docs/self-hosting.md')
  expect(Object.keys(settings).filter((name) => !text.includes(`| \`${toVariable(name)}\` |`))).toEqual([])
})

test('the environment variables that the command line reads are in docs/cli.md', () => {
  const source = readSourceFiles(join(projectFolder, 'src')).filter(({ name }) =>
    /(?:^|\/)(?:cli|files|status\/client)\//.test(name),
  )
  const found = source.flatMap(({ text }) =>
    Array.from(
      text.matchAll(
        /\b(?:env|environment|variables)\['([A-Z][A-Z_]+)'\]|^ *'((?:CI|GITHUB|BITBUCKET|CIRCLE|BUILD|BRANCH|GIT)_[A-Z_0-9]+)',$/gm,
      ),
      ([, read, listed]) => read ?? listed ?? '',
    ),
  )
  expect(new Set(found).size).toBeGreaterThan(15)
  expect([...new Set(found)].filter((name) => !reference.includes(`\`${name}`))).toEqual([])
})
