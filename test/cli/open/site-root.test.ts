import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openQuestions } from '../../../src/cli/base/ask.ts'
import { answerQuestions } from '../../support/answer-questions.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { runInFolder } from '../run-in-folder.ts'

const document = "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n"
const docsConfig = JSON.stringify({ name: 'Pets', navigation: { pages: ['index'] } })

test('builds the only OpenAPI document of a directory without a docs.json, twice', async () => {
  const folder = makeTemporaryFolder({ 'api/openapi.yaml': document, 'package.json': '{}' })
  const note = 'Using api/openapi.yaml, the only OpenAPI document here (no docs.json)\n'
  expect(await runInFolder(folder, ['build'])).toMatchObject({ exitCode: 0, stderr: note })
  expect(existsSync(join(folder, 'site/openapi.yaml'))).toBe(true)
  // The documents of the site itself do not count.
  expect(await runInFolder(folder, ['build'])).toMatchObject({ exitCode: 0, stderr: note })
  expect(await runInFolder(folder, ['build', '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
})

test.each(['build', 'preview'])('%s lists several documents with the command for each', async (command) => {
  const folder = makeTemporaryFolder({
    'docs/b/the second.yaml': document,
    'docs/a.json': '{"openapi":"3.0.3"}',
    'docs/x.yaml': 'a: 1',
  })
  expect(await runInFolder(folder, [command, 'docs'])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `openapi-pages: cannot ${command} the directory docs: it has no docs.json
  Name one of its OpenAPI documents:
    openapi-pages ${command} docs/a.json
    openapi-pages ${command} 'docs/b/the second.yaml'
  For one site with all of them, write a docs.json with \`openapi-pages init docs\`.
`,
  })
  expect(existsSync(join(folder, 'site'))).toBe(false)
})

test('lists the docs directories of a monorepo instead of its documents', async () => {
  const files = {
    'one/docs.json': docsConfig,
    'two/mint.json': '{"navigation":[]}',
    'mint.json': '{"name":"mint"}',
    'openapi.yaml': document,
  }
  const { stderr } = await runInFolder(makeTemporaryFolder(files), ['build'])
  expect(stderr).toContain('  Name a docs directory:\n    openapi-pages build one\n    openapi-pages build two\n')
})

test('asks at a terminal which document to build', async () => {
  const folder = makeTemporaryFolder({ 'a.yaml': document, 'b.yaml': document.replace('Pets', 'Shops') })
  const questions = answerQuestions(['b.yaml'], undefined)
  expect(await runInFolder(folder, ['build'], { questions })).toMatchObject({ exitCode: 0, stderr: '' })
  expect(existsSync(join(folder, 'site/b.yaml'))).toBe(true)
  expect(await runInFolder(folder, ['build', '-o', 'other'], { questions })).toEqual({ exitCode: 2, stdout: '', stderr: '' })
  expect(existsSync(join(folder, 'other'))).toBe(false)
  expect(questions.asked[0]).toEqual({ message: 'What do you want to build?', choices: ['a.yaml', 'b.yaml'] })
})

test('an OpenAPI document inside a docs directory is not used instead of its docs.json', async () => {
  const folder = makeTemporaryFolder({ '.git/HEAD': '', 'docs/docs.json': docsConfig, 'docs/api/openapi.yaml': document })
  const { exitCode, stderr } = await runInFolder(folder, ['build', 'docs/api'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Did you mean the directory of `../docs.json`?')])
})

test('reads keys and returns what they choose', async () => {
  const choices = ['a', 'b', 'c'].map((value) => ({ value, label: `Document ${value}` }))
  const press = async <Value>(keys: string, ask: (questions: Awaited<ReturnType<typeof openQuestions>>) => Promise<Value>) => {
    const input = new PassThrough()
    const output = new PassThrough()
    const answer = ask(await openQuestions(input, output))
    for (const key of keys.split(' ')) input.write({ down: '\x1b[B', enter: '\r', space: '\x20', escape: '\x03' }[key] ?? key)
    return [await answer, String(output.read()).includes('Which?')]
  }
  expect(await press('down enter', ({ choose }) => choose('Which?', choices))).toEqual(['b', true])
  expect(await press('escape', ({ choose }) => choose('Which?', choices))).toEqual([undefined, true])
  expect(await press('space enter', ({ chooseSeveral }) => chooseSeveral('Which?', choices))).toEqual([['b', 'c'], true])
  expect(await press('escape', ({ chooseSeveral }) => chooseSeveral('Which?', choices))).toEqual([undefined, true])
  expect(await press('y', ({ confirm }) => confirm('Which?'))).toEqual([true, true])
  expect(await press('escape', ({ confirm }) => confirm('Which?'))).toEqual([undefined, true])
})
