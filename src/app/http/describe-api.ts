import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { errorAnswers, jsonAnswer } from './answers.ts'
import { HealthAnswer, ProblemSchema, ReportAnswer, TriggerAnswer, UpdateListSchema, UpdateStatusSchema } from './api-schemas.ts'
import { workflowAudience } from './workflow-identity.ts'

const description = `Status of documentation updates: every push to a connected repository gets a record, every record ends.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Fields are only ever added within \`/v1\`.`

/** Registers what makes `/v1/openapi.json` from the schemas of the routes. Must come before the routes. */
export async function registerApiDescription(server: FastifyInstance, baseUrl: () => string): Promise<void> {
  for (const schema of [UpdateStatusSchema, UpdateListSchema, ProblemSchema, TriggerAnswer, ReportAnswer, HealthAnswer]) {
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
        response: { 200: jsonAnswer('OpenAPI 3.1.', Type.Object({ openapi: Type.String() })), ...errorAnswers(429, 500) },
      },
    },
    async (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=300').send({ ...server.swagger(), servers: [{ url: baseUrl() }] }),
  )
}
