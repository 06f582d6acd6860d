import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { issuers } from '../../../src/app/base/config/issuer-setting.ts'
import { defaultConfig, parseConfig } from '../../../src/docs/config/project-config.ts'
import { isObject } from '../../../src/text/json/json-values.ts'
import { runInFolder } from '../../cli/run-in-folder.ts'
import { projectFolder, readActionFile } from '../../support/action-harness.ts'
import { checkJsonOutput } from '../../support/check-json-output.ts'
import { type DocumentedExample, documentedExamples, readShellCommands } from '../../support/documented-examples.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { tinyDocument } from '../../support/tiny-docs.ts'

// Every code block of the documentation is executed or validated: here, or in a test that is named here.

/** Blocks that another test executes or compares, by page and language. */
const testedElsewhere: readonly (readonly [page: RegExp, language: RegExp, test: string])[] = [
  [/diagnostics\.md$/, /^(?!sh$)/, 'test/docs/check/diagnostics-examples.test.ts'],
  [/change-codes\.md$/, /^diff$/, 'test/changes/change-examples.test.ts'],
  [/CONTRIBUTING\.md$/, /^(?:diff|mdx|tsx?)$/, 'test/contributing.e2e.test.ts'],
  [/./, /^js$/, 'test/nightly/package.test.ts'],
  [/agents\.md$/, /^md$/, 'test/site/page/output/skill-files.test.ts'],
]

/** Blocks that no test executes, and why. */
const notExecuted: readonly (readonly [page: RegExp, language: RegExp, reason: string])[] = [
  [/./, /^text$/, 'what a program prints, or a file that test/deployment.test.ts compares'],
  [/(?:hosting|site)\.md$/, /^nginx$/, 'needs nginx'],
  [/editors\.md$/, /^(?:lua|toml)$/, 'needs Neovim or Helix. test/e2e/lsp.test.ts starts the same server'],
]

/** Programs in shell scripts: the test that runs them, or why no test does. */
const programs: Readonly<Record<string, string>> = {
  'openapi-pages': 'test/cli/documented-commands.test.ts',
  'openapi-pages-app': 'test/app/documented-app-commands.test.ts',
  curl: 'test/app/documented-app-commands.test.ts',
  npm: 'needs a registry. test/nightly/package.test.ts installs the packages, and a test below checks the names of scripts',
  vitest: 'starts tests, which other commands run, too',
  bash: '.ci/run runs all tests',
  docker: 'needs a container engine. The release workflow builds the image and starts it',
  kubectl: 'needs a cluster. test/several-processes.test.ts checks the manifests',
  grep: 'not installed everywhere',
  git: 'test/cli/documented-merges.test.ts, or needs the published repository',
  'apt-get': 'needs root',
  certbot: 'needs a domain',
  debootstrap: 'needs root',
  mount: 'needs root',
  umount: 'needs root',
  systemctl: 'needs systemd. test/deployment.test.ts checks the unit',
  ...Object.fromEntries(['createdb', 'pg_dump', 'pg_restore'].map((name) => [name, 'test/soak/postgres-recovery.test.ts'])),
  claude: 'needs the agent. test/e2e/mcp.test.ts starts the same server',
  code: 'needs Visual Studio Code',
  '@vscode/vsce': 'needs a registry',
  generate: 'stands for a program of the reader',
  'generate-openapi': 'stands for a program of the reader',
  jq: 'not installed everywhere. Its input is what the command before it prints',
  cd: 'part of a set-up that other tests run',
  cp: 'part of a set-up that other tests run',
  install: 'needs root. test/deployment.test.ts checks the installed script',
  cat: 'part of a set-up that other tests run',
}

const isOf = ({ page, language }: DocumentedExample, row: readonly [RegExp, RegExp, string]) =>
  row[0].test(page) && row[1].test(language)
const rows = [...testedElsewhere, ...notExecuted]
const here = documentedExamples.filter((example) => !rows.some((row) => isOf(example, row)))
const ofLanguage = (language: string) => here.filter((example) => example.language === language)
const toTitle = ({ page, line, text }: DocumentedExample) => `${page}:${line} ${text.trim().split('\n')[0]}`

