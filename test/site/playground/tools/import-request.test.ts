import { describe, expect, test } from 'vitest'
import { initialValues } from '../../../../src/site/playground/form-values.ts'
import { importRequest } from '../../../../src/site/playground/tools/import-request.ts'
import { parseCurl } from '../../../../src/site/playground/tools/parse-curl.ts'
import { type DescribedOperation, readOperation } from '../../../../src/site/request/read-operation.ts'

const scheme = {
  bearer: { type: 'http', scheme: 'bearer' },
  key: { type: 'apiKey', in: 'query', name: 'key' },
  basic: { type: 'http', scheme: 'basic' },
}

function operationOf(fields: object, method = 'post'): DescribedOperation {
  const operation = readOperation({
    servers: [{ url: 'https://{host}/v1', variables: { host: { default: 'api.test' } } }, { url: 'https://other.test' }],
    components: { securitySchemes: scheme },
    paths: { '/pets/{id}/to:{name}': { [method]: { responses: {}, ...fields } } },
  })
  if (!operation) throw new Error('Missing operation')
  return operation
}

function run(operation: DescribedOperation, command: string, isOpen = false) {
  const request = parseCurl(command)
  if ('problem' in request) throw new Error(request.problem)
  const settings = { slice: '', withCookies: false, prefill: false, defaults: 'all', languages: undefined } as const
  return importRequest(operation, initialValues(operation, settings), request, { base: 'https://docs.test/', isOpen })
}

describe('the server and the path', () => {
  test.each<[string, boolean, unknown]>([
    ['curl -X POST https://api.test/v1/pets/a%2Fb/to:Ann', false, [0, { 'path id': 'a/b', 'path name': 'Ann' }]],
    ['curl -X POST https://other.test/pets/1/to:x', false, [1, { 'path id': '1', 'path name': 'x' }]],
    ['curl -X POST http://127.0.0.1:8080/base/pets/1/to:x', true, [2, { 'path id': '1', 'path name': 'x' }]],
    ['curl -X POST http://127.0.0.1:8080/base/pets/1/to:x', false, 'does not match'],
    ['curl -X POST https://api.test/v1/pets/1', true, 'does not match'],
    ['curl -X POST https://api.test/v1/pets//to:x', false, 'does not match'],
    ['curl https://api.test/v1/pets/1/to:x', false, 'is a `GET` request'],
    ['curl -X POST javascript:alert(1)', true, 'Expected an http or https URL'],
    ['curl -X POST file:///etc/passwd', true, 'Expected an http or https URL'],
  ])('%s', (command, isOpen, expected) => {
    const found = run(operationOf({}), command, isOpen)
    if ('problem' in found) expect(found.problem).toContain(expected)
    else expect([found.values.server.index, found.values.parameters]).toEqual(expected)
  })
})

test('finds the credentials of a security requirement and keeps other headers', () => {
  const url = 'https://api.test/v1/pets/1/to:x'
  const operation = operationOf({ security: [{ key: [], bearer: [] }, { basic: [] }, { bearer: [] }] })
  const find = (rest: string) => {
    const found = run(operation, `curl -X POST ${rest}`)
    if ('problem' in found) return found.problem
    return [found.credentials?.alternative, found.credentials?.byScheme, found.values.extras.map(({ name }) => name), found.notes]
  }
  const token = { kind: 'text', value: 't' }
  expect(find(`'${url}?key=k' -H 'Authorization: Bearer t'`)).toEqual([
    0,
    { key: { kind: 'text', value: 'k' }, bearer: token },
    [],
    [],
  ])
  expect(find(`${url} -H 'authorization: bearer t' -H 'X-A: 1' -H Accept:x`)).toEqual([2, { bearer: token }, ['X-A'], []])
  expect(find(`${url} -u ann:a:b`)).toEqual([1, { basic: { kind: 'basic', username: 'ann', password: 'a:b' } }, [], []])
  expect(find(`${url} -H 'Authorization: Digest x' -b a=1`)).toEqual([
    undefined,
    undefined,
    ['Authorization'],
    ['Cookies were ignored, because browsers do not let pages set them.'],
  ])
})

test.each<[string, unknown, readonly string[]]>([
  [`-d '{"a": 1}'`, { index: 0, mode: 'form', value: { a: 1 }, text: '' }, []],
  [`-d '{"a": 12345678901234567890}'`, { index: 0, mode: 'raw', value: undefined, text: '{"a": 12345678901234567890}' }, []],
  ['-d a=2 -d b=x', { index: 1, mode: 'form', value: { a: 2, b: 'x' }, text: '' }, []],
  ['-F a=2 -F b=@cat.png', { index: 2, mode: 'form', value: { a: 2 }, text: '' }, ['Choose the file for `b`.']],
  ["-H 'content-type: text/plain; charset=utf-8' -d hi", { index: 3, mode: 'raw', value: undefined, text: 'hi' }, []],
])('reads the body of %s', (body, expected, notes) => {
  const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } }
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  const content = { ...Object.fromEntries(types.map((type) => [type, { schema }])), 'text/plain': {} }
  const found = run(operationOf({ requestBody: { content } }), `curl https://api.test/v1/pets/1/to:x ${body}`)
  expect('problem' in found ? found.problem : [found.values.body, found.notes]).toEqual([expected, notes])
})
