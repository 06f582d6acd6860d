const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: unknown, more: object = {}) => ({ content: { 'application/json': { schema, ...more } } })

/** An OpenAPI document with every construct that an API page shows. */
const everyConstruct = {
  openapi: '3.2.0',
  info: { title: 'All', version: '1' },
  servers: [
    { url: 'https://{region}.example.com/v1', name: 'Main', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
    { url: 'https://test.example.com', description: 'For tests' },
  ],
  tags: [{ name: 'pets' }],
  security: [{ key: [] }, { oauth: ['read'], basic: [] }, {}],
  paths: {
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      put: {
        operationId: 'putPet',
        summary: 'Change a pet',
        description: 'With **Markdown** and a [link](https://example.com).',
        tags: ['pets'],
        deprecated: true,
        parameters: [
          { name: 'sort', in: 'query', schema: { type: 'string', enum: ['up', 'down'], 'x-enumDescriptions': { up: 'Rising' } } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { a: { type: 'string' } } } },
          { name: 'X-Trace', in: 'header', deprecated: true, schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: ref('Pet') },
            'multipart/form-data': {
              schema: { type: 'object', properties: { photo: { type: 'string', format: 'binary' }, 'photo ': {} } },
              encoding: { photo: { contentType: 'image/png' } },
            },
          },
        },
        responses: {
          200: {
            description: 'The pet',
            headers: { 'X-Rate': { schema: { type: 'integer' }, description: 'What is left' } },
            ...json(ref('Pet'), {
              examples: { one: { value: { name: 'Minka' } }, two: { summary: 'Two', value: { name: 'Rex' } } },
            }),
            links: { self: { operationId: 'putPet', parameters: { petId: '$response.body#/id' } } },
          },
          '4XX': { description: 'What is wrong', ...json(ref('Problem')) },
          default: { description: 'Anything *else*' },
        },
        callbacks: {
          changed: {
            '{$request.query.sort}': { post: { requestBody: json(ref('Pet')), responses: { 204: { description: 'Seen' } } } },
          },
        },
      },
    },
    '/events': {
      get: {
        summary: 'Events',
        responses: { 200: { description: 'A stream', content: { 'application/jsonl': { itemSchema: ref('Pet') } } } },
      },
    },
  },
  webhooks: {
    petChanged: {
      post: { summary: 'A pet was changed', requestBody: json(ref('Pet')), responses: { 200: { description: 'Thanks' } } },
      put: { summary: 'A pet was replaced', requestBody: json(ref('Pet')), responses: { 200: { description: 'Thanks' } } },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask us' },
      basic: { type: 'http', scheme: 'basic' },
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: { read: 'Read everything' } } },
      },
    },
    schemas: {
      Pet: {
        type: 'object',
        description: 'A pet',
        required: ['name', 'kind'],
        properties: {
          id: { type: 'string', readOnly: true },
          secret: { type: 'string', writeOnly: true },
          name: { type: 'string', minLength: 1, maxLength: 80, default: 'Minka', examples: ['Rex'] },
          kind: { const: 'cat' },
          tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
          'a b': { type: 'integer' },
          'a-b': { type: ['number', 'null'], minimum: 0 },
          main: { type: 'boolean' },
          'i-copy': { type: 'boolean' },
          children: { type: 'array', items: ref('Pet') },
          home: {
            oneOf: [ref('House'), ref('Flat')],
            discriminator: { propertyName: 'type', mapping: { h: 'House', f: 'Flat' } },
          },
          many: {
            anyOf: Array.from({ length: 30 }, (_, index) => ({
              title: `Kind ${index + 1}`,
              type: 'object',
              properties: { [`p${index}`]: {} },
            })),
          },
          extra: { type: 'object', additionalProperties: { type: 'string' }, patternProperties: { '^x-': { type: 'integer' } } },
          place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
          never: { not: { type: 'string', enum: ['x'] } },
          long_name_that_does_not_end_before_the_edge_of_a_phone_is_reached: { type: 'string', pattern: `^${'a'.repeat(90)}$` },
          many_values: { enum: Array.from({ length: 40 }, (_, index) => `value-${index}`) },
        },
      },
      House: { type: 'object', required: ['type'], properties: { type: { type: 'string' }, garden: { type: 'boolean' } } },
      Flat: {
        required: ['type'],
        allOf: [{ type: 'object', properties: { type: { type: 'string' } } }, { properties: { floor: { type: 'integer' } } }],
      },
      Problem: { type: 'object', properties: { title: { type: 'string' } }, additionalProperties: false },
    },
  },
}

