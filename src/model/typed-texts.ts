import { childPlace, schemasIn, typesIn } from '../openapi/references/follow-reference.ts'
import { isContainer, isObject, listOf, type Place, parseJson, readOwn, readStep, setOwn } from '../text/json/json-values.ts'
import { getOrMake } from '../text/plain/lists.ts'
import type { Api } from './api.ts'

/** A value whose scalars are texts, as in a query or a form. */
export type TextValue = string | readonly TextValue[] | { readonly [name: string]: TextValue }

/**
 * Gives texts the types that a schema asks for. A text that cannot be read as one of them stays a text, and so does one that can be a string.
 */
export function toTyped(value: TextValue, schema: Place | undefined, api: Api): unknown {
  const schemas = schema ? listSchemas(schema, api) : []
  const types = new Set(schemas.flatMap(typesIn))
  if (Array.isArray(value) || (types.has('array') && !types.has('string') && !isObject(value))) {
    return listOf(isContainer(value) ? value : [value]).map(
      (item) =>
        toTyped(
          item as TextValue,
          findPart(schemas, (one) => childPlace(one, 'items')),
          api,
        ), // The items of a `TextValue`.
    )
  }
  if (typeof value !== 'string') {
    const typed = {}
    for (const [name, inner] of Object.entries(value)) setOwn(typed, name, toTyped(inner, propertyOf(schemas, name), api))
    return typed
  }
  if (types.has('string')) return value
  // As `howWritten` says of forms.
  if (types.has('object')) return parseJson(value) ?? value
  if ((types.has('integer') || types.has('number')) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return Number(value)
  if (types.has('boolean') && /^(?:true|false)$/.test(value)) return value === 'true'
  if (types.has('null') && /^(?:null)?$/.test(value)) return null
  if (types.size > 0) return value
  const choices = schemas.flatMap((one) => listOf(readOwn(one.value, 'enum')))
  return choices.find((choice) => String(choice) === value) ?? value
}

/** Whether a schema allows lists, or mappings. */
export function allowsType(type: 'array' | 'object', schema: Place | undefined, api: Api): boolean {
  return schema !== undefined && listSchemas(schema, api).some((one) => typesIn(one).includes(type))
}

/** Whether a schema has a property with this name. */
export function hasProperty(name: string, schema: Place | undefined, api: Api): boolean {
  const isNamed = (one: Place) => readStep(readOwn(one.value, 'properties'), name) !== undefined
  return schema !== undefined && listSchemas(schema, api).some(isNamed)
}

/** The schemas that can apply to a value, each once: the schema, its parts and alternatives. */
function listSchemas(schema: Place, api: Api): readonly Place[] {
  if (!isObject(schema.value)) return []
  return getOrMake(known, schema.value, () => {
    const found = new Map<unknown, Place>()
    const add = (entry: Place) => {
      const one = api.follow.end(entry)
      if (found.has(one.value) || found.size >= maxSchemas) return
      found.set(one.value, one)
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) for (const part of schemasIn(one, keyword, 'list')) add(part)
    }
    add(schema)
    return [...found.values()]
  })
}

const known = new WeakMap<object, readonly Place[]>()

/** More alternatives say nothing more about the types of texts. */
const maxSchemas = 100

function propertyOf(schemas: readonly Place[], name: string): Place | undefined {
  return (
    findPart(schemas, (one) => childPlace(childPlace(one, 'properties'), name)) ??
    findPart(schemas, (one) => childPlace(one, 'additionalProperties'))
  )
}

function findPart(schemas: readonly Place[], toPart: (schema: Place) => Place): Place | undefined {
  return schemas.map(toPart).find(({ value }) => isObject(value))
}
