import type { XmlSchema } from '../request/to-xml-text.ts'
import { isObject } from '../text/is-object.ts'
import type { JsonSchema } from './types.ts'

/** What XML wants to know of a schema, read when it is asked for. The root is named after the component where its schema does not name it. */
export function toXmlSchema(schema: unknown, resolve: (schema: unknown) => JsonSchema, isRoot = true): XmlSchema {
  const own = resolve(schema)
  const { xml, properties, items } = own
  const { name, prefix, namespace, attribute, wrapped, nodeType } = isObject(xml) ? xml : {}
  const reference = isObject(schema) && isRoot ? schema['$ref'] : undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    name: text(name) ?? text(reference)?.split('/').at(-1),
    prefix: text(prefix),
    namespace: text(namespace),
    isAttribute: attribute === true || nodeType === 'attribute',
    isText: nodeType === 'text' || nodeType === 'cdata',
    isWrapped: wrapped === true || (nodeType === 'element' && own['type'] === 'array'),
    property: (key) =>
      isObject(properties) && Object.hasOwn(properties, key) ? toXmlSchema(properties[key], resolve, false) : undefined,
    items: items === undefined ? undefined : toXmlSchema(items, resolve, false),
  }
}
