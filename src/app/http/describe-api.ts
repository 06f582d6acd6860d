import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { isObject } from '../../source/is-object.ts'
import {
  errorAnswers,
  HealthAnswer,
  jsonAnswer,
  ProblemSchema,
  PublishedSiteSchema,
  ReportAnswer,
  SiteListSchema,
  SiteSchema,
  TriggerAnswer,
  UpdateListSchema,
  UpdateStatusSchema,
} from './api-schemas.ts'
import { workflowAudience } from './workflow-identity.ts'

const apiSchemas = [
  UpdateStatusSchema,
  UpdateListSchema,
  SiteSchema,
  SiteListSchema,
  PublishedSiteSchema,
  ProblemSchema,
  TriggerAnswer,
  ReportAnswer,
  HealthAnswer,
]

const description = `Status of documentation updates: every push to a connected repository gets a record, every record ends.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Fields are only ever added within \`/v1\`.`

/** Registers what makes `/v1/openapi.json` from the schemas of the routes. Must come before the routes. */
export async function registerApiDescription(server: FastifyInstance, baseUrl: () => string): Promise<void> {
  for (const schema of apiSchemas) {
    server.addSchema(schema)
  }
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'openapi-pages',
        version: '1.0.0',
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: [
        { name: 'Updates', description: 'Trigger, report and follow updates.' },
        { name: 'Sites', description: 'The sites that updates built, and which one the address of a project shows.' },
        { name: 'Service', description: 'For those who run the server.' },
      ],
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'API token, `opk_…`, made by `openapi-pages token create`. Scopes: `read`, `write`, `admin`.',
          },
          workflow: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: `OIDC token of a GitHub workflow for its own repository; audience \`${workflowAudience}\` or the address of this server.`,
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => (typeof json.$id === 'string' ? json.$id : `shape${index}`),
    },
    transformObject: (document) =>
      'openapiObject' in document ? finishDescription(document.openapiObject) : document.swaggerObject,
    hideUntagged: true,
    exposeHeadRoutes: false,
  })
  server.get(
    '/v1/openapi.json',
    {
      schema: {
        operationId: 'getDescription',
        summary: 'OpenAPI description',
        description: 'This description.',
        tags: ['Service'],
        security: [],
        response: { 200: jsonAnswer('OpenAPI 3.1.', Type.Object({ openapi: Type.String() })), ...errorAnswers(500) },
      },
    },
    async (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=300').send({ ...server.swagger(), servers: [{ url: baseUrl() }] }),
  )
}

type Description = Parameters<SwaggerTransformObject>[0] extends infer Given
  ? Extract<Given, { openapiObject: unknown }>['openapiObject']
  : never

/** Adds what the plugin has no option for: the body of a trigger is optional, and headers have their usual case. */
function finishDescription(document: Description): Description {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      if (!isObject(operation)) continue
      const { operationId, requestBody, parameters } = operation
      if (operationId === 'triggerUpdate' && isObject(requestBody)) Object.assign(requestBody, { required: false })
      for (const parameter of Array.isArray(parameters) ? parameters : []) {
        if ('in' in parameter && parameter.in === 'header') parameter.name = toHeaderCase(parameter.name)
      }
    }
  }
  return document
}

/** Fastify wants the names of headers in lower case; people read `If-None-Match`. */
function toHeaderCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}
