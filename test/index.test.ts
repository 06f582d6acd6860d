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
