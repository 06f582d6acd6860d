import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeOrdinaryUser } from '../support/ordinary-user.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const valid = `openapi: 3.1.1
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get:
      summary: List pets
      tags: [Pets]
      responses:
        '200': {description: ok}
`
const typo = valid.replace('summary', 'sumary')
const hostile = '\x1b[31mred\x1b[0m\n::error::pwned ##[add-mask]x \u009b\u202e'

describe('output', () => {
  test('a valid document', async () => {
    expect(await runInFolder(makeTemporaryFolder({ 'a.yaml': valid }), ['check', 'a.yaml'])).toEqual({
      exitCode: 0,
      stdout: '✔ a.yaml is valid (OpenAPI 3.1.1, 1 operation)\n',
      stderr: '',
    })
  })

  test('a document with an error', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': typo }), ['check', 'a.yaml'])
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(run.stdout).toMatchInlineSnapshot(`
      "a.yaml:6:7 error unknown-field
        Unexpected field \`sumary\` in an Operation Object

          5 │     get:
        ▶ 6 │       sumary: List pets
            │       ^^^^^^
          7 │       tags: [Pets]

        hint: Did you mean \`summary\`?
              https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#unknown-field  (OpenAPI 3.1.1, Operation Object)

      ✖ a.yaml has 1 error (OpenAPI 3.1.1, 1 operation)
      "
    `)
  })

  test('several documents, by path and glob', async () => {
    const folder = makeTemporaryFolder({
      'b.yaml': valid,
      'apis/a.yaml': typo,
      'apis/deep/c.yaml': valid,
      'apis/node_modules/d.yaml': typo,
    })
    const run = await runInFolder(folder, ['check', 'b.yaml', 'apis/**/*.yaml', './b.yaml'])
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(run.stdout.split('\n').slice(-5)).toEqual([
      '✔ b.yaml is valid (OpenAPI 3.1.1, 1 operation)',
      '✖ apis/a.yaml has 1 error (OpenAPI 3.1.1, 1 operation)',
      '✔ apis/deep/c.yaml is valid (OpenAPI 3.1.1, 1 operation)',
      '✖ 1 error in 1 file, 3 documents checked',
      '',
    ])
  })

  test('globs with `!` exclude files', async () => {
    const folder = makeTemporaryFolder({
      'apis/a.yaml': valid,
      'apis/old/b.yaml': typo,
      'apis/parts/c.yaml': typo,
      '!d.yaml': valid,
    })
    const run = await runInFolder(folder, ['check', '!apis/old/**', 'apis/**/*.yaml', '!**/parts/*', '!d.yaml'])
    expect(run).toEqual({
      exitCode: 0,
      stdout:
        '✔ apis/a.yaml is valid (OpenAPI 3.1.1, 1 operation)\n✔ !d.yaml is valid (OpenAPI 3.1.1, 1 operation)\n✔ All 2 documents are valid\n',
      stderr: '',
    })
    const alone = await runInFolder(folder, ['check', '!apis/**'])
    expect([alone.exitCode, alone.stderr]).toEqual([2, 'openapi-pages: no file matches !apis/**\n'])
  })

  test('a docs directory: the documents it names and the pages bound to them', async () => {
    const docs = {
      navigation: {
        tabs: [
          { tab: 'API', openapi: 'openapi.yaml' },
          { tab: 'Guides', pages: ['index', 'bound'] },
        ],
      },
    }
    const folder = makeTemporaryFolder({
      'docs/docs.json': JSON.stringify(docs),
      'docs/openapi.yaml': valid,
      'docs/index.mdx': '# Hello\n',
      'docs/bound.mdx': '---\nopenapi: GET /petz\n---\n',
    })
    for (const words of [['docs'], ['docs/docs.json'], ['docs', 'docs/']]) {
      const run = await runInFolder(folder, ['check', ...words])
      expect([run.exitCode, run.stderr]).toEqual([1, ''])
      expect(run.stdout).toMatch(/^docs\/bound\.mdx:2:10 error /)
      expect(run.stdout).toContain('▶ 2 │ openapi: GET /petz')
      expect(run.stdout).toContain('\n✖ 1 error in 1 file, 1 document checked\n')
    }
  })

  test('as JSON', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': typo }), ['check', '--format', 'json', 'a.yaml'])
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(JSON.parse(run.stdout)).toEqual({
      version: 1,
      valid: false,
      errors: 1,
      warnings: 0,
      infos: 0,
      diagnostics: [
        {
          code: 'unknown-field',
          severity: 'error',
          message: 'Unexpected field `sumary` in an Operation Object',
          file: 'a.yaml',
          line: 6,
          column: 7,
          endLine: 6,
          endColumn: 13,
          pointer: '/paths/~1pets/get/sumary',
          hint: 'Did you mean `summary`?',
        },
      ],
    })
  })

  test('as annotations with paths relative to the checkout, summary on stderr', async () => {
    const folder = makeTemporaryFolder({ 'docs/a.yaml': typo })
    const env = { GITHUB_WORKSPACE: folder }
    const run = await runInFolder(join(folder, 'docs'), ['check', '--format=github', 'a.yaml'], { env })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/^::error file=docs\/a\.yaml,line=6,endLine=6,col=7,endColumn=13,title=unknown-field::[^\n]*\n$/)
    expect(run.stderr).toMatch(/^✖ docs\/a\.yaml has 1 error /)
  })

  test('paths are relative to the working directory', async () => {
    const folder = makeTemporaryFolder({ 'api/a.yaml': typo, 'work/x': '' })
    runProgram('git', ['init', '-q'], { cwd: folder })
    const run = await runInFolder(join(folder, 'work'), ['check', '../api/a.yaml', '--format', 'json'])
    expect(JSON.parse(run.stdout).diagnostics[0].file).toBe('../api/a.yaml')
  })

  test('--quiet prints nothing for valid documents', async () => {
    const folder = makeTemporaryFolder({ 'a.yaml': valid, 'b.yaml': typo })
    expect(await runInFolder(folder, ['check', '--quiet', 'a.yaml'])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    const run = await runInFolder(folder, ['check', '--quiet', 'a.yaml', 'b.yaml'])
    expect(run.stdout).toMatch(/^b\.yaml:6:7 error unknown-field\n/)
    expect(run.stdout).not.toMatch(/[✔✖]/)
  })

  test('lists every error, but only ten warnings per code without --all', async () => {
    const paths = Array.from(
      { length: 1_250 },
      (_, index) => `  /p${index}: {get: {sumary: x, responses: {'200': {description: ok, content: {json: {}}}}}}`,
    )
    const folder = makeTemporaryFolder({
      'a.yaml': `openapi: 3.1.1\ninfo: {title: A, version: '1'}\npaths:\n${paths.join('\n')}\n`,
    })
    const some = await runInFolder(folder, ['check', 'a.yaml'])
    expect(some.stdout.match(/^a\.yaml:\S+ error/gm)).toHaveLength(1_250)
    expect(some.stdout.match(/^a\.yaml:\S+ warning/gm)).toHaveLength(10)
    expect(some.stdout.lastIndexOf(' error ')).toBeLessThan(some.stdout.indexOf(' warning '))
    expect(some.stdout).toContain('  … and 1,240 more `media-type-name` in a.yaml (use --all to show them)\n')
    expect(some.stdout).toMatch(/✖ a\.yaml has 1,250 errors, 1,250 warnings \(OpenAPI 3\.1\.1, 1,250 operations\)\n$/)
    const all = await runInFolder(folder, ['check', '--all', 'a.yaml'])
    expect(all.stdout.match(/^a\.yaml:/gm)).toHaveLength(2_500)
  })

  test.each([
    ['a pipe', [], {}, undefined, false],
    ['a terminal', [], {}, 80, true],
    ['a terminal and NO_COLOR', [], { NO_COLOR: '1' }, 80, false],
    ['a terminal and an empty NO_COLOR', [], { NO_COLOR: '' }, 80, true],
    ['a dumb terminal', [], { TERM: 'dumb' }, 80, false],
    ['a pipe and FORCE_COLOR', [], { FORCE_COLOR: '1' }, undefined, true],
    ['a terminal and FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, 80, false],
    ['a pipe and --color', ['--color'], { NO_COLOR: '1' }, undefined, true],
    ['a terminal and --no-color', ['--no-color'], { FORCE_COLOR: '1' }, 80, false],
  ] as const)('colors on %s', async (_, words, env, columns, colored) => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': typo }), ['check', 'a.yaml', ...words], {
      env,
      ...(columns === undefined ? {} : { columns }),
    })
    expect(run.stdout.includes('\x1b[')).toBe(colored)
    expect(run.stdout.replace(/\x1b\[\d+m/g, '')).toContain('a.yaml:6:7 error unknown-field\n')
  })
})

