import { Ajv2020 } from 'ajv/dist/2020.js'
import { isJsonType } from '../../src/model/written-values.ts'
import { toExampleBody } from '../../src/playground/form/form-values.ts'
import type { Reference } from '../../src/site/reference/create-reference.ts'
import { listContentExamples } from '../../src/site/reference/schema-examples.ts'
import type { MediaTypeView } from '../../src/site/reference/types.ts'
import { escapePointerSegment, isObject } from '../../src/text/json/json-values.ts'

/** Who a value is for. A request has no `readOnly` properties, and a response has no `writeOnly` ones. */
type Side = 'request' | 'response' | 'both'

export interface ExampleCounts {
  /** The generated examples. */
  readonly examples: number
  /** Those with a schema that Ajv cannot compile. */
  readonly skipped: number
  /** Those that several schemas of a `oneOf` allow. */
  readonly ambiguous: number
  /** One line for each example that is invalid. */
  readonly wrong: readonly string[]
}

/**
 * Validates the generated examples of a document without other files with Ajv: those of requests, responses, webhooks and schemas.
 *
 * The schemas are converted here to JSON Schema 2020-12, independently of the code that generates examples.
 */
export function validateExamples(document: object, reference: Reference): ExampleCounts {
  const validators = {
    request: compileFor(document, 'request'),
    response: compileFor(document, 'response'),
    both: compileFor(document, 'both'),
  }
  const wrong: string[] = []
  let examples = 0
  let skipped = 0
  let ambiguous = 0
  const validate = (name: string, side: Side, pointer: string, value: unknown) => {
    examples++
    const problem = validators[side](pointer, value)
    if (problem === 'skipped') skipped++
    else if (problem === 'ambiguous') ambiguous++
    else if (problem !== undefined) wrong.push(`${name}: ${problem}`)
  }
  const validateContent = (name: string, side: Side, owner: string, content: readonly MediaTypeView[]) => {
    for (const { mediaType, examples } of content) {
      const place = locate(document, `${owner}/content/${escapePointerSegment(mediaType)}`)
      const key = valueAt(document, `${place}/schema`) === undefined ? 'itemSchema' : 'schema'
      for (const { isSampled, value } of examples) {
        if (isSampled) validate(`${name} ${mediaType}`, side, `${place}/${key}`, value)
      }
    }
  }
  const validateOperation = (
    name: string,
    at: string,
    view: ReturnType<Reference['operationView']>,
    [own, other]: readonly [Side, Side],
  ) => {
    if (view?.requestBody)
      validateContent(`${name} request`, own, locate(document, `${at}/requestBody`), view.requestBody.content)
    for (const { statusCode, content } of view?.responses ?? [])
      validateContent(`${name} ${statusCode}`, other, locate(document, `${at}/responses/${statusCode}`), content)
  }
  for (const [name, { operation }] of reference.operations) {
    const view = reference.operationView(name)
    if (!view) continue
    validateOperation(name, operation.pointer, view, ['request', 'response'])
    for (const { mediaType, value } of prefilledBodies(reference, name)) {
      const place = locate(
        document,
        `${locate(document, `${operation.pointer}/requestBody`)}/content/${escapePointerSegment(mediaType)}`,
      )
      validate(`${name} playground ${mediaType}`, 'request', `${place}/schema`, value)
    }
  }
  for (const [name, methods] of reference.webhooks) {
    for (const [index, view] of reference.webhookViews(name).entries())
      validateOperation(`webhook ${name}`, methods[index]?.operation.pointer ?? '', view, ['response', 'request'])
  }
  for (const name of reference.schemaNames) {
    const place = reference.context.named.places.get(name)
    // Those in other places belong to an operation, too.
    if (!place?.pointer.startsWith('/components/schemas/')) continue
    const schema = reference.context.follow.end(place)
    const content = { name: 'application/json', schema, itemSchema: undefined, examples: [] }
    for (const { isSampled, value } of listContentExamples(content, 'both', reference.context))
      if (isSampled) validate(`schema ${name}`, 'both', place.pointer, value)
  }
  return { examples, skipped, ambiguous, wrong }
}

/** The JSON bodies that the playground offers for an operation if the document has no example for them. */
function prefilledBodies(reference: Reference, name: string) {
  const read = reference.describe(name)?.operation
  return (read?.bodies ?? []).flatMap((body) => {
    const isWritten = body.examples.length > 0 || body.schema === undefined || !isJsonType(body.mediaType)
    const value = !read || isWritten ? undefined : toExampleBody(body, read.follow)
    return value === undefined ? [] : [{ mediaType: body.mediaType, value }]
  })
}

/** Returns the first problem of a value of the schema at a pointer; `skipped` if the schema cannot be compiled, `ambiguous` if several options match. */
export type Validate = (pointer: string, value: unknown) => string | undefined