/** A docs directory with that document and a page of each kind. */
export const everyPage: Readonly<Record<string, string>> = {
  'docs.json': JSON.stringify({
    name: 'All',
    theme: 'mint',
    colors: { primary: '#16a34a' },
    api: { mdx: { server: 'https://mdx.example.com', auth: { method: 'bearer' } } },
    navigation: {
      tabs: [
        { tab: 'API', openapi: 'openapi.json' },
        { tab: 'Own', pages: ['unbound', 'endpoint', 'endpoint-get'] },
      ],
    },
  }),
  'openapi-pages.config.yaml': 'schemas: true\n',
  'openapi.json': JSON.stringify(everyConstruct),
  'unbound.mdx': '---\ntitle: Unbound\nopenapi: POST /pet\n---\n\nText of the page.\n',
  'endpoint.mdx': '---\ntitle: Endpoint\napi: POST /things/{id}\n---\n\nText of the page.\n',
  'endpoint-get.mdx': '---\ntitle: Full URL\napi: GET https://other.example.com/things\n---\n\nText.\n',
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: what others fill in
/** Strings that would run code or break a page if they were not escaped. */
export const hostileTexts: readonly string[] = [
  '<script>window.hacked=1</script>',
  '"><img src=x onerror="window.hacked=1">',
  "' onmouseover='window.hacked=1",
  '<svg onload=window.hacked=1><style>body{display:none}</style>',
  '[x](javascript:window.hacked=1) <javascript:window.hacked=1> ![x](javascript:window.hacked=1)',
  '</title></head></style></code></pre></body></html><script>window.hacked=1</script>',
  '<!--',
  '{window.hacked=1} ${window.hacked=1} <X onClick={()=>{window.hacked=1}}/>',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<form action="https://evil.example"><input name=password><button>ok</button></form>',
  '&lt;script&gt;window.hacked=1&lt;/script&gt; &#x3C;script>',
  '`<script>window.hacked=1</script>` ```\n<script>window.hacked=1</script>\n```',
  '<a href="data:text/html,<script>window.hacked=1</script>" style="position:fixed;inset:0">x</a>',
  '\u202e\u0000\u2028__proto__ constructor',
  '../../../etc/passwd?x#y',
  'javascript:window.hacked=1',
]

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: what others fill in

/** An OpenAPI document with an operation for each string (`POST /p0` and so on), in which every text is that string. */
export function documentOfTexts(texts: readonly string[]): object {
  const all = (text: string, index: number) => {
    const schema = {
      type: 'object',
      title: text,
      description: text,
      properties: {
        [text]: { type: 'string', description: text, enum: [text, 'b'], 'x-enumDescriptions': { [text]: text }, default: text },
        b: {
          type: 'string',
          pattern: text,
          format: text,
          example: text,
          externalDocs: { url: `https://example.com/?${index}`, description: text },
        },
        c: { oneOf: [{ title: text, properties: { [text]: {} } }, { title: 'b' }], discriminator: { propertyName: text } },
        d: { const: text, contentMediaType: text },
      },
      patternProperties: { [text]: { description: text } },
    }
    return {
      operationId: `op${index}`,
      summary: text,
      description: text,
      tags: [text],
      externalDocs: { url: `https://example.com/?${index}`, description: text },
      servers: [{ url: text, description: text, variables: { [text]: { default: text, enum: [text], description: text } } }],
      security: [{ [`k${index}`]: [text] }, { [`s${index}`]: [text] }],
      parameters: ['query', 'header', 'cookie'].map((place) => ({
        name: text,
        in: place,
        required: true,
        description: text,
        schema,
        example: text,
      })),
      requestBody: {
        description: text,
        content: {
          [text]: { schema, examples: { [text]: { summary: text, value: text } }, encoding: { [text]: { contentType: text } } },
          'application/json': { schema, example: { [text]: text } },
        },
      },
      responses: {
        200: {
          description: text,
          headers: { [text]: { description: text, schema } },
          content: {
            [text]: {
              schema,
              examples: { [text]: { summary: text, value: text }, b: { externalValue: 'https://example.com/a.json' } },
            },
          },
          links: { [text]: { operationId: text, description: text, parameters: { [text]: text } } },
        },
      },
      callbacks: {
        [text]: {
          [text]: {
            post: {
              description: text,
              requestBody: { content: { [text]: { schema } } },
              responses: { 200: { description: text } },
            },
          },
        },
      },
      'x-codeSamples': [{ lang: text, label: text, source: text }],
    }
  }
  const paths = texts.map((text, index) => [`/p${index}`, { post: all(text, index) }])
  const schemes = texts.flatMap((text, index) => [
    [`k${index}`, { type: 'apiKey', in: 'header', name: text, description: text }],
    [
      `s${index}`,
      {
        type: 'oauth2',
        description: text,
        flows: { implicit: { authorizationUrl: 'https://example.com/', scopes: { [text]: text } } },
      },
    ],
  ])
  return {
    openapi: '3.1.0',
    info: { title: texts[0], version: '1' },
    tags: texts.map((name) => ({ name, description: name })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: Object.fromEntries(schemes),
      schemas: {
        Named: {
          description: texts.join('\n\n'),
          properties: Object.fromEntries(texts.map((text) => [text, { description: text, example: text }])),
        },
      },
    },
  }
}
