import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
