import { expect, test } from 'vitest'
import { siteOfDocument } from './site-of.ts'

/** A number that is nowhere else, in one of the forms that JavaScript would write in another way. */
function createNumbers() {
  let count = 0
  return () => {
    const id = String(++count).padStart(2, '0')
    return [`12345678901234567${id}`, `7${id}.50`, `0.1234567890123456${id}`, `1.${id}e-05`][count % 4] ?? ''
  }
}

const places: Readonly<Record<string, (next: () => string) => string>> = {
  'a parameter': (next) =>
    `    parameters:
      - {name: id, in: path, required: true, schema: {type: number}, example: ${next()}}
      - {name: q, in: query, required: true, schema: {type: array, items: {type: number}}, example: [${next()}, ${next()}]}
      - {name: d, in: query, schema: {type: number, default: ${next()}, enum: [${next()}, ${next()}]}}
      - {name: e, in: query, required: true, schema: {type: number, example: ${next()}}}
      - {name: l, in: query, schema: {type: number, maximum: ${next()}, minimum: ${next()}}}
      - {name: m, in: query, schema: {type: number, multipleOf: ${next()}}}
      - {name: n, in: header, required: true, schema: {type: number}, examples: {one: {value: ${next()}}}}
`,
  'a body': (next) =>
    `    requestBody:
      required: true
      content:
        application/json: {schema: {$ref: '#/components/schemas/Body'}, example: {a: ${next()}, b: [{c: ${next()}}]}}
        application/xml: {schema: {type: object}, example: {x: ${next()}}}
        application/x-www-form-urlencoded: {schema: {type: object}, example: {y: ${next()}, z: [${next()}]}}
`,
  'a response': (next) =>
    `    responses:
      '200':
        description: OK
        headers: {X-Rate: {schema: {type: number}, example: ${next()}}}
        content:
          application/json:
            schema: {type: object, properties: {a: {type: number, example: ${next()}}, b: {const: ${next()}}}}
            examples: {one: {value: {a: ${next()}}}, two: {value: ${next()}}}
          text/csv: {schema: {type: array, items: {type: object}}, example: [{c: ${next()}}]}
`,
  'a schema': (next) =>
    `components:
  schemas:
    Body:
      type: object
      required: [r]
      properties:
        r: {type: number, default: ${next()}}
        s: {allOf: [{type: number, maximum: ${next()}}, {default: ${next()}}]}
        t: {type: array, items: {type: number, examples: [${next()}]}}
        u: {$ref: '#/components/schemas/Number', example: ${next()}}
        v: {oneOf: [{type: number, exclusiveMaximum: ${next()}}, {type: object, properties: {w: {const: ${next()}}}}]}
    Number: {type: number, example: ${next()}}
`,
}

const next = createNumbers()
const texts = Object.entries(places).map(([place, write]) => ({ place, text: write(next) }))
const numbersOf = (text: string) => text.match(/\d+\.[\de-]*\d|\d{16,}/g) ?? []
const document = `openapi: 3.1.0
info: {title: Numbers, version: '1'}
servers: [{url: 'https://x.test'}]
paths:
  /a/{id}:
   put:
    operationId: put
${texts.map(({ text }) => text).join('')}`

test('prints, sends and publishes numbers as the document has them', async () => {
  const { files } = await siteOfDocument('openapi.yaml', document)
  const contentOf = (pattern: RegExp) =>
    Object.entries(files)
      .flatMap(([path, content]) => (pattern.test(path) ? content : []))
      .join('\n')
  const contents = {
    HTML: contentOf(/(?<!print|search\/index|404)\.html$/),
    Markdown: contentOf(/(?<!skill|llms.*)\.md$/),
    'openapi.json': files['openapi.json'] ?? '',
    'the slice': contentOf(/put\.openapi\.json$/),
  }
  for (const { place, text } of texts) {
    const numbers = numbersOf(text)
    expect(numbers.length).toBeGreaterThan(4)
    for (const [name, content] of Object.entries(contents))
      expect({ place, name, missing: numbers.filter((number) => !content.includes(number)) }).toEqual({
        place,
        name,
        missing: [],
      })
  }
  const rounded = texts.flatMap(({ text }) => numbersOf(text)).map((number) => JSON.stringify(Number(number)))
  for (const [name, content] of Object.entries(contents))
    expect({ name, found: rounded.filter((number) => new RegExp(`(?<![\\w.])${number}(?![\\w.])`).test(content)) }).toEqual({
      name,
      found: [],
    })
})
