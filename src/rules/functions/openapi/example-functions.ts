import { dialectOf } from '../../../model/instances/match-schema.ts'
import { isReference } from '../../../openapi/references/follow-reference.ts'
import { isContainer, isObject, type JsonObject, listOf, readOwn, readText } from '../../../text/json/json-values.ts'
import type { FunctionDefinition, Path, RuleContext, RuleFunction, RuleProblem } from '../../ruleset.ts'
import { checkNoOptions, checkOptions, isOneOf, isText, type OptionTable } from '../options.ts'
import { matchRuleSchema, type RuleMatch } from '../schema-function.ts'

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
  const [schemaField, type] = [readText(options, 'schemaField'), readText(options, 'type')]
  const schema = schemaField === '$' ? target : readOwn(target, String(schemaField))
  if (!isObject(target) || !isObject(schema)) return []
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
  optional?: 'readOnly' | 'writeOnly',
): readonly RuleProblem[] {
  // OpenAPI has no references in examples, so that files which only examples refer to are not read.
  if (isReference(value) && !value.$ref.startsWith('#')) return []
  return matchRuleSchema(value, path, { schema, dialect: findDocumentDialect(unresolved), optional, spend })
}

/** The dialect of the schemas of a document. Source: OpenAPI 3.1.1, section 4.8.24.4, "Schema Object", `jsonSchemaDialect`. */
function findDocumentDialect(document: unknown): RuleMatch['dialect'] {
  if (/^3\.0(?:\.\d*)?$/.test(String(readOwn(document, 'openapi')))) return '3.0'
  return dialectOf(readOwn(document, 'jsonSchemaDialect')) ?? '3.1'
}

const schemaTable: OptionTable = {
  function: 'oasSchema',
  options: { schema: (value) => (isObject(value) ? undefined : 'a JSON Schema as a mapping') },
  example: '{ schema: { type: array, uniqueItems: true } }',
}

/** A value matches a schema in the dialect of the document. */
const runSchema: RuleFunction = (value, options, context) => {
  const schema = readOwn(options, 'schema')
  return isObject(schema) ? matchDocumentSchema(schema, { value, path: context.path }, context) : []
}

/** Source: Spectral, "OpenAPI Rules" (docs/reference/openapi-rules.md), sections "oas3-valid-media-example" and "oas3-valid-schema-example". */
export const exampleFunctions: readonly FunctionDefinition[] = [
  { name: 'oasExample', checkOptions: (options) => checkOptions(exampleTable, options), run: runExample },
  { name: 'oasSchema', checkOptions: (options) => checkOptions(schemaTable, options), run: runSchema },
]

/** A schema: the values of its `enum` have its type. Other values are skipped. */
const run: RuleFunction = (schema, _options, { path, unresolved, spend }) => {
  const { type, nullable, enum: listed } = isObject(schema) ? schema : {}
  const ofType = { schema: { type, nullable }, dialect: findDocumentDialect(unresolved), spend }
  return listOf(listed).flatMap((value, index) => matchRuleSchema(value, [...path, 'enum', index], ofType))
}

/** Source: Spectral, "Core Functions" (docs/reference/functions.md), section "typedEnum". */
export const typedEnumFunction: FunctionDefinition = { name: 'typedEnum', checkOptions: checkNoOptions('typedEnum'), run }
