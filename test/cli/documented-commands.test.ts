import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { appCommandNames } from '../../src/cli/base/command-line.ts'
import { defaultConfig } from '../../src/docs/config/project-config.ts'
import { projectFolder } from '../support/action-harness.ts'
import { documentedExamples, documentedPages, readShellCommands } from '../support/documented-examples.ts'
import { makeHistory } from '../support/git-history.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

// Every command in the documentation runs in a repository that has the files of its page: rulesets, settings and overlays.

/** Commands that another test runs, because they need a server or the network, or run until they are stopped. */
const elsewhere: readonly (readonly [command: RegExp, test: string])[] = [
  [/^preview\b/, 'test/nightly/newcomers.test.ts'],
  [/^(?:check|changes|openapi-file) https:/, 'test/cli/check-sources.test.ts'],
  [/^update --sources$/, 'test/cli/update-sources.test.ts'],
  [/ --watch$/, 'test/cli/open/watch.test.ts'],
  [/^ci --commit\b/, 'test/cli/ci.test.ts'],
  [/^doctor --network$/, 'test/cli/doctor.test.ts'],
  [/^mcp\b/, 'test/e2e/mcp.test.ts'],
  [/^wait\b/, 'test/cli/wait.test.ts'],
  [/^lsp\b/, 'test/e2e/lsp.test.ts'],
]

/** Commands of other programs in the README and the start guides, and the tests that run them. */
const otherPrograms: readonly (readonly [command: RegExp, test: string])[] = [
  [/^(?:npm install --global --install-links git|openapi-pages-app\b|cat data)/, 'test/nightly/newcomers.test.ts'],
  [/^(?:git clone --depth 1|cd openapi-pages$|npm ci$|npm run demo -- app --keep$)/, 'test/e2e/app-demo.test.ts'],
]

/** Names of commands in sentences, without what the commands need. */
const names = /^(?:accept|bundle --audience public|changes|explain CODE)$/

/** The arguments of each `openapi-pages` command in a shell script. */
function listCommands(script: string): string[][] {
  return readShellCommands(script).flatMap(({ program, args }) => (program === 'openapi-pages' ? [[...args]] : []))
}

const toDocument = (type: string) => `openapi: 3.1.0
info: {title: Pets, version: "${type === 'string' ? 1 : 2}.0.0"}
tags: [{name: admin}]
servers: [{url: https://api.example.com}]
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
const ruleset = `rules:
  path-casing:
    given: $.paths
    then: {field: "@key", function: casing, functionOptions: {type: kebab, separator: {char: /, allowLeading: true}}}
`
const recording = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: '2026-11-22T10:00:00Z',
        request: { method: 'GET', url: 'https://api.example.com/pets?limit=a', headers: [] },
        response: { status: 200, headers: [], content: { mimeType: 'text/plain' } },
      },
    ],
  },
})
const docsConfig = JSON.stringify({
  name: 'Pets',
  navigation: { tabs: [{ tab: 'API Reference', openapi: 'openapi.yaml' }] },
})

let repository = ''
beforeAll(async () => {
  repository = mkdtempSync(join(tmpdir(), 'documented-commands-'))
  await fillRepository(repository)
})
afterAll(() => rmSync(repository, { recursive: true, force: true, maxRetries: 3 }))

/** Creates a repository with a new version of its API that is not committed yet. */
async function fillRepository(folder: string): Promise<void> {
  const { git, commit, tag } = makeHistory(folder)
  git('config', 'user.name', 'Octocat')
  const old = { 'openapi.yaml': toDocument('string'), 'docs.json': docsConfig }
  commit({
    ...old,
    'tests/cassettes/pets.har': recording,
    ...{ 'docs/openapi.yaml': old['openapi.yaml'], 'docs/docs.json': docsConfig, 'old.yaml': toDocument('string') },
    ...{ 'style/rules.yaml': ruleset, 'base.yaml': toDocument('string'), 'revision.yaml': toDocument('integer') },
    ...{ 'apis/pets.yaml': toDocument('string'), 'apis/old/pets.yaml': toDocument('string'), 'public.overlay.yaml': overlay },
  })
  tag('v1.0.0')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await runInFolder(folder, ['update'])
  git('checkout', '-q', '-b', 'topic')
  commit({ 'openapi.yaml': toDocument('integer'), 'docs/openapi.yaml': toDocument('integer') })
}

/** Commands in sentences, and in workflows. */
const inline = documentedPages.flatMap((page) => {
  const text = readFileSync(join(projectFolder, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return Array.from(text.matchAll(/`(?:npx )?(openapi-pages [a-z][^`]*)`/g), ([, command = '']) => ({ page, text: command }))
})
const ofWorkflows = documentedExamples.flatMap(({ page, language, text }) =>
  language === 'yaml'
    ? Array.from(text.matchAll(/run: (.*openapi-pages .*)/g), ([, command = '']) => ({ page, text: command }))
    : [],
)
const scripts = [...documentedExamples.filter(({ language }) => language === 'sh'), ...inline, ...ofWorkflows].filter(
  ({ text }) => listCommands(text).length > 0,
)

