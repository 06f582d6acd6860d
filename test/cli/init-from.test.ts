import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { answerQuestions } from '../support/answer-questions.ts'
import { readTree } from '../support/read-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n'
const redocly = `extends: [minimal]
rules:
  info-contact: error
  no-unused-components: error
  path-segment-plural: warn
`
const readText = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

describe('init --from redocly.yaml', () => {
  test('writes a ruleset and a configuration, and lists what they lack', async () => {
    const folder = makeTemporaryFolder({ 'redocly.yaml': redocly, 'openapi.yaml': document })
    const { exitCode, stdout } = await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--yes'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Not carried over\n  redocly.yaml:1 warnings of minimal: these stay errors: ')
    expect(stdout).toContain('  redocly.yaml:5 path-segment-plural: no rule can tell singular from plural\n')
    expect(stdout).toContain('✔ 2 files written\n')
    const ruleset = readText(folder, '.spectral.yaml')
    expect(ruleset).toContain('# - redocly.yaml:5 path-segment-plural: no rule can tell singular from plural\n')
    expect(parse(ruleset)).toMatchObject({ extends: [['spectral:oas', 'off']], rules: { 'info-contact': 'error' } })
    expect(parse(readText(folder, 'openapi-pages.config.yaml'))).toMatchObject({ rules: { 'unused-component': 'error' } })
    const check = await runInFolder(folder, ['check', 'openapi.yaml', '--format', 'unix'])
    expect(check.stdout).toContain('[error/info-contact]')
    expect(check.stdout).not.toContain('ruleset-problem')
    expect(await runInFolder(folder, ['init', '--undo'])).toMatchObject({ exitCode: 0 })
    expect(Object.keys(readTree(folder))).toEqual(['openapi.yaml', 'redocly.yaml'])
  })

  test('`--dry-run` shows the files and writes none', async () => {
    const files = { 'redocly.yaml': redocly, 'openapi.yaml': document }
    const folder = makeTemporaryFolder(files)
    const { exitCode, stdout } = await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--dry-run'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('\n    info-contact: error\n')
    expect(stdout).toContain('\n    unused-component: error\n')
    expect(stdout).toMatch(/Nothing was written\. To write these files, run `openapi-pages init --from redocly\.yaml --yes`\n$/)
    expect(readTree(folder)).toEqual(files)
  })

  test('asks before it writes', async () => {
    const folder = makeTemporaryFolder({ 'redocly.yaml': redocly })
    const questions = answerQuestions('no')
    expect(await runInFolder(folder, ['init', '--from', 'redocly.yaml'], { questions })).toMatchObject({ exitCode: 2 })
    expect(questions.asked.map(({ message }) => message)).toEqual(['Write these 2 files?'])
    expect(existsSync(join(folder, '.spectral.yaml'))).toBe(false)
  })

  test('does not overwrite a ruleset', async () => {
    const own = 'extends: spectral:oas\n'
    const folder = makeTemporaryFolder({ 'redocly.yaml': redocly, '.spectral.yaml': own })
    const { stdout } = await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--yes'])
    expect(stdout).toContain('  To apply the rules, add ./redocly.spectral.yaml to `extends` of .spectral.yaml\n')
    expect(readText(folder, '.spectral.yaml')).toBe(own)
    const again = await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--yes'])
    expect(again).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('cannot write redocly.spectral.yaml: it exists already'),
    })
  })

  test('adds to a configuration file what it does not have', async () => {
    const config = '# Ours\nrules:\n  unused-component: off # Not needed\nmaterialize: false\n'
    const rules = 'rules: { no-unused-components: error, no-enum-type-mismatch: error }\n'
    const folder = makeTemporaryFolder({ 'redocly.yaml': rules, 'openapi-pages.config.yaml': config })
    await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--yes'])
    expect(readText(folder, 'openapi-pages.config.yaml')).toBe(
      '# Ours\nrules:\n  unused-component: off # Not needed\n  enum-mismatch: error\nmaterialize: false\n',
    )
    expect(existsSync(join(folder, '.spectral.yaml'))).toBe(false)
    await runInFolder(folder, ['init', '--undo'])
    expect(readText(folder, 'openapi-pages.config.yaml')).toBe(config)
  })

  test('writes the settings beside the only docs.json', async () => {
    const docs = JSON.stringify({ name: 'Pets', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } })
    const api = 'rules: {}\napis: { pets: { root: docs/openapi.yaml, rules: { no-unused-components: off } } }\n'
    const folder = makeTemporaryFolder({ 'redocly.yaml': api, 'docs/docs.json': docs, 'docs/openapi.yaml': document })
    await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--yes'])
    expect(parse(readText(folder, 'docs/openapi-pages.config.yaml'))).toEqual({
      ignore: [{ code: 'unused-component', path: 'openapi.yaml' }],
    })
  })

  test('names a baseline for ignored problems', async () => {
    const folder = makeTemporaryFolder({ 'redocly.yaml': redocly, '.redocly.lint-ignore.yaml': 'openapi.yaml: {}\n' })
    const { stdout } = await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--dry-run'])
    expect(stdout).toContain(
      '.redocly.lint-ignore.yaml:1 its problems: accept them in a baseline: `openapi-pages check . --baseline',
    )
  })

  test.each([
    ['missing.yaml', 'no such file'],
    ['empty.redocly.yaml', 'it is empty'],
    ['broken.redocly.yaml', 'line 1, column'],
    ['list.redocly.yaml', 'it is not a mapping'],
    ['openapi.yaml', 'it is no configuration of Redocly or Optic'],
  ])('explains why it cannot import %s', async (name, reason) => {
    const files = {
      'empty.redocly.yaml': '',
      'broken.redocly.yaml': 'rules: {',
      'list.redocly.yaml': '[]',
      'openapi.yaml': document,
    }
    const { exitCode, stderr } = await runInFolder(makeTemporaryFolder(files), ['init', '--from', name])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`cannot import ${name}: ${reason}`)
  })

  test('says that there is nothing to carry over', async () => {
    const folder = makeTemporaryFolder({ 'redocly.yaml': 'theme: { openapi: {} }\n' })
    const { exitCode, stdout } = await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--yes'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('! Nothing in redocly.yaml can be carried over\n')
    expect(stdout).toContain('  redocly.yaml:1 theme: `docs.json` has the look of a site\n')
    expect(Object.keys(readTree(folder))).toEqual(['redocly.yaml'])
  })

  test('cannot be combined with the rest of the setup', async () => {
    const folder = makeTemporaryFolder({ 'redocly.yaml': redocly })
    const { exitCode, stderr } = await runInFolder(folder, ['init', '--from', 'redocly.yaml', '--baseline'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--from')
  })
})

test('init --from optic.yml writes a ruleset and fails on breaking changes', async () => {
  const optic = 'ruleset:\n  - breaking-changes\n  - naming: { queryParameters: snake_case }\ncapture: { openapi.yaml: {} }\n'
  const folder = makeTemporaryFolder({ 'optic.yml': optic, 'openapi.yaml': document })
  const { stdout } = await runInFolder(folder, ['init', '--from', 'optic.yml', '--yes'])
  expect(stdout).toContain('  optic.yml:4 capture: traffic is not captured\n')
  expect(parse(readText(folder, 'openapi-pages.config.yaml'))).toEqual({ changes: { failOn: 'breaking' } })
  expect(parse(readText(folder, '.spectral.yaml'))).toMatchObject({ rules: { 'query-parameter-naming': { severity: 'error' } } })
})
