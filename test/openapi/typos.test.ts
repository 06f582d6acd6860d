import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  type Expectation,
  objectTable,
  objectTables,
  releases,
  shapeInside,
  toExpectation,
  variantOf,
} from '../../src/openapi/tables/object-tables.ts'
import type { ObjectTable } from '../../src/openapi/walk.ts'
import { type JsonObject, pointerChild } from '../../src/text/json/json-values.ts'
import { checkFiles, checkValue } from '../support/check-text.ts'
import { documentWith } from './documents.ts'
import { objectCases } from './object-cases.ts'

const document = `openapi: 3.1.1
info:
  title: Pets
  version: 1.0.0
  description: |
    Of all
    pets
security:
  - key: []
paths:
  /pets/{id}:
    parameters:
      - $ref: '#/components/parameters/Id'
    get:
      operationId: getPet
      summary: Get a pet
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Pet'
        default:
          $ref: '#/components/responses/Error'
  /owners/{owner}:
    get:
      operationId: getOwner
      parameters:
        - name: owner
          in: path
          required: true
          schema: { type: string }
      responses:
        '204': { description: None }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: Key }
  parameters:
    Id:
      name: id
      in: path
      required: true
      schema: { type: string }
  responses:
    Error: { description: Wrong, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
  schemas:
    Pet: { type: object, required: [id], properties: { id: { type: integer } } }
`

test('the document is valid', async () => {
  const { diagnostics } = await checkFiles({ 'openapi.yaml': document })
  expect(diagnostics).toEqual([])
})

const typos: readonly { right: string; wrong: string; message: string; hint: string }[] = parse(
  readFileSync('test/openapi/typos.yaml', 'utf8'),
)

test.each(typos)('reports $right written as $wrong once', async ({ right, wrong, message, hint }) => {
  expect(document).toContain(right)
  const text = document.replace(right, wrong)
  const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
  const reported = diagnostics.filter(({ severity }) => severity !== 'info')
  expect(reported.map((diagnostic) => [diagnostic.message, diagnostic.hint])).toEqual([
    [expect.stringMatching(endOf(message)), hint],
  ])
  // On a line that was changed.
  const line = text.split('\n')[(reported[0]?.range.start.line ?? 0) - 1] ?? ''
  expect(document.split('\n')).not.toContain(line)
})

function endOf(message: string): RegExp {
  return new RegExp(`${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
}

test('reports a line that is indented with other whitespace than spaces', async () => {
  const hintOf = async (from: string, to: string) => {
    const { diagnostics } = await checkFiles({ 'openapi.yaml': document.replace(from, to) })
    return diagnostics.map(({ range, message, hint }) => `${range.start.line} ${message} · ${hint}`)
  }
  expect(await hintOf('  title: Pets', '\u00a0 title: Pets')).toEqual([
    '3 Cannot read the YAML: the character U+00A0 cannot be used for indentation · Indent with spaces',
  ])
  expect(await hintOf('  schemas:', '\u00a0 schemas:')).toContainEqual(
    expect.stringMatching(/ · Write `schemas` without the character U\+00A0, and indent with spaces$/),
  )
})

test('reports a first line with too much indentation on the second line', async () => {
  for (const before of ['', '# Pets\n', '---\n', '\n']) {
    const { diagnostics } = await checkFiles({ 'openapi.yaml': `${before}  ${document}` })
    expect(diagnostics.map(({ range, message, hint }) => [range.start.line, message, hint])).toEqual([
      [
        before.length > 0 ? 3 : 2,
        'Cannot read the YAML: this line is not aligned with the line above',
        'Give entries of one level the same indentation',
      ],
    ])
  }
})

describe('does not report a component as unused if its user could not be read', () => {
  test.each([
    ['a mistyped list', 'parameters:\n      - $ref', 'paramters:\n      - $ref'],
    ['a mistyped reference', "- $ref: '#/components/parameters/Id'", "- $rf: '#/components/parameters/Id'"],
    ['a reference without its `:`', "- $ref: '#/components/parameters/Id'", "- $ref '#/components/parameters/Id'"],
    ['a mistyped requirement', '- key: []', '- kye: []'],
    ['a mistyped `security`', 'security:', 'sceurity:'],
  ])('%s', async (_, right, wrong) => {
    expect(document).toContain(right)
    const { diagnostics } = await checkFiles({ 'openapi.yaml': document.replace(right, wrong) })
    expect(diagnostics).toHaveLength(1)
  })

  test('is not affected by another problem', async () => {
    const text = document
      .replace('title: Pets', 'tilte: Pets')
      .replace("    parameters:\n      - $ref: '#/components/parameters/Id'\n", '')
    const { diagnostics } = await checkFiles({ 'openapi.yaml': text.replace('/pets/{id}', '/pets') })
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-field', 'unused-component'])
  })
})

test('accepts custom keywords that resemble no known keyword', async () => {
  const own = [
    'id',
    'name',
    'unit',
    'version',
    'label',
    'widget',
    'x-type',
    'private',
    'index',
    'optional',
    'meta',
    'tags',
    'group',
  ]
  const schema = Object.fromEntries(own.map((key) => [key, 'a']))
  const { diagnostics } = await checkFiles({
    'openapi.json': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'T', version: '1' },
      components: { schemas: { A: schema } },
    }),
  })
  expect(diagnostics.filter(({ code }) => code === 'unknown-keyword')).toEqual([])
})

test('a reference through a mistyped section still has to lead somewhere', async () => {
  const text = document.replace('\ncomponents:', '\ncomponets:').replace('responses/Error', 'responses/Eror')
  const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)
  expect(errors).toEqual([
    'Cannot find `#/components/responses/Eror`: `componets.responses` has no `Eror`',
    'Unexpected field `componets` in an OpenAPI Object',
  ])
})

