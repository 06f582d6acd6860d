import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const files = {
  'api/openapi.yaml': `openapi: 3.2.0
info: {title: Pets, version: "1.0"}
paths:
  /pets:
    get: {$ref: ../shared/list.yaml}
`,
  'shared/list.yaml': `responses:
  '200':
    description: yes
    content: {application/json: {schema: {type: array, items: {$ref: 'pet.json#/Pet'}}}}
`,
  'shared/pet.json': '{"Pet": {"type": "object", "example": {"version": "1.0", "on": "on"}}}',
}

const asYaml = `openapi: 3.2.0
info:
  title: Pets
  version: "1.0"
paths:
  /pets:
    get:
      responses:
        "200":
          description: "yes"
          content:
            application/json:
              schema:
                type: array
                items:
                  $ref: "#/components/schemas/Pet"
components:
  schemas:
    Pet:
      type: object
      example:
        version: "1.0"
        "on": "on"
`

describe('bundle', () => {
  test('prints only the document, in the format of the entry document', async () => {
    const run = await runInFolder(makeTemporaryFolder(files), ['bundle', 'api/openapi.yaml'])
    expect(run).toEqual({ exitCode: 0, stdout: asYaml, stderr: '' })
  })

  test.each(['json', 'yaml'] as const)('keeps all digits of large integers, as %s', async (format) => {
    const folder = makeTemporaryFolder({
      'a.json': `{"openapi": "3.1.1", "info": {"title": "A", "version": "1"}, "paths": {}, "components": {"schemas": {
        "A": {"$ref": "b.yaml"}, "B": {"maxLength": 18446744073709551615, "const": 9007199254740993, "multipleOf": 12345678901234567,
        "default": 4, "x-a": {"$ref": "c.json"}}}}}`,
      'b.yaml': 'minimum: -9223372036854775807\nexample: +12345678901234567\nenum: [9007199254740993, 1.5]\n',
      'c.json': '{"id": 12345678901234567890123}',
    })
    const { exitCode, stdout } = await runInFolder(folder, ['bundle', 'a.json', '--format', format])
    expect(exitCode).toBe(0)
    const numbers = [...stdout.matchAll(/-?\b\d{16,}\b/g)].map(([digits]) => digits)
    expect(numbers).toEqual([
      '-9223372036854775807',
      '12345678901234567',
      '9007199254740993',
      '18446744073709551615',
      '9007199254740993',
      '12345678901234567',
      '12345678901234567890123',
    ])
  })

  test.each([
    ['out.json', [], 'json'],
    ['out.yml', [], 'yaml'],
    ['out.json', ['--format', 'yaml'], 'yaml'],
    ['out', ['--format', 'json'], 'json'],
    ['out', [], 'yaml'],
  ] as const)('writes %s %j as %s', async (name, words, format) => {
    const folder = makeTemporaryFolder(files)
    const run = await runInFolder(folder, ['bundle', 'api/openapi.yaml', '-o', name, ...words])
    expect(run).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `✔ ${name} written: 3 files bundled (OpenAPI 3.2.0, 1 operation)\n`,
    })
    const text = readFileSync(join(folder, name), 'utf8')
    expect(text.startsWith('{\n  "openapi"')).toBe(format === 'json')
    expect(text === asYaml).toBe(format === 'yaml')
    const check = await runInFolder(folder, ['check', name])
    expect(check.stdout).toMatch(new RegExp(`^✔ ${name} is valid`))
  })

  test('does not touch an unchanged file', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['bundle', 'api/openapi.yaml', '-o', 'out.json'])
    const { mtimeMs } = statSync(join(folder, 'out.json'))
    const again = await runInFolder(folder, ['bundle', 'api/openapi.yaml', '-o', 'out.json'])
    expect(again.stderr).toBe('✔ out.json is up to date: 3 files bundled (OpenAPI 3.2.0, 1 operation)\n')
    expect(statSync(join(folder, 'out.json')).mtimeMs).toBe(mtimeMs)
  })

  test('writes nothing for an invalid description', async () => {
    const folder = makeTemporaryFolder({ ...files, 'shared/pet.json': '{"Pet": {"type": "strng"}}', 'out.json': 'old' })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['bundle', 'api/openapi.yaml', '-o', 'out.json'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toBe('')
    expect(run.stderr).toContain('shared/pet.json:1:18 error wrong-value')
    expect(run.stderr).toContain('✖ Nothing written: only descriptions without errors can be bundled\n')
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('reads nothing outside the boundary', async () => {
    const folder = makeTemporaryFolder(files)
    const run = await runInFolder(folder, ['bundle', 'api/openapi.yaml', '--boundary', 'api'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toBe('')
    expect(run.stderr).toContain('error file-outside-boundary')
  })

  test('does not fetch URLs and reports them', async () => {
    const remote = `${files['api/openapi.yaml']}components: {schemas: {A: {$ref: 'https://example.com/a.yaml'}}}\n`
    const folder = makeTemporaryFolder({ ...files, 'api/openapi.yaml': remote })
    const run = await runInFolder(folder, ['bundle', 'api/openapi.yaml'])
    expect([run.exitCode, run.stderr]).toEqual([0, '3 files bundled, 1 reference left unchanged (https://example.com/a.yaml)\n'])
    expect(run.stdout).toContain('$ref: https://example.com/a.yaml')
  })

  test('escapes them', async () => {
    const hostile = `${files['api/openapi.yaml']}x-a: {$ref: "https://example.com/\\e[31m##[add-mask]x"}\n`
    const run = await runInFolder(makeTemporaryFolder({ ...files, 'api/openapi.yaml': hostile }), ['bundle', 'api/openapi.yaml'])
    expect(run.stderr).toBe('3 files bundled, 1 reference left unchanged (https://example.com/\\u001b[31m#\\u0023[add-mask]x)\n')
  })

  test.each([
    ['none.yaml', 'cannot read none.yaml: no such file'],
    ['api', /^cannot read api: it is a directory/],
  ])('rejects %s', async (path, message) => {
    const run = await runInFolder(makeTemporaryFolder(files), ['bundle', path])
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(typeof message === 'string' ? `openapi-pages: ${message}\n` : new RegExp(message.source.slice(1)))
  })
})
