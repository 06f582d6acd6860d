import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeMarkedDocument } from '../support/marked-document.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get:
      summary: List pets
      responses: {'200': {description: OK}}
  /admin:
    get:
      summary: Zebrafish
      x-internal: true
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Report'}}}}}
components:
  schemas:
    Report: {type: object, description: zebrafish, properties: {zebrafish: {type: string}}}
`
const overlay = `overlay: 1.1.0
info: {title: More, version: 1.0.0}
extends: openapi.yaml
actions:
  - target: $.paths['/pets'].get
    update:
      summary: Show all animals
  - target: $.paths
    update: {/copied: {}}
  - target: $.paths['/copied']
    copy: $.paths['/pets']
  - target: $.paths['/copied'].get
    update: {summary: Copied}
`

function readAll(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${join(entry.parentPath, entry.name)}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .join('\n')
}

test('checks, updates and builds a docs directory with the overlay that names its document', async () => {
  const docsConfig = JSON.stringify({ name: 'P', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } })
  const folder = makeTemporaryFolder({ 'docs.json': docsConfig, 'openapi.yaml': document, 'more.overlay.yaml': overlay })
  expect((await runInFolder(folder, ['check', '.'])).exitCode).toBe(0)
  expect((await runInFolder(folder, ['update'])).exitCode).toBe(0)
  const pages = readdirSync(join(folder, 'api-reference'))
  expect(pages.toSorted()).toEqual(['copied.mdx', 'show-all-animals.mdx', 'zebrafish.mdx'])
  expect((await runInFolder(folder, ['update', '--check'])).exitCode).toBe(0)
  expect((await runInFolder(folder, ['build', '-o', 'out'])).exitCode).toBe(0)
  expect(readFileSync(join(folder, 'out/openapi.yaml'), 'utf8')).toContain('summary: Show all animals')
  expect(readdirSync(join(folder, 'out'))).not.toContain('more.overlay.yaml')
  writeFileSync(join(folder, 'more.overlay.yaml'), overlay.replace('      summary: Show', '      sumary: Show'))
  const broken = await runInFolder(folder, ['check', '.', '--format', 'unix'])
  expect([broken.exitCode, broken.stdout]).toEqual([
    1,
    expect.stringMatching(/^more\.overlay\.yaml:7:7: Unexpected field `sumary`/),
  ])
})

test('applies `--overlay` to single documents, and not to docs directories', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': document, 'more.overlay.yaml': overlay })
  expect((await runInFolder(folder, ['check', '*.yaml', '--overlay', 'more.overlay.yaml'])).exitCode).toBe(0)
  const bundled = await runInFolder(folder, ['bundle', 'openapi.yaml', '--overlay', 'more.overlay.yaml'])
  expect(bundled.stdout).toContain('summary: Copied')
  writeFileSync(join(folder, 'docs.json'), '{"navigation": {"pages": []}}')
  expect(await runInFolder(folder, ['build', '.', '--overlay', 'more.overlay.yaml'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('unexpected --overlay for ., which has a docs.json'),
  })
})

test('a site of the public document has no trace of the internal parts', async () => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': document })
  const internal = await runInFolder(folder, ['build', 'openapi.yaml', '-o', 'internal'])
  expect([internal.exitCode, /zebrafish/i.test(readAll(join(folder, 'internal')))]).toEqual([0, true])
  expect((await runInFolder(folder, ['bundle', 'openapi.yaml', '--audience', 'public', '-o', 'public.yaml'])).exitCode).toBe(0)
  expect((await runInFolder(folder, ['build', 'public.yaml', '-o', 'public'])).exitCode).toBe(0)
  expect(readAll(join(folder, 'public')).match(/.{0,60}zebrafish/gi)).toBeNull()
  // In one step, into the folder of the internal site.
  const again = await runInFolder(folder, ['build', 'openapi.yaml', '-o', 'internal', '--audience', 'public'])
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('1 operation')])
  expect(readAll(join(folder, 'internal')).match(/.{0,60}zebrafish/gi)).toBeNull()
  expect(readFileSync(join(folder, 'internal/openapi.yaml'), 'utf8')).toContain('List pets')
})

test('builds with overlays and without the operations of a tag', async () => {
  const tagged = document.replace(
    '      summary: Zebrafish\n      x-internal: true',
    '      tags: [admin]\n      summary: Zebrafish',
  )
  const folder = makeTemporaryFolder({ 'openapi.yaml': tagged, 'more.overlay.yaml': overlay })
  const options = ['--overlay', 'more.overlay.yaml', '--exclude-tag', 'admin']
  expect(await runInFolder(folder, ['build', 'openapi.yaml', ...options])).toMatchObject({ exitCode: 0, stderr: '' })
  const built = readAll(join(folder, 'site'))
  expect([built.includes('Show all animals'), /zebrafish/i.test(built)]).toEqual([true, false])
})

test.each([
  [
    'a document with errors',
    document.replace('x-internal: true', 'tags: admin'),
    ['build', 'openapi.yaml'],
    'cannot leave out parts of openapi.yaml: it has errors',
  ],
  [
    'a docs directory',
    document,
    ['build', '.'],
    'unexpected --audience, --include-tag or --exclude-tag for ., which has a docs.json',
  ],
])('explains why it does not leave out parts of %s', async (_, text, words, message) => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': text })
  if (words[1] === '.') writeFileSync(join(folder, 'docs.json'), '{"navigation": {"pages": []}}')
  const run = await runInFolder(folder, [...words, '--audience', 'public'])
  expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining(message)])
})

test('neither a bundle nor a site for the public has a name of an internal part', async () => {
  for (const seed of [4, 5]) {
    const { document: random, open } = makeMarkedDocument(seed, { 'x-internal': true })
    const folder = makeTemporaryFolder({ 'openapi.json': JSON.stringify(random) })
    for (const words of [
      ['bundle', 'openapi.json', '-o', 'public.yaml'],
      ['build', 'openapi.json', '-o', 'site'],
    ])
      expect((await runInFolder(folder, [...words, '--audience', 'public'])).exitCode).toBe(0)
    const bundle = readFileSync(join(folder, 'public.yaml'), 'utf8')
    for (const text of [bundle, readAll(join(folder, 'site'))]) expect(/.{0,60}hush\w*/i.exec(text)?.[0]).toBeUndefined()
    expect(open.filter((name) => !bundle.includes(name))).toEqual([])
  }
})
