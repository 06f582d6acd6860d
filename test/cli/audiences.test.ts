import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { operationId: listPets, responses: { '200': { description: All pets } } }
  /partner:
    get: { operationId: partnerOnly, x-mint: { groups: ['oidc:corp/partners'] }, responses: { '200': { description: Good } } }
  /inside:
    get: { operationId: internalOnly, x-internal: true, responses: { '200': { description: Good } } }
  /staff:
    get: { operationId: staffOnly, responses: { '200': { $ref: 'shared.yaml#/Staff' } } }
`
const files = {
  'openapi-pages.config.yaml': `site:
  audiences:
    - { name: staff, groups: [internal, github:acme/staff] }
    - { name: partners, groups: ['oidc:corp/partners'] }
`,
  'docs.json':
    '{ "name": "Pets", "navigation": { "groups": [{ "group": "API", "openapi": "openapi.yaml", "pages": ["index", "salaries"] }] } }',
  'index.mdx': '---\ntitle: Welcome\n---\n',
  'salaries.mdx': '---\ntitle: Staff\nopenapi: openapi.yaml GET /staff\ngroups: ["github:acme/staff"]\n---\n',
  'openapi.yaml': document,
  'shared.yaml': 'Staff: { description: Good }\n',
}
const operations = ['listPets', 'partnerOnly', 'internalOnly', 'staffOnly']
const operationsIn = (text: string) => operations.filter((one) => text.includes(one))

function readAll(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n')
}

const expected: readonly [string | undefined, readonly string[], readonly string[]][] = [
  // A document does not know which pages show its operations.
  ['staff', ['listPets', 'internalOnly', 'staffOnly'], ['listPets', 'internalOnly', 'staffOnly']],
  ['partners', ['listPets', 'partnerOnly'], ['listPets', 'partnerOnly', 'staffOnly']],
  ['public', ['listPets'], ['listPets', 'staffOnly']],
]

test.each(expected)('`--audience %s` is the same readers in each command', async (audience, ofDocs, ofDocument) => {
  const folder = makeTemporaryFolder(files)
  const run = async (...words: readonly string[]) => await runInFolder(folder, [...words, '--audience', audience ?? ''])
  const bundled = await run('bundle', '.')
  expect([bundled.exitCode, operationsIn(bundled.stdout)], bundled.stderr).toEqual([0, ofDocs])
  const alone = await run('bundle', 'openapi.yaml')
  expect([alone.exitCode, operationsIn(alone.stdout)], alone.stderr).toEqual([0, ofDocument])
  const built = await run('build', '.', '-o', 'site')
  expect([built.exitCode, operationsIn(readAll(join(folder, 'site')))], built.stdout + built.stderr).toEqual([0, ofDocs])
  const single = await run('build', 'openapi.yaml', '-o', 'single')
  expect([single.exitCode, operationsIn(readAll(join(folder, 'single')))], single.stdout + single.stderr).toEqual([0, ofDocument])
  const checked = await run('check', '.', '--all', '--format', 'unix')
  const hidden = ['openapi.yaml#/paths/~1partner/get', 'openapi.yaml#/paths/~1inside/get', '`salaries.mdx`']
  const line = checked.stdout.split('\n').find((one) => one.includes('Not in the site')) ?? ''
  const left = hidden.filter((name) => line.includes(name))
  const isHidden = ['partnerOnly', 'internalOnly', 'staffOnly'].map((name) => !ofDocs.includes(name))
  expect([checked.exitCode, left]).toEqual([0, hidden.filter((_, index) => isHidden[index])])
})

test('a build without `--audience` is for readers without a group', async () => {
  const folder = makeTemporaryFolder(files)
  expect((await runInFolder(folder, ['build', '.'])).exitCode).toBe(0)
  expect(operationsIn(readAll(join(folder, 'site')))).toEqual(['listPets'])
})

test('a build for others into the same folder keeps nothing of the first', async () => {
  const folder = makeTemporaryFolder(files)
  for (const [audience, ofDocs] of expected) {
    expect((await runInFolder(folder, ['build', '.', '--audience', audience ?? ''])).exitCode).toBe(0)
    expect(operationsIn(readAll(join(folder, 'site')))).toEqual(ofDocs)
  }
})

test.each([
  ['build', '.'],
  ['check', '.'],
  ['bundle', '.'],
  ['bundle', 'openapi.yaml'],
  ['build', 'openapi.yaml'],
])('`%s %s` names the audiences of the configuration', async (...words) => {
  const run = await runInFolder(makeTemporaryFolder(files), [...words, '--audience', 'partner'])
  expect([run.exitCode, run.stderr]).toEqual([
    2,
    expect.stringMatching(
      /unknown value `partner` for --audience, expected `public`, `staff` or `partners`[\s\S]*Did you mean `partners`\?/,
    ),
  ])
})
