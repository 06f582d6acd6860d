import { readOwn } from '../../text/json/json-values.ts'
import type { ObjectDefinition, ObjectDefinitions } from '../walk.ts'
import * as rules from './object-rules.ts'
import { joinRules } from './object-rules.ts'
import { openApi31 } from './openapi-3-1.ts'
import * as parameterRules from './parameter-rules.ts'
import { headerIgnored } from './parameter-rules.ts'

/** Every object of OpenAPI 3.2: those of 3.1 and what has changed. Source: OpenAPI 3.2.0. */
export function openApi32(): ObjectDefinitions {
  const base = openApi31()
  const extend = toExtend(base)
  const parameter = extend(
    'Parameter',
    { in: 'path|query|querystring|header|cookie!', content: '{media-type:Media Type}' },
    { rule: joinRules(parameterRules.checkParameter32, headerIgnored) },
  )

  const encodings = { encoding: '{Encoding}', prefixEncoding: '[Encoding]', itemEncoding: 'Encoding' }
  return {
    ...base,
    OpenAPI: extend('OpenAPI', { $self: '#self' }),
    Server: extend('Server', { name: 'text' }),
    Components: extend('Components', { mediaTypes: '{component:Media Type}' }),
    'Path Item': extend(
      'Path Item',
      { query: 'Operation', additionalOperations: '{method:Operation}' },
      { rule: parameterRules.checkParameterList },
    ),
    Operation: { ...base['Operation'], rule: parameterRules.checkParameterList },
    Parameter: parameter,
    'Media Type': extend(
      'Media Type',
      { description: 'text', itemSchema: 'Schema', ...encodings },
      { reference: 'replaces', rule: rules.checkMediaType32 },
    ),
    Encoding: extend(
      'Encoding',
      { ...encodings, headers: '{token:Header}' },
      { rule: joinRules(rules.checkEncoding32, headerIgnored), ruleFor: undefined },
    ),
    Response: {
      fields: {
        summary: 'text',
        description: 'text',
        headers: '{token:Header}',
        content: '{media-type:Media Type}',
        links: '{Link}',
      },
      reference: 'replaces',
      rule: headerIgnored,
      ruleFor: ['headers'],
    },
    Example: extend('Example', { dataValue: 'any', serializedValue: 'text' }, { rule: rules.checkExample32 }),
    Header: extend('Header', {}, { rule: parameterRules.checkHeader32 }),
    Tag: extend('Tag', { summary: 'text', parent: 'text', kind: 'text' }),
    Discriminator: extend('Discriminator', { defaultMapping: 'text' }),
    XML: extend('XML', { nodeType: 'element|attribute|text|cdata|none' }, { rule: rules.checkXml32 }),
    'API Key Security Scheme': extend('API Key Security Scheme', { deprecated: 'boolean' }),
    'HTTP Security Scheme': extend('HTTP Security Scheme', { deprecated: 'boolean' }),
    'Mutual TLS Security Scheme': extend('Mutual TLS Security Scheme', { deprecated: 'boolean' }),
    'OAuth2 Security Scheme': extend('OAuth2 Security Scheme', { deprecated: 'boolean', oauth2MetadataUrl: 'uri-reference' }),
    'OpenID Connect Security Scheme': extend('OpenID Connect Security Scheme', { deprecated: 'boolean' }),
    'OAuth Flows': extend('OAuth Flows', { deviceAuthorization: 'Device OAuth Flow' }),
    'Device OAuth Flow': {
      title: 'OAuth Flow Object',
      fields: {
        deviceAuthorizationUrl: 'uri-reference!',
        tokenUrl: 'uri-reference!',
        refreshUrl: 'uri-reference',
        scopes: '{text}!',
      },
    },
  }
}

/** Makes definitions of 3.1 with more fields, or with other parts. */
function toExtend(definitions: ObjectDefinitions) {
  return (key: string, fields: { readonly [name: string]: string }, parts: ObjectDefinition = {}): ObjectDefinition => {
    const base = readOwn(definitions, key)
    return { ...base, ...parts, fields: { ...base?.fields, ...fields } }
  }
}
