import type { Finding } from '../diagnostics/diagnostic.ts'
import type { Api } from '../model/api.ts'
import { foundOf, hintOf, pointerOf, startMatch, toMatchSelected, visitSchemas } from '../model/instances/match-schema.ts'
import { selectSchema } from '../model/schema.ts'
import { nameType } from '../openapi/schema/json-schema.ts'
import { isObject, type JsonObject, type Place, parsePointer, pointerChild, readOwn, readStep } from '../text/json/json-values.ts'
import { spendNodes, startBudget } from '../text/plain/limits.ts'
import { addTo, capitalize } from '../text/plain/lists.ts'
import { shorten } from '../text/plain/suggest.ts'
import { hasMask } from './recorded-url.ts'

export type Direction = 'request' | 'response'

/** A difference between a recorded value and a schema. */
export interface ValueDifference extends Pick<Finding, 'on' | 'hint'> {
  /** The keyword that the value does not match. */
  readonly at: Pick<Place, 'file' | 'pointer'>
  /** Quotes no recorded text. `{property}` or `{field}` is in place of `name`. */
  readonly message: string
  /** A name that the document does not have. It can be a secret. */
  readonly name?: string
}

type Match = ReturnType<typeof visitSchemas>
type Mismatch = Match['mismatches'][number]
type SchemaPlace = Mismatch['schema']

/** Creates a function that matches values with schemas of a description, and lists the schemas that apply to their parts. */
export function createVisitor(api: Api, mayMiss?: readonly string[]) {
  let budget = startBudget('values')
  const state = startMatch(api.release, api.follow.find, () => spendNodes(budget), {
    findsAll: true,
    ...(mayMiss && { mayMiss }),
    matchSelected: toMatchSelected((schema, file, value) => selectSchema(schema, file, value, api)),
  })
  return (schema: Place, value: unknown) => {
    budget = startBudget('values')
    return { ...visitSchemas(state, schema, value), state }
  }
}

/** Creates a function that matches recorded values with schemas of a description. `subject`: what has the value, if it is no body. */
export function createMatcher(api: Api) {
  const visitors = { request: createVisitor(api, ['readOnly']), response: createVisitor(api, ['writeOnly']) }
  return function* (schema: Place, value: unknown, direction: Direction, subject?: string): Generator<ValueDifference> {
    const match = visitors[direction](schema, value)
    const where = direction === 'request' ? 'recorded requests that the server accepted' : 'recorded responses'
    const properties = groupMappings(match)
    const closed = new Set<string>()
    for (const mismatch of match.mismatches) {
      const part = mismatch.path.reduce<unknown>(readStep, value)
      if (isMasked(mismatch, part) || isRefusedAgain(mismatch, match)) continue
      const { keyword, on } = mismatch
      const owner = findClosedParts(mismatch, value, properties)
      if (owner) {
        const pointer = pointerOf(owner)
        const message = `Unexpected mapping in ${where}: no value can have the properties of all parts of \`allOf\`, because some allow no others`
        if (!closed.has(pointer)) yield { at: { file: owner.file, pointer }, message }
        closed.add(pointer)
        continue
      }
      const pointer = pointerOf(mismatch.schema)
      const at = { file: mismatch.schema.file, pointer: keyword === 'false' ? pointer : pointerChild(pointer, keyword) }
      const name = subject ?? nameOf(pointer)
      const found = on === 'key' ? 'property' : isNamedByDocument.test(keyword) ? foundOf(mismatch) : nameType(part)
      const message = `Unexpected ${found}${name === undefined ? '' : ` for ${name}`} in ${where}, expected ${mismatch.expected}`
      yield {
        at,
        message,
        hint: part === null && keyword === 'type' ? hintOf(mismatch, match.state, () => undefined) : undefined,
      }
    }
    for (const [mapping, schemas] of properties) yield* listUndocumented(mapping, schemas, where)
  }
}

/** The texts about what was found only have names of the document. */
const isNamedByDocument = /^(?:required|dependentRequired|contains|uniqueItems|(?:min|max)(?:Items|Properties))$/

/** The name of the property that a schema is for, if it is for one. */
function nameOf(pointer: string): string | undefined {
  const [map, name] = parsePointer(pointer).slice(-2)
  return map === 'properties' && name !== undefined ? `\`${shorten(name)}\`` : undefined
}

/** Whether a mask is what does not match. */
function isMasked({ path, on }: Mismatch, part: unknown): boolean {
  return on === 'key' ? hasMask(String(path.at(-1))) : typeof part === 'string' && hasMask(part)
}

/** Whether the same schema refuses the value for its `enum`, too, which is what has to change. */
function isRefusedAgain({ keyword, schema, path }: Mismatch, { mismatches }: Match): boolean {
  if (keyword !== 'type') return false
  return mismatches.some(
    (one) => one.keyword === 'enum' && one.schema.value === schema.value && String(one.path) === String(path),
  )
}

/** Each mapping in a value, with the schemas that apply to it. */
function groupMappings({ visits }: Match): ReadonlyMap<JsonObject, readonly SchemaPlace[]> {
  const mappings = new Map<JsonObject, SchemaPlace[]>()
  for (const { value, schema } of visits) if (isObject(value) && isObject(schema.value)) addTo(mappings, value, schema)
  return mappings
}

/** The schema with `allOf` if another part of it has the property that one part refuses. */
function findClosedParts(
  { keyword, path, schema }: Mismatch,
  value: unknown,
  mappings: ReadonlyMap<JsonObject, readonly SchemaPlace[]>,
): SchemaPlace | undefined {
  if (keyword !== 'additionalProperties') return undefined
  let part: SchemaPlace | undefined = schema
  while (part?.keyword === '$ref') part = part.around
  const mapping = path.slice(0, -1).reduce<unknown>(readStep, value)
  const isKnown = isObject(mapping) && mappings.get(mapping)?.some((one) => hasProperty(one, String(path.at(-1))))
  return part?.keyword === 'allOf' && isKnown ? part.around : undefined
}

function hasProperty({ value }: SchemaPlace, name: string): boolean {
  return readStep(readOwn(value, 'properties'), name) !== undefined
}

/** Properties that no schema lists. Not those of maps, whose keys are data. */
function* listUndocumented(mapping: JsonObject, schemas: readonly SchemaPlace[], where: string): Generator<ValueDifference> {
  const holder = schemas.find(({ value }) => isObject(readOwn(value, 'properties')))
  const isMap = ({ value }: SchemaPlace) => mapKeywords.some((keyword) => readOwn(value, keyword) !== undefined)
  if (!holder || schemas.some(isMap)) return
  for (const name of Object.keys(mapping)) {
    if (schemas.some((schema) => hasProperty(schema, name)) || hasMask(name)) continue
    const at = { file: holder.file, pointer: pointerChild(pointerOf(holder), 'properties') }
    yield { at, on: 'key', name, message: `${capitalize(where)} have {property} that the schema does not list` }
  }
}

/** With `false`, the property is a mismatch already. */
const mapKeywords = ['additionalProperties', 'patternProperties', 'unevaluatedProperties']
