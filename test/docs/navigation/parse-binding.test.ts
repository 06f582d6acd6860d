import { expect, test } from 'vitest'
import { formatBinding } from '../../../src/docs/navigation/docs-config.ts'
import { parseBinding, parseSchemaBinding } from '../../../src/docs/navigation/read-divisions.ts'

test.each([
  ['GET /pets', 'GET /pets'],
  ['get /pets', 'GET /pets'],
  ['  Get   /pets/{petId}/  ', 'GET /pets/{petId}/'],
  ['/petstore.yaml get /pets', 'petstore.yaml GET /pets'],
  ['./api/petstore post /pets', 'api/petstore POST /pets'],
  ['../shared/petstore.yaml QUERY /pets', '../shared/petstore.yaml QUERY /pets'],
  ['https://example.com/openapi.json POST /y', 'https://example.com/openapi.json POST /y'],
  ['my file.yaml DELETE /a b', 'my file.yaml DELETE /a b'],
  ['COPY /pets', 'COPY /pets'],
  ['webhook orderShipped', 'webhook orderShipped'],
  ['WEBHOOK  order: new', 'webhook order: new'],
  ['WEBHOOK /plant/webhook', 'webhook /plant/webhook'],
  ['hooks.yaml Webhook orderShipped', 'hooks.yaml webhook orderShipped'],
  ['GET pets', undefined],
  ['/pets', undefined],
  ['fetch /pets', undefined],
  ['openapi.yaml', undefined],
  ['webhook', undefined],
  ['', undefined],
])('parses %j as %j', (text, expected) => {
  const binding = parseBinding(text)
  expect(binding && formatBinding(binding)).toBe(expected)
})

test.each([
  ['Pet', 'Pet'],
  ['/api/openapi.yaml Pet', 'api/openapi.yaml Pet'],
  ['my file.yaml Pet', 'my file.yaml Pet'],
  [' ', undefined],
])('parses the schema binding %j as %j', (text, expected) => {
  const binding = parseSchemaBinding(text)
  expect(binding && formatBinding(binding)).toBe(expected)
})
