import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as api from '../src/index.ts'
import { readParcelVersions } from './app/support/sample-changes.ts'
import { runInFolder } from './cli/run-in-folder.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'
import { tinyDocument } from './support/tiny-docs.ts'

test('exports exactly the public API', () => {
  const names = ['ConfigError', 'build', 'check', 'compare', 'update']
  expect(Object.keys(api).sort()).toEqual(names)
})

test('returns what the commands print', async () => {
  const { base, revision } = readParcelVersions()
  const files = {
    'openapi.yaml': revision.replace('info:', 'infos: {}\ninfo:'),
    'new/openapi.yaml': revision,
    'openapi.old': base,
  }
  const docs = {
    'docs.json': '{"name": "A", "navigation": {"openapi": "openapi.yaml"}}',
    'openapi-pages.config.yaml': 'materialize: true\n',
  }
  const folder = makeTemporaryFolder({ ...files, ...docs })
  const print = async (...argv: string[]) => JSON.parse((await runInFolder(folder, [...argv, '--format', 'json'])).stdout)
  const settings = { workingDirectory: folder }
  for (const entries of ['openapi.yaml', '.', ['*/*.yaml', 'none.yaml']])
    expect(await api.check(entries, settings)).toEqual(await print('check', ...[entries].flat()))
  const { bytes: _, ...built } = await api.build('openapi.yaml', { ...settings, output: 'a' })
  expect(await print('build', 'openapi.yaml', '-o', 'b')).toMatchObject({ ...built, output: 'b' })
  expect(await api.update('.', { ...settings, dryRun: true, keepGoing: true })).toEqual(
    await print('update', '--dry-run', '--keep-going'),
  )
  const changes = await print('changes', 'openapi.old', 'new/openapi.yaml')
  const compared = await api.compare(
    { entry: 'openapi.old', files: { 'openapi.old': base } },
    { entry: 'new/openapi.yaml', files },
  )
  expect(compared).toEqual(changes)
  expect(compared.breaking).toBeGreaterThan(0)
})

test('writes the pages of a docs directory, and says what cannot be built', async () => {
  const folder = makeTemporaryFolder({
    'docs/docs.json': '{"name": "A", "navigation": {"openapi": "a.json"}}',
    'docs/openapi-pages.config.yaml': 'materialize: true\n',
    'docs/a.json': tinyDocument('List pets'),
    'more/a.json': tinyDocument('List pets'),
    'more/b.json': tinyDocument('List pets'),
  })
  const docs = join(folder, 'docs')
  const { added } = await api.update(docs)
  expect(added.map((path) => existsSync(join(docs, path)))).toEqual([true])
  expect((await api.update(docs)).changed).toBe(false)
  await expect(api.build('more', { workingDirectory: folder })).rejects.toThrow(/it has no docs\.json[\s\S]*more\/b\.json/)
})

test('checks a document by a path relative to the given working directory', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: Pets}\npaths: {}\n' })
  const { valid, diagnostics } = await api.check('openapi.yaml', { workingDirectory: folder })
  expect(valid).toBe(false)
  expect(diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([
    'openapi.yaml:2:1 missing-field',
  ])
})

