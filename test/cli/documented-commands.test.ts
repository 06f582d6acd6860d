import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { appCommandNames } from '../../src/cli/command-line.ts'
import { parseConfig } from '../../src/docs-config/parse-config.ts'
import { defaultConfig } from '../../src/docs-config/project-config.ts'
import { makeHistory } from '../support/git-history.ts'
import { runInFolder } from './run-in-folder.ts'

// Every example in the documentation: commands run in a repository that has the files they name, and settings have to be valid.

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', ...globSync('docs/*.{md,mdx}', { cwd: root }).sort()]

interface Example {
  readonly page: string
  readonly language: string
  readonly text: string
}

const examples = pages.flatMap((page): Example[] => {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)
  return Array.from(blocks, ([, indent = '', language = '', text = '']) => {
    return { page, language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
  })
})

/** Commands that another test runs, because they need a server or the network. */
const elsewhere: readonly (readonly [command: RegExp, test: string])[] = [
  [/^preview\b/, 'test/e2e/newcomers.test.ts'],
  [/^check https:/, 'test/cli/check-sources.test.ts'],
  [/^ci --commit\b/, 'test/cli/ci.test.ts'],
  [/^wait\b/, 'test/cli/wait.test.ts'],
]

/** The arguments of each `openapi-pages` command in a shell script. */
function listCommands(script: string): string[][] {
  const lines = script.replaceAll('\\\n', ' ').split('\n')
  return lines.flatMap((line) => {
    const text = /(?:^|[|&] *|npx )openapi-pages (.*)$/.exec(line.trim())?.[1]
    if (text === undefined) return []
    const words = text.replace(/ +# .*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)
    return [Array.from(words, ([, single, double, bare]) => single ?? double ?? bare ?? '')]
  })
}

const toDocument = (type: string) => `openapi: 3.1.0
info: {title: Pets, version: "${type === 'string' ? 1 : 2}.0.0"}
tags: [{name: admin}]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [admin]
      summary: List pets
      parameters:
        - name: limit
          in: query
          schema: {type: ${type}}
      responses: {'200': {description: Pets}}
${type === 'string' ? "  /owners:\n    get:\n      responses: {'200': {description: Owners}}\n" : ''}`
const overlay = `overlay: 1.0.0
info: {title: Public, version: 1.0.0}
actions: [{target: $.info, update: {title: Public pets}}]
`
const docsConfig = JSON.stringify({
  name: 'Pets',
  navigation: { tabs: [{ tab: 'API Reference', openapi: 'openapi.yaml' }] },
})

/** A repository with a new version of its API that is not committed yet. */
async function makeRepository(): Promise<string> {
  const { folder, git, commit, tag } = makeHistory()
  git('config', 'user.name', 'Octocat')
  const old = { 'openapi.yaml': toDocument('string'), 'docs.json': docsConfig }
  commit({
    ...old,
    ...{ 'docs/openapi.yaml': old['openapi.yaml'], 'docs/docs.json': docsConfig, 'old.yaml': toDocument('string') },
    ...{ 'apis/pets.yaml': toDocument('string'), 'apis/old/pets.yaml': toDocument('string'), 'public.overlay.yaml': overlay },
  })
  tag('v1.0.0')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await runInFolder(folder, ['update'])
  git('checkout', '-q', '-b', 'topic')
  commit({ 'openapi.yaml': toDocument('integer'), 'docs/openapi.yaml': toDocument('integer') })
  return folder
}

const scripts = examples.filter(({ language, text }) => language === 'sh' && listCommands(text).length > 0)

test('the documentation has commands to run', () => {
  expect(scripts.length).toBeGreaterThan(10)
  expect(elsewhere.filter(([, path]) => !existsSync(join(root, path)))).toEqual([])
  const all = scripts.flatMap(({ text }) => listCommands(text).map((words) => words.join(' ')))
  expect(elsewhere.filter(([command]) => !all.some((line) => command.test(line)))).toEqual([])
})

describe.each([...new Set(scripts.map(({ page }) => page))])('the commands of %s', (page) => {
  const own = scripts.filter((script) => script.page === page)
  test.each(own.map(({ text }) => [text.trim().split('\n').at(-1) ?? '', text]))('%s', async (_, text) => {
    const commands = listCommands(text).filter((words) => !elsewhere.some(([command]) => command.test(words.join(' '))))
    const folder = await makeRepository()
    for (const words of commands) {
      const run = await runInFolder(folder, words, { input: toDocument('string') })
      // A command that reports problems or changes ends with 1.
      expect([0, 1], `openapi-pages ${words.join(' ')}\n${run.stdout}${run.stderr}`).toContain(run.exitCode)
      expect(run.stderr).not.toMatch(/unknown|unexpected|not found/i)
    }
  })
})

test('names only commands and options that exist', async () => {
  const inline = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    return Array.from(text.matchAll(/`(?:npx )?openapi-pages ([a-z][^`]*)`/g), ([, command = '']) => ({ page, command }))
  })
  const shown = [
    ...inline,
    ...scripts.flatMap(({ page, text }) => listCommands(text).map((words) => ({ page, command: words.join(' ') }))),
  ]
  expect(inline.length).toBeGreaterThan(20)
  const helps = new Map<string, string>()
  for (const { page, command } of shown) {
    const [name = '', ...words] = command.split(/[ .,…]+/)
    if (appCommandNames.some((each) => each === name)) continue
    const help = helps.get(name) ?? (await runInFolder(root, ['help', name])).stdout
    helps.set(name, help)
    expect(help, `${page}: openapi-pages ${command}`).toMatch(/^Usage: openapi-pages /)
    for (const option of words.filter((word) => /^--?[a-z]/i.test(word))) {
      const known = new RegExp(`(?:^|[ ,])${option.replace(/=.*/, '')}(?:[ ,\n]|$)`, 'm')
      expect(help, `${page}: openapi-pages ${command}`).toMatch(known)
    }
  }
})

describe('the settings and data in the documentation', () => {
  const data = examples.filter(({ language }) => language === 'yaml' || language === 'json')
  const keys = Object.keys(defaultConfig)

  test.each(
    data.map((example) => [
      `${example.page}: ${example.text
        .trim()
        .split('\n')
        .find((line) => !line.startsWith('#'))}`,
      example,
    ]),
  )('%s', async (_, { language, text }) => {
    if (language === 'json') return expect(() => JSON.parse(text)).not.toThrow()
    expect(parseAllDocuments(text).flatMap((document) => document.errors)).toEqual([])
    const value: unknown = parse(text)
    // A file of another program may have a key of the same name.
    if (typeof value !== 'object' || value === null || !Object.keys(value).every((key) => keys.includes(key))) return
    if (text.includes('script:')) return
    const { findings } = await parseConfig({ path: 'openapi-pages.config.yaml', text })
    expect(findings).toEqual([])
  })

  test('include every setting', () => {
    const text = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    const sections = [keys, Object.keys(defaultConfig.github), Object.keys(defaultConfig.site)].flat()
    expect(sections.filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([])
  })
})

test('the examples of the module run', async () => {
  const [first = '', second = ''] = examples
    .filter(({ page, language }) => page === 'docs/api.md' && language === 'js')
    .map(({ text }) => text)
  const folder = await makeRepository()
  const lines: string[] = []
  for (const text of [first, second]) {
    const body = text
      .replaceAll(/^import \{ (.*) \} from '(.*)'$/gm, "const { $1 } = await load('$2')")
      .replaceAll(/'(openapi|old)\.yaml'/g, `'${folder}/$1.yaml'`)
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
      ...parts: string[]
    ) => (load: (name: string) => Promise<unknown>, console: { log(line: string): void }) => Promise<void>
    const load = (name: string) => (name === 'openapi-pages' ? import('../../src/index.ts') : import(name))
    await new AsyncFunction('load', 'console', body)(load, { log: (line) => lines.push(line) })
  }
  expect(lines).toContainEqual(
    'breaking type-narrowed get /pets: Type of query parameter `limit` changed from `string` to `integer`',
  )
})
