// biome-ignore-all lint/suspicious/noThenProperty: the name of a key in ruleset files.

/**
 * A ruleset in the shape of a ruleset file.
 *
 * Source: Spectral, "Rulesets" (docs/getting-started/3-rulesets.md).
 */
export interface RulesetData {
  /** The documentation of each rule: this URL with the rule's name as fragment. */
  readonly documentationUrl: string
  /** The formats of rules that name none. */
  readonly formats: readonly string[]
  readonly aliases: Readonly<Record<string, AliasData>>
  readonly rules: Readonly<Record<string, RuleData>>
}

type AliasData =
  | readonly string[]
  | { readonly targets: readonly { readonly formats: readonly string[]; readonly given: readonly string[] }[] }

interface RuleData {
  readonly description: string
  /** Default: the description. */
  readonly message?: string
  readonly recommended: boolean
  /** Default: `warn`. */
  readonly severity?: 'error' | 'warn'
  readonly formats?: readonly string[]
  /** Default: `true`. */
  readonly resolved?: boolean
  readonly given: string | readonly string[]
  readonly then: ActionData | readonly ActionData[]
}

export interface ActionData {
  readonly field?: string
  readonly function: string
  readonly functionOptions?: unknown
}

const oas3 = ['oas3']

/** `tags` with at least one entry. */
const filledTags: ActionData = {
  field: 'tags',
  function: 'schema',
  functionOptions: { dialect: 'draft7', schema: { type: 'array', minItems: 1 } },
}

/** Schemas with an example or a default, below a path. */
function schemasWithExample(below: string): string {
  return `${below}..[?(@property !== 'properties' && @ && (@ && @.example !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]`
}

/** A rule for Swagger 2.0. Rulesets can name it, but it matches nothing: Swagger 2.0 documents are not supported. */
function swaggerRule(description: string, options: Pick<Partial<RuleData>, 'recommended' | 'severity'> = {}): RuleData {
  return { description, recommended: true, ...options, formats: ['oas2'], given: '$', then: { function: 'defined' } }
}

/**
 * The built-in ruleset `spectral:oas`.
 *
 * Source: Spectral, "OpenAPI Rules" (docs/reference/openapi-rules.md), and its behavior in version 6.16.
 */