/** Finds an object of each kind in a document, with its place. */
function visitObjects(
  top: ObjectTable,
  document: object,
  onObject: (table: ObjectTable, owner: object, pointer: string) => void,
) {
  const visit = (value: unknown, spot: Expectation, pointer: string) => {
    if (typeof value !== 'object' || value === null) return
    const table = spot.table && variantOf(spot.table, value as JsonObject)
    if (table) onObject(table, value, pointer)
    for (const [field, content] of Object.entries(value)) {
      const shape = shapeInside({ ...spot, table }, field)
      if (shape) visit(content, toExpectation(shape), pointerChild(pointer, field))
    }
  }
  visit(document, { table: top, entries: undefined, isMap: false }, '')
}

/** A name without a letter, with two letters swapped, and with one more. */
function misspell(name: string): string[] {
  const at = Math.max(name.startsWith('$') ? 2 : 1, Math.floor(name.length / 2))
  const [before, after] = [name.slice(0, at), name.slice(at)]
  return [
    before + after.slice(1),
    before.slice(0, -1) + after.slice(0, 1) + before.slice(-1) + after.slice(1),
    before + before.slice(-1) + after,
  ]
}

const samples: { readonly [kind: string]: unknown } = { object: {}, map: {}, list: [], types: 'string' }

test.each(releases)('a misspelled field of any object of OpenAPI %s has a finding', async (release) => {
  const left = new Set([...objectTables(release).values()].filter(({ fields }) => fields.size > 0))
  const silent: string[] = []
  for (const [place, value] of objectCases) {
    const document = documentWith(release, place, structuredClone(value))
    const found: [ObjectTable, object, string][] = []
    visitObjects(objectTable(release, 'OpenAPI'), document, (...one) => found.push(one))
    for (const [table, owner, pointer] of found) {
      if (!left.delete(table)) continue
      const before = { ...owner }
      for (const [field, { shape }] of table.fields) {
        for (const wrong of misspell(field)) {
          if (table.fields.has(wrong)) continue
          Reflect.deleteProperty(owner, field)
          Object.assign(owner, { [wrong]: samples[shape.kind] ?? 'a' })
          const { findings } = await checkValue(document)
          const at = pointerChild(pointer, wrong)
          if (!findings.some((one) => one.pointer === at || one.code === 'not-openapi')) silent.push(`${table.key}.${wrong}`)
          Reflect.deleteProperty(owner, wrong)
          Object.assign(owner, before)
        }
      }
    }
  }
  expect(silent).toEqual([])
  expect([...left].map(({ key }) => key)).toEqual([])
})
