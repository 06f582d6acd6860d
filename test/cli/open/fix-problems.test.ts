import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { classify } from '../../../src/docs/read/find-docs.ts'
import { propertyRuns, seed } from '../../support/properties.ts'
import { breakDocument, fixProvably, planFixesOf } from '../../support/provable-fixes.ts'
import { createRandom } from '../../support/random.ts'

const start = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\n'
const operation = (responses: string, more = '') => `${start}paths: {/a: {get: {${more}responses: {${responses}}}}}\n`
const response = "'200': {description: A}"
const schema = (text: string, use = 'get: {responses: {"200": {description: A, $1}}}') =>
  `${start}paths: {/a: {${use.replace('$1', 'content: {a/b: {schema: {$ref: "#/components/schemas/B"}}}')}}}\ncomponents: {schemas: {B: ${text}}}\n`
const post = 'post: {requestBody: {$1}, responses: {"200": {description: A}}}'

test.each([
  [
    'the phrase of a status code',
    operation("'404': {}, '200': {}"),
    operation("'404': {description: Not Found}, '200': {description: OK}"),
  ],
  ['a field of OpenAPI', operation(response, 'sumary: A, '), operation(response, 'summary: A, ')],
  ['a value of OpenAPI', `${operation(response)}components: {parameters: {A: {name: A, in: qeury, schema: {}}}}\n`, undefined],
  ['quotes', operation(response.replaceAll("'", '')), operation(response)],
  ['no quotes', operation(response, 'deprecated: "true", '), operation(response, 'deprecated: true, ')],
  ['required paths', start, start.replace('openapi', 'paths: {}\nopenapi')],
  [
    'a field that only adds to a request',
    schema('{type: object, descripton: A}', post),
    schema('{type: object, description: A}', post),
  ],
])('writes %s', async (_title, before, after) => {
  const { text } = await fixProvably('openapi.yaml', before)
  expect(text).toBe(after ?? before.replace('qeury', 'query'))
})

test.each([
  ['a description', operation("default: {}, '4XX': {}, '499': {}")],
  ['a title, a version and a URL', `openapi: 3.1.0\ninfo: {}\nservers: [{description: A}]\npaths: {}\n`],
  ['a name of a property', schema('{type: object, required: [nam], properties: {name: {}, nick: {}}}')],
  ['a name of a property that is a word of OpenAPI', schema('{type: object, required: [typ], properties: {type: {}}}')],
  [
    'a reference',
    `${operation("'200': {$ref: '#/components/responses/Godo'}")}components: {responses: {Good: {description: A}}}\n`,
  ],
  ['a path', `${start}paths: {pets: {}}\n`],
  [
    'a name of a security scheme',
    `${operation(response, 'security: [{apikey: []}], ')}components: {securitySchemes: {apiKey: {type: http, scheme: basic}}}\n`,
  ],
  ['the location of a parameter', operation(response, 'parameters: [{name: a, schema: {}}], ')],
  ['a version', 'info: {title: A, version: "1"}\npaths: {}\n'],
  ['what the document was to be', start.replace('openapi', 'opnapi')],
  ['`null` that responses did not have', schema('{type: string, nullable: true}')],
  ['a limit that requests did not have', schema('{type: string, minLength: "5"}', post)],
  ['a requirement that requests did not have', schema('{type: object, requird: [a], properties: {a: {}}}', post)],
])('never invents %s', async (_title, text) => {
  expect(await fixProvably('openapi.yaml', text)).toEqual({ text, fixCount: 0 })
})

test('makes all fixes but those that clients would notice', async () => {
  const fields = Array.from({ length: 30 }, (_, index) => `p${index}: {type: string, descripton: A}`)
  const text = schema(`{type: object, requird: [p1], properties: {${fields.join(', ')}}}`, post)
  const fixed = await fixProvably('openapi.yaml', text)
  expect(fixed).toEqual({ text: text.replaceAll('descripton', 'description'), fixCount: 30 })
})

