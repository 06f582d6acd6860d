import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

/** How the command line of `@mintlify/scraping` 4.0.1053 was seen to act, rule by rule; see `test/pages/openapi-file-rules.test.ts`. */
const fine = "responses: {'200': {description: Fine}}"
const toDocument = (more: string) => `openapi: 3.1.0\ninfo: {title: T, version: '1'}\n${more}`
const document = toDocument(`paths:
  /users:
    get: {summary: List users, tags: [People], ${fine}}
    post: {summary: List users, tags: [People], ${fine}}
  /health: {get: {${fine}}}
`)
const navigation = (prefix: string) => [
  { group: 'People', pages: [`${prefix}people/list-users`, `${prefix}people/list-users-1`] },
  { group: 'API Reference', pages: [`${prefix}get-health`] },
]
const pagesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.mdx'))
    .map((path) => path.replaceAll(sep, '/'))
    .sort()

describe('files that exist', () => {
  test('keeps and lists existing files', async () => {
    const folder = makeTemporaryFolder({ 'a.yaml': document, 'get-health.mdx': 'mine', 'people/old.mdx': 'old' })
    const run = await runInFolder(folder, ['openapi-file', 'a.yaml'])
    expect([run.exitCode, JSON.parse(run.stdout)]).toEqual([0, navigation('')])
    expect(readFileSync(join(folder, 'get-health.mdx'), 'utf8')).toBe('mine')
    expect(pagesIn(folder)).toEqual(['get-health.mdx', 'people/list-users-1.mdx', 'people/list-users.mdx', 'people/old.mdx'])
  })
})

describe('arguments', () => {
  test.each([
    [['-o', 'ref']],
    [['-o=ref']],
    [['--outDir', 'ref']],
    [['--outDir=ref']],
    [['-w', '-o', 'ref']],
    [['-w', 'true', '-o', 'ref']],
    [['--writeFiles=true', '-o', 'ref']],
    [['--overwrite', '-o', 'ref']],
  ])('%j writes pages', async (words) => {
    const folder = makeTemporaryFolder({ 'a.yaml': document })
    const run = await runInFolder(folder, ['openapi-file', 'a.yaml', ...words])
    expect([run.exitCode, JSON.parse(run.stdout)]).toEqual([0, navigation('ref/')])
    expect(pagesIn(folder).length).toBe(3)
  })

  test.each([[['-w', 'false']], [['-w=false']], [['--writeFiles=false']], [['--no-writeFiles']]])(
    '%j only prints',
    async (words) => {
      const folder = makeTemporaryFolder({ 'a.yaml': document })
      const run = await runInFolder(folder, ['openapi-file', 'a.yaml', ...words])
      expect([run.exitCode, JSON.parse(run.stdout), pagesIn(folder)]).toEqual([0, navigation(''), []])
    },
  )

  test('`../` reads a document outside the working directory', async () => {
    const folder = makeTemporaryFolder({ 'specs/a.yaml': document, 'docs/x': '' })
    const words = ['--boundary', folder, '-o', '../pages']
    const run = await runInFolder(join(folder, 'docs'), ['openapi-file', '../specs/a.yaml', ...words])
    expect([run.exitCode, JSON.parse(run.stdout)]).toEqual([0, navigation('../pages/')])
    expect(pagesIn(folder).length).toBe(3)
  })

  test('here: an absolute path is read', async () => {
    const folder = makeTemporaryFolder({ 'a.yaml': document })
    const run = await runInFolder(folder, ['openapi-file', join(folder, 'a.yaml'), '-w', 'false'])
    expect([run.exitCode, JSON.parse(run.stdout)]).toEqual([0, navigation('')])
  })

  test.each([
    [['a.yaml', 'a.yaml'], /unexpected argument a\.yaml/],
    [['a.yaml', '--output', 'q'], /unknown option --output[\s\S]*--outDir/],
    [[], /missing argument/],
    [['a.yaml', '-w=maybe'], /expected true or false/],
  ])('here: %j is refused, and nothing is written', async (words, message) => {
    const folder = makeTemporaryFolder({ 'a.yaml': document })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['openapi-file', ...words])
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(message)
    expect(snapshotOf(folder)).toEqual(before)
  })
})

