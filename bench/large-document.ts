/**
 * Creates an OpenAPI document with about 9.6 kB per operation, always with the same bytes. Parameters, bodies, schemas, examples and Markdown
 * have the proportions of GitHub's description.
 */
export function makeLargeDocument(operations: number): string {
  const indexes = Array.from({ length: operations }, (_, index) => index)
  return JSON.stringify(
    {
      openapi: '3.1.1',
      info: { title: 'Things', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: Object.fromEntries(indexes.map((index) => [`/things-${index}/{id}`, { put: toOperation(index) }])),
      components: {
        schemas: Object.fromEntries(indexes.map((index) => [`Thing${index}`, toSchema(index, toNextInGroup(index, operations))])),
      },
    },
    undefined,
    2,
  )
}

/** Ten schemas refer to each other in a cycle, like those of one resource. */
function toNextInGroup(index: number, count: number): number {
  return index % 10 === 9 || index === count - 1 ? index - (index % 10) : index + 1
}

function toOperation(index: number) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/Thing${index}` }, example: toExample(index) } }
  return {
    tags: [`Things ${Math.floor(index / 10)}`],
    summary: `Replace thing ${index}`,
    description: `Replaces **thing ${index}** as a whole.\n\nSend all fields, see [the guide](https://example.com/guide-${index}).\n\n- \`id\` stays\n- \`name\` is unique`,
    operationId: `replaceThing${index}`,
    parameters: [
      { name: 'id', in: 'path', required: true, description: 'The id of the thing', schema: { type: 'integer' } },
      { name: 'fields', in: 'query', description: 'Fields to return', schema: { type: 'array', items: { type: 'string' } } },
      { name: 'page', in: 'query', description: 'Page of the results', schema: { type: 'integer', default: 1, minimum: 1 } },
    ],
    requestBody: { required: true, content },
    responses: {
      200: { description: 'The thing', content },
      404: { description: 'No such thing' },
      422: { description: 'Some fields are not valid', content: { 'application/json': { schema: toSchema(index, index) } } },
    },
  }
}

function toSchema(index: number, next: number) {
  const fields = Array.from({ length: 14 }, (_, field) => [
    `field_${field}`,
    { type: field % 3 === 0 ? 'integer' : 'string', description: `What field ${field} of thing ${index} means.` },
  ])
  return {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', description: `The id of thing ${index}` },
      name: { type: 'string', minLength: 1, examples: [`thing-${index}`] },
      state: { type: 'string', enum: ['open', 'closed', 'draft'], default: 'open' },
      ...Object.fromEntries(fields),
      next: { $ref: `#/components/schemas/Thing${next}` },
    },
  }
}

function toExample(index: number) {
  const fields = Array.from({ length: 14 }, (_, field) => [`field_${field}`, field % 3 === 0 ? field : `text ${field}`])
  return { id: index, name: `thing-${index}`, state: 'open', ...Object.fromEntries(fields) }
}