test('accepts an absolute path that leads to the boundary through a link', async () => {
  const link = join(makeTemporaryFolder(), 'link')
  symlinkSync(makeTemporaryFolder({ 'docs/openapi.yaml': 'openapi: 3.1.0\n' }), link)
  const entry = join(link, 'docs/openapi.yaml')
  for (const boundary of [undefined, link]) {
    const settings = { workingDirectory: link, ...(boundary !== undefined && { boundary }) }
    expect((await api.check(entry, settings)).diagnostics[0]?.file).toBe('docs/openapi.yaml')
  }
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

test('prefers rules of the caller over the configuration file', async () => {
  const folder = makeTemporaryFolder({
    'openapi.yaml':
      'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {/a: {get: {}}}\ncomponents: {schemas: {Pet: {}}}\n',
    'openapi-pages.config.yaml': 'rules: {unused-component: off}\n',
    'docs.json': '{"navigation": {"pages": ["index"]}, "api": {"openapi": "openapi.yaml"}}',
    'index.mdx': '---\ntitle: Pets\n---\n',
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
  ['unknown-field', 'off', 'Cannot set `unknown-field` to `off`'],
])('rejects the rule %s: %s', async (code, level, message) => {
  await expect(api.check('openapi.yaml', { rules: { [code]: level } })).rejects.toThrow(message)
})

const toPets = (type: string) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      parameters: [{name: limit, in: query, schema: {type: ${type}}}]
      responses: {'200': {description: Pets}}
`

test('compares two documents by their contents', async () => {
  for (const toContent of [(text: string) => text, (text: string) => new TextEncoder().encode(text)]) {
    const { changes, errors } = await api.compare(toContent(toPets('string')), toContent(toPets('integer')))
    expect(errors).toBe(undefined)
    expect(
      changes.map(
        ({ level, code, method, path, revision }) => `${level} ${code} ${method} ${path} ${revision?.file}:${revision?.line}`,
      ),
    ).toEqual(['breaking type-narrowed get /pets openapi.yaml:6'])
  }
})

test('compares descriptions with several files, and reports what they miss', async () => {
  const entry = 'api/openapi.yaml'
  const main = `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/a: {$ref: ../a.yaml}, /b: {$ref: ../b.yaml}}\n`
  const one = "get: {responses: {'200': {description: A}}}\n"
  const two = "get: {responses: {'200': {description: A}, '404': {description: None}}}\n"
  const result = await api.compare(
    { entry, files: { [entry]: main, 'a.yaml': one, 'b.yaml': one } },
    { entry, files: { [entry]: main, 'a.yaml': two, 'b.yaml': one } },
  )
  expect(result.changes.map(({ code, revision }) => `${code} ${revision?.file}`)).toEqual(['response-added a.yaml'])
  expect(result).toMatchObject({ version: 1, base: { document: entry }, changes: [{ path: '/a' }] })
  const incomplete = await api.compare({ entry, files: { [entry]: main, 'a.yaml': one } }, { entry, files: { [entry]: main } })
  expect(incomplete.errors).toEqual({ base: 1, revision: 2 })
})

test('compares with levels by code', async () => {
  const levelsWith = async (levels: NonNullable<api.CompareSettings['levels']>) =>
    (await api.compare(toPets('string'), toPets('integer'), { levels })).changes.map(({ level }) => level)
  expect(await levelsWith({ 'type-narrowed': 'risky' })).toEqual(['risky'])
  expect(await levelsWith({ 'type-narrowed': 'off' })).toEqual([])
})

test('compares sunset dates with the given date', async () => {
  const operation = "get: {deprecated: true, x-sunset: 2026-05-01, responses: {'200': {description: A}}}"
  const base = `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/a: {${operation}}}\n`
  const revision = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\n'
  const codesOn = async (today: string) => (await api.compare(base, revision, { today })).changes.map(({ code }) => code)
  expect(await codesOn('2026-04-30')).toEqual(['operation-removed-early'])
  expect(await codesOn('2026-05-02')).toEqual(['operation-removed-deprecated'])
})

test.each<[string, Parameters<typeof api.compare>, string]>([
  ['a path instead of a content', ['old.yaml', toPets('string')], 'Cannot read `base` as OpenAPI'],
  ['a missing entry', [toPets('string'), { entry: 'a.yaml', files: {} }], 'Cannot read `revision` as OpenAPI'],
  ['an unknown code', ['', '', { levels: JSON.parse('{"no-such-code": "off"}') }], 'Unexpected code `no-such-code` in `levels`'],
  [
    'an unknown level',
    ['', '', { levels: JSON.parse('{"type-narrowed": "error"}') }],
    'Unexpected level `error` for `type-narrowed`, expected `breaking`, `risky`, `compatible` or `off`',
  ],
  ['a date in another format', ['', '', { today: '1.5.2026' }], 'Unexpected date `1.5.2026` for `today`, expected `YYYY-MM-DD`'],
])('cannot compare with %s', async (_, given, message) => {
  await expect(api.compare(...given)).rejects.toThrow(message)
})
