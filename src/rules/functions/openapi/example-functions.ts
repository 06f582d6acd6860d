import { isReference } from '../../../openapi/references/follow-reference.ts'
import { isContainer, isObject, type JsonObject, readOwn } from '../../../text/json/json-values.ts'
import type { FunctionDefinition, Path, RuleContext, RuleFunction, RuleProblem } from '../../ruleset.ts'
import { type Dialect, dialectOf, inspectSchema } from '../json-schema/inspect-schema.ts'
import { nameValue } from '../name-value.ts'
import { checkOptions, isOneOf, isText, type OptionTable } from '../options.ts'
import { matchSchemaOf } from '../schema-function.ts'
import { isRelease30 } from './enum-functions.ts'

const exampleTable: OptionTable = {
  function: 'oasExample',
  options: { oasVersion: isOneOf([2, 3]), schemaField: isText, type: isOneOf(['media', 'schema']) },
  example: '{ oasVersion: 3, schemaField: schema, type: media }',
}

interface Example {
  readonly value: unknown
  readonly path: Path
}

/** The examples of a media type, parameter, header or schema match its schema. */
const runExample: RuleFunction = (target, options, context) => {
  if (!isObject(target) || !isObject(options)) return []
  const { schemaField, type } = options
  const schema = schemaField === '$' ? target : readOwn(target, String(schemaField))
  if (!isObject(schema)) return []
  const path = context.path
  const examples = type === 'schema' ? listSchemaExamples(target, path) : listMediaExamples(target, path)
  const optional = type === 'media' ? findOptional(path) : undefined
  return examples.flatMap((example) => matchDocumentSchema(schema, example, context, optional))
}

function listSchemaExamples(schema: JsonObject, path: Path): readonly Example[] {
  return ['example', 'default']
    .filter((field) => Object.hasOwn(schema, field))
    .map((field) => ({ value: schema[field], path: [...path, field] }))
}

/** `example`, or the values of `examples` if there is none. */
function listMediaExamples(media: JsonObject, path: Path): readonly Example[] {
  if (Object.hasOwn(media, 'example')) return [{ value: media['example'], path: [...path, 'example'] }]
  const { examples } = media
  if (!isContainer(examples)) return []
  return Object.entries(examples)
    .filter((entry): entry is [string, JsonObject] => isContainer(entry[1]) && !Object.hasOwn(entry[1], 'externalValue'))
    .map(([key, example]) => ({ value: example['value'], path: [...path, 'examples', key, 'value'] }))
}

/** Requests need no `readOnly` properties, responses no `writeOnly` ones. Source: OpenAPI 3.0.4, "Schema Object". */
function findOptional(path: Path): 'readOnly' | 'writeOnly' | undefined {
  const [root, kind, , field] = path
  const place = root === 'components' ? kind : root === 'paths' ? field : undefined
  if (place === 'requestBody' || (root === 'components' && place === 'requestBodies')) return 'readOnly'
  return place === 'responses' ? 'writeOnly' : undefined
}

function matchDocumentSchema(
  schema: JsonObject,
  { value, path }: Example,
  { unresolved, spend }: RuleContext,
  optional: 'readOnly' | 'writeOnly' | undefined,
): readonly RuleProblem[] {
  if (value === undefined) return [{ message: `${nameValue(path)} must be present`, path }]
  // OpenAPI has no references in examples, so that files which only examples refer to are not read.
  if (isReference(value) && !value.$ref.startsWith('#')) return []
  const dialect = findDocumentDialect(unresolved)
  const { problem, isCyclic, hasReference } = inspectSchema(schema, dialect, spend)
  if (problem) {
    const subject = problem.keyword === '' ? 'the schema' : `\`${problem.keyword}\` of the schema`
    return [{ message: `${nameValue(path)} cannot be compared with its schema: ${subject} must be ${problem.expected}`, path }]
  }
  // Spectral ignores schemas with references that remain after all others are replaced, as do those to an enclosing schema.
  if (isCyclic || hasReference) return []
  return matchSchemaOf(schema, value, { path }, { dialect, optional, spend })
}

/** The dialect of the schemas of a document. Source: OpenAPI 3.1.1, section 4.8.24.4, "Schema Object", `jsonSchemaDialect`. */
function findDocumentDialect(document: unknown): Dialect {
  if (isRelease30(document)) return 'draft4'
  return (isObject(document) ? dialectOf(document['jsonSchemaDialect']) : undefined) ?? 'draft2020-12'
}

const schemaTable: OptionTable = {
  function: 'oasSchema',
  options: { schema: (value) => (isObject(value) ? undefined : 'a JSON Schema as a mapping') },
  example: '{ schema: { type: array, uniqueItems: true } }',
}

/** A value matches a schema in the dialect of the document. */
const runSchema: RuleFunction = (value, options, context) =>
  isObject(options) && isObject(options['schema'])
    ? matchDocumentSchema(options['schema'], { value, path: context.path }, context, undefined)
    : []

/** Source: Spectral, "OpenAPI Rules" (docs/reference/openapi-rules.md), sections "oas3-valid-media-example" and "oas3-valid-schema-example". */
export const exampleFunctions: readonly FunctionDefinition[] = [
  { name: 'oasExample', checkOptions: (options) => checkOptions(exampleTable, options), run: runExample },
  { name: 'oasSchema', checkOptions: (options) => checkOptions(schemaTable, options), run: runSchema },
]
