import { isObject, parseJson, readOwn, setOwn } from '../../text/json/json-values.ts'
import type { FilledBody } from './fill-request.ts'
import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  isJsonType,
  keyOf,
  listParts,
} from './read-operation.ts'

type Resolve = DescribedOperation['resolve']

/**
 * The values of the parameters in samples, by `keyOf`: the author's examples, else generated ones. Optional parameters have one only if
 * `defaults` is `all` and the author gave an example. A generated `Accept` is sent, because it selects the version of some APIs.
 */
export function sampleParameters(
  { parameters }: Pick<DescribedOperation, 'parameters'>,
  defaults: 'required' | 'all',
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const parameter of parameters) {
    const { required, example, in: location, name } = parameter
    const isWanted =
      required || (defaults === 'all' && example !== undefined) || (location === 'header' && /^accept$/i.test(name))
    const value = isWanted ? sampleParameter(parameter) : undefined
    if (value !== undefined) setOwn(values, keyOf(parameter), value)
  }
  return values
}

function sampleParameter({ example, generated }: DescribedParameter): unknown {
  return example === undefined ? generated : example
}

/** The body of a sample: an example of the author, else the generated one. Without read-only values, which are not sent. */
export function sampleBody(
  description: DescribedBody,
  resolve: Resolve,
  example: DescribedBody['examples'][number] | undefined = description.examples[0],
): FilledBody | undefined {
  const { mediaType, schema, generated, isFile } = description
  const value = example ? withoutReadOnly(example.value, schema, resolve) : isFile ? '' : generated
  if (value === undefined) return undefined
  if (!example || typeof value !== 'string' || !isJsonType(mediaType) || allowsText(schema, resolve))
    return { description, value }
  // The author wrote JSON as text, such as to keep its layout.
  return isObject(parseJson(value)) || Array.isArray(parseJson(value)) ? { description, text: value } : { description, value }
}

/** Whether the type of a schema is text. */
function allowsText(schema: unknown, resolve: Resolve): boolean {
  return listParts(schema, resolve).some((part) => [part['type']].flat().includes('string'))
}

/** Removes the properties that are only in responses. */
function withoutReadOnly(value: unknown, schema: unknown, resolve: Resolve, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 20) return value
  const parts = listParts(schema, resolve)
  if (parts.length === 0) return value
  if (Array.isArray(value)) {
    const items = { allOf: parts.flatMap((part) => part['items'] ?? []) }
    return value.map((item) => withoutReadOnly(item, items, resolve, depth + 1))
  }
  const kept = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const property = { allOf: parts.flatMap((part) => readOwn(part['properties'], name) ?? []) }
    if (listParts(property, resolve).some((part) => part['readOnly'] === true)) return []
    return [[name, withoutReadOnly(one, property, resolve, depth + 1)]]
  })
  return Object.fromEntries(kept)
}
