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
        description:
          'With **Markdown** and a [link](https://example.com).\n\n<blockquote>A <a href="https://example.com">link</a></blockquote>',
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
