import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { isObject } from '../../text/json/json-values.ts'
import { workflowAudience } from '../http/workflow-identity.ts'
import {
  errorResponses,
  HealthResponse,
  jsonResponse,
  PageSchema,
  ProblemSchema,
  PublishedSiteSchema,
  ReportResponse,
  SearchResultsSchema,
  SiteListSchema,
  SiteSchema,
  TriggerResponse,
  UpdateListSchema,
  UpdateStatusSchema,
} from './api-schemas.ts'

const apiSchemas = [
  UpdateStatusSchema,
  UpdateListSchema,
  SiteSchema,
  SiteListSchema,
  PublishedSiteSchema,
  ProblemSchema,
  TriggerResponse,
  ReportResponse,
  SearchResultsSchema,
  PageSchema,
  HealthResponse,
]

const description = `Read the status of documentation updates, trigger updates, and publish sites.

Every push to a connected repository creates an update status record. Every record ends with \`success\` or \`failure\`.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Within \`/v1\`, fields may be added but are never removed or changed.`

/** Serves `/v1/openapi.json`, generated from the route schemas. Register it before the routes. */
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
        { name: 'Sites', description: 'List built sites, publish them and roll back.' },
        { name: 'Content', description: 'Search the published sites and read their pages.' },
        { name: 'Service', description: 'Health checks and metrics for operators.' },
      ],
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'API token, `opk_…`, created with `openapi-pages-app token create`. Scopes: `read`, `write`, `admin`.',
          },
          workflow: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: `OIDC token of a GitHub Actions workflow, valid for its own repository. The audience is \`${workflowAudience}\` or the URL of this server.`,
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
        summary: 'Get the OpenAPI document',
        description: 'Returns the OpenAPI document of this API.',
        tags: ['Service'],
        security: [],
        response: {
          200: jsonResponse('The OpenAPI 3.1 document.', Type.Object({ openapi: Type.String() })),
          ...errorResponses(500),
        },
      },
    },
    async (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=300').send({ ...server.swagger(), servers: [{ url: baseUrl() }] }),
  )
}

type Description = Parameters<SwaggerTransformObject>[0] extends infer Given
  ? Extract<Given, { openapiObject: unknown }>['openapiObject']
  : never

/** The plugin has no options for an optional request body and for the case of header names. */
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

/** Fastify requires header names in lower case; readers expect `If-None-Match`. */
function toHeaderCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}