/** @param more options of Ajv. */
export function compileFor(document: object, side: Side, more: { readonly coerceTypes?: 'array' } = {}): Validate {
  const ajv = new Ajv2020({
    ...more,
    strict: false,
    logger: false,
    validateSchema: false,
    unicodeRegExp: false,
    inlineRefs: false,
    code: { optimize: false },
  })
  ajv.addSchema(convertDocument(document, side), 'document')
  const compiled = new Map<string, ReturnType<typeof ajv.compile> | undefined>()
  return (pointer, value) => {
    if (!compiled.has(pointer)) {
      try {
        compiled.set(pointer, ajv.compile({ $ref: `document#${pointer.split('/').map(encodeURIComponent).join('/')}` }))
      } catch {
        compiled.set(pointer, undefined)
      }
    }
    const check = compiled.get(pointer)
    if (!check) return 'skipped'
    try {
      if (check(value)) return undefined
    } catch {
      // References in a circle.
      return 'skipped'
    }
    const [error] = check.errors ?? []
    // Values of one schema of `oneOf` are also values of another one, so no example can satisfy the author.
    if (check.errors?.some(({ keyword, params }) => keyword === 'oneOf' && params['passingSchemas'] !== null)) return 'ambiguous'
    return `${error?.instancePath} ${error?.keyword} ${error?.message} (${error?.schemaPath}) in ${JSON.stringify(value).slice(0, 200)}`
  }
}

/** The keywords whose value is a schema. */
const schemaKeys =
  /^(?:items|additionalProperties|not|if|then|else|contains|propertyNames|unevaluatedProperties|unevaluatedItems)$/

/** The document with JSON Schema 2020-12 instead of the schemas of OpenAPI 3.0, and without what a side does not send. */
function convertDocument(document: object, side: Side): object {
  const isOld = /^3\.0\./.test(String(Reflect.get(document, 'openapi')))
  const hidden = side === 'request' ? 'readOnly' : side === 'response' ? 'writeOnly' : undefined
  const isHidden = (schema: unknown, depth = 0): boolean => {
    if (hidden === undefined || !isObject(schema) || depth > 20) return false
    if (schema[hidden] === true) return true
    if (typeof schema['$ref'] === 'string' && schema['$ref'].startsWith('#'))
      return isHidden(valueAt(document, decodeURIComponent(schema['$ref'].slice(1))), depth + 1)
    return Array.isArray(schema['allOf']) && schema['allOf'].some((part) => isHidden(part, depth + 1))
  }
  const mapValues = (value: unknown, map: (one: unknown) => unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)])) : value
  const convert = (schema: unknown, isNegated = false): unknown => {
    if (!isObject(schema)) return schema
    if (isOld && typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] }
    const made: { [key: string]: unknown } = {}
    for (const [key, value] of Object.entries(schema)) {
      // Authors contradict their patterns, some of which take too long to run, or use expressions of another language.
      const isWritten = ['example', 'examples', 'default', 'enum', 'const'].some((one) => Object.hasOwn(schema, one))
      if (key === 'pattern' && ((isWritten && !isNegated) || !isExpression(String(value)))) continue
      if (['example', 'examples', 'discriminator', 'xml', 'externalDocs', 'default', 'nullable', 'id', '$id'].includes(key))
        continue
      if (['properties', 'patternProperties', '$defs', 'dependentSchemas'].includes(key))
        made[key] = mapValues(value, (one) => convert(one, isNegated))
      else if (['allOf', 'anyOf', 'oneOf', 'prefixItems'].includes(key))
        made[key] = Array.isArray(value) ? value.map((one) => convert(one, isNegated)) : value
      else if (schemaKeys.test(key)) made[key] = convert(value, isNegated || key === 'not')
      else made[key] = value
    }
    const properties = schema['properties']
    if (hidden !== undefined && isObject(properties)) {
      const names = Object.keys(properties).filter((name) => isHidden(properties[name]))
      if (names.length > 0)
        made['allOf'] = [
          ...(Array.isArray(made['allOf']) ? made['allOf'] : []),
          { not: { anyOf: names.map((name) => ({ required: [name] })) } },
        ]
      if (Array.isArray(schema['required'])) made['required'] = schema['required'].filter((name) => !names.includes(String(name)))
    }
    if (!isOld) return made
    for (const [limit, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum'],
    ] as const) {
      if (schema[exclusive] === true) made[exclusive] = made[limit]
      else if (typeof schema[exclusive] === 'boolean') delete made[exclusive]
    }
    return schema['nullable'] === true ? { anyOf: [{ type: 'null' }, made] } : made
  }
  /** Schemas are below `schema`, `itemSchema` and `components.schemas`. */
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => walk(one, [...path, '[]']))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if (key === 'schema' || key === 'itemSchema') return [key, convert(one)]
        if (key === 'schemas' && path.join('/') === 'components') return [key, mapValues(one, (each) => convert(each))]
        if (key === 'example' || key === 'examples' || (key.startsWith('x-') && key !== 'x-webhooks')) return [key, undefined]
        return [key, walk(one, [...path, key])]
      }),
    )
  }
  return walk(document, []) as object // A document is a mapping.
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

/** The pointer at the end of a chain of references. */
export function locate(document: object, pointer: string): string {
  const value = valueAt(document, pointer)
  const reference = isObject(value) ? value['$ref'] : undefined
  return typeof reference === 'string' && reference.startsWith('#/')
    ? locate(document, decodeURIComponent(reference.slice(1)))
    : pointer
}

export function valueAt(document: object, pointer: string): unknown {
  let value: unknown = document
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    value = Array.isArray(value) ? value[Number(key)] : isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}
