import { readOwn } from '../../text/json/json-values.ts'
import type { ObjectDefinition, ObjectDefinitions } from '../walk.ts'
import * as rules from './object-rules.ts'
import { collectLink, joinRules } from './object-rules.ts'
import { openApi31 } from './openapi-3-1.ts'
import * as parameterRules from './parameter-rules.ts'
import { headerIgnored } from './parameter-rules.ts'
import { runtimeExpression } from './runtime-expression.ts'
import { checkSchema30, schemaRuleFields } from './schema-rules.ts'

/** Every object of OpenAPI 3.0: those of 3.1 less what has changed since. Source: OpenAPI 3.0.4, "Schema". */
export function openApi30(): ObjectDefinitions {
  const base = openApi31()
  const reduce = toReduce(base)
  const {
    'Mutual TLS Security Scheme': _mutualTls,
    'Security Scheme': _securityScheme,
    License: _license,
    OpenAPI: _openApi,
    ...shared
  } = base
  return {
    ...shared,
    OpenAPI: {
      fields: {
        openapi: 'any!',
        info: 'Info!',
        servers: '[Server]',
        paths: 'Paths!',
        components: 'Components',
        security: '[Security Requirement]',
        tags: '[Tag]',
        externalDocs: 'External Documentation',
      },
    },
    Info: reduce('Info', ['summary']),
    License: { fields: { name: 'text!', url: 'uri-reference' } },
    'Server Variable': reduce('Server Variable', [], { enum: '[text]' }),
    Components: reduce('Components', ['pathItems']),
    Operation: reduce('Operation', ['responses'], { responses: 'Responses!' }),
    Parameter: reduce('Parameter', [], {}, { rule: joinRules(parameterRules.checkParameter30, headerIgnored) }),
    Header: reduce('Header', [], { allowEmptyValue: 'boolean', allowReserved: 'boolean' }),
    Example: reduce('Example', [], {}, { rule: undefined }),
    Responses: reduce('Responses', [], {}, { rule: rules.checkResponses30 }),
    Link: reduce('Link', [], {}, { rule: joinRules(rules.checkLink30, collectLink, runtimeExpression) }),
    Schema: {
      fields: {
        title: 'text',
        multipleOf: 'positive',
        maximum: 'number',
        exclusiveMaximum: 'boolean',
        minimum: 'number',
        exclusiveMinimum: 'boolean',
        maxLength: 'count',
        minLength: 'count',
        pattern: 'regex',
        maxItems: 'count',
        minItems: 'count',
        uniqueItems: 'boolean',
        maxProperties: 'count',
        minProperties: 'count',
        required: '[text]+~',
        enum: '[any]+',
        type: 'array|boolean|integer|number|object|string',
        not: 'Schema',
        allOf: '[Schema]',
        oneOf: '[Schema]',
        anyOf: '[Schema]',
        items: 'Schema',
        properties: '{Schema}',
        additionalProperties: 'schema-or-boolean',
        description: 'text',
        format: 'text',
        default: 'any',
        nullable: 'boolean',
        discriminator: 'Discriminator',
        readOnly: 'boolean',
        writeOnly: 'boolean',
        example: 'any',
        externalDocs: 'External Documentation',
        deprecated: 'boolean',
        xml: 'XML',
      },
      reference: 'replaces',
      rule: checkSchema30,
      ruleFor: [...schemaRuleFields, 'type'],
      values: ['default', 'enum', 'example', 'examples'],
    },
    Discriminator: { fields: { propertyName: 'text!', mapping: '{text}' } },
    'Security Scheme': {
      variants: {
        field: 'type',
        tables: {
          apiKey: 'API Key Security Scheme',
          http: 'HTTP Security Scheme',
          oauth2: 'OAuth2 Security Scheme',
          openIdConnect: 'OpenID Connect Security Scheme',
        },
      },
      reference: 'replaces',
    },
  }
}

/** Makes definitions of 3.1 without the fields that came with it, and with those that are different. */
function toReduce(definitions: ObjectDefinitions) {
  return (
    key: string,
    without: readonly string[],
    fields: { readonly [name: string]: string } = {},
    parts: ObjectDefinition = {},
  ): ObjectDefinition => {
    const base = readOwn(definitions, key)
    const keptFields = Object.entries(base?.fields ?? {}).filter(([name]) => !without.includes(name))
    return { ...base, ...parts, fields: { ...Object.fromEntries(keptFields), ...fields } }
  }
}