describe('each code block', () => {
  test('has a language that a test handles', () => {
    expect(documentedExamples.length).toBeGreaterThan(250)
    const handled = ['sh', 'yaml', 'json']
    expect(here.filter(({ language }) => !handled.includes(language)).map(toTitle)).toEqual([])
  })

  test('is handled by a row that is needed, and by a test that exists', () => {
    expect(rows.filter((row) => !documentedExamples.some((example) => isOf(example, row)))).toEqual([])
    const paths = [
      ...testedElsewhere.map(([, , path]) => path),
      ...Object.values(programs).flatMap((text) => text.match(/\btest\/\S+\.ts/g) ?? []),
    ]
    expect(paths.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([])
  })

  test('names only programs that a test runs, or that the list explains', () => {
    const named = ofLanguage('sh').flatMap(({ text }) => readShellCommands(text).map(({ program }) => program))
    expect(Object.keys(programs).sort()).toEqual([...new Set(named)].sort())
  })

  test('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const commands = ofLanguage('sh').flatMap(({ text }) => readShellCommands(text))
    const named = commands.flatMap(({ program, args }) => (program === 'npm' && args[0] === 'run' ? [args[1] ?? ''] : []))
    expect(named).toContain('demo')
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

describe('YAML', () => {
  const keys = Object.keys(defaultConfig)
  const { inputs } = readActionFile()

  test.each(ofLanguage('yaml').map((example) => [toTitle(example), example] as const))('%s', async (_, { text }) => {
    expect(parseAllDocuments(text).flatMap((document) => document.errors)).toEqual([])
    const value: unknown = parse(text)
    for (const step of findSteps(value)) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step)))
    // A file of another program may have a key of the same name.
    if (!isObject(value) || text.includes('script:') || !Object.keys(value).every((key) => keys.includes(key))) return
    const { findings } = await parseConfig({ path: 'openapi-pages.config.yaml', text })
    expect(findings).toEqual([])
  })

  test('includes steps with inputs of the Action', () => {
    const steps = ofLanguage('yaml').flatMap(({ text }) => findSteps(parse(text)))
    expect(new Set(steps.flatMap(Object.keys)).size).toBeGreaterThan(5)
  })
})

/** The inputs of each step that runs the Action. */
function findSteps(value: unknown): object[] {
  if (Array.isArray(value)) return value.flatMap(findSteps)
  if (!isObject(value)) return []
  const isOurs = typeof value['uses'] === 'string' && value['uses'].startsWith('openapi-pages/openapi-pages@')
  return isOurs ? [isObject(value['with']) ? value['with'] : {}] : Object.values(value).flatMap(findSteps)
}

describe('JSON', () => {
  const openapi = JSON.parse(readFileSync(join(projectFolder, 'docs/openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, object> }
  }
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...openapi, $id: 'openapi.json' })

  const validators: Readonly<Record<string, (text: string) => unknown>> = {
    'docs/api.md': (text) => checkJsonOutput('check', text),
    'docs/changes.md': (text) => checkJsonOutput('changes', text),
    'docs/status-api.md': (text) => {
      const value = JSON.parse(text)
      const isHit = 'kind' in value
      const schemas = { code: 'Problem', _id: 'UpdateStatus', kind: 'SearchResults' }
      const schema = Object.entries(schemas).find(([key]) => key in value)?.[1] ?? 'Site'
      const validate = ajv.getSchema(`openapi.json#/components/schemas/${schema}`)
      expect({ isValid: validate?.(isHit ? { results: [value] } : value), errors: validate?.errors }).toEqual({
        isValid: true,
        errors: null,
      })
    },
    'docs/agents.md': (text) =>
      'markdown' in JSON.parse(text) ? checkSettings(text) : expect(text).toMatch(/"openapi-pages", "args": \["mcp"|\/mcp"/),
    'docs/editors.md': (text) => expect(text).toContain('openapi-pages check'),
    'docs/glossary.md': checkDivision,
    'docs/copies.md': (text) => checkDocsConfig(JSON.parse(text)),
    'docs/hosting.md': (text) => expect(issuers(text)).toEqual({ value: JSON.parse(text) }),
    'docs/overlays.md': async (text) => {
      const overlay = 'overlay: 1.0.0\ninfo: {title: Public, version: "1"}\nactions: [{target: $.info, update: {title: Pets}}]\n'
      const files = { 'openapi.yaml': tinyDocument('List pets'), 'public.overlay.yaml': overlay }
      const folder = makeTemporaryFolder({ 'docs.json': JSON.stringify({ name: 'Pets', ...JSON.parse(text) }), ...files })
      expect(await runInFolder(folder, ['check'])).toMatchObject({ exitCode: 0, stderr: '' })
    },
    'docs/site.md': checkSettings,
    'docs/start-docs-team.md': checkDivision,
  }

  test.each(ofLanguage('json').map((example) => [toTitle(example), example] as const))('%s', async (_, { page, text }) => {
    expect(() => JSON.parse(text)).not.toThrow()
    await validators[page]?.(text)
  })

  test('is validated for each page', () => {
    expect(Object.keys(validators).sort()).toEqual([...new Set(ofLanguage('json').map(({ page }) => page))].sort())
  })
})

/** A division of `docs.json`. */
async function checkDivision(text: string): Promise<void> {
  await checkDocsConfig({ navigation: { tabs: [JSON.parse(text)] } })
}

async function checkDocsConfig(config: object): Promise<void> {
  const documents = ['openapi.yaml', 'api/pets.yaml', 'archive/openapi.yaml'].map((path) => [path, tinyDocument('List pets')])
  const docs = JSON.stringify({ name: 'Pets', ...config })
  const folder = makeTemporaryFolder({ 'docs.json': docs, ...Object.fromEntries(documents) })
  expect(await runInFolder(folder, ['check'])).toMatchObject({ exitCode: 0, stderr: '' })
}

/** Settings of `docs.json`, which the build of a site uses. */
async function checkSettings(text: string): Promise<void> {
  const docs = { name: 'Pets', navigation: { pages: ['index'] }, ...JSON.parse(text) }
  const folder = makeTemporaryFolder({ 'docs.json': JSON.stringify(docs), 'index.mdx': '# Pets' })
  const { exitCode, stdout, stderr } = await runInFolder(folder, ['build', '.', '-o', 'out'])
  expect({ exitCode, text: stdout + stderr }).toEqual({ exitCode: 0, text: expect.not.stringContaining('setting-not-used') })
}
