import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

test('the public API is this, and no more', () => {
  expect(Object.keys(api).sort()).toEqual(['ConfigError', 'check', 'formatGithub', 'formatJson'])
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
