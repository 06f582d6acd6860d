import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { openDiskFiles } from '../../../../src/files/disk-files.ts'
import type { Conversion } from '../../../../src/openapi/rulesets/convert/conversion.ts'
import { convertOptic } from '../../../../src/openapi/rulesets/convert/convert-optic.ts'
import { convertRedocly } from '../../../../src/openapi/rulesets/convert/convert-redocly.ts'
import { redoclyRules } from '../../../../src/openapi/rulesets/convert/redocly-rules.ts'
import { renderRuleset } from '../../../../src/openapi/rulesets/convert/render-ruleset.ts'
import { formatsOf } from '../../../../src/openapi/rulesets/read/document-formats.ts'
import { defaultLimits } from '../../../../src/source/limits.ts'
import { loadRulesets } from '../../../../src/update/load-rulesets.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { runRules } from '../run-rules.ts'

/** Converts rules of Redocly, and returns the locations in a document that the ruleset reports. */
async function checkWith(rules: object, content: object): Promise<readonly string[]> {
  return await checkConverted(await convertRedocly({ rules }, 'redocly.yaml', async () => undefined), content)
}

async function checkConverted(conversion: Conversion, content: object): Promise<readonly string[]> {
  const folder = makeTemporaryFolder({ '.spectral.yaml': renderRuleset(conversion, []) ?? '' })
  const fetchDocument = () => Promise.reject(new Error('no network'))
  const choice = { kind: 'named', rulesets: ['.spectral.yaml'] } as const
  const { findings, rulesetFor } = await loadRulesets(choice, { files: openDiskFiles(folder), fetchDocument }, defaultLimits)
  expect(findings).toEqual([])
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, ...content }
  const lines = await runRules({ 'openapi.yaml': stringify(document) }, rulesetFor('openapi.yaml', formatsOf(document)))
  return lines.map((line) => line.replace(/^\w+ (\S+) openapi\.yaml#(\S+) .*$/s, '$1 $2'))
}

const get = (operation: object) => ({ paths: { '/pets': { get: { responses: {}, ...operation } } } })
const schemas = (value: object) => ({ components: { schemas: value } })
const parameter = (value: object) => get({ parameters: [{ name: 'a', in: 'query', ...value }] })

describe('built-in rules of Redocly', () => {
  test.each([
    ['operation-summary', get({}), ['/paths/~1pets/get']],
    ['operation-summary', get({ summary: 'a' }), []],
    ['operation-summary', { webhooks: { a: { post: {} } } }, ['/webhooks/a/post']],
    ['operation-summary', { paths: { '/a': { additionalOperations: { COPY: {} } } } }, ['/paths/~1a/additionalOperations/COPY']],
    ['operation-operationId', get({ operationId: 'a', callbacks: { b: { c: { post: {} } } } }), []],
    ['operation-2xx-response', get({ responses: { 404: {} } }), ['/paths/~1pets/get/responses']],
    ['operation-2xx-response', get({ responses: { default: {} } }), []],
    ['operation-2xx-response', { webhooks: { a: { post: { responses: {} } } } }, []],
    ['operation-4xx-response', get({ responses: { '4XX': {} } }), []],
    ['operation-4xx-response', get({ responses: { 200: {} } }), ['/paths/~1pets/get/responses']],
    ['security-defined', get({}), ['/paths/~1pets/get']],
    ['security-defined', get({ security: [] }), []],
    ['security-defined', { ...get({}), security: [] }, []],
    ['no-server-example.com', { servers: [{ url: 'http://localhost:1' }, { url: 'https://a.com' }] }, ['/servers/0/url']],
    ['no-server-trailing-slash', { servers: [{ url: '/' }, { url: 'https://a.com/' }] }, ['/servers/1/url']],
    ['no-http-verbs-in-paths', { paths: { '/getPets': {}, '/pets/{getId}': {} } }, ['/paths/~1getPets']],
    ['paths-kebab-case', { paths: { '/a-b/{aB}/c.d': {}, '/aB': {} } }, ['/paths/~1aB']],
    ['boolean-parameter-prefixes', parameter({ schema: { type: 'boolean' } }), ['/paths/~1pets/get/parameters/0/name']],
    ['boolean-parameter-prefixes', parameter({ name: 'isA', schema: { type: 'boolean' } }), []],
    [
      'array-parameter-serialization',
      parameter({ style: 'form', schema: { type: 'array' } }),
      ['/paths/~1pets/get/parameters/0'],
    ],
    ['array-parameter-serialization', parameter({ style: 'form', explode: true, schema: { type: 'array' } }), []],
    ['no-schema-type-mismatch', schemas({ A: { type: 'object', items: {} } }), ['/components/schemas/A']],
    [
      'no-schema-type-mismatch',
      schemas({ A: { allOf: [{ type: 'array', properties: {} }] } }),
      ['/components/schemas/A/allOf/0'],
    ],
    [
      'scalar-property-missing-example',
      schemas({ A: { properties: { b: { type: 'string' } } } }),
      ['/components/schemas/A/properties/b'],
    ],
    [
      'scalar-property-missing-example',
      schemas({ A: { properties: { b: { type: 'object' }, c: { type: 'string', example: 1 } } } }),
      [],
    ],
    ['no-mixed-number-range-constraints', schemas({ A: { minimum: 1, exclusiveMinimum: 1 } }), ['/components/schemas/A']],
    ['nullable-type-sibling', { openapi: '3.0.0', ...schemas({ A: { nullable: true } }) }, ['/components/schemas/A']],
    ['nullable-type-sibling', { openapi: '3.0.0', ...schemas({ A: { nullable: true, type: 'string' } }) }, []],
    ['no-unsafe-markdown', { tags: [{ name: 'a', description: '<a href="javascript:a">' }] }, ['/tags/0/description']],
    ['info-license-strict', { info: { title: 'T', version: '1', license: { name: 'a' } } }, ['/info/license']],
  ])('%s with %j', async (name, content, pointers) => {
    expect(await checkWith({ [name]: 'error' }, content)).toEqual(pointers.map((pointer) => `${name} ${pointer}`))
  })

  test.each([
    [
      { 'request-mime-type': { allowedValues: ['text/xml'] } },
      get({ requestBody: { content: { 'text/plain': {} } } }),
      'requestBody/content/text~1plain',
    ],
    [
      { 'response-mime-type': { allowedValues: ['text/xml'] } },
      get({ callbacks: { a: { b: { post: { requestBody: { content: { 'text/plain': {} } }, responses: {} } } } } }),
      'callbacks/a/b/post/requestBody/content/text~1plain',
    ],
    [
      { 'response-contains-header': { names: { '2xx': ['X-A'], 201: ['X-B'] } } },
      get({ responses: { 200: { headers: { 'x-a': {} } }, 201: {} } }),
      'responses/201',
    ],
    [{ 'security-defined': { exceptions: [{ path: '/a' }] } }, { paths: { '/a': { get: {} }, '/pets': { get: {} } } }, undefined],
  ])('%j', async (rules, content, pointer) => {
    const [name] = Object.keys(rules)
    expect(await checkWith(rules, content)).toEqual([`${name} /paths/~1pets/get${pointer === undefined ? '' : `/${pointer}`}`])
  })

  test('all together are a ruleset without problems', async () => {
    const names = Object.keys(redoclyRules)
    const found = await checkWith(Object.fromEntries(names.map((name) => [name, 'error'])), get({}))
    expect(found.filter((entry) => entry.startsWith('undefined'))).toEqual([])
    expect(found.length).toBeGreaterThan(0)
  })
})

describe('configurable rules of Redocly', () => {
  const operation = { type: 'Operation' }
  const name = (value: string) => get({ operationId: value })
  const id = '/paths/~1pets/get/operationId'
  const schema = '/components/schemas/A'
  test.each([
    [{ subject: { ...operation, property: 'operationId' }, assertions: { casing: 'kebab-case' } }, name('getPets'), [id]],
    [{ subject: { ...operation, property: 'operationId' }, assertions: { casing: 'kebab-case' } }, name('get-pets'), []],
    [{ subject: { ...operation, property: 'operationId' }, assertions: { pattern: '/^GET/i' } }, name('getPets'), []],
    [{ subject: { ...operation, property: 'operationId' }, assertions: { notPattern: 'P' } }, name('getPets'), [id]],
    [{ subject: { ...operation, property: 'operationId' }, assertions: { enum: ['a'] } }, name('b'), [id]],
    [{ subject: { ...operation, property: 'operationId' }, assertions: { minLength: 2, maxLength: 3 } }, name('a'), [id]],
    [
      { subject: { ...operation, property: ['summary', 'tags'] }, assertions: { defined: true } },
      get({}),
      ['/paths/~1pets/get', '/paths/~1pets/get'],
    ],
    [
      { subject: { ...operation, property: 'summary' }, assertions: { nonEmpty: true } },
      get({ summary: '' }),
      ['/paths/~1pets/get/summary'],
    ],
    [
      { subject: { ...operation, property: 'tags' }, assertions: { enum: ['a'] } },
      get({ tags: ['a', 'b'] }),
      ['/paths/~1pets/get/tags/1'],
    ],
    [{ subject: operation, assertions: { required: ['summary'] } }, get({}), ['/paths/~1pets/get']],
    [
      { subject: operation, assertions: { disallowed: ['deprecated'] } },
      get({ deprecated: true }),
      ['/paths/~1pets/get/deprecated'],
    ],
    [{ subject: operation, assertions: { requireAny: ['summary', 'tags'] } }, get({}), ['/paths/~1pets/get']],
    [{ subject: operation, assertions: { mutuallyExclusive: ['a', 'b'] } }, get({ summary: 'a' }), []],
    [
      { subject: operation, assertions: { mutuallyExclusive: ['summary', 'tags'] } },
      get({ summary: 'a', tags: [] }),
      ['/paths/~1pets/get'],
    ],
    [{ subject: operation, assertions: { mutuallyRequired: ['summary', 'tags'] } }, get({ summary: 'a' }), ['/paths/~1pets/get']],
    [{ subject: { ...operation, filterInParentKeys: ['post'] }, assertions: { required: ['summary'] } }, get({}), []],
    [
      { subject: { ...operation, filterOutParentKeys: ['post'] }, assertions: { required: ['summary'] } },
      get({}),
      ['/paths/~1pets/get'],
    ],
    [
      { subject: { type: 'Response', matchParentKeys: '/^4/' }, assertions: { required: ['content'] } },
      get({ responses: { 400: {}, 200: {} } }),
      ['/paths/~1pets/get/responses/400'],
    ],
    [
      { subject: { type: 'SchemaProperties' }, assertions: { casing: 'camelCase' } },
      schemas({ A: { properties: { a_b: {}, aB: {}, properties: { x_y: 1 } } } }),
      [`${schema}/properties/a_b`],
    ],
    [
      { subject: { type: 'MediaTypesMap' }, assertions: { enum: ['text/a'] } },
      get({ responses: { 200: { content: { 'text/b': {} } } } }),
      ['/paths/~1pets/get/responses/200/content/text~1b'],
    ],
    [
      { subject: { type: 'Schema', property: 'type' }, assertions: { const: 'object' } },
      schemas({ A: { items: { type: 'string' } } }),
      [`${schema}/items/type`],
    ],
    [
      { subject: { type: 'any', property: 'description' }, assertions: { maxLength: 1 } },
      { tags: [{ name: 'a', description: 'ab' }] },
      ['/tags/0/description'],
    ],
    [
      {
        subject: { type: 'Schema' },
        where: [{ subject: { type: 'Schema', property: 'type' }, assertions: { const: 'array', defined: true } }],
        assertions: { required: ['items'] },
      },
      schemas({ A: { type: 'array' }, B: { type: 'object' }, C: {} }),
      [schema],
    ],
    [
      {
        subject: { type: 'Response' },
        where: [{ subject: { type: 'Operation', filterInParentKeys: ['get'] }, assertions: { defined: true } }],
        assertions: { required: ['content'] },
      },
      { paths: { '/pets': { get: { responses: { 200: {} } }, put: { responses: { 200: {} } } } } },
      ['/paths/~1pets/get/responses/200'],
    ],
    [
      {
        subject: { type: 'Schema', property: 'description' },
        where: [{ subject: { type: 'SchemaProperties' }, assertions: { defined: true } }],
        assertions: { defined: true },
      },
      schemas({ A: { properties: { b: { items: { type: 'string' } } } } }),
      [`${schema}/properties/b`, `${schema}/properties/b/items`],
    ],
  ])('%j', async (rule, content, pointers) => {
    expect(await checkWith({ 'rule/own': rule }, content)).toEqual(pointers.map((pointer) => `own ${pointer}`))
  })

  test('`ref` reads the document as it is written', async () => {
    const content = {
      ...get({
        requestBody: { content: { 'text/a': { schema: { $ref: '#/components/schemas/A' } }, 'text/b': { schema: {} } } },
      }),
      ...schemas({ A: {} }),
    }
    const rule = (ref: boolean | string) => ({
      'rule/own': { subject: { type: 'MediaType', property: 'schema' }, assertions: { ref } },
    })
    const at = (type: string) => [`own /paths/~1pets/get/requestBody/content/text~1${type}/schema`]
    expect(await checkWith(rule(true), content)).toEqual(at('b'))
    expect(await checkWith(rule(false), content)).toEqual(at('a'))
    expect(await checkWith(rule('/schemas/'), content)).toEqual(at('b'))
    expect(await checkWith(rule('^other'), content)).toEqual([...at('a'), ...at('b')])
  })
})

test.each([
  [{ subject: { type: 'Operation' }, assertions: { 'plugin/own': true } }, 'rule/own: functions of plugins are not run'],
  [
    { subject: { type: 'Workflow' }, assertions: { required: ['a'] } },
    'rule/own: there are no objects of the type Workflow in OpenAPI 3',
  ],
  [
    { subject: { type: 'Tag', property: 'a' }, assertions: { sortOrder: 'desc' } },
    'rule/own: there is no function for a descending order',
  ],
  [
    { subject: { type: 'Tag', property: 'a' }, assertions: { pattern: '(' } },
    'rule/own: it is not a regular expression of JavaScript',
  ],
  [
    { subject: { type: 'Info' }, where: [{ subject: { type: 'Tag' }, assertions: {} }], assertions: { required: ['a'] } },
    'rule/own: no expression leads from Tag to Info',
  ],
  [
    { subject: { type: 'Tag', matchesDescendantType: 'a' }, assertions: { required: ['a'] } },
    'rule/own: the locator matchesDescendantType has no equivalent',
  ],
  [{ assertions: { required: ['a'] } }, 'rule/own: it has no `subject` with a `type`'],
  [{ subject: { type: 'Tag' } }, 'rule/own: it has no `assertions`'],
])('lists %j as not carried over', async (rule, reason) => {
  const { leftOut } = await convertRedocly({ rules: { 'rule/own': rule } }, 'redocly.yaml', async () => undefined)
  expect(leftOut.map((entry) => `${entry.what}: ${entry.reason}`)).toEqual([reason])
})

describe('rulesets of Optic', () => {
  const naming = (options: object) => ({ naming: options })
  const at = '/paths/~1pets/get'
  test.each([
    [naming({ queryParameters: 'snake_case' }), parameter({ name: 'aB' }), [`query-parameter-naming ${at}/parameters/0/name`]],
    [naming({ queryParameters: 'snake_case' }), parameter({ name: 'a_b' }), []],
    [naming({ queryParameters: 'snake_case' }), parameter({ name: 'aB', in: 'header' }), []],
    [
      naming({ requestHeaders: 'Capital-Param-Case' }),
      parameter({ name: 'x-a', in: 'header' }),
      [`request-header-naming ${at}/parameters/0/name`],
    ],
    [naming({ operationId: 'camelCase' }), get({ operationId: 'GetPets' }), [`operation-id-naming ${at}/operationId`]],
    [
      naming({ pathComponents: 'param-case' }),
      { paths: { '/a-b/{aB}/c': {}, '/aB': {} } },
      ['path-component-naming /paths/~1aB'],
    ],
    [
      naming({ responseHeaders: 'param-case' }),
      get({ responses: { 200: { headers: { 'a-b': {}, aB: {} } } } }),
      [`response-header-naming ${at}/responses/200/headers/aB`],
    ],
    [
      naming({ properties: 'snake_case' }),
      get({
        responses: {
          200: { content: { 'a/b': { schema: { properties: { aB: {}, a_b: { items: { properties: { bC: {} } } } } } } } },
        },
      }),
      [
        `property-naming ${at}/responses/200/content/a~1b/schema/properties/aB`,
        `property-naming ${at}/responses/200/content/a~1b/schema/properties/a_b/items/properties/bC`,
      ],
    ],
    [{ documentation: { require_operation_summary: true } }, get({}), [`operation-summary ${at}`]],
    [
      { documentation: { require_operation_summary: true, exclude_operations_with_extension: 'x-old' } },
      get({ 'x-old': true }),
      [],
    ],
    [
      { examples: { require_response_examples: true } },
      get({ responses: { 200: { content: { 'application/json': {}, 'image/png': {} } } } }),
      [`response-example ${at}/responses/200/content/application~1json`],
    ],
    [{ examples: { require_parameter_examples: true } }, parameter({ schema: { example: 1 } }), []],
    [{ examples: { require_parameter_examples: true } }, parameter({ schema: {} }), [`parameter-example ${at}/parameters/0`]],
  ])('%j', async (ruleset, content, expected) => {
    expect(await checkConverted(convertOptic({ ruleset: [ruleset] }, 'optic.yml'), content)).toEqual(expected)
  })
})
