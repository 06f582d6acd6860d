import { headerIgnored } from '../checks/header-ignored.ts'
import { runtimeExpression } from '../checks/runtime-expression.ts'
import { joinRules } from './join-rules.ts'
import { jsonSchemaFields } from './json-schema.ts'
import { noteLink } from './note-link.ts'
import * as rules from './object-rules.ts'
import * as parameterRules from './parameter-rules.ts'
import { checkSchema, schemaRuleFields } from './schema-rules.ts'
import type { ObjectDefinitions } from './shape.ts'

const operation = {
  tags: '[text]',
  summary: 'text',
  description: 'text',
  externalDocs: 'External Documentation',
  operationId: 'text',
  parameters: '[Parameter]',
  requestBody: 'Request Body',
  responses: 'Responses',
  callbacks: '{Callback}',
  deprecated: 'boolean',
  security: '[Security Requirement]',
  servers: '[Server]',
}

const flow = { refreshUrl: 'uri-reference', scopes: '{text}!' }
const scheme = { type: 'text!', description: 'text' }

/** Every object of OpenAPI 3.1, in the order of the specification. Source: OpenAPI 3.1.1, "Schema" (the section of that name). */
export function openApi31(): ObjectDefinitions {
  return {
    OpenAPI: {
      fields: {
        openapi: 'any!',
        info: 'Info!',
        jsonSchemaDialect: 'uri-reference',
        servers: '[Server]',
        paths: 'Paths',
        webhooks: '{Path Item}',
        components: 'Components',
        security: '[Security Requirement]',
        tags: '[Tag]',
        externalDocs: 'External Documentation',
      },
      rule: rules.checkOpenApi,
    },
    Info: {
      fields: {
        title: 'text!',
        summary: 'text',
        description: 'text',
        termsOfService: 'uri-reference',
        contact: 'Contact',
        license: 'License',
        version: 'text!',
      },
    },
    Contact: { fields: { name: 'text', url: 'uri-reference', email: 'email' } },
    License: { fields: { name: 'text!', identifier: 'text', url: 'uri-reference' }, rule: rules.checkLicense },
    Server: { fields: { url: 'text!', description: 'text', variables: '{Server Variable}' } },
    'Server Variable': { fields: { enum: '[text]+', default: 'text!', description: 'text' } },
    Components: {
      fields: {
        schemas: '{component:Schema}',
        responses: '{component:Response}',
        parameters: '{component:Parameter}',
        examples: '{component:Example}',
        requestBodies: '{component:Request Body}',
        headers: '{component:Header}',
        securitySchemes: '{component:Security Scheme}',
        links: '{component:Link}',
        callbacks: '{component:Callback}',
        pathItems: '{component:Path Item}',
      },
    },
    Paths: { patterns: [{ pattern: /^\//, shape: 'Path Item', expected: 'a path that begins with `/`' }] },
    'Path Item': {
      fields: {
        summary: 'text',
        description: 'text',
        get: 'Operation',
        put: 'Operation',
        post: 'Operation',
        delete: 'Operation',
        options: 'Operation',
        head: 'Operation',
        patch: 'Operation',
        trace: 'Operation',
        servers: '[Server]',
        parameters: '[Parameter]',
      },
      reference: 'beside',
    },
    Operation: { fields: operation },
    'External Documentation': { fields: { description: 'text', url: 'uri-reference!' } },
    Parameter: {
      fields: {
        name: 'text!',
        in: 'path|query|header|cookie!',
        description: 'text',
        required: 'boolean',
        deprecated: 'boolean',
        allowEmptyValue: 'boolean',
        style: 'text',
        explode: 'boolean',
        allowReserved: 'boolean',
        schema: 'Schema',
        example: 'any',
        examples: '{Example}',
        content: '{media-type:Media Type}',
      },
      reference: 'replaces',
      rule: joinRules(parameterRules.checkParameter31, headerIgnored),
      values: ['example', 'examples'],
    },
    'Request Body': {
      fields: { description: 'text', content: '{media-type:Media Type}!', required: 'boolean' },
      reference: 'replaces',
    },
    'Media Type': {
      fields: { schema: 'Schema', example: 'any', examples: '{Example}', encoding: '{Encoding}' },
      rule: rules.checkMediaType,
      values: ['example', 'examples'],
    },
    Encoding: {
      fields: {
        contentType: 'text',
        headers: '{Header}',
        style: 'form|spaceDelimited|pipeDelimited|deepObject',
        explode: 'boolean',
        allowReserved: 'boolean',
      },
      rule: headerIgnored,
      ruleFor: ['headers'],
    },
    Responses: {
      fields: { default: 'Response' },
      patterns: [
        { pattern: rules.statusCodePattern, shape: 'Response', expected: 'a status code such as `200` or `4XX`, or `default`' },
      ],
      rule: rules.checkResponses,
    },
    Response: {
      fields: { description: 'text!', headers: '{Header}', content: '{media-type:Media Type}', links: '{Link}' },
      reference: 'replaces',
      rule: headerIgnored,
      ruleFor: ['headers'],
    },
    Callback: {
      patterns: [{ pattern: /(?:)/, shape: 'Path Item', expected: '' }],
      reference: 'replaces',
      rule: runtimeExpression,
    },
    Example: {
      fields: { summary: 'text', description: 'text', value: 'any', externalValue: 'uri-reference' },
      reference: 'replaces',
      rule: rules.checkExample,
    },
    Link: {
      fields: {
        operationRef: 'uri-reference',
        operationId: 'text',
        parameters: '{text}',
        requestBody: 'any',
        description: 'text',
        server: 'Server',
      },
      reference: 'replaces',
      rule: joinRules(rules.checkLink, noteLink, runtimeExpression),
    },
    Header: {
      fields: {
        description: 'text',
        required: 'boolean',
        deprecated: 'boolean',
        style: '=simple',
        explode: 'boolean',
        schema: 'Schema',
        example: 'any',
        examples: '{Example}',
        content: '{media-type:Media Type}',
      },
      reference: 'replaces',
      rule: parameterRules.checkHeader,
      values: ['example', 'examples'],
    },
    Tag: { fields: { name: 'text!', description: 'text', externalDocs: 'External Documentation' } },
    Schema: {
      fields: {
        ...jsonSchemaFields,
        discriminator: 'Discriminator',
        xml: 'XML',
        externalDocs: 'External Documentation',
        example: 'any',
      },
      open: true,
      reference: 'beside',
      allowsBoolean: true,
      identifies: true,
      rule: checkSchema,
      ruleFor: schemaRuleFields,
      values: ['default', 'enum', 'example', 'examples'],
    },
    Discriminator: { fields: { propertyName: 'text!', mapping: '{text}' } },
    XML: { fields: { name: 'text', namespace: 'uri', prefix: 'text', attribute: 'boolean', wrapped: 'boolean' } },
    'Security Scheme': {
      variants: {
        field: 'type',
        tables: {
          apiKey: 'API Key Security Scheme',
          http: 'HTTP Security Scheme',
          mutualTLS: 'Mutual TLS Security Scheme',
          oauth2: 'OAuth2 Security Scheme',
          openIdConnect: 'OpenID Connect Security Scheme',
        },
      },
      reference: 'replaces',
    },
    'API Key Security Scheme': {
      title: 'Security Scheme Object of type `apiKey`',
      fields: { ...scheme, name: 'text!', in: 'query|header|cookie!' },
    },
    'HTTP Security Scheme': {
      title: 'Security Scheme Object of type `http`',
      fields: { ...scheme, scheme: 'text!', bearerFormat: 'text' },
      rule: rules.checkHttpScheme,
    },
    'Mutual TLS Security Scheme': { title: 'Security Scheme Object of type `mutualTLS`', fields: scheme },
    'OAuth2 Security Scheme': { title: 'Security Scheme Object of type `oauth2`', fields: { ...scheme, flows: 'OAuth Flows!' } },
    'OpenID Connect Security Scheme': {
      title: 'Security Scheme Object of type `openIdConnect`',
      fields: { ...scheme, openIdConnectUrl: 'uri-reference!' },
    },
    'OAuth Flows': {
      fields: {
        implicit: 'Implicit OAuth Flow',
        password: 'Token OAuth Flow',
        clientCredentials: 'Token OAuth Flow',
        authorizationCode: 'Code OAuth Flow',
      },
    },
    'Implicit OAuth Flow': { title: 'OAuth Flow Object', fields: { authorizationUrl: 'uri-reference!', ...flow } },
    'Token OAuth Flow': { title: 'OAuth Flow Object', fields: { tokenUrl: 'uri-reference!', ...flow } },
    'Code OAuth Flow': {
      title: 'OAuth Flow Object',
      fields: { authorizationUrl: 'uri-reference!', tokenUrl: 'uri-reference!', ...flow },
    },
    'Security Requirement': { patterns: [{ pattern: /(?:)/, shape: '[text]', expected: '' }], extensible: false },
  }
}
