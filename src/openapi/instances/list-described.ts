import { isObject } from '../../text/is-object.ts'
import { parsePointer, pointerChild } from '../../text/json-pointer.ts'
import { childPlace } from '../collect-operations.ts'
import type { FollowReference, Place } from '../follow-reference.ts'
import type { DescribedValues } from '../met-objects.ts'

/** One value with the schema that describes it. */
export interface DescribedValue {
  readonly code: 'example-mismatch' | 'default-mismatch' | 'enum-mismatch'
  readonly place: Place
  readonly schema: Place
  /** The value may stand as the text that is sent: of a parameter or a header, or as JSON in a string. */
  readonly serialized: 'parameter' | 'json' | 'never'
}

/** Lists the examples, defaults and choices that a noted object has. */
export function listDescribed(object: DescribedValues, follow: FollowReference): DescribedValue[] {
  return object.kind === 'Schema' ? listOfSchema(object) : listOfHolder(object, follow)
}

function listOfSchema(schema: DescribedValues): DescribedValue[] {
  const found: DescribedValue[] = []
  const add = (code: DescribedValue['code'], place: Place) => {
    found.push({ code, place, schema, serialized: 'never' })
  }
  if (Object.hasOwn(schema.value, 'example')) add('example-mismatch', childPlace(schema, 'example'))
  if (Array.isArray(schema.value['examples'])) {
    const examples = childPlace(schema, 'examples')
    for (const index of schema.value['examples'].keys()) add('example-mismatch', childPlace(examples, index))
  }
  if (Object.hasOwn(schema.value, 'default')) add('default-mismatch', childPlace(schema, 'default'))
  const { type, nullable } = schema.value
  const listed = schema.value['enum']
  if (type !== undefined && Array.isArray(listed)) {
    const choices = childPlace(schema, 'enum')
    const ofType = { ...schema, value: { type, nullable } }
    listed.forEach((_, index) => {
      found.push({ code: 'enum-mismatch', place: childPlace(choices, index), schema: ofType, serialized: 'never' })
    })
  }
  return found
}

function listOfHolder(holder: DescribedValues, follow: FollowReference): DescribedValue[] {
  const schema = childPlace(holder, 'schema')
  const serialized = serializationOf(holder)
  if (schema.value === undefined || serialized === undefined) return []
  const found: DescribedValue[] = []
  const add = (place: Place, how = serialized) => found.push({ code: 'example-mismatch', place, schema, serialized: how })
  if (Object.hasOwn(holder.value, 'example')) add(childPlace(holder, 'example'))
  const examples = follow.end(childPlace(holder, 'examples'))
  for (const name of isObject(examples.value) ? Object.keys(examples.value) : []) {
    const example = follow.end(childPlace(examples, name))
    if (!isObject(example.value)) continue
    if (Object.hasOwn(example.value, 'value')) add(childPlace(example, 'value'))
    if (Object.hasOwn(example.value, 'dataValue')) add(childPlace(example, 'dataValue'), 'never')
  }
  return found
}

/** Of other media types than JSON an example is text that the schema does not describe. */
function serializationOf({ kind, pointer }: DescribedValues): DescribedValue['serialized'] | undefined {
  if (kind !== 'Media Type') return 'parameter'
  const name = parsePointer(pointer).at(-1) ?? ''
  return /[/+]json\b/i.test(name) || name === '*/*' ? 'json' : undefined
}

/** The pointer of the part of a value that is wrong. */
export function partPointer(pointer: string, path: readonly (string | number)[]): string {
  return path.reduce<string>(pointerChild, pointer)
}
