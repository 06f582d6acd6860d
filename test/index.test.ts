import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

test('exports exactly the public API', () => {
  expect(Object.keys(api).sort()).toEqual(['ConfigError', 'check', 'formatGithub', 'formatJson', 'formatSarif'])
})

test('checks a document by a path relative to the given working directory', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: Pets}\npaths: {}\n' })
  const { valid, documents, diagnostics } = await api.check('openapi.yaml', { workingDirectory: folder })
  expect(valid).toBe(false)
  expect(documents.map(({ path, version }) => `${path} ${version}`)).toEqual(['openapi.yaml 3.1.0'])
  expect(diagnostics.map(({ file, range, code }) => `${file}:${range.start.line}:${range.start.column} ${code}`)).toEqual([
    'openapi.yaml:2:1 missing-field',
  ])
})

test('names the boundary when the entry is outside', async () => {
  const folder = makeTemporaryFolder()
  await expect(api.check('../openapi.yaml', { workingDirectory: folder, boundary: folder })).rejects.toThrow(api.ConfigError)
})

test('reports a missing entry as a diagnostic', async () => {
  const { valid, diagnostics } = await api.check('none.yaml', { workingDirectory: makeTemporaryFolder() })
  expect(valid).toBe(false)
  expect(diagnostics.map(({ code }) => code)).toEqual(['file-missing'])
})

test('checks given content instead of the file on disk, with the files around it', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'not looked at', 'pet.yaml': 'type: strng\n' })
  const content = 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\ncomponents: {schemas: {Pet: {$ref: pet.yaml}}}\n'
  for (const given of [content, new TextEncoder().encode(content)]) {
    const { diagnostics } = await api.check('openapi.yaml', { workingDirectory: folder, content: given })
    expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual(['pet.yaml wrong-value'])
  }
  await expect(api.check('https://example.com/', { content })).rejects.toThrow(api.ConfigError)
})

test('formats the result of a check in every format', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'openapi: 3.1.0\n' })
  const { diagnostics } = await api.check('openapi.yaml', { workingDirectory: folder })
  expect(JSON.parse(api.formatJson(diagnostics)).errors).toBeGreaterThan(0)
  expect(JSON.parse(api.formatSarif(diagnostics)).runs[0].results).toHaveLength(diagnostics.length)
  expect(api.formatGithub(diagnostics)).toContain('::error file=openapi.yaml,')
})

test('prefers rules of the caller over the configuration file', async () => {
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
])('rejects the rule %s: %s', async (code, level, message) => {
  await expect(api.check('openapi.yaml', { rules: { [code]: level } })).rejects.toThrow(message)
})
