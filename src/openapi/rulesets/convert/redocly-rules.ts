// biome-ignore-all lint/suspicious/noThenProperty: the name of a key in ruleset files.

import type { DiagnosticCode } from '../../../diagnostics/codes.ts'
import { isObject, type JsonObject } from '../../../source/is-object.ts'
import type { ActionData } from '../spectral-oas.ts'
import { pattern, schema, truthy, type WrittenRule } from './conversion.ts'
import { expressionsOf, quote, restrict } from './select-objects.ts'

/** A severity in `redocly.yaml`. */
export type RedoclySeverity = 'error' | 'warn' | 'off'

/** A built-in rule of Redocly, and what does the same here. */
export interface RedoclyRule {
  /** In the presets `minimal`, `recommended` and `spec`. Default: `off` in all. In `recommended-strict`, each warning is an error. */
  readonly presets?: readonly [minimal: RedoclySeverity, recommended: RedoclySeverity, spec: RedoclySeverity]
  /** The checks that every document gets. */
  readonly codes?: readonly DiagnosticCode[]
  /** The rule of `spectral:oas`. */
  readonly spectral?: string
  /** A rule that is written out. Returns `undefined` if its options are not usable. */
  readonly written?: (options: JsonObject) => WrittenRule | undefined
  /** The options that `written` reads. */
  readonly options?: readonly string[]
  /** What the replacement does not do, unless the option is `true`. */
  readonly gap?: { readonly text: string; readonly unless?: string }
  /** Why there is no replacement. */
  readonly none?: string
}

const off = 'off' as const
const warn = 'warn' as const
const error = 'error' as const

const operations = '[get,put,post,delete,options,head,patch,trace,query]'
const callbacks = `callbacks[*][*]${operations}`

/** Operations without those of webhooks. */
const pathOperations = [`$.paths[*]${operations}`, `$.paths[*][*].${callbacks}`]

/** A rule for all objects of a type. */
function every(type: string, then: WrittenRule['then'], more: Partial<WrittenRule> = {}): () => WrittenRule {
  return () => ({ given: `#${type}`, then, ...more })
}

/** At least one key of a mapping matches. */
function hasKeyLike(expression: string): ActionData {
  return schema({ not: { propertyNames: { not: { pattern: expression } } } })
}

