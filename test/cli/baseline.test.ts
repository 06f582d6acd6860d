import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DiagnosticCode, diagnosticCodes } from '../../src/diagnostics/diagnostic.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { testCases } from './cases.ts'
import { runInFolder } from './run-in-folder.ts'

const head = `openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths:\n`
const operation = (path: string, field = 'summary') =>
  `  ${path}:\n    get: {${field}: Get, responses: {'200': {description: ok}}}\n`
const faulty = `${head}${operation('/a', 'sumary')}${operation('/b', 'sumary')}${operation('/c')}`

testCases('baseline')

test('build: known errors do not fail', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': faulty, 'openapi-pages.config.yaml': 'baseline: known.json\n' })
  await runInFolder(folder, ['check', 'openapi.yaml', '--write-baseline'])
  const known = await runInFolder(folder, ['build'])
  expect(known).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^✔ .*, 2 known problems\n$/) })
  writeFileSync(join(folder, 'openapi.yaml'), `${faulty}${operation('/d', 'sumary')}`)
  const added = await runInFolder(folder, ['build'])
  expect(added).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/\n✖ .*, 1 error, 2 known problems\n$/) })
  expect(added.stdout).toMatch(/^openapi\.yaml:\d+:\d+ error unknown-field\n/)
})

test('a baseline with one wrong value of an example accepts no other', async () => {
  const document = (b: string) =>
    `openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths: {}\ncomponents: {schemas: {A: {additionalProperties: {type: integer}, example: {a: x, b: ${b}}}}}\n`
  const folder = makeTemporaryFolder({ 'openapi.yaml': document('1'), 'openapi-pages.config.yaml': 'baseline: known.json\n' })
  await runInFolder(folder, ['check', 'openapi.yaml', '--write-baseline'])
  expect(await runInFolder(folder, ['check', 'openapi.yaml', '--fail-on', 'warning'])).toMatchObject({ exitCode: 0 })
  writeFileSync(join(folder, 'openapi.yaml'), document('wrong'))
  const added = await runInFolder(folder, ['check', 'openapi.yaml', '--fail-on', 'warning'])
  expect(added).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/^openapi\.yaml:\d+:\d+ warning example-mismatch\n.*`b`/),
  })
})

test('only an argument can name a file to replace that is not a baseline', async () => {
  const files = {
    'openapi.yaml': faulty,
    'openapi-pages.config.yaml': 'baseline: package.json\n',
    'package.json': '{"name": "a"}',
  }
  const folder = makeTemporaryFolder(files)
  const configured = await runInFolder(folder, ['check', 'openapi.yaml', '--write-baseline'])
  expect([configured.exitCode, readFileSync(join(folder, 'package.json'), 'utf8')]).toEqual([2, '{"name": "a"}'])
  expect(configured.stderr).toBe(
    'openapi-pages: cannot write the baseline package.json: it is not a version 1 baseline file\n  Remove it, name another file, or name this one with --baseline\n',
  )
  const named = await runInFolder(folder, ['check', 'openapi.yaml', '--write-baseline', '--baseline', 'package.json'])
  expect([named.exitCode, readFileSync(join(folder, 'package.json'), 'utf8')]).toEqual([
    0,
    expect.stringContaining('"version": 1'),
  ])
})