/** The files that a page shows: the first ruleset, settings and overlay that need no network. */
function readFiles(page: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { text } of documentedExamples.filter((example) => example.page === page && example.language === 'yaml')) {
    const keys = text.includes('https://') ? [] : Object.keys(Object(parseAllDocuments(text)[0]?.toJS()))
    const isConfig = keys.length > 0 && keys.every((key) => Object.hasOwn(defaultConfig, key))
    if (isConfig) found['openapi-pages.config.yaml'] ??= text
    if (keys.includes('overlay')) found['public.overlay.yaml'] ??= text
    else if (keys.includes('extends')) found['.spectral.yaml'] ??= text
  }
  return found
}

test('the documentation has commands to run', () => {
  expect(scripts.length).toBeGreaterThan(10)
  expect(elsewhere.filter(([, path]) => !existsSync(join(projectFolder, path)))).toEqual([])
  const all = scripts.flatMap(({ text }) => listCommands(text).map((words) => words.join(' ')))
  expect(elsewhere.filter(([command]) => !all.some((line) => command.test(line)))).toEqual([])
})

describe.each([...new Set(scripts.map(({ page }) => page))])('the commands of %s', (page) => {
  const own = new Set(scripts.filter((script) => script.page === page).map(({ text }) => text))
  test.each([...own].map((text) => [text.trim().split('\n').at(-1) ?? '', text]))('%s', async (_, text) => {
    const isElsewhere = (line: string) => names.test(line) || elsewhere.some(([command]) => command.test(line))
    const commands = listCommands(text).filter((words) => !isElsewhere(words.join(' ')))
    const folder = makeTemporaryFolder()
    cpSync(repository, folder, { recursive: true })
    for (const [name, content] of Object.entries(readFiles(page))) writeFileSync(join(folder, name), content)
    for (const words of commands) {
      const run = await runInFolder(folder, words, { input: toDocument('string') })
      // A command that reports problems or changes ends with 1.
      expect([0, 1], `openapi-pages ${words.join(' ')}\n${run.stdout}${run.stderr}`).toContain(run.exitCode)
      expect(run.stderr).not.toMatch(/unknown|unexpected|not found/i)
      expect(run.stdout).not.toMatch(/(?:error|warning) (?:ruleset|baseline|config)-/)
    }
  })
})

test.each(['README.md', ...globSync('docs/start-*.md', { cwd: projectFolder })])('each block of %s is run by a test', (page) => {
  const blocks = documentedExamples.filter((example) => example.page === page)
  const others = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => readShellCommands(text))
    .flatMap(({ program, args }) => (program === 'openapi-pages' ? [] : [[program, ...args].join(' ')]))
  expect(others.filter((line) => !otherPrograms.some(([command]) => command.test(line)))).toEqual([])
  // `npm run docs` writes what commands print.
  const text = readFileSync(join(projectFolder, page), 'utf8').replaceAll(/<!-- output: [\s\S]*?<!-- \/output -->/g, '')
  expect(text).not.toMatch(/^\$ openapi-pages/m)
  expect(otherPrograms.filter(([, path]) => !existsSync(join(projectFolder, path)))).toEqual([])
})

test('names only commands and options that exist', async () => {
  const shown = scripts.flatMap(({ page, text }) => listCommands(text).map((words) => ({ page, command: words.join(' ') })))
  expect(inline.length).toBeGreaterThan(20)
  const helps = new Map<string, string>()
  for (const { page, command } of shown) {
    const [name = '', ...words] = command.split(/[ .,…]+/)
    if (appCommandNames.some((each) => each === name) || name === 'help') continue
    const help = helps.get(name) ?? (await runInFolder(projectFolder, ['help', name])).stdout
    helps.set(name, help)
    expect(help, `${page}: openapi-pages ${command}`).toMatch(/^Usage: openapi-pages /)
    for (const option of words.filter((word) => /^--?[a-z]/i.test(word))) {
      const known = new RegExp(`(?:^|[ ,])${option.replace(/=.*/, '')}(?:[ ,\n]|$)`, 'm')
      expect(help, `${page}: openapi-pages ${command}`).toMatch(known)
    }
  }
})