describe('the navigation on stdout', () => {
  test('prints an empty line and an indented array of groups', async () => {
    const folder = makeTemporaryFolder({ 'a.yaml': document, 'empty.yaml': toDocument('paths: {}\n') })
    const run = await runInFolder(folder, ['openapi-file', 'a.yaml'])
    expect(run.stdout).toBe(`\n${JSON.stringify(navigation(''), undefined, 2)}\n`)
    expect(JSON.parse(run.stdout.split('\n').slice(1).join('\n'))).toEqual(navigation(''))
    expect((await runInFolder(folder, ['openapi-file', 'empty.yaml'])).stdout).toBe('\n[]\n')
  })

  test('prints the same for a URL, where Mintlify adds two lines', async () => {
    const server = createServer((_, response) => response.end(document))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo // Of a server that listens on a port it is none of the other forms.
      const folder = makeTemporaryFolder({})
      const run = await runInFolder(folder, ['openapi-file', `http://127.0.0.1:${port}/openapi.yaml`, '-o', 'ref'])
      expect([run.exitCode, run.stdout]).toEqual([0, `\n${JSON.stringify(navigation('ref/'), undefined, 2)}\n`])
      expect(readFileSync(join(folder, 'ref/get-health.mdx'), 'utf8')).toBe('---\nopenapi: get /health\n---')
    } finally {
      server.close()
    }
  })
})

test('file names and content', async () => {
  const folder = makeTemporaryFolder({ 'a.yaml': document })
  await runInFolder(folder, ['openapi-file', 'a.yaml', '-o', 'Ref'])
  expect(pagesIn(folder)).toEqual(['ref/get-health.mdx', 'ref/people/list-users-1.mdx', 'ref/people/list-users.mdx'])
  expect(readFileSync(join(folder, 'ref/people/list-users-1.mdx'), 'utf8')).toBe('---\nopenapi: post /users\n---')
})

test('`href` ignores the output directory', async () => {
  const operation = `{summary: A, x-mint: {href: /guides/a, metadata: {icon: star}}, ${fine}}`
  const folder = makeTemporaryFolder({ 'a.yaml': toDocument(`paths: {/a: {get: ${operation}}}\n`) })
  await runInFolder(folder, ['openapi-file', 'a.yaml', '-o', 'ref'])
  expect(pagesIn(folder)).toEqual(['guides/a.mdx'])
})

test('`--overwrite` replaces existing files', async () => {
  const folder = makeTemporaryFolder({ 'a.yaml': document, 'get-health.mdx': 'mine' })
  await runInFolder(folder, ['openapi-file', 'a.yaml', '--overwrite'])
  expect(readFileSync(join(folder, 'get-health.mdx'), 'utf8')).toBe('---\nopenapi: get /health\n---')
})

