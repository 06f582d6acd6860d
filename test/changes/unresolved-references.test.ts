import { expect, test } from 'vitest'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { runsOr, seed } from '../support/properties.ts'
import { compareDocuments, readDocument, summarize } from './compare-documents.ts'
import { type DocumentValue, everyField, listValues, readValue, withValue } from './document-values.ts'

const unresolved = { $ref: '#/components/none' }

/** The objects that a reference can stand for. */
const referable = ['Schema', 'Parameter', 'Header', 'Request Body', 'Response', 'Media Type', 'Callback', 'Path Item', 'Link']

function isReferable({ object, segments }: DocumentValue): boolean {
  // Variants of an object have a name such as `Query Parameter`.
  const kind = referable.some((name) => object === name || object?.endsWith(` ${name}`)) || object?.endsWith('Security Scheme')
  // Only the uses of a component are compared.
  return kind === true && (segments[0] !== 'components' || segments.length > 3 || segments[1] === 'securitySchemes')
}

/** References of each document in `npm test`. */
const sample = 40

const documents = everyField.map((document) => ({ document, values: listValues(document).filter(isReferable) }))

test.each(documents)('an object with a broken reference in one version has no breaking change', async ({ document, values }) => {
  const whole = await readDocument(JSON.stringify(document))
  const wrong: string[] = []
  const step = Math.max(1, Math.floor(values.length / runsOr(sample, values.length)))
  for (const { segments } of values.filter((_value, index) => (index + seed) % step === 0)) {
    if (readValue(document, [...segments, '$ref']) !== undefined) continue
    const broken = await readDocument(JSON.stringify(withValue(document, segments, unresolved)))
    for (const [base, revision, arrow] of [
      [whole, broken, '→'],
      [broken, whole, '←'],
    ] as const) {
      const { changes } = compareDescriptions(base, revision, { today: '2026-06-15' })
      const levels = changes.filter(({ level }) => level !== 'compatible').map(({ code, message }) => `${code} (${message})`)
      if (levels.length > 0) wrong.push(`/${segments.join('/')} ${arrow} ${levels.join(', ')}`)
    }
  }
  expect(wrong).toEqual([])
})

test('a corrected reference of a parameter adds no parameter, but other new parameters are reported', async () => {
  const toDocument = (...parameters: readonly string[]) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {get: {parameters: [${parameters.join(', ')}], responses: {'200': {description: Pets}}}}}
components: {parameters: {Limit: {name: limit, in: query, required: true, schema: {type: integer}}}}
`
  const broken = "{$ref: '#/components/parameters/Limt'}"
  const corrected = "{$ref: '#/components/parameters/Limit'}"
  const added = '{name: page, in: query, required: true, schema: {type: integer}}'
  const read = async (...pair: readonly [string, string]) => summarize(await compareDocuments(...pair))
  expect(await read(toDocument(broken), toDocument(corrected))).toEqual([])
  expect(await read(toDocument(corrected), toDocument(broken))).toEqual([])
  expect(await read(toDocument(broken), toDocument(corrected, added))).toEqual(['breaking get /pets: required-parameter-added'])
  expect(await read(toDocument(broken), toDocument(added, broken))).toEqual(['breaking get /pets: required-parameter-added'])
})

test.each([
  [
    'the media types of a response',
    "content: {$ref: '#/components/mediaTypes/Pets'}",
    'content: {application/json: {schema: {type: object}}}',
  ],
  [
    'the headers of a response',
    "headers: {$ref: '#/components/headers'}",
    'headers: {X-Rate: {required: true, schema: {type: integer}}}',
  ],
  ['the links of a response', "links: {$ref: '#/components/links'}", 'links: {next: {operationId: list}}'],
  [
    'the properties of a schema',
    "content: {application/json: {schema: {type: object, required: [id], properties: {$ref: 'pets.yaml#/properties'}}}}",
    'content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}',
  ],
])('does not compare a map that a broken reference replaces: %s', async (_title, reference, whole) => {
  const toDocument = (response: string) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {get: {operationId: list, responses: {'200': {description: Pets, ${response}}}}}}
`
  expect(summarize(await compareDocuments(toDocument(reference), toDocument(whole)))).toEqual([])
  expect(summarize(await compareDocuments(toDocument(whole), toDocument(reference)))).toEqual([])
})

test.each([
  ['the responses', "responses: {$ref: 'pets.yaml#/responses'}", "responses: {'200': {description: Pets}}"],
  ['the callbacks', "callbacks: {$ref: 'pets.yaml#/callbacks'}", "callbacks: {done: {'{$url}': {post: {}}}}"],
  [
    'the media type of a parameter',
    "parameters: [{name: a, in: query, content: {$ref: 'pets.yaml#/content'}}]",
    'parameters: [{name: a, in: query, schema: {type: integer}}]',
  ],
  [
    'the encodings of a form',
    'requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {$ref: none.yaml}}}}',
    'requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {contentType: image/png}}}}}',
  ],
])('does not compare a map of an operation that a broken reference replaces: %s', async (_title, broken, given) => {
  const toDocument = (fields: string) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {post: {${fields}}}}
`
  const [reference, whole] = [toDocument(broken), toDocument(given)]
  expect(summarize(await compareDocuments(reference, whole))).toEqual([])
  expect(summarize(await compareDocuments(whole, reference))).toEqual([])
})

const all =
  "content: {application/json: {schema: {type: object, properties: {$ref: '#/components/x/properties'}}}}, headers: {$ref: '#/components/x/headers'}"

test.each([
  ['which changes nothing', 'integer', []],
  ['and compares their contents', 'string', ['breaking get /pets: type-changed', 'compatible get /pets: type-narrowed']],
])('follows a reference in place of a whole map, %s', async (_title, type, expected) => {
  const toDocument = (responses: string, type: string) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {get: {responses: ${responses}}}}
components:
  x:
    responses: {'200': {description: Pets, ${all}}}
    properties: {id: {type: ${type}}}
    headers: {X-Rate: {schema: {type: ${type}}}}
`
  const inline = (type: string) =>
    `{'200': {description: Pets, headers: {X-Rate: {schema: {type: ${type}}}}, content: {application/json: {schema: {type: object, properties: {id: {type: ${type}}}}}}}}`
  const reference = "{$ref: '#/components/x/responses'}"
  expect(summarize(await compareDocuments(toDocument(reference, type), toDocument(inline('integer'), 'integer')))).toEqual(
    expected,
  )
})
