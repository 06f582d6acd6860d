import { expect, test } from 'vitest'
import { checkDescription } from '../../src/checks/check-description.ts'
import { countCalls } from '../support/count-calls.ts'

/** Documents whose size grows with `count`, by what they have many of. */
const shapes: { [name: string]: (count: number) => object } = {
  discriminators: (count) => ({
    components: {
      schemas: byName(count, (index) => [
        `S${index}`,
        {
          type: 'object',
          required: ['kind'],
          properties: { kind: { type: 'string' } },
          discriminator: { propertyName: 'kind', mapping: { a: `S${(index + 1) % count}` } },
        },
      ]),
    },
  }),
  'discriminators with the same alternatives': (count) => ({
    components: {
      schemas: {
        ...byName(count, (index) => [`A${index}`, { type: 'object', properties: { kind: {} } }]),
        All: { oneOf: list(count).map((index) => ({ $ref: `#/components/schemas/A${index}` })) },
        ...byName(count, (index) => [
          `D${index}`,
          { oneOf: [{ $ref: '#/components/schemas/All' }], discriminator: { propertyName: 'kind' } },
        ]),
      },
    },
  }),
  references: (count) => ({
    paths: toPaths(count, (index) => ({
      200: {
        description: 'A',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/S${index}` } } },
      },
    })),
    components: { schemas: byName(count, (index) => [`S${index}`, { type: 'string' }]) },
  }),
  tags: (count) => ({
    tags: list(count).map((index) => ({ name: `tag ${index}` })),
    paths: byName(count, (index) => [`/a${index}`, { get: { tags: [`tag ${index}`], responses: ok } }]),
  }),
  'paths that look alike': (count) => ({
    paths: byName(count, (index) => [
      `/a/{id}.${index}/b`,
      { get: { parameters: [{ name: 'id', in: 'path', required: true, schema: {} }], responses: ok } },
    ]),
  }),
  security: (count) => {
    const scopes = byName(count, (index) => [`scope:${index}`, ''])
    return {
      paths: byName(count, (index) => [
        `/a${index}`,
        { get: { security: [{ oauth: [`scope:${index}`] }, { [`key${index}`]: [] }], responses: ok } },
      ]),
      components: {
        securitySchemes: {
          oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://example.com', scopes } } },
          ...byName(count, (index) => [`key${index}`, { type: 'http', scheme: 'bearer' }]),
        },
      },
    }
  },
  examples: (count) => ({
    components: {
      schemas: {
        A: {
          type: 'object',
          required: list(count).map((index) => `p${index}`),
          properties: byName(count, (index) => [`p${index}`, { type: 'integer' }]),
          examples: [byName(count, (index) => [`p${index}`, index])],
        },
      },
    },
  }),
  links: (count) => ({
    paths: toPaths(count, (index) => ({
      200: {
        description: 'A',
        links: { next: { operationRef: `#/paths/~1a${(index + 1) % count}/get` } },
      },
    })),
  }),
  enums: (count) => ({
    components: {
      schemas: {
        A: { type: 'string', enum: list(count).map((index) => `e${index}`), examples: list(count).map((index) => `e${index}`) },
      },
    },
  }),
  '`allOf` chains': (count) => ({
    components: {
      schemas: byName(count, (index) => [
        `S${index}`,
        {
          allOf: [
            ...(index === 0 ? [] : [{ $ref: `#/components/schemas/S${index - 1}` }]),
            { properties: { [`p${index}`]: {} } },
          ],
          ...(index % 10 === 9 ? { discriminator: { propertyName: 'p0' } } : {}),
        },
      ]),
    },
  }),
  parameters: (count) => {
    const names = list(count).map((index) => `p${index}`)
    const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
    return { paths: { [`/${names.map((name) => `{${name}}`).join('/')}`]: { get: { parameters, responses: ok } } } }
  },
  responses: (count) => ({
    paths: toPaths(count, (index) => ({ 200: { $ref: `#/components/responses/R${index}` } })),
    components: { responses: byName(count, (index) => [`R${index}`, { description: 'A' }]) },
  }),
  servers: (count) => ({
    servers: [
      {
        url: `https://example.com/${list(count)
          .map((index) => `{v${index}}`)
          .join('/')}`,
        variables: byName(count, (index) => [`v${index}`, { default: 'a' }]),
      },
    ],
  }),
  encodings: (count) => ({
    paths: byName(count, (index) => [
      `/a${index}`,
      {
        post: {
          requestBody: {
            content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/A' }, encoding: { [`p${index}`]: {} } } },
          },
          responses: ok,
        },
      },
    ]),
    components: {
      schemas: { A: { type: 'object', properties: byName(count, (index) => [`p${index}`, {}]) } },
    },
  }),
  'operations of one path': (count) => ({
    openapi: '3.2.0',
    paths: {
      '/a': {
        parameters: list(count).map((index) => ({ name: `p${index}`, in: 'query', schema: {} })),
        additionalOperations: byName(count, (index) => [`M${index}`, { responses: ok }]),
      },
    },
  }),
}

shapes['mistakes'] = (count) => ({
  paths: toPaths(5 * count, (index) => ({
    200: { description: 'A', content: { 'application/json': { schema: { $ref: `#/components/schemas/Name${index}x` } } } },
  })),
  components: { schemas: byName(5 * count, (index) => [`Name${index}`, { type: 'string' }]) },
})

shapes['equal mistakes'] = (count) => ({
  components: {
    schemas: byName(count, (index) => [`A${index}`, { required: ['nmae'], properties: byName(20, (at) => [`name${at}`, {}]) }]),
  },
})

const ok = { 200: { description: 'A' } }

function list(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function byName(count: number, entry: (index: number) => readonly [name: string, value: unknown]): object {
  return Object.fromEntries(list(count).map(entry))
}

function toPaths(count: number, responses: (index: number) => object): object {
  return byName(count, (index) => [`/a${index}`, { get: { operationId: `o${index}`, responses: responses(index) } }])
}

function checkSteps(document: object): Promise<number> {
  const bytes = new TextEncoder().encode(
    JSON.stringify({ openapi: '3.1.1', info: { title: 'A', version: '1' }, paths: {}, ...document }),
  )
  return countCalls(() => checkDescription('openapi.json', async () => ({ kind: 'loaded', bytes })))
}

test.each(Object.entries(shapes))('twice as many %s need twice the work', async (_name, toDocument) => {
  // Code that is loaded on demand is not part of the work.
  await checkSteps(toDocument(10))
  const [one, two] = [await checkSteps(toDocument(400)), await checkSteps(toDocument(800))]
  expect(one).toBeGreaterThan(400)
  expect(two / one).toBeLessThan(2.5)
})