const good = operation(response, 'sumary: A, ')
const typo = '{type: object, descripton: A}\n'
const using = (file: string) =>
  `${start}paths: {/a: {get: {responses: {200: {description: A, content: {a/b: {schema: {$ref: ${file}}}}}}}}}\n`

test.each<[title: string, files: { [path: string]: string }, entries: string[], changed: string[]]>([
  ['of one document only', { 'a.yaml': good, 'b.yaml': good }, ['a.yaml'], ['a.yaml']],
  ['of a file that one document uses', { 'a.yaml': using('c.yaml'), 'c.yaml': typo }, ['a.yaml'], ['a.yaml', 'c.yaml']],
  [
    'of no file that another document uses',
    { 'a.yaml': using('c.yaml'), 'b/b.yaml': using('../c.yaml'), 'c.yaml': typo },
    ['a.yaml'],
    ['a.yaml'],
  ],
  [
    'of no file that another document uses through a checked one',
    { 'a.yaml': using('c.yaml'), 'b.yaml': using('./c.yaml'), 'c.yaml': '{properties: {a: {$ref: d.yaml}}}', 'd.yaml': typo },
    ['a.yaml'],
    ['a.yaml'],
  ],
  [
    'of a shared file, if all documents are checked',
    { 'a.yaml': using('c.yaml'), 'b.yaml': using('c.yaml'), 'c.yaml': typo },
    ['a.yaml', 'b.yaml'],
    ['a.yaml', 'b.yaml', 'c.yaml'],
  ],
])('makes the fixes %s', async (_title, texts, entries, expected) => {
  const { changes } = await planFixesOf(texts, entries)
  expect(changes.map(({ path }) => path).sort()).toEqual(expected)
})

test('needs no more checks for many documents than for one', async () => {
  const fields = Array.from({ length: 12 }, (_, index) => `p${index}: {type: string, descripton: A}`)
  const text = schema(`{type: object, requird: [p1], properties: {${fields.join(', ')}}}`, post)
  const texts = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.yaml`, text]))
  expect(await planFixesOf(texts, Object.keys(texts))).toMatchObject({ fixCount: 360, leftCount: 0 })
})

test('counts the problems that were not tried', async () => {
  const fields = Array.from({ length: 200 }, (_, index) => `p${index}: {type: object, requird: [a], properties: {a: {}}}`)
  const { leftCount } = await planFixesOf({ 'a.yaml': schema(`{properties: {${fields.join(', ')}}}`, post) }, ['a.yaml'])
  expect(leftCount).toBeGreaterThan(0)
})

/** The documents of the tests, with and without problems. */
async function listDocuments(): Promise<readonly string[]> {
  const cases = globSync('test/openapi/diagnostics/*.yaml').flatMap((path) => parse(readFileSync(path, 'utf8')))
  const found = new Set<string>(cases.flatMap(({ document = [] }) => document))
  for (const path of globSync('test/fixtures/**/*.{yaml,json}')) {
    const bytes = readFileSync(path)
    if (bytes.length < 20_000 && (await classify(path, bytes)) === 'openapi') found.add(bytes.toString())
  }
  return [...found].sort()
}

test('clients notice no fix of a document with mistakes, and no fix invents a word', async () => {
  const documents = await listDocuments()
  const random = createRandom(seed)
  let fixCount = 0
  for (const text of documents) {
    const fixed = await fixProvably('openapi.yaml', text)
    fixCount += fixed.fixCount
  }
  for (let run = propertyRuns(1_000); run > 0; run--) {
    const broken = breakDocument(random.of(documents), random)
    const fixed = await fixProvably(random.of(['openapi.yaml', 'openapi']), broken)
    fixCount += fixed.fixCount
  }
  expect(fixCount).toBeGreaterThan(documents.length / 10)
})