describe('unreadable arguments', () => {
  const device: [string, string[], string] = [
    'a socket or device',
    ['/dev/null', '--boundary', '/dev'],
    'cannot read /dev/null: not a regular file',
  ]
  test.each<[string, string[], string]>([
    ['a missing file', ['nope.yaml'], 'cannot read nope.yaml: no such file'],
    ['a glob without files', ['*.yml'], 'no file matches *.yml'],
    [
      'a folder without docs.json',
      ['empty'],
      'cannot check the directory empty: it has no docs.json and no OpenAPI 3 document\n  Run the command in the directory of your OpenAPI documents, or name a document.',
    ],
    ['a missing folder elsewhere', ['/nope/deep/a.yaml'], 'cannot read /nope/deep/a.yaml: no such file'],
    ['a file for a folder', ['empty/x.txt/a.yaml'], 'cannot read empty/x.txt/a.yaml: no such file'],
    [
      'a name that no disk takes',
      ['x'.repeat(300)],
      `cannot read ${'x'.repeat(300)}: ${isWindows ? 'no such file' : 'the name is too long'}`,
    ],
    ['an empty argument', [''], 'cannot check an empty argument\n  Name a file, a URL or a directory.'],
    ...(isWindows ? [] : [device]),
  ])('%s', async (_, words, message) => {
    const folder = makeTemporaryFolder({ 'empty/x.txt': '' })
    const run = await runInFolder(folder, ['check', ...words])
    // The temporary folder can be in `/dev`.
    const stderr = run.stderr.replaceAll(/(?:\.\.\/)+(?:dev\/)?(null|nope)/g, (_, name) =>
      name === 'null' ? '/dev/null' : '/nope',
    )
    expect({ ...run, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `openapi-pages: ${message}\n`,
    })
  })

  test('checks the other arguments, and exits with 2 instead of 1', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': typo }), ['check', 'nope.yaml', 'a.yaml'])
    expect([run.exitCode, run.stderr]).toEqual([2, 'openapi-pages: cannot read nope.yaml: no such file\n'])
    expect(run.stdout).toMatch(/✖ a\.yaml has 1 error \(OpenAPI 3\.1\.1, 1 operation\)\n$/)
  })

  test('JSON contains them', async () => {
    const run = await runInFolder(makeTemporaryFolder({}), ['check', '--format', 'json', 'nope.yaml', '*.yml'])
    expect(run.exitCode).toBe(2)
    expect(JSON.parse(run.stdout)).toMatchObject({
      valid: false,
      errors: 2,
      diagnostics: [
        { code: 'file-missing', file: '*.yml' },
        { code: 'file-missing', file: 'nope.yaml', line: 1, column: 1 },
      ],
    })
  })

  test('a symbolic link out of the boundary', async () => {
    const outside = makeTemporaryFolder({ 'secret.yaml': valid })
    const folder = makeTemporaryFolder({ 'a.yaml': valid.replace('{description: ok}', `{$ref: 'link.yaml'}`) })
    runProgram('git', ['init', '-q'], { cwd: folder })
    symlinkSync(join(outside, 'secret.yaml'), join(folder, 'link.yaml'))
    const run = await runInFolder(folder, ['check', 'a.yaml'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/^a\.yaml:9:\d+ error file-outside-boundary\n/)
    expect(run.stdout).not.toContain('Pets')
  })

  test('an argument outside --boundary', async () => {
    const folder = makeTemporaryFolder({ 'in/a.yaml': valid, 'b.yaml': valid })
    expect(await runInFolder(folder, ['check', '--boundary', 'in', 'b.yaml'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'openapi-pages: cannot read b.yaml: it is outside in, the boundary for reading files\n  Name a parent directory of it with --boundary\n',
    })
    expect((await runInFolder(folder, ['check', '--boundary', 'in', 'in/a.yaml'])).exitCode).toBe(0)
  })

  test('--boundary widens what may be read', async () => {
    const folder = makeTemporaryFolder({
      'repo/a.yaml': valid.replace('{description: ok}', `{$ref: '../shared.yaml'}`),
      'shared.yaml': 'description: ok\n',
    })
    execFileSync('git', ['init', '-q'], { cwd: join(folder, 'repo') })
    expect((await runInFolder(folder, ['check', 'repo/a.yaml'])).exitCode).toBe(1)
    expect((await runInFolder(folder, ['check', '--boundary', '.', 'repo/a.yaml'])).exitCode).toBe(0)
  })
})

describe('locations of errors in broken documents', () => {
  const reference = (target: string) => valid.replace('{description: ok}', `{$ref: '${target}'}`)
  const deepJson = `{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "components": {"schemas": {"A": ${'{"not": '.repeat(5_000)}{}${'}'.repeat(5_000)}}}}`
  test.each([
    ['an empty file', '', '1:1 error empty-document'],
    ['blanks', ' \n\n', '1:1 error empty-document'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), '1:1 error encoding'],
    ['invalid UTF-8', Buffer.from('openapi: 3.1.0\ninfo: {title: "Gr\xfc"}\n', 'latin1'), '2:18 error encoding'],
    ['UTF-16', Buffer.from('\ufeffopenapi: 3.1.0', 'utf16le'), '1:1 error encoding'],
    ['JSON with a trailing comma', '{\n  "openapi": "3.1.0",\n}', '2:21 error json-syntax'],
    ['JSON that ends early', '{"openapi": "3.1.0"', '1:20 error json-syntax'],
    ['YAML with a tab', 'openapi: 3.1.0\ninfo:\n\ttitle: x\n', '3:1 error yaml-syntax'],
    ['YAML with a duplicate key', valid.replace('tags:', 'summary: again\n      tags:'), '7:7 error duplicate-key'],
    ['OpenAPI 2.0', 'swagger: "2.0"\ninfo: {title: A, version: "1"}\npaths: {}\n', '1:10 error unsupported-version'],
    ['an unknown version', valid.replace('3.1.1', '4.0.0'), '1:10 error unsupported-version'],
    ['no version', 'info: {title: A}\n', '1:1 error not-openapi'],
    ['a list', '- a\n', '1:1 error not-openapi'],
    ['a dangling $ref', reference('#/components/responses/Nope'), '9:23 error reference-unresolved'],
    ['a $ref to a missing file', reference('nope.yaml'), '9:23 error reference-unresolved'],
    ['a $ref out of the boundary', reference('../../../../etc/hostname'), '9:23 error file-outside-boundary'],
    [
      'a $ref to itself',
      `${reference('#/components/responses/A')}components: {responses: {A: {$ref: '#/components/responses/A'}}}\n`,
      '10:36 error reference-circular',
    ],
    [
      'too deep nesting',
      `${valid}components: {schemas: {A: ${'{not: '.repeat(5_000)}{}${'}'.repeat(5_000)}}}\n`,
      'error too-complex',
    ],
    ['too deep nesting of JSON', deepJson, 'error too-complex'],
  ])('%s', async (_, content, place) => {
    const folder = makeTemporaryFolder({ 'a.yaml': content })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['check', 'a.yaml'])
    expect(run.stdout).toContain(place)
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(snapshotOf(folder)).toEqual(before)
    const json = await runInFolder(folder, ['check', 'a.yaml', '--format', 'json'])
    expect(json.exitCode).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, valid: false })
  })

  test('does not follow a $ref to a URL', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': reference('https://example.invalid/a.yaml') }), [
      'check',
      'a.yaml',
    ])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('a.yaml:9:23 warning remote-reference\n')
  })

  test('accepts circular schemas', async () => {
    const schemas = `components: {schemas: {Node: {properties: {next: {$ref: '#/components/schemas/Node'}}}}}\n`
    expect((await runInFolder(makeTemporaryFolder({ 'a.yaml': valid + schemas }), ['check', 'a.yaml'])).exitCode).toBe(0)
  })

  test.each([
    ['malformed', '{"navigation": [}', 'docs.json:1:17 error json-syntax'],
    ['naming a missing document', '{"navigation": {"tabs": [{"tab": "A", "openapi": "nope.yaml"}]}}', 'error file-missing'],
  ])('docs.json %s', async (_, docs, place) => {
    const run = await runInFolder(makeTemporaryFolder({ 'docs.json': docs }), ['check', '.'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toContain(place)
  })
})

