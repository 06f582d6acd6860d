import { describe, expect, test } from 'vitest'
import { checkFiles, diagnosticLines } from '../support/check-text.ts'

/** The diagnostics of a document with `info` in line 2, without those for unused components. */
async function linesOf(rest: string, version = '3.1.0'): Promise<string[]> {
  const paths = /^paths:/m.test(rest) ? '' : 'paths: {}\n'
  const lines = await diagnosticLines(`openapi: ${version}\ninfo: {title: Pets, version: 1.0.0}\n${rest}\n${paths}`)
  return lines.filter((line) => !line.includes(' unused-component '))
}

const id = (name: string, type = 'string') => `{name: ${name}, in: path, required: true, schema: {type: ${type}}}`
const withParameters = (path: string, method: string, ...parameters: string[]) =>
  `  ${path}:\n    ${method}: {parameters: [${parameters.join(', ')}]}\n`

describe('path-ambiguous', () => {
  test.each([
    [
      'each more concrete in one step',
      withParameters('/{a}/me', 'get', id('a')) + withParameters('/books/{b}', 'get', id('b')),
      'warning',
    ],
    ['without a common method', withParameters('/{a}/me', 'get', id('a')) + withParameters('/books/{b}', 'put', id('b')), 'info'],
    ['a concrete path beside a template', `${withParameters('/books/{b}', 'get', id('b'))}  /books/mine: {get: {}}\n`, ''],
    ['other numbers of steps', withParameters('/{a}/me', 'get', id('a')) + withParameters('/books/{b}/x', 'get', id('b')), ''],
    [
      'a number is no word',
      withParameters('/{a}/me', 'get', id('a', 'integer')) + withParameters('/books/{b}', 'get', id('b')),
      '',
    ],
    [
      'a number may be 7',
      withParameters('/{a}/me', 'get', id('a', 'integer')) + withParameters('/7/{b}', 'get', id('b')),
      'warning',
    ],
    [
      'fixed ends that differ',
      withParameters('/x/{a}.json/me', 'get', id('a')) + withParameters('/x/books/{b}', 'get', id('b')),
      '',
    ],
    [
      'fixed ends that fit',
      withParameters('/x/{a}.json/me', 'get', id('a')) + withParameters('/x/a.json/{b}', 'get', id('b')),
      'warning',
    ],
  ])('%s: %s', async (_, paths, severity) => {
    const lines = await linesOf(`paths:\n${paths}`)
    expect(lines.map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual(
      severity === '' ? [] : [`${severity} path-ambiguous`],
    )
  })

  test('many paths that all clash do not take long', async () => {
    const paths = Array.from({ length: 3_000 }, (_, index) => `  /${index % 2 === 0 ? `{a}/w${index}` : `w${index}/{b}`}/{c}: {}`)
    // Without a limit, reports for each pair would exceed the time limit of tests.
    expect((await linesOf(`paths:\n${paths.join('\n')}`)).length).toBeGreaterThan(1_000)
  })
})

test('path-template and server-variable: rejects duplicate names from 3.2 on', async () => {
  const text = `servers: [{url: '/{v}/{v}', variables: {v: {default: a}}}]\npaths:\n${withParameters('/a/{b}/{b}', 'get', id('b'))}`
  expect(await linesOf(text, '3.1.1')).toEqual([])
  expect(await linesOf(text, '3.2.0')).toEqual([
    '3:17 server-variable Unexpected duplicate `{v}` in a server URL, expected each name once',
    '5:3 path-template Unexpected duplicate `{b}` in path `/a/{b}/{b}`, expected each name once · Rename one of the two',
  ])
})

test('server-variable: one that the address does not have', async () => {
  expect(await linesOf("servers: [{url: '/{version}', variables: {verion: {default: a}, version: {default: b}}}]")).toEqual([
    '3:43 info server-variable Unexpected server variable `verion`, expected a name used in the server URL · Did you mean `version`?',
  ])
})

describe('tag-undeclared', () => {
  test.each([
    ['declared', 'tags: [{name: a}]', 'get: {tags: [a]}', []],
    ['none declared', '', 'get: {tags: [a]}', []],
    [
      'each once',
      'tags: [{name: pets}]',
      'get: {tags: [pest, b]}, put: {tags: [pest]}',
      [
        '5:24 info tag-undeclared Unexpected tag `pest`, expected a tag declared in the top-level `tags` · Did you mean `pets`?',
        '5:30 info tag-undeclared Unexpected tag `b`, expected a tag declared in the top-level `tags` · Declare it in the top-level `tags` with a `description`',
      ],
    ],
  ])('%s', async (_, tags, operations, expected) => {
    expect(await linesOf(`${tags}\npaths:\n  /pets: {${operations}}`)).toEqual(expected)
  })
})

describe('security-scope', () => {
  const schemes = `components:
  securitySchemes:
    login: {type: oauth2, flows: {implicit: {authorizationUrl: /a, scopes: {read: Read}}, password: {tokenUrl: /t, scopes: {write: Write}}}}
    key: {type: apiKey, in: query, name: key}
    open: {type: openIdConnect, openIdConnectUrl: /o}`
  test.each([
    ['of several flows', '{login: [read, write]}', '3.1.0', []],
    ['of openIdConnect nothing is known', '{open: [any]}', '3.0.3', []],
    ['a role, from 3.1 on', '{key: [admin]}', '3.1.0', []],
    [
      'not declared',
      '{login: [raed]}',
      '3.0.3',
      [
        '3:21 warning security-scope Unexpected scope `raed`, expected a scope declared by a flow of `login` · Did you mean `read`?',
      ],
    ],
    [
      'of a scheme without scopes: once',
      '{key: [admin]}, {key: [b]}',
      '3.0.3',
      [
        '3:18 warning security-scope Unexpected scopes for security scheme `key` of type `apiKey`, expected an empty list · Write `key: []` wherever the scheme is used, or change to `openapi: 3.1.1`, which allows a list of role names',
      ],
    ],
  ])('%s', async (_, security, version, expected) => {
    expect(await linesOf(`security: [${security}]\n${schemes}`, version)).toEqual(expected)
  })
})

describe('link-target', () => {
  const document = (link: string) => `paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [${id('id')}]
      responses: {'200': {description: OK, links: {Next: ${link}}}}`
  test.each([
    ['by id, with a parameter', '{operationId: getPet, parameters: {id: $request.path.id, path.id: $url}}', []],
    ['by reference', "{operationRef: '#/paths/~1pets~1{id}/get', parameters: {id: $url}}", []],
    ['by an address of elsewhere', '{operationRef: https://example.com/api.yaml#/paths/~1pets/get}', []],
    [
      'no such id',
      '{operationId: getPets}',
      [
        '8:72 warning link-target Cannot find link target `getPets`: no operation has this `operationId` · Did you mean `getPet`?',
      ],
    ],
    [
      'no such place',
      "{operationRef: '#/paths/~1pets~1{id}/gett'}",
      [
        '8:73 warning link-target Cannot find link target `#/paths/~1pets~1{id}/gett`: `paths./pets/{id}` has no `gett` · Did you mean `get`?',
      ],
    ],
    [
      'no such parameter',
      '{operationId: getPet, parameters: {ib: $url}}',
      [
        '8:93 warning link-target Unexpected link parameter `ib`, expected a parameter of the operation `getPet` · Use the name of a parameter of the linked operation',
      ],
    ],
  ])('%s', async (_, link, expected) => {
    expect((await linesOf(document(link))).filter((line) => !line.includes('wrong-format'))).toEqual(expected)
  })

  test('an operation of a callback', async () => {
    const callback =
      "callbacks: {done: {'{$request.query.url}': {post: {operationId: notify, responses: {'200': {description: OK, links: {Next: {operationId: notify}}}}}}}}"
    expect(await linesOf(`paths:\n  /a:\n    get: {${callback}}`)).toEqual([])
  })
})

test('operation-id-unique: also in callbacks', async () => {
  const callback = "callbacks: {done: {'{$request.query.url}': {post: {operationId: a}}}}"
  expect(await linesOf(`paths:\n  /a:\n    get: {operationId: a, ${callback}}`)).toEqual([
    '5:91 operation-id-unique Unexpected duplicate `operationId` `a`, expected a unique value · Rename one of the two',
  ])
})

describe('runtime-expression', () => {
  test.each([
    ['$url', true],
    ['$method', true],
    ['$statusCode', true],
    ['$request.header.X-Token', true],
    ['$request.query.a b', true],
    ['$request.body', true],
    ['$response.body#/a/0~1b', true],
    ['https://example.com/{$request.path.id}/{x}', true],
    ['{request.body#/url}', true],
    ['$status', false],
    ['$request.body.url', false],
    ['$request.body#url', false],
    ['$request.cookie.a', false],
    ['https://example.com/{$request.header.a b}', false],
  ])('%s: %s', async (expression, allowed) => {
    const lines = await linesOf(`components: {callbacks: {A: {'${expression}': {}}}}`)
    expect(lines.map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual(allowed ? [] : ['warning runtime-expression'])
  })

  test('in a link only text that begins with `$` is one', async () => {
    const link =
      'paths: {/a: {get: {operationId: a, parameters: [{name: b, in: query, schema: {}}, {name: c, in: query, schema: {}}]}}}\ncomponents: {links: {A: {operationId: a, parameters: {b: $request.body/x, c: 5 dollars}, requestBody: "$x"}}}'
    expect(await linesOf(link)).toEqual([
      '4:58 warning runtime-expression Unexpected `$request.body/x`, expected a runtime expression such as `$request.body#/url` · Write `$request.body#/` followed by the path of the value',
      '4:103 warning runtime-expression Unexpected `$x`, expected a runtime expression such as `$request.body#/url` · Start it with `$url`, `$method`, `$statusCode`, `$request.` or `$response.`',
    ])
  })
})

const schemas = (text: string) => `components:\n  schemas:\n    ${text}`

describe('discriminator-mapping', () => {
  const pet = (mapping: string) =>
    schemas(`Pet: {required: [kind], properties: {kind: {}}, discriminator: {propertyName: kind, ${mapping}}}\n    Cat: {}`)
  test.each([
    ['a name', 'mapping: {a: Cat}', []],
    ['a reference', "mapping: {a: '#/components/schemas/Cat'}", []],
    ['a file', 'mapping: {a: cat.yaml, b: ./cat}', []],
    [
      'another name',
      'mapping: {a: Catt}',
      [
        '5:102 warning discriminator-mapping Cannot find discriminator schema `Catt`: `components.schemas` does not define it · Did you mean `Cat`?',
      ],
    ],
    [
      'another reference',
      "mapping: {a: '#/components/schemas/Dog'}",
      [
        '5:102 warning discriminator-mapping Cannot find discriminator schema `#/components/schemas/Dog`: `components.schemas` has no `Dog`',
      ],
    ],
  ])('%s', async (_, mapping, expected) => {
    expect(await linesOf(pet(mapping))).toEqual(expected)
  })

  test('the default of 3.2', async () => {
    expect(await linesOf(pet('defaultMapping: Dog'), '3.2.0')).toEqual([
      '5:105 warning discriminator-mapping Cannot find discriminator schema `Dog`: `components.schemas` does not define it',
    ])
  })
})

describe('discriminator-property', () => {
  const kind = 'required: [kind], properties: {kind: {type: string}}'
  const choice = (cat: string, pet = "oneOf: [{$ref: '#/components/schemas/Cat'}]") =>
    schemas(`Pet: {${pet}, discriminator: {propertyName: kind}}\n    Cat: {${cat}}\n    Base: {${kind}}`)
  test.each([
    ['in the choice', choice(kind), []],
    ['in a part of the choice', choice("allOf: [{$ref: '#/components/schemas/Base'}, {type: object}]"), []],
    ['in all choices of the choice', choice("anyOf: [{$ref: '#/components/schemas/Base'}]"), []],
    ['in the schema itself', choice('type: object', `oneOf: [{$ref: '#/components/schemas/Cat'}], ${kind}`), []],
    [
      'described in the choice, required around it',
      choice('properties: {kind: {}}', "oneOf: [{$ref: '#/components/schemas/Cat'}], required: [kind]"),
      [],
    ],
    [
      'not required',
      choice('properties: {kind: {}}'),
      [
        '5:86 warning discriminator-property Unexpected `kind` for `propertyName`: `Cat` does not require it, expected a required property · Add `kind` to the `required` list',
      ],
    ],
    [
      'not there, of a base schema',
      choice('type: object', 'type: object'),
      [
        '5:55 warning discriminator-property Unexpected `kind` for `propertyName`: the schema does not define it, expected a required property · Define `kind` in `properties` and add it to `required`',
      ],
    ],
    [
      'a choice that cannot be found',
      choice('type: object', "oneOf: [{$ref: 'https://example.com/cat'}]"),
      [
        '5:26 warning remote-reference Cannot check `https://example.com/cat`: remote references are not read · Save a copy of the file next to the document and refer to the copy',
      ],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await linesOf(text)).toEqual(expected)
  })
})

describe('required-property', () => {
  test.each([
    ['described', '{required: [a], properties: {a: {}}}', []],
    ['without properties', '{required: [a]}', []],
    ['beside a reference', "{required: [a], properties: {b: {}}, $ref: '#/components/schemas/B'}", []],
    ['in a part', '{allOf: [{required: [a], properties: {b: {}}}]}', []],
    ['beside parts', '{required: [a], properties: {b: {}}, allOf: [{}]}', []],
    ['described by additionalProperties', '{required: [a], properties: {b: {}}, additionalProperties: {}}', []],
    [
      'not described',
      '{required: [b, nmae], properties: {name: {}, b: {}}}',
      [
        '5:23 info required-property Unexpected `nmae` in `required`, expected a name defined in `properties` · Did you mean `name`?',
      ],
    ],
  ])('%s', async (_, schema, expected) => {
    expect(await linesOf(schemas(`A: ${schema}\n    B: {}`))).toEqual(expected)
  })
})

test.each([
  ['3.0.3', 'read-write-only'],
  ['3.1.0', 'warning read-write-only'],
])('read-write-only in %s', async (version, expected) => {
  const lines = await linesOf(
    schemas('A: {properties: {a: {readOnly: true, writeOnly: true}, b: {readOnly: true, writeOnly: false}}}'),
    version,
  )
  expect(lines).toEqual([
    `5:42 ${expected} Unexpected \`writeOnly: true\` together with \`readOnly: true\`, expected only one of them · Remove one of them: the value would appear in neither requests nor responses`,
  ])
})

test.each([
  ['application/json', true],
  ['application/vnd.github.v3+json; charset=utf-8', true],
  ['*/*', true],
  ['text/*', true],
  ['application/json;q="a, b"', true],
  ['json', false],
  ['application/', false],
  ['application/json/x', false],
  ['application json', false],
])('media-type-name %s: %s', async (name, allowed) => {
  const lines = await linesOf(`components: {requestBodies: {A: {content: {'${name}': {}}}}}`)
  expect(lines).toEqual(
    allowed
      ? []
      : [
          `3:44 warning media-type-name Unexpected \`${name}\` for a key of \`content\`, expected a media type such as \`application/json\``,
        ],
  )
})

describe('header-ignored', () => {
  test.each([
    [
      'parameters: {A: {name: accept, in: header, schema: {}}}',
      [
        '3:37 info header-ignored Unexpected header parameter `accept`: OpenAPI tools ignore it · Remove it: `content` of the responses declares the media types',
      ],
    ],
    ['parameters: {A: {name: Authorization, in: query, schema: {}}}', []],
    [
      'responses: {A: {description: OK, headers: {X: {schema: {}}, content-type: {schema: {}}}}}',
      [
        '3:74 info header-ignored Unexpected header `content-type`: OpenAPI tools ignore it · Remove it: `content` declares the media type',
      ],
    ],
    ['responses: {A: {description: OK, headers: {Authorization: {schema: {}}}}}', []],
  ])('%s', async (text, expected) => {
    expect(await linesOf(`components: {${text}}`)).toEqual(expected)
  })
})

describe('hints for common mistakes', () => {
  const hintsOf = async (rest: string, version: string) =>
    (await linesOf(rest, version)).map((line) => line.split(' · ')[1] ?? line)
  const schema = (text: string) => `components: {schemas: {A: ${text}}}`
  const scheme = (text: string) => `components: {securitySchemes: {A: ${text}}}`
  const reference = (text: string) =>
    `components: {responses: {A: {description: A, content: {a/b: {schema: {$ref: ${text}}}}}}, schemas: {X: {}}}`

  test.each([
    [schema('{type: [string, null]}'), '3.1.0', 'Quote `"null"`: without quotes, it is the value `null`'],
    [schema('{type: null}'), '3.1.0', 'Quote `"null"`: without quotes, it is the value `null`'],
    [schema('{type: [string, null]}'), '3.0.4', 'Write `type: string` and `nullable: true`'],
    [schema('{type: int}'), '3.0.4', 'Write `type: integer`'],
    [schema('{type: int64}'), '3.1.0', 'Write `type: integer` and `format: int64`'],
    [schema('{type: float}'), '3.1.0', 'Write `type: number` and `format: float`'],
    [schema('{type: date-time}'), '3.0.4', 'Write `type: string` and `format: date-time`'],
    [schema('{type: uuid}'), '3.2.0', 'Write `type: string` and `format: uuid`'],
    [schema('{type: [string, date]}'), '3.1.0', 'Write `type: string` and `format: date`'],
    [schema('{type: list}'), '3.1.0', 'Write `type: array`'],
    [schema('{type: map}'), '3.1.0', 'Write `type: object`'],
    [schema('{type: any}'), '3.1.0', 'Remove `type` to allow any value'],
    [scheme('{type: bearer}'), '3.0.4', 'Write `type: http` and `scheme: bearer`'],
    [scheme('{type: jwt}'), '3.1.0', 'Write `type: http`, `scheme: bearer` and `bearerFormat: JWT`'],
    [scheme('{type: basic}'), '3.1.0', 'Write `type: http` and `scheme: basic`'],
    [
      schema('{$recursiveAnchor: true}'),
      '3.1.0',
      'Write `$dynamicAnchor` with a name instead, and `$dynamicRef` for `$recursiveRef`',
    ],
    [schema('{required: "yes"}'), '3.1.0', 'Add the property to the `required` list of its parent object'],
    [schema('{required: name}'), '3.1.0', 'Write a list with one entry'],
    [schema('{additionalProperties: "false"}'), '3.0.4', 'Remove the quotes'],
    [schema('{additionalProperties: "true"}'), '3.1.0', 'Remove the quotes'],
    [schema('{deprecated: "yes"}'), '3.1.0', 'Write `true`'],
    [schema('{deprecated: off}'), '3.1.0', 'Write `false`'],
    [reference('/components/schemas/X'), '3.0.4', 'Write `#/components/schemas/X`'],
    [reference('components/schemas/X'), '3.1.0', 'Write `#/components/schemas/X`'],
    [reference('X'), '3.1.0', 'Write `#/components/schemas/X`'],
    [reference('Y'), '3.1.0', '3:77 reference-unresolved Cannot find `Y`: no such file'],
    [
      "paths: {'/a/{id}': {get: {parameters: [{name: id, in: query, schema: {}}], responses: {'200': {description: A}}}}}",
      '3.1.0',
      'Write `in: path` and `required: true` for the parameter `id`, which has `in: query`',
    ],
  ])('%s in %s: %s', async (text, version, hint) => {
    expect(await hintsOf(text, version)).toEqual([hint])
  })

  test('a renamed path parameter is one problem with all its places', async () => {
    const get = `parameters: [${id('id')}], responses: {'200': {description: A}}`
    const text = `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths:\n  '/a/{petId}':\n    get: {${get}}\n    put: {${get}}\n    delete: {${get}}\n`
    const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
    expect(
      diagnostics.map(({ hint, range, related }) => [hint, range.start.line, related.map((place) => place.range.start.line)]),
    ).toEqual([['Did you mean `petId`?', 5, [6, 7]]])
  })
})

describe('nullable-ignored', () => {
  const check = async (schemas: string, version = '3.1.0') =>
    (await linesOf(`components: {schemas: ${schemas}}`, version)).filter((line) => line.includes(' nullable-ignored '))

  test('is reported once per document, with the number of schemas', async () => {
    const run = 'or run `openapi-pages check --fix`'
    expect(await check('{A: {type: string, nullable: true}}')).toEqual([
      `3:42 warning nullable-ignored Unexpected \`nullable: true\` in a Schema Object: OpenAPI 3.1 ignores it · Write \`type: [string, "null"]\`, ${run}`,
    ])
    expect(await check("{A: {$ref: '#/components/schemas/B', nullable: true}, B: {properties: {c: {nullable: true}}}}")).toEqual([
      `3:60 warning nullable-ignored Unexpected \`nullable: true\` in 2 Schema Objects: OpenAPI 3.1 ignores it · Write \`anyOf\` with the schema and \`type: "null"\`, ${run}`,
    ])
    expect(await check('{A: {type: string, nullable: true}}', '3.2.0')).toHaveLength(1)
  })

  test('is not reported where it has an effect, or is no keyword', async () => {
    expect(await check('{A: {type: string, nullable: true}}', '3.0.4')).toEqual([])
    expect(await check('{A: {type: string, nullable: false}}')).toEqual([])
    expect(await check('{A: {properties: {nullable: {const: {nullable: true}}}}}')).toEqual([])
  })

  test('lists the first other places', async () => {
    const schemas = Array.from({ length: 30 }, (_, index) => `    A${index}: {type: string, nullable: true}`).join('\n')
    const { diagnostics } = await checkFiles({
      'openapi.yaml': `openapi: 3.1.0\ninfo: {title: A, version: "1"}\ncomponents:\n  schemas:\n${schemas}\n`,
    })
    const [found] = diagnostics.filter(({ code }) => code === 'nullable-ignored')
    expect(found?.message).toContain('30 Schema Objects')
    expect(found?.related.map(({ range }) => range.start.line)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  })
})

describe('response-code-quotes', () => {
  const check = async (responses: string, version = '3.0.4') =>
    (await linesOf(`paths:\n  /a: {get: {responses: ${responses}}}`, version)).filter((line) =>
      line.includes(' response-code-quotes '),
    )

  test.each([
    ['{200: {description: OK}}', '4:26', "a response code, expected `'200'`"],
    ["{'200': {description: OK}, 404: {description: None}, 500: {description: X}}", '4:52', "2 response codes, expected `'404'`"],
  ])('reports %s', async (responses, place, rest) => {
    for (const version of ['3.0.4', '3.1.0', '3.2.0']) {
      const hint = 'Quote response codes, or run `openapi-pages check --fix`'
      expect(await check(responses, version)).toEqual([
        `${place} info response-code-quotes Unexpected number for ${rest} · ${hint}`,
      ])
    }
  })

  test.each([
    ["{'200': {description: OK}}"],
    ['{"200": {description: OK}}'],
    ['{2XX: {description: OK}, default: {description: "200: OK"}}'],
    ["{'200': {description: OK, content: {application/json: {example: {200: 1}}}}}"],
  ])('accepts %s', async (responses) => {
    expect(await check(responses)).toEqual([])
  })
})

describe('unused-component', () => {
  const unused = async (components: string, rest = '') => {
    const text = `openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths:\n  /a:\n    get: {${rest}}\ncomponents: {${components}}\n`
    return (await diagnosticLines(text))
      .filter((line) => line.includes(' unused-component '))
      .map((line) => line.split(' ').slice(0, 3).join(' '))
  }
  test.each([
    [
      'referenced',
      "schemas: {A: {$ref: '#/components/schemas/B/properties/c'}, B: {properties: {c: {}}}}",
      '',
      ['6:24 info unused-component'],
    ],
    [
      'a security scheme',
      'securitySchemes: {a: {type: http, scheme: basic}, b: {type: http, scheme: basic}}',
      'security: [{a: []}]',
      ['6:64 info unused-component'],
    ],
    ['in an extension', 'schemas: {A: {}}', "x-own: [{a: {$ref: '#/components/schemas/A'}}]", []],
    [
      'a mapping',
      "schemas: {A: {}, B: {}, P: {discriminator: {propertyName: k, mapping: {a: A, b: '#/components/schemas/B'}}}}",
      "responses: {default: {description: OK, content: {a/b: {schema: {$ref: '#/components/schemas/P'}}}}}",
      [],
    ],
    [
      'what a mistyped reference means',
      'schemas: {Pet: {}}',
      "responses: {default: {description: OK, content: {a/b: {schema: {$ref: '#/components/schemas/Pett'}}}}}",
      [],
    ],
    [
      'a child of a schema with a discriminator',
      "schemas: {A: {allOf: [{$ref: '#/components/schemas/P'}]}, P: {discriminator: {propertyName: k}}}",
      '',
      [],
    ],
  ])('%s', async (_, components, rest, expected) => {
    expect(await unused(components, rest)).toEqual(expected)
  })

  test('not in a document that has nothing else', async () => {
    expect(
      await diagnosticLines('openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\ncomponents: {schemas: {A: {}}}\n'),
    ).toEqual([])
  })
})

describe('tag-parent', () => {
  const section = (tags: string, version = '3.2.0') => linesOf(`tags:\n${tags}`, version)

  test('accepts parents that are declared before or after, and several levels', async () => {
    expect(
      await section(
        '  - {name: cats, parent: pets}\n  - {name: pets, parent: all}\n  - {name: all}\n  - {name: dogs, parent: pets}',
      ),
    ).toEqual([])
  })

  test('reports a parent that is not declared, with the nearest tag', async () => {
    expect(await section('  - {name: pets}\n  - {name: cats, parent: pest}\n  - {name: dogs, parent: animals}')).toEqual([
      '5:26 tag-parent Unexpected `pest` for `parent` of tag `cats`, expected the name of a declared tag · Did you mean `pets`?',
      '6:26 tag-parent Unexpected `animals` for `parent` of tag `dogs`, expected the name of a declared tag · Add a tag with `name: animals`',
    ])
  })

  test('accepts a parent that another document of the description declares', async () => {
    const lines = await diagnosticLines({
      'openapi.yaml':
        "openapi: 3.2.0\ninfo: {title: Pets, version: 1.0.0}\ntags: [{name: cats, parent: pets}]\npaths: {/a: {$ref: 'b.yaml#/paths/~1a'}}\n",
      'b.yaml': 'openapi: 3.2.0\ninfo: {title: B, version: 1.0.0}\ntags: [{name: pets}]\npaths: {/a: {get: {}}}\n',
    })
    expect(lines).toEqual([])
  })

  test('reports each circle once, with the other tags as related places', async () => {
    const text = `openapi: 3.2.0
info: {title: Pets, version: 1.0.0}
tags:
  - {name: kittens, parent: cats}
  - {name: cats, parent: pets}
  - {name: pets, parent: cats}
  - {name: self, parent: self}
paths: {}
`
    const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
    expect(
      diagnostics.map(({ range, severity, message, hint, related }) => {
        const places = related.map((place) => `${place.range.start.line}: ${place.message}`)
        return [range.start.line, severity, message, hint, places]
      }),
    ).toEqual([
      [
        5,
        'error',
        'Unexpected cycle of tag parents: `cats` → `pets` → `cats`',
        'Remove `parent` from one of these tags',
        ['6: the parent of `pets`'],
      ],
      [7, 'error', 'Unexpected cycle of tag parents: `self` → `self`', 'Remove `parent`', []],
    ])
  })
})

describe('array-items', () => {
  const schema = (text: string) => `components: {schemas: {A: ${text}}}`

  test('warns about an array without items in a 3.0 document', async () => {
    expect(await linesOf(schema('{type: array}'), '3.0.3')).toEqual([
      '3:34 warning array-items Missing `items` in a Schema Object with `type: array` · Add `items` with the schema of the entries, or `items: {}` to allow any entry',
    ])
  })

  test.each([
    ['with items', '{type: array, items: {}}', '3.0.3'],
    ['a reference', "{$ref: '#/components/schemas/A', type: array}", '3.0.3'],
    ['another type', '{type: string}', '3.0.3'],
    ['in 3.1', '{type: array}', '3.1.0'],
  ])('accepts a schema %s', async (_, text, version) => {
    expect((await linesOf(schema(text), version)).filter((line) => line.includes('array-items'))).toEqual([])
  })

  test('reports a mistyped `items` only once', async () => {
    const lines = await linesOf(schema('{type: array, itmes: {}}'), '3.0.3')
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['unknown-field'])
  })
})

describe('encoding-property', () => {
  const body = (schema: string, encoding: string) =>
    `components:
  requestBodies: {B: {content: {multipart/form-data: {schema: ${schema}, encoding: ${encoding}}}}}
  schemas:
    Form: {type: object, properties: {photo: {type: string}}}`

  test.each([
    ['of the schema', '{properties: {photo: {}}}', '{photo: {}}'],
    ['of a referenced schema', "{$ref: '#/components/schemas/Form'}", '{photo: {}}'],
    ['of a part', "{allOf: [{$ref: '#/components/schemas/Form'}, {properties: {name: {}}}]}", '{photo: {}, name: {}}'],
    ['of one choice', "{oneOf: [{properties: {name: {}}}, {$ref: '#/components/schemas/Form'}]}", '{photo: {}, name: {}}'],
    ['of a condition', '{if: {properties: {a: {}}}, then: {properties: {b: {}}}}', '{a: {}, b: {}}'],
    ['that matches a pattern', "{patternProperties: {'^file': {}}}", '{file1: {}}'],
    ['that additionalProperties allows', '{properties: {a: {}}, additionalProperties: {type: string}}', '{b: {}}'],
    ['of a schema that cannot be read', "{$ref: '#/components/schemas/Gone'}", '{a: {}}'],
  ])('accepts a property %s', async (_, schema, encoding) => {
    const lines = await linesOf(body(schema, encoding))
    expect(lines.filter((line) => line.includes('encoding-property'))).toEqual([])
  })

  test.each([
    ['3.0.4', 'warning'],
    ['3.1.1', 'warning'],
    ['3.2.0', 'info'],
  ])('%s: reports a key that is no property as %s', async (version, severity) => {
    expect(await linesOf(body("{allOf: [{$ref: '#/components/schemas/Form'}]}", '{phto: {}, other: {}}'), version)).toEqual([
      `4:122 ${severity} encoding-property Unexpected \`phto\` in \`encoding\`, expected a property of the schema · Did you mean \`photo\`?`,
      `4:132 ${severity} encoding-property Unexpected \`other\` in \`encoding\`, expected a property of the schema · Add \`other\` to \`properties\` of the schema, or remove the entry`,
    ])
  })

  test('warns where the pattern or `additionalProperties: false` does not allow it', async () => {
    const schema = "{properties: {a: {}}, patternProperties: {'^file': {}}, additionalProperties: false}"
    const lines = await linesOf(body(schema, '{b: {}}'))
    expect(lines.map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual(['warning encoding-property'])
  })
})

describe('path templates of 3.2', () => {
  test.each([
    ['/a/{id', '`{id` without `}` in path `/a/{id`, expected matching braces · Write `{id}`'],
    ['/a/{id/b', '`{id` without `}` in path `/a/{id/b`, expected matching braces · Write `{id}`'],
    ['/a/{{id}}', '`{` without `}` in path `/a/{{id}}`, expected matching braces · Remove the brace'],
    ['/a/id}', '`}` without `{` in path `/a/id}`, expected matching braces · Remove the brace, or add `{` before the name'],
    ['/a/{}', '`{}` in path `/a/{}`, expected a parameter name between the braces · Write a name, for example `{id}`'],
    ['/a?x=1', 'query string `?x=1` in path `/a?x=1`, expected only a path · Remove it and declare parameters with `in: query`'],
    [
      '/a?b={b}',
      'query string `?b={b}` in path `/a?b={b}`, expected only a path · Remove it and declare parameters with `in: query`',
    ],
    ['/a#b', 'fragment `#b` in path `/a#b`, expected only a path · Remove it: clients never send a fragment to the server'],
    ['/a//b', '`//` in path `/a//b`, expected a segment between the slashes · Remove one of the slashes'],
    ['/a b', 'character U+0020 in path `/a b`, expected a character that is allowed in paths · Write `%20`'],
    ['/ä', '`ä` in path `/ä`, expected a character that is allowed in paths · Write `%C3%A4`'],
    ['/50%', '`%` in path `/50%`, expected a character that is allowed in paths · Write `%25`'],
    ['/a[1]', '`[` in path `/a[1]`, expected a character that is allowed in paths · Write `%5B`'],
  ])('reports %s as one error', async (path, expected) => {
    const parameter = '{name: id, in: path, required: true, schema: {type: string}}'
    expect(await linesOf(`paths:\n  '${path}': {get: {parameters: [${parameter}]}}`, '3.2.0')).toEqual([
      `4:3 path-template Unexpected ${expected}`,
    ])
  })

  test('accepts everything that the grammar allows', async () => {
    const paths = ['/', '/a/', "/a.b~c-d_e!$&'()*+,;=:@/%20%aF", '/{a b}.{ä?/#}x']
    const names = ['a b', 'ä?/#'].map((name) => `{name: '${name}', in: path, required: true, schema: {type: string}}`)
    const entries = paths.map((path, index) => `  "${path}": {get: {parameters: [${index === 3 ? names.join(', ') : ''}]}}`)
    expect(await linesOf(`paths:\n${entries.join('\n')}`, '3.2.0')).toEqual([])
  })
})

test.each([
  ['{enum: [eu-west, us-east], default: eu-wst}', 'Did you mean `eu-west`?'],
  ['{enum: [production], default: dev}', 'Did you mean `production`?'],
  ['{enum: [one, three], default: something}', 'Add `something` to `enum`, or change `default`'],
])('server-variable: a default outside of its enum has a suggestion: %s', async (variable, hint) => {
  const lines = await linesOf(`servers: [{url: 'https://{region}.example.com', variables: {region: ${variable}}}]`)
  expect(lines.map((line) => line.split(' · ')[1])).toEqual([hint])
})

test('wrong-value: names the field for an additional operation with a standard method', async () => {
  const paths = 'paths: {/a: {additionalOperations: {POST: {}, copy: {}, "a b": {}}}}'
  expect(await linesOf(paths, '3.2.0')).toEqual([
    '3:37 wrong-value Unexpected `POST` for a key of `additionalOperations`, expected an HTTP method without a field in the Path Item Object · Use the `post` field of the path item',
    '3:57 wrong-value Unexpected `a b` for a key of `additionalOperations`, expected an HTTP method without a field in the Path Item Object',
  ])
})
