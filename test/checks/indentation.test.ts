import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkFiles } from '../support/check-text.ts'

const document = `openapi: 3.0.3
info:
  title: Shop
  version: 1.0.0
  contact:
    name: Support
    url: https://example.com/support
  license:
    name: MIT
servers:
  - url: https://{region}.example.com
    variables:
      region:
        default: eu
security:
  - key: []
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - $ref: '#/components/parameters/Trace'
        - name: limit
          in: query
          schema:
            type: integer
            default: 20
      responses:
        '200':
          description: A page
          headers:
            X-Next:
              description: The next page
              schema:
                type: string
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Order'
              examples:
                small:
                  summary: A small one
                  value: { id: 1 }
          links:
            get:
              operationId: getOrder
              parameters:
                orderId: $response.body#/id
        default:
          $ref: '#/components/responses/Error'
    post:
      operationId: createOrder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/Order'
      responses:
        '204':
          description: Done
  /orders/{orderId}:
    get:
      operationId: getOrder
      parameters:
        - name: orderId
          in: path
          required: true
          schema:
            type: integer
      responses:
        '200':
          description: The order
components:
  parameters:
    Trace:
      name: X-Trace
      in: header
      schema:
        type: string
  responses:
    Error:
      description: Something went wrong
  schemas:
    Order:
      type: object
      required: [id]
      properties:
        id:
          type: integer
        note:
          type: string
          maxLength: 200
    Pet:
      allOf:
        - $ref: '#/components/schemas/Order'
  securitySchemes:
    key:
      type: apiKey
      name: X-Key
      in: header
`

const lines = document.split('\n')

/** The document with one line, the first with this text, moved to the right or (negative) to the left. */
function move(index: number, by: number): string {
  const line = lines[index] ?? ''
  return lines.with(index, by < 0 ? line.slice(-by) : ' '.repeat(by) + line).join('\n')
}

function indexOf(line: string, after: string): number {
  const from = after === '' ? 0 : lines.findIndex((each) => each.trim() === after)
  return lines.findIndex((each, index) => index >= from && each.trim() === line)
}

async function findingsOf(text: string): Promise<string[]> {
  const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map(({ range, message, hint }) => `${range.start.line}: ${message} · ${hint}`)
}

interface Move {
  readonly line: string
  readonly after: string
  readonly by: number
  readonly offset: number
  readonly message: string
  readonly hint: string
}

const moves: readonly Move[] = parse(readFileSync('test/checks/indentation.yaml', 'utf8'))

test.each(moves)(
  'reports $line (after $after) moved by $by once, at its location',
  async ({ line, after, by, offset, message, hint }) => {
    const index = indexOf(line, after)
    expect(await findingsOf(move(index, by))).toEqual([`${index + 1 + offset}: ${message} · ${hint}`])
  },
)

test.each([2, -2])('reports a line moved by %i as at most one error, and only as wrong indentation', async (by) => {
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('  ')) continue
    const { diagnostics } = await checkFiles({ 'openapi.yaml': move(index, by) })
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.length, `line ${index + 1}: ${line}`).toBeLessThanOrEqual(1)
  }
})

describe('keeps the hint of a problem with another cause', () => {
  test.each([
    ['an unknown field', 'info:', 'color: red\ninfo:', 'Remove it, or prefix extension fields with `x-`'],
    [
      'a mistyped field',
      'operationId: getOrder\n      parameters',
      'operationId: getOrder\n      paramters',
      'Did you mean `parameters`?',
    ],
    ['an empty value', 'description: Done', 'description:', 'Add a value or remove the key'],
    ['a name without anything', 'id:\n          type: integer', 'id:', 'Add a value or remove the key'],
    [
      'in braces',
      '  license:\n    name: MIT\n',
      '  license: {name: MIT, title: Shop}\n',
      'Remove it, or prefix extension fields with `x-`',
    ],
    ['a field that the object around has too', 'name: Support', 'version: 1', 'Remove it, or prefix extension fields with `x-`'],
  ])('%s', async (_, from, to, hint) => {
    expect(document).toContain(from)
    const { diagnostics } = await checkFiles({ 'openapi.yaml': document.replace(from, to) })
    expect(diagnostics.filter(({ severity }) => severity === 'error').map((diagnostic) => diagnostic.hint)).toEqual([hint])
  })

  test('nothing is said of indentation in JSON', async () => {
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'a', version: '1', servers: [] }, paths: {} }, null, 2)
    const { diagnostics } = await checkFiles({ 'openapi.json': text })
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['Remove it, or prefix extension fields with `x-`'])
  })
})

test('reports an empty component once, however many references it has', async () => {
  const text = document.replace('    Error:\n      description: Something went wrong\n', '    Error:\n')
  expect(await findingsOf(text)).toEqual([
    '82: Unexpected `null` for `Error`, expected a mapping (Response Object) · Add a value or remove the key',
  ])
})