describe('untrusted text in documents', () => {
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x', version: '1', [hostile]: 1 },
    paths: {},
    [`::error::${hostile}`]: hostile,
  })
  test.each(['text', 'json', 'github'])('is escaped in %s', async (format) => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.json': document }), ['check', '--format', format, 'a.json'])
    expect(run.exitCode).toBe(1)
    for (const line of `${run.stdout}\n${run.stderr}`.split('\n')) {
      const text = format === 'github' ? line.replace(/^::error file=a\.json,[^:]*title=unknown-field::/, '') : line
      expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]|^\s*::|##\w*\[/)
    }
    expect(run.stdout).toContain('pwned')
  })
})

describe('URLs', () => {
  async function serve(answer: (path: string) => { status: number; body: string }) {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const { status, body } = answer(request.url ?? '')
      response.writeHead(status).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    // A server that listens on a port has an address of this shape.
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
  }

  test('fetches a document once and shows its source lines', async () => {
    const { address, asked } = await serve(() => ({ status: 200, body: typo }))
    const run = await runInFolder(makeTemporaryFolder({}), ['check', `${address}/openapi.yaml`])
    expect([run.exitCode, run.stderr, asked]).toEqual([1, '', ['/openapi.yaml']])
    expect(run.stdout).toContain(`${address}/openapi.yaml:6:7 error unknown-field\n`)
    expect(run.stdout).toContain('▶ 6 │       sumary: List pets')
  })

  test('exits with 2 for an unreachable URL', async () => {
    const { address, asked } = await serve(() => ({ status: 404, body: '' }))
    const run = await runInFolder(makeTemporaryFolder({}), ['check', `${address}/openapi.yaml`])
    expect({ ...run, asked }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `openapi-pages: cannot read ${address}/openapi.yaml: 404 Not Found\n  Check the URL, or commit the document and use its path.\n`,
      asked: ['/openapi.yaml'],
    })
  })
})

