/** An OpenAPI document with this number of operations. Another `version` makes other bytes. */
export function toDocument(operations: number, version: number): string {
  const paths = Array.from({ length: operations }, (_, index) => [`/pets-${index}/{petId}`, { get: toOperation(index) }])
  const properties = { id: { type: 'integer' }, name: { type: 'string', description: 'The name that its owner gave it.' } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: `1.${version}.0` },
    servers: [{ url: 'https://api.example.com' }],
    paths: Object.fromEntries(paths),
    components: { schemas: { Pet: { type: 'object', required: ['id', 'name'], properties } } },
  }
  // JSON is YAML too.
  return `${JSON.stringify(document, null, 2)}\n`
}

function toOperation(index: number) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } }
  return {
    operationId: `getPet${index}`,
    summary: `Get a pet of kind ${index}`,
    tags: [`Pets ${index % 5}`],
    parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
    responses: { 200: { description: 'The pet.', content } },
  }
}

export function toDocsConfig(): string {
  const docs = {
    $schema: 'https://mintlify.com/docs.json',
    theme: 'mint',
    name: 'Pets',
    colors: { primary: '#0f766e' },
    navigation: { groups: [{ group: 'API', openapi: 'openapi.yaml' }] },
  }
  return `${JSON.stringify(docs, null, 2)}\n`
}
