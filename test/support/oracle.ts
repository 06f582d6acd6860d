import schema30 from '@seriousme/openapi-schema-validator/schemas/v3.0/schema.json' with { type: 'json' }
import schema31 from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import schema32 from '@seriousme/openapi-schema-validator/schemas/v3.2/schema.json' with { type: 'json' }
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { OpenApiRelease } from '../../src/openapi/types.ts'

type Schema = { [key: string]: unknown }

/** A validator of whole documents made from the official schemas, and the errors that it reports. */
export function oracleErrors(release: OpenApiRelease, document: unknown): string[] {
  const validate = validatorOf(release)
  if (validate(document)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** The schemas of objects in the official schema of a release, by their names there. */
export function officialObjects(release: OpenApiRelease): Schema {
  return release === '3.0' ? schema30.definitions : (release === '3.1' ? schema31 : schema32).$defs
}

const validators = new Map<OpenApiRelease, ValidateFunction>()

function validatorOf(release: OpenApiRelease): ValidateFunction {
  let validate = validators.get(release)
  if (!validate) {
    validate = release === '3.0' ? compile30() : compile31(release)
    validators.set(release, validate)
  }
  return validate
}

/**
 * The official schemas differ from the text of the specification in a few places. The text has precedence, so the schemas are changed:
 *
 * - `$ref` need not be an encoded URL. `check` reports that as a separate warning (`reference-syntax`).
 * - `pattern` need not be a JavaScript regular expression, which is also a warning (`pattern-syntax`). Formats inside Schema Objects
 *   of 3.1 are annotations in JSON Schema 2020-12 and are not validated.
 * - URLs may contain non-ASCII characters, which every browser accepts.
 * - 3.0: an Encoding Object may be extended with `x-` (3.0.4, "Encoding Object").
 * - 3.0: equal parameters and tags are left to the checks `parameter-unique` and `tag-unique`, which find more.
 * - 3.1: a Callback Object may be extended with `x-`. Its `additionalProperties` ignores that.
 * - 3.1: `parameters` of a Link Object can have any value (3.1.1, "Link Object"). The schema allows only strings.
 * - 3.1: `discriminator`, `xml` and `externalDocs` in Schema Objects are validated as in the dialect's own vocabulary.
 */
function compile30(): ValidateFunction {
  const schema = readSchema('3.0')
  delete schema['id']
  delete schema['$schema']
  const definitions = schema['definitions'] as { [name: string]: Schema }
  const at = (name: string, ...path: string[]) => step(definitions[name], path)
  at('Schema', 'properties')['multipleOf'] = { type: 'number', exclusiveMinimum: 0 }
  delete at('Schema', 'properties', 'pattern')['format']
  delete at('Reference', 'patternProperties', '^\\$ref$')['format']
  at('Encoding')['patternProperties'] = { '^x-': {} }
  delete at('Operation', 'properties', 'parameters')['uniqueItems']
  delete at('PathItem', 'properties', 'parameters')['uniqueItems']
  delete step(schema, ['properties', 'tags'])['uniqueItems']
  const ajv = new Ajv({ strict: false, allErrors: false, formats })
  return ajv.compile(schema)
}

function compile31(release: OpenApiRelease): ValidateFunction {
  const schema = renameFormats(readSchema(release)) as Schema
  const definitions = schema['$defs'] as { [name: string]: Schema }
  delete step(definitions['reference'], ['properties', '$ref'])['format']
  delete step(definitions['path-item'], ['properties', '$ref'])['format']
  step(definitions['callbacks'], [])['patternProperties'] = { '^x-': true }
  step(definitions['link'], ['properties'])['parameters'] = { type: 'object' }
  // The patched parts of the dialect; `$dynamicAnchor: meta` makes the meta-schema come back here for each schema inside a schema.
  definitions['schema'] = {
    $dynamicAnchor: 'meta',
    type: ['object', 'boolean'],
    $ref: 'https://json-schema.org/draft/2020-12/schema',
    properties: {
      discriminator: extensible(
        { propertyName: text, mapping: mapOfText, ...(release === '3.2' ? { defaultMapping: text } : {}) },
        ['propertyName'],
      ),
      externalDocs: { $ref: '#/$defs/external-documentation' },
      xml: release === '3.2' ? xml32 : xml31,
    },
  }
  const ajv = new Ajv2020({ strict: false, allErrors: false, formats: { ...formats, ...annotations } })
  return ajv.compile(schema)
}

const text = { type: 'string' }
const flag = { type: 'boolean' }
const mapOfText = { type: 'object', additionalProperties: text }

function extensible(properties: Schema, required: string[] = []): Schema {
  return { type: 'object', properties, required, patternProperties: { '^x-': true }, additionalProperties: false }
}

const xml31 = extensible({
  name: text,
  namespace: { ...text, format: 'checked-uri' },
  prefix: text,
  attribute: flag,
  wrapped: flag,
})
const xml32 = {
  ...extensible({ ...(xml31['properties'] as Schema), nodeType: { enum: ['element', 'attribute', 'text', 'cdata', 'none'] } }),
  dependentSchemas: { nodeType: { properties: { attribute: false, wrapped: false } } },
}

const formats = {
  'uri-reference': checkedWith('uri-reference'),
  uri: checkedWith('uri'),
  email: checkedWith('email'),
  'checked-uri-reference': checkedWith('uri-reference'),
  'checked-uri': checkedWith('uri'),
  'checked-email': checkedWith('email'),
  'media-range': true,
  regex: true,
} as const

/** The plain names, which only the meta-schema of JSON Schema uses after `renameFormats`. */
const annotations = { 'uri-reference': true, uri: true, email: true } as const

function checkedWith(name: 'uri-reference' | 'uri' | 'email'): { type: 'string'; validate: (value: string) => boolean } {
  const format = fullFormats[name]
  return {
    type: 'string',
    validate(value) {
      const ascii = name === 'email' ? value : value.replace(/[^\0-\x7f]/gu, 'a')
      if (format instanceof RegExp) return format.test(ascii)
      return typeof format === 'function' ? format(ascii) : true
    },
  }
}

/** Keeps the formats of the JSON Schema meta-schema, which shares the validator, as annotations. */
function renameFormats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameFormats)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      return key === 'format' && typeof entry === 'string' && entry !== 'media-range'
        ? [key, `checked-${entry}`]
        : [key, renameFormats(entry)]
    }),
  )
}

function step(schema: unknown, path: readonly string[]): Schema {
  let current = schema
  for (const key of path) current = (current as Schema | undefined)?.[key]
  if (typeof current !== 'object' || current === null) throw new Error(`The official schema has no ${path.join('/')}`)
  return current as Schema // Only objects are requested.
}

/** A mutable copy. */
function readSchema(release: OpenApiRelease): Schema {
  return structuredClone<Schema>({ '3.0': schema30, '3.1': schema31, '3.2': schema32 }[release])
}