test.skipIf(isWindows).each([
  ['a file', 'x/a.yaml', 'cannot read x/a.yaml: permission denied'],
  ['a folder', 'x', 'cannot check the directory x: permission denied'],
])('rejects %s', async (_, path, message) => {
  const folder = makeTemporaryFolder({ 'x/a.yaml': valid })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'x'), path === 'x' ? 0 : 0o755)
  chmodSync(join(folder, 'x/a.yaml'), 0)
  const command = [process.execPath, join(import.meta.dirname, '../../src/cli/main.ts'), 'check', path]
  const { ids, toPlace } = makeOrdinaryUser()
  const [program = '', ...args] = command.map(toPlace)
  let answer = { status: 0, stderr: '' }
  try {
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...ids })
  } catch (error) {
    // `execFileSync` puts these on the error of a failed process.
    answer = error as { status: number; stderr: string }
  }
  // So that this user can remove the folder.
  chmodSync(join(folder, 'x'), 0o755)
  expect([answer.status, answer.stderr]).toEqual([2, `openapi-pages: ${message}\n`])
})

describe('in GitHub Actions', () => {
  const folderWithError = () => makeTemporaryFolder({ 'docs/a.yaml': 'openapi: 3.1.0\ninfo: { title: A }\npaths: {}\n' })
  const runIn = (folder: string, ...more: string[]) => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder }
    return runInFolder(join(folder, 'docs'), ['check', 'a.yaml', ...more], { env })
  }

  test('prints annotations after the report, with paths relative to the checkout', async () => {
    const { exitCode, stdout } = await runIn(folderWithError())
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(
      /^a\.yaml:2:1 error missing-field\n[\s\S]*✖ a\.yaml has 1 error.*\n::error file=docs\/a\.yaml,line=2,.*\n$/,
    )
  })

  test('prints annotations for a report in a file', async () => {
    const folder = folderWithError()
    const { stdout } = await runIn(folder, '--output', 'report.txt', '--quiet')
    expect(stdout).toMatch(/^::error file=docs\/a\.yaml,.*\n$/)
    expect(readFileSync(join(folder, 'docs/report.txt'), 'utf8')).toMatch(/^a\.yaml:2:1 error missing-field\n/)
  })

  test.each(['text', 'json', 'sarif'])('prints none with --format %s', async (format) => {
    expect((await runIn(folderWithError(), '--format', format)).stdout).not.toContain('::error')
  })
})
