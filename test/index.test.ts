import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

test('the public API is this, and no more', () => {
  expect(Object.keys(api).sort()).toEqual(['ConfigError', 'check', 'formatGithub', 'formatJson', 'formatSarif'])
})

test('checks a document by a path relative to the working directory that is given', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: Pets}\npaths: {}\n' })
  const { valid, documents, diagnostics } = await api.check('openapi.yaml', { workingDirectory: folder })
  expect(valid).toBe(false)
  expect(documents.map(({ path, version }) => `${path} ${version}`)).toEqual(['openapi.yaml 3.1.0'])
  expect(diagnostics.map(({ file, range, code }) => `${file}:${range.start.line}:${range.start.column} ${code}`)).toEqual([
    'openapi.yaml:2:1 missing-field',
  ])
})

test('says what the boundary is when the entry is outside', async () => {
  const folder = makeTemporaryFolder()
  await expect(api.check('../openapi.yaml', { workingDirectory: folder, boundary: folder })).rejects.toThrow(api.ConfigError)
})

test('an entry that is not there is a finding', async () => {
  const { valid, diagnostics } = await api.check('none.yaml', { workingDirectory: makeTemporaryFolder() })
  expect(valid).toBe(false)
  expect(diagnostics.map(({ code }) => code)).toEqual(['file-missing'])
})

test('checks a text in place of what the disk has, with the files around it', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'not looked at', 'pet.yaml': 'type: strng\n' })
  const content = 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\ncomponents: {schemas: {Pet: {$ref: pet.yaml}}}\n'
  for (const given of [content, new TextEncoder().encode(content)]) {
    const { diagnostics } = await api.check('openapi.yaml', { workingDirectory: folder, content: given })
    expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual(['pet.yaml wrong-value'])
  }
  await expect(api.check('https://example.com/', { content })).rejects.toThrow(api.ConfigError)
})

test('every format takes what a check gives', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'openapi: 3.1.0\n' })
  const { diagnostics } = await api.check('openapi.yaml', { workingDirectory: folder })
  expect(JSON.parse(api.formatJson(diagnostics)).errors).toBeGreaterThan(0)
  expect(JSON.parse(api.formatSarif(diagnostics)).runs[0].results).toHaveLength(diagnostics.length)
  expect(api.formatGithub(diagnostics)).toContain('::error file=openapi.yaml,')
})

test('rules of the caller win over those of the configuration file', async () => {
  const folder = makeTemporaryFolder({
    'openapi.yaml':
      'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {/a: {get: {}}}\ncomponents: {schemas: {Pet: {}}}\n',
    'openapi-pages.config.yaml': 'rules: {unused-component: off}\n',
    'docs.json': '{"navigation": {"pages": []}, "api": {"openapi": "openapi.yaml"}}',
  })
  for (const entry of ['openapi.yaml', '.']) {
    const check = async (rules: NonNullable<api.CheckSettings['rules']>) =>
      (await api.check(entry, { workingDirectory: folder, rules })).diagnostics.map(({ code, severity }) => `${severity} ${code}`)
    expect(await check({})).toEqual([])
    expect(await check({ 'unused-component': 'error' })).toEqual(['error unused-component'])
  }
})

test.each<[string, string, string]>([
  ['no-such-rule', 'off', 'Unexpected code `no-such-rule` in `rules`'],
  ['unused-component', 'fatal', 'Unexpected level `fatal` for `unused-component`'],
  ['unknown-field', 'off', 'Cannot make `unknown-field` `off`'],
])('the rule %s: %s is refused', async (code, level, message) => {
  await expect(api.check('openapi.yaml', { rules: { [code]: level } })).rejects.toThrow(message)
})
