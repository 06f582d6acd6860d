import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeOrdinaryUser } from '../support/ordinary-user.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'
import { testCases } from './cases.ts'
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

testCases('check')

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

describe('unreadable arguments', () => {
  const device: [string, string[], string] = [
    'a socket or device',
    ['/dev/null', '--boundary', '/dev'],
    'cannot read /dev/null: not a regular file',
  ]
  test.each<[string, string[], string]>([
    ['a missing folder elsewhere', ['/nope/deep/a.yaml'], 'cannot read /nope/deep/a.yaml: no such file'],
    [
      'a name that no disk takes',
      ['x'.repeat(300)],
      `cannot read ${'x'.repeat(300)}: ${isWindows ? 'no such file' : 'the name is too long'}`,
    ],
    ...(isWindows ? [] : [device]),
  ])('%s', async (_, words, message) => {
    const folder = makeTemporaryFolder()
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
})

describe('locations of errors in broken documents', () => {
  const reference = (target: string) => valid.replace('{description: ok}', `{$ref: '${target}'}`)
  const deepJson = `{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "components": {"schemas": {"A": ${'{"not": '.repeat(5_000)}{}${'}'.repeat(5_000)}}}}`
  test.each([
    ['a $ref out of the boundary', reference('../../../../etc/hostname'), '9:23 error file-outside-boundary'],
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
