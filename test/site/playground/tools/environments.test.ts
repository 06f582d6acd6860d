import { expect, test } from 'vitest'
import { initialValues } from '../../../../src/site/playground/form-values.ts'
import { fillVariables } from '../../../../src/site/playground/tools/environments.ts'
import { readOperation } from '../../../../src/site/request/read-operation.ts'

const schema = {
  type: 'object',
  properties: { count: { type: 'integer' }, tags: { type: 'array', items: { type: 'number' } }, note: { type: 'string' } },
}
const operation = readOperation({
  paths: {
    '/pets/{id}': {
      post: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {},
      },
    },
  },
})
if (!operation) throw new Error('Missing operation')
const empty = initialValues(operation, { slice: '', withCookies: false, prefill: false, defaults: 'all', languages: undefined })
const environment = {
  name: 'Test',
  variables: [
    { name: 'id', value: '42' },
    { name: 'host', value: 'a.test' },
    { name: 'api-token', value: 't-1' },
    { name: 'nested', value: '{{id}}' },
    { name: '__proto__', value: 'p' },
  ],
}

test('fills in every text, once, with numbers where the schema allows no text', () => {
  const file = new File([], '{{id}}')
  const filled = fillVariables(
    operation,
    {
      ...empty,
      server: { index: 1, variables: { '': 'https://{{ host }}/v1' } },
      parameters: { 'path id': '{{id}}' },
      extras: [{ in: 'header', name: 'X-{{id}}', value: '{{nested}} {{unknown}} {{__proto__}} {{toString}}', isOn: true }],
      body: {
        index: 0,
        mode: 'form',
        text: 'a {{id}}',
        value: { count: '{{id}}', tags: ['{{id}}', 7], note: '{{id}}', other: '{{id}}', file },
      },
      credentials: { alternative: 0, byScheme: { a: { kind: 'basic', username: '{{id}}', password: '{{api-token}}' } } },
    },
    environment,
  )
  expect(filled.server.variables).toEqual({ '': 'https://a.test/v1' })
  expect(filled.parameters).toEqual({ 'path id': 42 })
  expect(filled.extras).toEqual([{ in: 'header', name: 'X-42', value: '{{id}} {{unknown}} p {{toString}}', isOn: true }])
  expect(filled.body).toMatchObject({ text: 'a 42', value: { count: 42, tags: [42, 7], note: '42', other: '42' } })
  expect((filled.body.value as { file: unknown }).file).toBe(file)
  expect(filled.credentials.byScheme).toEqual({ a: { kind: 'basic', username: '42', password: 't-1' } })
})

test('leaves out values that look like credentials if the request is shown', () => {
  const parameters = { 'path id': '{{id}} {{api-token}}' }
  expect(fillVariables(operation, { ...empty, parameters }, environment, true).parameters).toEqual({
    'path id': '42 {{api-token}}',
  })
})