export const spectralOas: RulesetData = {
  documentationUrl: 'https://meta.stoplight.io/docs/spectral/docs/reference/openapi-rules.md',
  formats: ['oas2', 'oas3', 'oas3_0', 'oas3_1', 'oas3_2'],
  aliases: {
    PathItem: ['$.paths[*]'],
    OperationObject: ['#PathItem[get,put,post,delete,options,head,patch,trace]'],
    SecurityRequirementObject: ['$.security[*]', '#OperationObject.security[*]'],
    ResponseObject: {
      targets: [{ formats: oas3, given: ['#OperationObject.responses[*]', '$.components.responses[*]'] }],
    },
    LinkObject: {
      targets: [{ formats: oas3, given: ['$.components.links[*]', '#ResponseObject.links[*]'] }],
    },
    ArrayProperties: {
      targets: [
        { formats: ['oas2', 'oas3_0'], given: ['$..[?(@ && @.type=="array")]'] },
        {
          formats: ['oas3_1', 'oas3_2'],
          given: [
            '$..[?(@ && @.type=="array")]',
            '$..[?(@ && @.type && @.type.constructor.name === "Array" && @.type.includes("array"))]',
          ],
        },
      ],
    },
  },
  rules: {
    'operation-success-response': {
      description: 'An operation needs at least one response with a 2xx or 3xx status code',
      recommended: true,
      given: '#OperationObject',
      then: { field: 'responses', function: 'oasOpSuccessResponse' },
    },
    'operation-operationId-unique': {
      description: 'Each operation needs a unique `operationId`',
      recommended: true,
      severity: 'error',
      given: '$.paths',
      then: { function: 'oasOpIdUnique' },
    },
    'operation-parameters': {
      description: 'The parameters of an operation are unique',
      message: '{{error}}',
      recommended: true,
      given: '#OperationObject.parameters',
      then: { function: 'oasOpParams' },
    },
    'operation-tag-defined': {
      description: 'The tags of an operation are declared in the `tags` of the document',
      recommended: true,
      given: '$',
      then: { function: 'oasTagDefined' },
    },
    'path-params': {
      description: 'Path templates and path parameters match',
      message: '{{error}}',
      recommended: true,
      severity: 'error',
      given: '$.paths',
      then: { function: 'oasPathParam' },
    },
    'contact-properties': {
      description: 'The contact needs `name`, `url` and `email`',
      recommended: false,
      given: '$.info.contact',
      then: [
        { field: 'name', function: 'truthy' },
        { field: 'url', function: 'truthy' },
        { field: 'email', function: 'truthy' },
      ],
    },
    'duplicated-entry-in-enum': {
      description: 'The values of an `enum` are unique',
      message: '{{error}}',
      recommended: true,
      severity: 'warn',
      given: ["$..[?(@property !== 'properties' && @ != null && @.enum && @.enum.constructor.name === 'Array')]"],
      then: { field: 'enum', function: 'oasSchema', functionOptions: { schema: { type: 'array', uniqueItems: true } } },
    },
    'info-contact': {
      description: '`info` needs a `contact`',
      recommended: true,
      given: '$',
      then: { field: 'info.contact', function: 'truthy' },
    },
    'info-description': {
      description: '`info` needs a `description`',
      recommended: true,
      given: '$',
      then: { field: 'info.description', function: 'truthy' },
    },
    'info-license': {
      description: '`info` needs a `license`',
      recommended: false,
      given: '$',
      then: { field: 'info.license', function: 'truthy' },
    },
    'license-url': {
      description: 'The license needs a `url`',
      recommended: false,
      given: '$',
      then: { field: 'info.license.url', function: 'truthy' },
    },
    'no-eval-in-markdown': {
      description: 'Titles and descriptions contain no `eval(`',
      recommended: true,
      given: '$..[description,title]',
      then: { function: 'pattern', functionOptions: { notMatch: 'eval\\(' } },
    },
    'no-script-tags-in-markdown': {
      description: 'Titles and descriptions contain no `<script>` tags',
      recommended: true,
      given: '$..[description,title]',
      then: { function: 'pattern', functionOptions: { notMatch: '<script' } },
    },
    'openapi-tags-alphabetical': {
      description: 'The `tags` of the document are in alphabetical order',
      recommended: false,
      given: '$',
      then: { field: 'tags', function: 'alphabetical', functionOptions: { keyedBy: 'name' } },
    },
    'openapi-tags-uniqueness': {
      description: 'The names of the `tags` of the document are unique',
      message: '{{error}}',
      recommended: true,
      severity: 'error',
      given: '$.tags',
      then: { function: 'uniquenessTags' },
    },
    'openapi-tags': {
      description: 'The document needs `tags` with at least one entry',
      recommended: false,
      given: '$',
      then: filledTags,
    },
    'operation-description': {
      description: 'An operation needs a `description`',
      recommended: true,
      given: '#OperationObject',
      then: { field: 'description', function: 'truthy' },
    },
    'operation-operationId': {
      description: 'An operation needs an `operationId`',
      recommended: true,
      given: '#OperationObject',
      then: { field: 'operationId', function: 'truthy' },
    },
    'operation-operationId-valid-in-url': {
      description: 'An `operationId` has only characters that are allowed in URLs',
      recommended: true,
      given: '#OperationObject',
      then: {
        field: 'operationId',
        function: 'pattern',
        functionOptions: { match: "^[A-Za-z0-9-._~:/?#\\[\\]@!\\$&'()*+,;=]*$" },
      },
    },
    'operation-singular-tag': {
      description: 'An operation has at most one tag',
      recommended: false,
      given: '#OperationObject',
      then: { field: 'tags', function: 'length', functionOptions: { max: 1 } },
    },
    'operation-tags': {
      description: 'An operation needs `tags` with at least one entry',
      recommended: true,
      given: '#OperationObject',
      then: filledTags,
    },
    'path-declarations-must-exist': {
      description: 'The parameters of a path template need a name: `{}` is not allowed',
      recommended: true,
      given: '$.paths',
      then: { field: '@key', function: 'pattern', functionOptions: { notMatch: '{}' } },
    },
    'path-keys-no-trailing-slash': {
      description: 'A path does not end with a slash',
      recommended: true,
      given: '$.paths',
      then: { field: '@key', function: 'pattern', functionOptions: { notMatch: '.+\\/$' } },
    },
    'path-not-include-query': {
      description: 'A path has no query string',
      recommended: true,
      given: '$.paths',
      then: { field: '@key', function: 'pattern', functionOptions: { notMatch: '\\?' } },
    },
    'tag-description': {
      description: 'A tag needs a `description`',
      recommended: false,
      given: '$.tags[*]',
      then: { field: 'description', function: 'truthy' },
    },
    'no-$ref-siblings': {
      description: 'A `$ref` has no other fields beside it',
      message: '{{error}}',
      recommended: true,
      severity: 'error',
      formats: ['oas2', 'oas3_0'],
      resolved: false,
      given: "$..[?(@property === '$ref')]",
      then: { function: 'refSiblings' },
    },
    'array-items': {
      description: 'A schema of type `array` needs `items`',
      recommended: true,
      severity: 'error',
      resolved: false,
      given: '#ArrayProperties',
      then: { field: 'items', function: 'truthy' },
    },
    'typed-enum': {
      description: 'The values of an `enum` have the type of the schema',
      message: '{{error}}',
      recommended: true,
      given: '$..[?(@ && @.enum && @.type)]',
      then: { function: 'typedEnum' },
    },
    'oas3-api-servers': {
      description: 'The document needs `servers` with at least one entry',
      recommended: true,
      formats: oas3,
      given: '$',
      then: {
        field: 'servers',
        function: 'schema',
        functionOptions: { dialect: 'draft7', schema: { items: { type: 'object' }, minItems: 1, type: 'array' } },
      },
    },
    'oas3-examples-value-or-externalValue': {
      description: 'An example has either `value` or `externalValue`',
      recommended: true,
      formats: oas3,
      given: [
        '$.components.examples[*]',
        '$.paths[*][*]..content[*].examples[*]',
        '$.paths[*][*]..parameters[*].examples[*]',
        '$.components.parameters[*].examples[*]',
        '$.paths[*][*]..headers[*].examples[*]',
        '$.components.headers[*].examples[*]',
      ],
      then: { function: 'xor', functionOptions: { properties: ['externalValue', 'value'] } },
    },
    'oas3-operation-security-defined': {
      description: 'The security schemes of an operation are declared in `components.securitySchemes`',
      message: '{{error}}',
      recommended: true,
      formats: oas3,
      given: '#SecurityRequirementObject',
      then: { function: 'oasSecurityDefined', functionOptions: { oasVersion: 3 } },
    },
    'oas3-parameter-description': {
      description: 'A parameter needs a `description`',
      recommended: false,
      formats: oas3,
      given: [
        '#PathItem.parameters[?(@ && @.in)]',
        '#OperationObject.parameters[?(@ && @.in)]',
        '$.components.parameters[?(@ && @.in)]',
      ],
      then: { field: 'description', function: 'truthy' },
    },
    'oas3-server-not-example.com': {
      description: 'The URL of a server does not have the hostname `example.com`',
      recommended: false,
      formats: oas3,
      given: '$.servers[*].url',
      then: { function: 'pattern', functionOptions: { notMatch: 'example\\.com' } },
    },
    'oas3-server-trailing-slash': {
      description: 'The URL of a server does not end with a slash',
      recommended: true,
      formats: oas3,
      given: '$.servers[*].url',
      then: { function: 'pattern', functionOptions: { notMatch: './$' } },
    },
    'oas3-valid-media-example': {
      description: 'The examples of parameters, headers and media types match their schemas',
      message: '{{error}}',
      recommended: true,
      severity: 'error',
      formats: oas3,
      given: [
        '$..content..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
        '$..headers..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
        '$..parameters..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
      ],
      then: { function: 'oasExample', functionOptions: { schemaField: 'schema', oasVersion: 3, type: 'media' } },
    },
    'oas3-valid-schema-example': {
      description: 'The `example` and the `default` of a schema match it',
      message: '{{error}}',
      recommended: true,
      severity: 'error',
      formats: oas3,
      given: ['$.components.schemas', '$..content', '$..headers', '$..parameters'].map(schemasWithExample),
      then: { function: 'oasExample', functionOptions: { schemaField: '$', oasVersion: 3, type: 'schema' } },
    },
    'oas3-schema': {
      description: 'The document follows the OpenAPI Specification',
      message: '{{error}}',
      recommended: true,
      severity: 'error',
      formats: oas3,
      resolved: false,
      given: '$',
      then: { function: 'oasDocumentSchema' },
    },
    'oas3-unused-component': {
      description: 'Each component is referenced',
      recommended: true,
      formats: oas3,
      resolved: false,
      given: '$',
      then: { function: 'oasUnusedComponent' },
    },
    'oas3-server-variables': {
      description: 'The URL of a server and its variables match',
      message: '{{error}}',
      recommended: true,
      severity: 'error',
      given: ['$.servers[*]', '#PathItem.servers[*]', '#OperationObject.servers[*]', '#LinkObject.server'],
      then: { function: 'serverVariables', functionOptions: { checkSubstitutions: true, requireDefault: true } },
    },
    'oas3-callbacks-in-callbacks': {
      description: 'The operations of a callback have no callbacks',
      recommended: true,
      formats: oas3,
      given: ['#OperationObject.callbacks[*][*][*].callbacks'],
      then: { function: 'undefined' },
    },
    'oas3_1-servers-in-webhook': {
      description: 'A webhook has no `servers`',
      recommended: true,
      formats: ['oas3_1', 'oas3_2'],
      given: ['$.webhooks.servers', '$.webhooks[*][*].servers'],
      then: { function: 'undefined' },
    },
    'oas3_1-callbacks-in-webhook': {
      description: 'The operations of a webhook have no callbacks',
      recommended: true,
      formats: ['oas3_1', 'oas3_2'],
      given: ['$.webhooks[*][*].callbacks'],
      then: { function: 'undefined' },
    },
    'oas3_2-no-deprecated-xml-attribute': {
      description: '`xml.attribute` is deprecated in OpenAPI 3.2. Use `nodeType: attribute`',
      recommended: true,
      formats: ['oas3_2'],
      given: ['$..[?(@ && @.xml)].xml'],
      then: {
        function: 'schema',
        functionOptions: { schema: { not: { properties: { attribute: { const: true } }, required: ['attribute'] } } },
      },
    },
    'oas2-operation-formData-consume-check': swaggerRule(
      'An operation with form data consumes `application/x-www-form-urlencoded` or `multipart/form-data`',
    ),
    'oas2-api-host': swaggerRule('The document needs a `host`'),
    'oas2-api-schemes': swaggerRule('The document needs `schemes` with at least one entry'),
    'oas2-discriminator': swaggerRule('The property of a discriminator is defined and required', { severity: 'error' }),
    'oas2-host-not-example': swaggerRule('The `host` is not `example.com`', { recommended: false }),
    'oas2-host-trailing-slash': swaggerRule('The `host` does not end with a slash'),
    'oas2-parameter-description': swaggerRule('A parameter needs a `description`', { recommended: false }),
    'oas2-operation-security-defined': swaggerRule('The security schemes of an operation are declared in `securityDefinitions`'),
    'oas2-valid-schema-example': swaggerRule('The examples of a schema match it', { severity: 'error' }),
    'oas2-valid-media-example': swaggerRule('The examples of a response match its schema', { severity: 'error' }),
    'oas2-anyOf': swaggerRule('Swagger 2.0 has no `anyOf`'),
    'oas2-oneOf': swaggerRule('Swagger 2.0 has no `oneOf`'),
    'oas2-schema': swaggerRule('The document follows the Swagger 2.0 specification', { severity: 'error' }),
    'oas2-unused-definition': swaggerRule('Each definition is referenced'),
  },
}
