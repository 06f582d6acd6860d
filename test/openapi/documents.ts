import type { OpenApiRelease } from '../../src/openapi/types.ts'

/** Where a value under test is put into a document that is otherwise valid. */
export type DocumentPlace = keyof typeof places

type Json = unknown

const info = { title: 'Pets', version: '1.0.0' }
const responses = { '200': { description: 'OK' } }
const patchOf: Readonly<Record<OpenApiRelease, string>> = { '3.0': '3.0.3', '3.1': '3.1.0', '3.2': '3.2.0' }

const inComponents = (kind: string) => (value: Json) => ({ components: { [kind]: { Tested: value } } })
const inOperation = (fields: object) => ({ paths: { '/pets': { get: { responses, ...fields } } } })

const places = {
  /** Fields of the whole document. */
  root: (value: Json) => value as object, // The tables below give a mapping for this place.
  info: (value: Json) => ({ info: value }),
  contact: (value: Json) => ({ info: { ...info, contact: value } }),
  license: (value: Json) => ({ info: { ...info, license: value } }),
  server: (value: Json) => ({ servers: [value] }),
  serverVariable: (value: Json) => ({ servers: [{ url: 'https://{name}.example.com', variables: { name: value } }] }),
  tag: (value: Json) => ({ tags: [value] }),
  externalDocs: (value: Json) => ({ externalDocs: value }),
  security: (value: Json) => ({ security: value }),
  components: (value: Json) => ({ components: value }),
  paths: (value: Json) => ({ paths: value }),
  pathItem: (value: Json) => ({ paths: { '/pets': value } }),
  operation: (value: Json) => ({ paths: { '/pets': { get: value } } }),
  parameters: (value: Json) => inOperation({ parameters: value }),
  parameter: inComponents('parameters'),
  header: inComponents('headers'),
  requestBody: inComponents('requestBodies'),
  mediaType: (value: Json) => ({ components: { requestBodies: { Tested: { content: { 'text/plain': value } } } } }),
  encoding: (value: Json) => ({
    components: { requestBodies: { Tested: { content: { 'multipart/form-data': { encoding: { photo: value } } } } } },
  }),
  responses: (value: Json) => inOperation({ responses: value }),
  response: inComponents('responses'),
  callback: inComponents('callbacks'),
  example: inComponents('examples'),
  link: inComponents('links'),
  schema: inComponents('schemas'),
  discriminator: (value: Json) => ({ components: { schemas: { Tested: { discriminator: value } } } }),
  xml: (value: Json) => ({ components: { schemas: { Tested: { xml: value } } } }),
  securityScheme: inComponents('securitySchemes'),
  flows: (value: Json) => ({ components: { securitySchemes: { Tested: { type: 'oauth2', flows: value } } } }),
  webhook: (value: Json) => ({ webhooks: { petAdded: value } }),
} as const

/** A small document of a release with a value at a place. */
export function documentWith(release: OpenApiRelease, place: DocumentPlace, value: Json): { [key: string]: unknown } {
  const parts: { [key: string]: unknown } = { openapi: patchOf[release], info, paths: {}, ...places[place](value) }
  for (const key of Object.keys(parts)) if (parts[key] === undefined) delete parts[key]
  return parts
}