describe('a document that moved', () => {
  const config = { 'openapi-pages.config.yaml': 'baseline: known.json\n' }
  /** Writes a baseline of the documents, moves some, changes the texts of some, and checks all documents. */
  async function checkMoved(files: Files, moves: readonly (readonly [string, string])[], changed: Files = {}) {
    const folder = makeTemporaryFolder({ ...config, ...files })
    await runInFolder(folder, ['check', ...Object.keys(files), '--write-baseline'])
    for (const [from, to] of moves) {
      mkdirSync(dirname(join(folder, to)), { recursive: true })
      renameSync(join(folder, from), join(folder, to))
    }
    for (const [path, text] of Object.entries(changed)) writeFileSync(join(folder, path), text)
    const to = new Map(moves)
    const paths = new Set([...Object.keys(files).map((path) => to.get(path) ?? path), ...Object.keys(changed)])
    const { stdout } = await runInFolder(folder, ['check', ...paths, '--format', 'json'])
    const problems: { code: string; file: string }[] = JSON.parse(stdout).diagnostics
    return problems.filter(({ code }) => !code.startsWith('baseline-')).map(({ file }) => file)
  }
  type Files = { readonly [path: string]: string }
  const more = `${faulty}${operation('/d', 'sumary')}`

  test.each<[string, Files, [string, string][], Files, string[]]>([
    ['keeps its known problems', { 'a.yaml': faulty }, [['a.yaml', 'api/b.yaml']], {}, []],
    ['reports a new problem', { 'a.yaml': faulty }, [['a.yaml', 'b.yaml']], { 'b.yaml': more }, ['b.yaml']],
    [
      'is told from one like it by its problems',
      { 'a.yaml': faulty, 'b.yaml': more },
      [
        ['a.yaml', 'c.yaml'],
        ['b.yaml', 'd.yaml'],
      ],
      {},
      [],
    ],
    [
      'is told from one like it by its path',
      { 'v1/a.yaml': faulty, 'v2/a.yaml': faulty },
      [
        ['v1/a.yaml', 'api/v1/a.yaml'],
        ['v2/a.yaml', 'api/v2/a.yaml'],
      ],
      {},
      [],
    ],
    [
      'gives its known problems to no copy of it',
      { 'a.yaml': faulty },
      [['a.yaml', 'b.yaml']],
      { 'c.yaml': faulty },
      ['b.yaml', 'b.yaml', 'c.yaml', 'c.yaml'],
    ],
    ['gives them to no other document while it exists', { 'a.yaml': faulty }, [], { 'c.yaml': faulty }, ['c.yaml', 'c.yaml']],
  ])('%s', async (_name, files, moves, changed, expected) => {
    expect(await checkMoved(files, moves, changed)).toEqual(expected)
  })

  test('leaves nothing in the next baseline that accepts a new document', async () => {
    const folder = makeTemporaryFolder({ ...config, 'a.yaml': faulty })
    await runInFolder(folder, ['check', 'a.yaml', '--write-baseline'])
    const before = readFileSync(join(folder, 'known.json'), 'utf8')
    renameSync(join(folder, 'a.yaml'), join(folder, 'b.yaml'))
    await runInFolder(folder, ['check', 'b.yaml', '--write-baseline'])
    expect(readFileSync(join(folder, 'known.json'), 'utf8')).toBe(before.replaceAll('a.yaml', 'b.yaml'))
  })
})

test('accepts problems in the content of documents, and nothing else', async () => {
  const warned = 'components: {schemas: {A: {type: string, pattern: "["}}}\n'
  const folder = makeTemporaryFolder({
    'docs.json': JSON.stringify({
      name: 'X',
      navigation: { pages: ['gone', 'bound', 'bad', 'n', 'n.md'] },
    }),
    'bound.mdx': '---\ntitle: Page\nopenapi: GET /d\n---\n',
    'bad.mdx': '---\ntitle: [\n---\n',
    'n.mdx': '# N\n',
    'n.md.mdx': '# N\n',
    'v2/openapi.yaml': `${head}${operation('/d')}${warned}`,
    'v1/openapi.yaml': `${head}${operation('/d')}${warned}`,
    'openapi-pages.config.yaml': 'baseline: known.json\n',
  })
  const problemsOf = async (...more: readonly string[]) => {
    const { exitCode, stdout, stderr } = await runInFolder(folder, ['check', '.', '--format', 'json', ...more])
    const found: { code: string; severity: string; file: string }[] = JSON.parse(stdout).diagnostics
    return { exitCode, stderr, found: found.filter(({ code }) => code !== 'baseline-unusable' && code !== 'baseline-known') }
  }
  const before = await problemsOf()
  const after = await problemsOf('--write-baseline')
  const isAccepted = ({ code, file, severity }: { code: DiagnosticCode; file: string; severity: string }) =>
    diagnosticCodes[code].about === 'content' && file.endsWith('openapi.yaml') && severity !== 'info'
  expect(after.found).toEqual(before.found.filter((problem) => !isAccepted(problem as never)))
  expect(after.exitCode).toBe(1)
  expect(after.stderr).toContain('The baseline accepts only problems in the content of documents. ')
  const accepted: string[][] = JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8')).problems
  expect(new Set(accepted.map(([, code]) => code))).toEqual(new Set(['pattern-syntax', undefined]))
  for (const code of ['binding-ambiguous', 'page-missing', 'page-frontmatter', 'site-file-conflict'])
    expect(after.found.map((problem) => problem.code)).toContain(code)
  // Entries written by hand are not used either.
  const [problem] = before.found.filter(({ code }) => code === 'binding-ambiguous')
  writeFileSync(
    join(folder, 'known.json'),
    JSON.stringify({ version: 1, problems: [[problem?.file, problem?.code, '/openapi', '', 9]] }),
  )
  expect((await problemsOf()).found).toEqual(before.found)
})