/** The objects of a type that meet a condition. */
function where(type: string, condition: string): readonly string[] {
  return restrict(expressionsOf(type), { valueCondition: condition }) ?? []
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** Matches a string in any case. JSON Schema has no flag for it. */
function ignoreCase(text: string): string {
  const letters = [...text].map((letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
    return lower === upper ? letter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&') : `[${lower}${upper}]`
  })
  return `^${letters.join('')}$`
}

/** The media types of requests or responses. In callbacks and webhooks, the API sends the requests. */
function mimeTypes(part: 'requestBody' | 'responses[*]'): RedoclyRule {
  const opposite = part === 'requestBody' ? 'responses[*]' : 'requestBody'
  const received = [`$.paths[*][*].${callbacks}`, `$.webhooks[*]${operations}`]
  return {
    written: ({ allowedValues }) => {
      if (listTexts(allowedValues).length === 0) return undefined
      return {
        given: [`$.paths[*]${operations}.${part}`, ...received.map((each) => `${each}.${opposite}`)].map(
          (each) => `${each}.content`,
        ),
        then: { field: '@key', function: 'enumeration', functionOptions: { values: listTexts(allowedValues) } },
      }
    },
    options: ['allowedValues'],
  }
}

const examples: RedoclyRule = {
  codes: ['example-mismatch'],
  options: ['allowAdditionalProperties'],
  gap: {
    text: 'examples may have properties that the schema does not mention, as in JSON Schema',
    unless: 'allowAdditionalProperties',
  },
}

const scalars = ['string', 'integer', 'number', 'boolean', 'null']

/**
 * The built-in rules of Redocly for OpenAPI 3, by name.
 *
 * Source: Redocly CLI, "Built-in rules" (docs/rules/built-in-rules.md), and its behavior in version 2.
 */
export const redoclyRules: Readonly<Record<string, RedoclyRule>> = {
  struct: { presets: [error, error, error], codes: ['unknown-field', 'missing-field', 'wrong-type', 'wrong-value'] },
  'no-unresolved-refs': { presets: [error, error, error], codes: ['reference-unresolved'] },
  'array-parameter-serialization': {
    written: ({ in: places }) => {
      const condition = "@.schema && (@.schema.type === 'array' || @.schema.items || @.schema.prefixItems)"
      const listed = listTexts(places).map((place) => `@.in === ${quote(place)}`)
      return {
        message: 'A parameter with a list needs `style` and `explode`',
        given: where('Parameter', listed.length > 0 ? `${condition} && (${listed.join(' || ')})` : condition),
        then: schema({ required: ['style', 'explode'] }),
      }
    },
    options: ['in'],
  },
  'boolean-parameter-prefixes': {
    written: ({ prefixes }) => ({
      given: where('Parameter', "@.schema && @.schema.type === 'boolean'"),
      then: pattern({ match: `^(${(prefixes === undefined ? ['is', 'has'] : listTexts(prefixes)).join('|')})[A-Z-_]` }, 'name'),
    }),
    options: ['prefixes'],
  },
  'component-name-unique': { none: 'no rule can compare the names of components in several files' },
  'info-contact': { spectral: 'info-contact' },
  'info-license': { presets: [off, warn, off], spectral: 'info-license' },
  'info-license-strict': {
    presets: [off, warn, off],
    written: every('License', { function: 'or', functionOptions: { properties: ['url', 'identifier'] } }),
  },
  'no-ambiguous-paths': { presets: [warn, warn, off], codes: ['path-ambiguous'] },
  'no-duplicated-enum-values': { presets: [off, warn, off], spectral: 'duplicated-entry-in-enum' },
  'no-duplicated-tag-names': { presets: [off, warn, error], codes: ['tag-unique'] },
  'no-empty-servers': { presets: [warn, error, off], spectral: 'oas3-api-servers' },
  'no-enum-type-mismatch': { presets: [warn, error, off], codes: ['enum-mismatch'] },
  'no-example-value-and-externalValue': { presets: [warn, error, error], codes: ['field-conflict'] },
  'no-http-verbs-in-paths': {
    written: ({ excludedPaths }) => {
      const excluded = listTexts(excludedPaths).map((path) => `@property !== ${quote(path)}`)
      return {
        given: excluded.length > 0 ? `$.paths[?(${excluded.join(' && ')})]~` : '$.paths[*]~',
        then: pattern({
          notMatch: '/\\/(?!\\{[^/]*\\}(?:\\/|$))[^/]*(?:get|head|post|put|patch|delete|options|trace)/i',
        }),
      }
    },
    options: ['excludedPaths'],
  },
  'no-illogical-composition-keywords': {
    presets: [off, warn, off],
    none: 'no rule can compare the schemas of `oneOf`, `anyOf` and `allOf`',
  },
  'no-identical-paths': { presets: [warn, error, error], codes: ['path-template'] },
  'no-invalid-media-type-examples': { ...examples, presets: [warn, warn, off] },
  'no-invalid-parameter-examples': { ...examples, presets: [off, warn, off] },
  'no-invalid-schema-examples': { ...examples, presets: [off, warn, off] },
  'no-mixed-number-range-constraints': {
    presets: [off, warn, off],
    written: every(
      'Schema',
      ['minimum', 'maximum'].map((limit) => {
        const exclusive = `exclusive${limit.charAt(0).toUpperCase()}${limit.slice(1)}`
        const number = { type: 'number' }
        return schema({ not: { required: [limit, exclusive], properties: { [limit]: number, [exclusive]: number } } })
      }),
      { formats: ['oas3_1', 'oas3_2'], message: 'A limit is either exclusive or not' },
    ),
  },
  'no-path-trailing-slash': { presets: [warn, error, off], spectral: 'path-keys-no-trailing-slash' },
  'no-required-schema-properties-undefined': { presets: [warn, warn, off], codes: ['required-property'] },
  'no-schema-type-mismatch': {
    presets: [warn, error, off],
    written: every(
      'Schema',
      [
        schema({ not: { required: ['type', 'items'], properties: { type: { const: 'object' } } } }),
        schema({ not: { required: ['type', 'properties'], properties: { type: { const: 'array' } } } }),
      ],
      { message: 'An object has no `items`, and an array has no `properties`' },
    ),
  },
  'no-server-example.com': {
    presets: [warn, warn, off],
    written: every('Server', pattern({ notMatch: '^(.*[\\/.])?(example\\.com|localhost)([\\/:?].*|$)' }, 'url')),
  },
  'no-server-trailing-slash': { presets: [error, error, off], written: every('Server', pattern({ notMatch: './$' }, 'url')) },
  'no-server-variables-empty-enum': { presets: [error, error, off], codes: ['server-variable'] },
  'no-undefined-server-variable': { presets: [warn, error, error], codes: ['server-variable'] },
  'no-unsafe-markdown': {
    presets: [off, warn, off],
    written: () => ({
      given: '$..description',
      then: [
        pattern({ notMatch: '/<script\\b/i' }),
        pattern({ notMatch: '/<[a-z][^>]*\\bon[a-z]+\\s*=/i' }),
        pattern({ notMatch: '/(?:\\]\\(\\s*|\\b(?:href|src)\\s*=\\s*["\']?\\s*)javascript:/i' }),
      ],
    }),
  },
  'no-unused-components': { presets: [warn, warn, off], codes: ['unused-component'] },
  'nullable-type-sibling': {
    presets: [warn, error, error],
    written: every('Schema', schema({ not: { required: ['nullable'], not: { required: ['type'] } } }), {
      formats: ['oas3_0'],
      message: '`nullable` needs a `type`',
    }),
  },
  'operation-2xx-response': {
    presets: [warn, warn, off],
    written: ({ validateWebhooks }) => ({
      message: 'An operation needs a response with a 2xx status code',
      given: validateWebhooks === true ? '#Responses' : pathOperations.map((each) => `${each}.responses`),
      then: hasKeyLike('^(2[0-9Xx]{2}|default)$'),
    }),
    options: ['validateWebhooks'],
  },
  'operation-4xx-response': {
    presets: [off, warn, off],
    written: ({ validateWebhooks }) => ({
      message: 'An operation needs a response with a 4xx status code',
      given: validateWebhooks === true ? '#Responses' : pathOperations.map((each) => `${each}.responses`),
      then: hasKeyLike('^4[0-9Xx]{2}$'),
    }),
    options: ['validateWebhooks'],
  },
  'operation-4xx-problem-details-rfc7807': {
    written: () => ({
      given: '#Responses[?(@property.match(/4[Xx0-9]{2}/))]',
      then: truthy("content['application/problem+json'].schema"),
    }),
    gap: { text: 'the properties `type` and `title` of the schema are not required' },
  },
  'operation-description': { written: every('Operation', truthy('description')) },
  // Not in callbacks.
  'operation-operationId': {
    presets: [warn, warn, off],
    written: () => ({
      given: ['$.paths', '$.webhooks'].flatMap((map) => [`${map}[*]${operations}`, `${map}[*].additionalOperations[*]`]),
      then: truthy('operationId'),
    }),
  },
  'operation-operationId-unique': { presets: [warn, error, error], codes: ['operation-id-unique'] },
  'operation-operationId-url-safe': {
    presets: [warn, error, off],
    written: every('Operation', pattern({ match: "^[A-Za-z0-9-._~:/?#\\[\\]@!\\$&'()*+,;=]*$" }, 'operationId')),
  },
  'operation-parameters-unique': { presets: [warn, error, error], codes: ['parameter-unique'] },
  'operation-singular-tag': {
    written: every('Operation', { field: 'tags', function: 'length', functionOptions: { max: 1 } }),
  },
  'operation-summary': { presets: [warn, error, off], written: every('Operation', truthy('summary')) },
  'operation-tag-defined': {
    codes: ['tag-undeclared'],
    written: every('Operation', { field: 'tags', function: 'defined' }),
  },
  'parameter-description': { written: every('Parameter', truthy('description')) },
  'path-declaration-must-exist': { presets: [warn, error, error], spectral: 'path-declarations-must-exist' },
  'path-http-verbs-order': { none: 'no rule can compare the order of methods' },
  'path-not-include-query': { presets: [warn, error, error], spectral: 'path-not-include-query' },
  'path-params-defined': { codes: ['path-parameter'] },
  'path-parameters-defined': { presets: [warn, error, error], codes: ['path-parameter'] },
  'path-segment-plural': { none: 'no rule can tell singular from plural' },
  'paths-kebab-case': {
    written: () => ({ given: '$.paths[*]~', then: pattern({ match: '^(?:\\/(?:\\{[^/]*\\}|[a-z0-9.-]*))*$' }) }),
  },
  'request-mime-type': mimeTypes('requestBody'),
  'required-string-property-missing-min-length': { none: 'no rule can read the `required` of the schema around a property' },
  'response-contains-header': {
    written: ({ names }) => toHeaderRule(names),
    options: ['names'],
  },
  'response-contains-property': { none: 'write it as a configurable rule for the schemas of your responses' },
  'response-mime-type': mimeTypes('responses[*]'),
  'scalar-property-missing-example': {
    written: () => ({
      message: 'A property needs an `example`, or `examples`',
      given: '#SchemaProperties[*]',
      // One `not`, because a failed `anyOf` is a problem for each of its schemas.
      then: schema({
        not: {
          required: ['type'],
          properties: {
            type: { anyOf: [{ enum: scalars }, { type: 'array', items: { enum: scalars } }] },
            format: { not: { const: 'binary' } },
          },
          not: { anyOf: ['allOf', 'anyOf', 'oneOf', 'example', 'examples'].map((key) => ({ required: [key] })) },
        },
      }),
    }),
  },
  'security-defined': {
    presets: [warn, error, off],
    codes: ['security-scheme'],
    written: ({ exceptions }) => {
      const paths = Array.isArray(exceptions) ? exceptions.filter(isObject) : []
      const excluded = paths.flatMap(({ path, methods }) => {
        return typeof path === 'string' && methods === undefined ? [`@property !== ${quote(path)}`] : []
      })
      if (paths.length !== excluded.length) return undefined
      const start = '$[?(@property.match(/^(paths|webhooks)$/) && !@root.security)]'
      const items = `${start}${excluded.length > 0 ? `[?(${excluded.join(' && ')})]` : '[*]'}`
      return {
        given: [`${items}${operations}`, `${items}[*].${callbacks}`],
        then: { field: 'security', function: 'defined' },
      }
    },
    options: ['exceptions'],
  },
  'security-scopes-defined': { presets: [off, warn, off], codes: ['security-scope'] },
  'spec-components-invalid-map-name': { presets: [warn, error, error], codes: ['wrong-name'] },
  'spec-discriminator-defaultMapping': { presets: [off, warn, error], codes: ['discriminator-mapping'] },
  'spec-example-values': { presets: [off, error, error], codes: ['field-conflict'] },
  'spec-no-invalid-encoding-combinations': { presets: [warn, error, error], codes: ['field-conflict'] },
  'spec-no-invalid-tag-parents': { presets: [warn, error, error], codes: ['tag-parent'] },
  'spec-querystring-parameters': { presets: [error, error, error], codes: ['field-conflict'] },
  'spec-ref-siblings': { presets: [off, warn, error], spectral: 'no-$ref-siblings' },
  'spec-strict-refs': { presets: [off, off, error], codes: ['reference-misplaced'] },
  'tag-description': { presets: [warn, warn, off], spectral: 'tag-description' },
  'tags-alphabetical': { spectral: 'openapi-tags-alphabetical' },
}

/** Old names of rules. */
export const renamedRules: Readonly<Record<string, string>> = {
  spec: 'struct',
  'info-license-url': 'info-license-strict',
  'no-$ref-siblings': 'spec-ref-siblings',
}

/** The headers of responses by status code or range: `{ 200: [X-Request-ID], 2xx: [ETag] }`. A range is for the codes that are not named. */
function toHeaderRule(names: unknown): WrittenRule | undefined {
  if (!isObject(names)) return undefined
  const codes = Object.keys(names)
  const patternProperties: [pattern: string, JsonObject][] = []
  for (const [code, headers] of Object.entries(names)) {
    const wanted = listTexts(headers)
    if (!/^(?:\d\d\d|[1-5][xX]{2}|default)$/.test(code) || wanted.length === 0) return undefined
    const first = code.charAt(0)
    const named = codes.filter((each) => /^\d+$/.test(each) && each.startsWith(first)).map((each) => each.slice(1))
    const range = named.length > 0 ? `^${first}(?!(?:${named.join('|')})$)` : `^${first}`
    patternProperties.push([
      /x/i.test(code) && code !== 'default' ? range : `^${code}$`,
      {
        required: ['headers'],
        properties: {
          headers: { allOf: wanted.map((name) => ({ not: { propertyNames: { not: { pattern: ignoreCase(name) } } } })) },
        },
      },
    ])
  }
  const message = 'A response lacks a header that is required for its status code'
  return { message, given: '#Responses', then: schema({ patternProperties: Object.fromEntries(patternProperties) }) }
}
