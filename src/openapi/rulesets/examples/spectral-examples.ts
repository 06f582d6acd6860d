/** Two documents, of which the rule accepts one. */
interface ExamplePair {
  readonly invalid: unknown
  readonly valid: unknown
}

const ok = { '200': { description: 'OK' } }

function withOperation(operation: object, path = '/pets'): object {
  return { paths: { [path]: { get: operation } } }
}

function withSchema(schema: object): object {
  return { components: { schemas: { Pet: schema } } }
}

function withWebhook(operation: object): object {
  return { webhooks: { newPet: { post: operation } } }
}

const apiKey = { components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } } }
const callback = { petAdded: { '{$request.body#/url}': { post: { responses: ok } } } }

function withCallback(operation: object): object {
  return withOperation({ callbacks: { petAdded: { '{$request.body#/url}': { post: operation } } } })
}

function withMedia(example: unknown): object {
  const media = { schema: { type: 'object', properties: { name: { type: 'string' } } }, example }
  return withOperation({ responses: { '200': { description: 'OK', content: { 'application/json': media } } } })
}

const reference = { $ref: '#/components/schemas/Pet' }
const used = { components: { schemas: { Pet: { type: 'object' }, Pets: { type: 'array', items: reference } } } }
const usedIn = (schema: object) =>
  withOperation({ responses: { '200': { description: 'OK', content: { 'application/json': { schema } } } } })

/** Examples for the rules of `spectral:oas` that cannot be made from the values of one function. */
export const spectralExamples: ReadonlyMap<string, ExamplePair> = new Map<string, ExamplePair>([
  [
    'operation-success-response',
    {
      invalid: withOperation({ responses: { '404': { description: 'Not found' } } }),
      valid: withOperation({ responses: ok }),
    },
  ],
  [
    'operation-operationId-unique',
    {
      invalid: { paths: { '/pets': { get: { operationId: 'list' } }, '/stores': { get: { operationId: 'list' } } } },
      valid: { paths: { '/pets': { get: { operationId: 'listPets' } }, '/stores': { get: { operationId: 'listStores' } } } },
    },
  ],
  [
    'operation-parameters',
    {
      invalid: withOperation({
        parameters: [
          { name: 'limit', in: 'query' },
          { name: 'limit', in: 'query' },
        ],
      }),
      valid: withOperation({
        parameters: [
          { name: 'limit', in: 'query' },
          { name: 'offset', in: 'query' },
        ],
      }),
    },
  ],
  [
    'operation-tag-defined',
    {
      invalid: { tags: [{ name: 'pets' }], ...withOperation({ tags: ['animals'] }) },
      valid: { tags: [{ name: 'pets' }], ...withOperation({ tags: ['pets'] }) },
    },
  ],
  [
    'path-params',
    {
      invalid: withOperation({ parameters: [{ name: 'id', in: 'path', required: true }] }, '/pets/{petId}'),
      valid: withOperation({ parameters: [{ name: 'petId', in: 'path', required: true }] }, '/pets/{petId}'),
    },
  ],
  [
    'duplicated-entry-in-enum',
    {
      invalid: withSchema({ type: 'string', enum: ['cat', 'dog', 'cat'] }),
      valid: withSchema({ type: 'string', enum: ['cat', 'dog'] }),
    },
  ],
  [
    'no-eval-in-markdown',
    { invalid: { info: { description: 'Call eval(code)' } }, valid: { info: { description: 'Call the API' } } },
  ],
  [
    'no-script-tags-in-markdown',
    { invalid: { info: { description: 'Pets <script>alert(1)</script>' } }, valid: { info: { description: 'Pets' } } },
  ],
  [
    'openapi-tags-uniqueness',
    { invalid: { tags: [{ name: 'pets' }, { name: 'pets' }] }, valid: { tags: [{ name: 'pets' }, { name: 'stores' }] } },
  ],
  [
    'tag-description',
    { invalid: { tags: [{ name: 'pets' }] }, valid: { tags: [{ name: 'pets', description: 'Everything about pets' }] } },
  ],
  [
    'no-$ref-siblings',
    {
      invalid: withSchema({ properties: { owner: { $ref: '#/components/schemas/Pet', description: 'Owner' } } }),
      valid: withSchema({ properties: { owner: { $ref: '#/components/schemas/Pet' } } }),
    },
  ],
  ['array-items', { invalid: withSchema({ type: 'array' }), valid: withSchema({ type: 'array', items: { type: 'string' } }) }],
  [
    'typed-enum',
    { invalid: withSchema({ type: 'string', enum: ['cat', 1] }), valid: withSchema({ type: 'string', enum: ['cat', 'dog'] }) },
  ],
  [
    'oas3-operation-security-defined',
    {
      invalid: { ...apiKey, ...withOperation({ security: [{ token: [] }] }) },
      valid: { ...apiKey, ...withOperation({ security: [{ apiKey: [] }] }) },
    },
  ],
  [
    'oas3-parameter-description',
    {
      invalid: withOperation({ parameters: [{ name: 'limit', in: 'query' }] }),
      valid: withOperation({ parameters: [{ name: 'limit', in: 'query', description: 'The most pets' }] }),
    },
  ],
  ['oas3-valid-media-example', { invalid: withMedia({ name: 1 }), valid: withMedia({ name: 'Rex' }) }],
  [
    'oas3-valid-schema-example',
    { invalid: withSchema({ type: 'string', example: 1 }), valid: withSchema({ type: 'string', example: 'Rex' }) },
  ],
  [
    'oas3-unused-component',
    { invalid: { paths: {}, ...used }, valid: { ...used, ...usedIn({ $ref: '#/components/schemas/Pets' }) } },
  ],
  [
    'oas3-server-variables',
    {
      invalid: { servers: [{ url: 'https://{region}.example.com' }] },
      valid: { servers: [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } }] },
    },
  ],
  [
    'oas3-callbacks-in-callbacks',
    { invalid: withCallback({ responses: ok, callbacks: callback }), valid: withCallback({ responses: ok }) },
  ],
  [
    'oas3_1-servers-in-webhook',
    {
      invalid: withWebhook({ servers: [{ url: 'https://example.com' }], responses: ok }),
      valid: withWebhook({ responses: ok }),
    },
  ],
  [
    'oas3_1-callbacks-in-webhook',
    { invalid: withWebhook({ callbacks: callback, responses: ok }), valid: withWebhook({ responses: ok }) },
  ],
  [
    'oas3_2-no-deprecated-xml-attribute',
    {
      invalid: withSchema({ type: 'string', xml: { attribute: true } }),
      valid: withSchema({ type: 'string', xml: { nodeType: 'attribute' } }),
    },
  ],
])
