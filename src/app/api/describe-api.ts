import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { type TSchema, Type } from 'typebox'
import description from '../../../texts/api.json' with { type: 'json' }

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json': { readonly schema: TSchema } }
  }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: TSchema & { readonly type: string }
}

const operations = new Map(
  Object.entries<Readonly<Record<string, Operation>>>(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [operation.operationId, { path, method, ...operation }] as const),
  ),
)

/** The method and path of an operation in `texts/api.json`, and the schemas that validate its requests. */
export function toRoute(operationId: string) {
  const operation = operations.get(operationId)
  if (!operation) throw new Error(`Unknown operation ${operationId}`)
  const { path, method, parameters = [], requestBody } = operation
  const params = toSchema(parameters.filter((parameter) => parameter.in === 'path'))
  const querystring = toSchema(parameters.filter((parameter) => parameter.in === 'query'))
  const headers = toSchema(parameters.filter((parameter) => parameter.in === 'header'))
  const body = requestBody?.content['application/json'].schema
  return {
    // The keys of a path item are methods.
    method: method.toUpperCase() as HTTPMethods,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: {
      ...(params && { params }),
      ...(querystring && { querystring }),
      ...(headers && { headers }),
      ...(body && { body }),
    },
    ...(requestBody?.required === false && { preValidation: allowMissingBody }),
  }
}

/** Only integers in a query are converted from text, so only they need a type of their own. */
function toSchema(parameters: readonly Parameter[]): TSchema | undefined {
  if (parameters.length === 0) return undefined
  const properties = parameters.map(({ name, in: place, required, schema }) => {
    const typed = schema.type === 'integer' ? Type.Integer({ ...schema }) : schema
    // Fastify passes the names of headers in lower case.
    return [place === 'header' ? name.toLowerCase() : name, required ? typed : Type.Optional(typed)] as const
  })
  const isQuery = parameters.some((parameter) => parameter.in === 'query')
  return Type.Object(Object.fromEntries(properties), isQuery ? { additionalProperties: false } : {})
}

/** Treats a missing body as `{}`. */
function allowMissingBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  request.body ??= {}
  done()
}

/** Serves `/v1/openapi.json`. */
export function registerApiDescription(server: FastifyInstance, baseUrl: () => string): void {
  server.route({
    ...toRoute('getDescription'),
    handler: (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=300').send({ ...description, servers: [{ url: baseUrl() }] }),
  })
}
