import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const document = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
tags: [{name: Pets}]
paths:
  /pets:
    get: {summary: List pets, tags: [Pets], responses: {'200': {description: ok}}}
    post: {summary: Add a pet, tags: [Pets], deprecated: true, responses: {'201': {description: ok}}}
  /health:
    get: {responses: {'200': {description: ok}}}
`
const navigation = (folder: string) => [
  { group: 'Pets', pages: [`${folder}pets/list-pets`, `${folder}pets/add-a-pet`] },
  { group: 'API Reference', pages: [`${folder}get-health`] },
]

describe('openapi-file', () => {
  test.each([
    [['-o', 'Ref'], 'Work/ref', 'ref', 'ref'],
    [['-o', '../Work/Ref'], 'Work/ref', 'ref', 'ref'],
    [['-o', '../Other/Ref'], 'Other/Ref', '../Other/Ref', '../Other/Ref'],
    [['-o', '.'], 'Work', '', undefined],
  ])(
    '%j: converts directory names below the working directory to lower case, but not others',
    async (words, target, prefix, said) => {
      const folder = makeTemporaryFolder({ 'Work/openapi.yaml': document, 'Other/x': '' })
      const run = await runInFolder(join(folder, 'Work'), ['openapi-file', 'openapi.yaml', ...words])
      expect(Object.keys(snapshotOf(folder)).filter((path) => path.endsWith('health.mdx'))).toEqual([`${target}/get-health.mdx`])
      expect(JSON.parse(run.stdout)[1].pages).toEqual([`${prefix === '' ? '' : `${prefix}/`}get-health`])
      expect(run.stderr).toBe(`✔ 3 pages written${said === undefined ? '' : ` to ${said}`}\n`)
    },
  )

  test('writes pages and prints only an empty line and the navigation', async () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': document })
    const run = await runInFolder(folder, ['openapi-file', 'openapi.yaml'])
    expect(run).toEqual({
      exitCode: 0,
      stdout: `\n${JSON.stringify(navigation(''), undefined, 2)}\n`,
      stderr: '✔ 3 pages written\n',
    })
    expect(Object.keys(snapshotOf(folder))).toEqual([
      'get-health.mdx',
      'openapi.yaml',
      'pets/add-a-pet.mdx',
      'pets/list-pets.mdx',
    ])
    expect(readFileSync(join(folder, 'pets/add-a-pet.mdx'), 'utf8')).toBe('---\nopenapi: post /pets\ndeprecated: true\n---')
  })

  test.each([
    [['-o', 'ref'], 'ref'],
    [['--outDir', 'ref'], 'ref'],
    [['--outDir=ref'], 'ref'],
    [['-o=ref/'], 'ref'],
    [['-o', '../work/ref'], 'ref'],
  ])('%j writes the pages to a directory', async (words) => {
    const folder = makeTemporaryFolder({ 'work/openapi.yaml': document })
    const run = await runInFolder(join(folder, 'work'), ['openapi-file', 'openapi.yaml', ...words])
    expect(run.exitCode).toBe(0)
    expect(existsSync(join(folder, 'work/ref/pets/list-pets.mdx'))).toBe(true)
  })

  test('writes outside the working directory if requested', async () => {
    const folder = makeTemporaryFolder({ 'work/openapi.yaml': document })
    const relative = await runInFolder(join(folder, 'work'), ['openapi-file', 'openapi.yaml', '-o', '../ref'])
    expect(relative.exitCode).toBe(0)
    const absolute = await runInFolder(join(folder, 'work'), ['openapi-file', 'openapi.yaml', '-o', join(folder, 'abs')])
    expect(absolute.exitCode).toBe(0)
    expect(existsSync(join(folder, 'ref/get-health.mdx'))).toBe(true)
    expect(existsSync(join(folder, 'abs/get-health.mdx'))).toBe(true)
  })

  test.each([['--no-writeFiles'], ['-w=false'], ['-w', 'false'], ['--writeFiles=false']])(
    '%s %s writes nothing',
    async (...words) => {
      const folder = makeTemporaryFolder({ 'openapi.yaml': document })
      const before = snapshotOf(folder)
      const run = await runInFolder(folder, ['openapi-file', 'openapi.yaml', ...words])
      expect(run).toEqual({ exitCode: 0, stdout: `\n${JSON.stringify(navigation(''), undefined, 2)}\n`, stderr: '' })
      expect(snapshotOf(folder)).toEqual(before)
    },
  )

  test('keeps existing files without --overwrite', async () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': document, 'pets/list-pets.mdx': 'mine' })
    const first = await runInFolder(folder, ['openapi-file', 'openapi.yaml'])
    expect(first.stderr).toBe('✔ 2 pages written, 1 page kept (use --overwrite to replace it)\n')
    expect(readFileSync(join(folder, 'pets/list-pets.mdx'), 'utf8')).toBe('mine')
    const before = snapshotOf(folder)
    const second = await runInFolder(folder, ['openapi-file', 'openapi.yaml'])
    expect([second.stderr, second.stdout]).toEqual([
      '✔ Nothing to write, 2 pages unchanged, 1 page kept (use --overwrite to replace it)\n',
      first.stdout,
    ])
    expect(snapshotOf(folder)).toEqual(before)
    const third = await runInFolder(folder, ['openapi-file', 'openapi.yaml', '--overwrite'])
    expect(third.stderr).toBe('✔ 1 page written, 2 pages unchanged\n')
    expect(readFileSync(join(folder, 'pets/list-pets.mdx'), 'utf8')).toBe('---\nopenapi: get /pets\n---')
  })

  test.each([
    [
      'an invalid document',
      document.replace('summary', 'sumary'),
      /^openapi\.yaml:6:11 error unknown-field\n[\s\S]*\n✖ 1 error, no pages written\n$/,
    ],
    ['a broken one', '{', /^openapi\.yaml:1:2 error json-syntax\n/],
    ['an empty one', '', /error empty-document\n/],
    ['OpenAPI 2.0', 'swagger: "2.0"', /error unsupported-version\n/],
  ])('exits with 1 for %s, without writing or printing pages', async (_, content, stderr) => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': content, 'list-pets.mdx': 'mine' })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['openapi-file', 'openapi.yaml', '--overwrite'])
    expect([run.exitCode, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toMatch(stderr)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test.each([
    [['nope.yaml'], 'cannot read nope.yaml: no such file\n'],
    [[''], 'cannot read an empty argument: name a file or a URL\n'],
    [
      ['pets'],
      'cannot read pets: it is a directory\n  Name an OpenAPI document. For a directory with a docs.json, run `openapi-pages update`.\n',
    ],
  ])('%j exits 2', async (words, message) => {
    const run = await runInFolder(makeTemporaryFolder({ 'pets/x': '' }), ['openapi-file', ...words])
    expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `openapi-pages: ${message}` })
  })

  test('changes nothing if a page cannot be written', async () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': document, 'get-health.mdx/x': '' })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['openapi-file', 'openapi.yaml'])
    expect(run).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'openapi-pages: cannot write get-health.mdx: a directory with this name exists\n',
    })
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('--quiet prints only the navigation', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'openapi.yaml': document }), ['openapi-file', 'openapi.yaml', '--quiet'])
    expect([run.exitCode, run.stderr, JSON.parse(run.stdout)]).toEqual([0, '', navigation('')])
  })

  test('--format json prints the diagnostics to stderr', async () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': document, 'bad.yaml': document.replace('summary', 'sumary') })
    const good = await runInFolder(folder, ['openapi-file', 'openapi.yaml', '--format', 'json'])
    expect([JSON.parse(good.stdout), JSON.parse(good.stderr)]).toEqual([
      navigation(''),
      { version: 1, valid: true, errors: 0, warnings: 0, infos: 0, diagnostics: [] },
    ])
    const bad = await runInFolder(folder, ['openapi-file', 'bad.yaml', '--format', 'json'])
    expect([bad.exitCode, bad.stdout, JSON.parse(bad.stderr).errors]).toEqual([1, '', 1])
  })

  test('escapes untrusted names', async () => {
    const folder = makeTemporaryFolder({})
    const tag = '::error::\x1b[31m ##[add-mask]\u009b'
    const operation = { tags: [tag], summary: 'x', responses: { 200: { description: 'ok' } } }
    writeFileSync(
      join(folder, 'a.json'),
      JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: { '/a': { get: operation } } }),
    )
    const run = await runInFolder(folder, ['openapi-file', 'a.json', '--no-writeFiles'])
    expect(JSON.parse(run.stdout)[0].group).toBe(tag)
    for (const line of `${run.stdout}${run.stderr}`.split('\n')) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]|^\s*::|##\w*\[/)
  })
})