describe('validation', () => {
  const ref = (name: string) => `components: {schemas: {A: {$ref: '#/components/schemas/${name}'}}}\n`
  test.each<[string, string, 0 | 1]>([
    ['a valid document', document, 0],
    [
      'a circular reference',
      toDocument(`paths: {}\n${'components: {schemas: {A: {properties: {a: {$ref: "#/components/schemas/A"}}}}}\n'}`),
      0,
    ],
    ['undeclared tags', toDocument(`paths: {/a: {get: {tags: [b], ${fine}}}}\n`), 0],
    [
      'ambiguous paths',
      toDocument(
        'paths: {"/a/{b}": {parameters: [{name: b, in: path, required: true, schema: {}}]}, "/a/{c}/d": {parameters: [{name: c, in: path, required: true, schema: {}}]}}\n',
      ),
      0,
    ],
    ['no `info`', 'openapi: 3.1.0\npaths: {}\n', 1],
    ['no `responses`', 'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {/a: {get: {}}}\n', 1],
    ['an unknown key', toDocument(`paths: {/a: {get: {foo: 1, ${fine}}}}\n`), 1],
    ['a path without a slash', toDocument('paths: {a/b: {}}\n'), 1],
    ['webhooks in 3.0', 'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {}\nwebhooks: {}\n', 1],
    ['Swagger 2.0', 'swagger: "2.0"\ninfo: {title: T, version: "1"}\npaths: {}\n', 1],
    ['a reference that leads nowhere', toDocument(`paths: {}\n${ref('Nope')}`), 1],
    ['only `info`', 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\n', 1],
    ['a fault of syntax', '{', 1],
    ['an empty file', '', 1],
    ['a scheme without `in`', toDocument('paths: {}\ncomponents: {securitySchemes: {K: {type: apiKey, name: k}}}\n'), 1],
    ['no version of `info`, empty `responses`', 'openapi: 3.0.3\ninfo: {title: T}\npaths: {/a: {get: {responses: {}}}}\n', 1],
    [
      'duplicate parameters',
      toDocument(
        `paths: {/a: {get: {parameters: [{name: b, in: query, schema: {}}, {name: b, in: query, schema: {}}], ${fine}}}}\n`,
      ),
      1,
    ],
  ])('openapi-check and openapi-file agree on %s', async (_, text, exitCode) => {
    const folder = makeTemporaryFolder({ 'a.yaml': text })
    expect((await runInFolder(folder, ['openapi-check', 'a.yaml'])).exitCode).toBe(exitCode)
    const run = await runInFolder(folder, ['openapi-file', 'a.yaml', '--no-writeFiles'])
    expect([run.exitCode, run.stdout === '']).toEqual([exitCode, exitCode === 1])
  })

  test.each([
    ['OpenAPI 3.2', { 'a.yaml': 'openapi: 3.2.0\ninfo: {title: T, version: "1"}\npaths: {}\n' }, 0],
    ['a reference to a file', { 'a.yaml': toDocument('paths: {/a: {$ref: ./b.yaml}}\n'), 'b.yaml': `get: {${fine}}\n` }, 0],
    [
      'a path item behind a reference',
      {
        'a.yaml': toDocument(`paths: {/a: {$ref: '#/components/pathItems/A'}}\ncomponents: {pathItems: {A: {get: {${fine}}}}}\n`),
      },
      0,
    ],
    [
      'an `operationId` twice',
      { 'a.yaml': toDocument(`paths: {/a: {get: {operationId: a, ${fine}}, put: {operationId: a, ${fine}}}}\n`) },
      1,
    ],
    ['a path parameter that is not declared', { 'a.yaml': toDocument(`paths: {"/{a}": {get: {${fine}}}}\n`) }, 1],
  ] as const)('here: %s', async (_, files, exitCode) => {
    expect((await runInFolder(makeTemporaryFolder(files), ['openapi-check', 'a.yaml'])).exitCode).toBe(exitCode)
  })
})

test.each(['openapi-check', 'openapi-file'])('here: %s reads plain http, because the user named the URL', async (command) => {
  const run = await runInFolder(makeTemporaryFolder({}), [command, 'http://example.invalid/a.yaml'])
  expect([run.exitCode, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(/the host name/)
})

test('keeps every key of docs.json in its place', async () => {
  const docs = `{
  "$schema": "https://mintlify.com/docs.json", "theme": "mint",
  "name": "T", "colors": {"primary": "#000000"},
  "api": { "params": {"expanded": "all"}, "playground": {"display": "simple"}, "mdx": {"auth": {"method": "bearer"}} },
  "own-key": [1, {"a": null}],
  "navigation": {
    "global": {"anchors": [{"anchor": "Blog", "href": "https://example.com"}]},
    "tabs": [ {"tab": "API", "icon": "code", "own": true, "openapi": "a.yaml"} ]
  },
  "navbar": {"links": []}, "footer": {}, "seo": {"indexing": "all"}, "redirects": [], "contextual": {"options": ["copy"]}
}
`
  const folder = makeTemporaryFolder({ 'docs.json': docs, 'a.yaml': document })
  expect((await runInFolder(folder, ['update'])).exitCode).toBe(0)
  const after = readFileSync(join(folder, 'docs.json'), 'utf8')
  const untouched = docs.split('\n').filter((line) => !/"tab": "API"|"api":/.test(line))
  for (const line of untouched) expect(after).toContain(line)
  expect(after).toContain('"own": true')
})

test('`--schemas` also writes schema pages, in a group at the end', async () => {
  const schemas = 'components: {schemas: {Order.Item: {description: One, deprecated: true}, Secret: {x-hidden: true}}}\n'
  const folder = makeTemporaryFolder({ 'a.yaml': document + schemas })
  const run = await runInFolder(folder, ['openapi-file', 'a.yaml', '-o', 'ref', '--schemas'])
  expect(JSON.parse(run.stdout)).toEqual([...navigation('ref/'), { group: 'Schemas', pages: ['ref/schemas/orderitem'] }])
  expect(readFileSync(join(folder, 'ref/schemas/orderitem.mdx'), 'utf8')).toBe(
    '---\nopenapi-schema: Order.Item\ndeprecated: true\n---',
  )
})
