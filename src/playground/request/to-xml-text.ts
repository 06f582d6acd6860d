import { isObject, readOwn } from '../../text/json/json-values.ts'
import { toJsonText } from './media-type.ts'

/** The XML representation of a schema. Source: OpenAPI 3.2.0, "XML Object". */
export interface XmlSchema {
  readonly name: string | undefined
  readonly prefix: string | undefined
  readonly namespace: string | undefined
  readonly isAttribute: boolean
  /** The value is the text content of its parent. */
  readonly isText: boolean
  /** A list has a wrapping element. */
  readonly isWrapped: boolean
  readonly property: (name: string) => XmlSchema | undefined
  readonly items: XmlSchema | undefined
}

/** Writes a value as indented XML. The root element is named after the schema, else `root`. */
export function toXmlText(value: unknown, schema?: XmlSchema): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toElements(value, schema, 'root', '', true)}`
}

function toElements(value: unknown, schema: XmlSchema | undefined, fallback: string, indent: string, isRoot = false): string {
  const name = toName(schema, fallback)
  if (!Array.isArray(value)) return toElement(value, schema, name, indent)
  const isWrapped = schema?.isWrapped === true || isRoot
  // The name of a list is that of its wrapping element; it is unused without one.
  const item = toName(schema?.items, isWrapped ? (schema?.name ?? fallback) : fallback)
  const items = value.map((one) => toElement(one, schema?.items, item, isWrapped ? `${indent}  ` : indent)).join('')
  return isWrapped ? `${indent}<${name}${toNamespace(schema)}>\n${items}${indent}</${name}>\n` : items
}

function toElement(value: unknown, schema: XmlSchema | undefined, name: string, indent: string): string {
  const entries = isObject(value) ? Object.entries(value).filter(([, one]) => one !== undefined) : []
  const attributes = entries
    .filter(([key]) => schema?.property(key)?.isAttribute)
    .map(([key, one]) => ` ${toName(schema?.property(key), key)}="${escapeText(toJsonText(one))}"`)
    .join('')
  const open = `${indent}<${name}${toNamespace(schema)}${attributes}`
  if (!isObject(value)) {
    const text = value === null || value === undefined ? '' : escapeText(toJsonText(value))
    return text === '' ? `${open}/>\n` : `${open}>${text}</${name}>\n`
  }
  const text = entries.filter(([key]) => schema?.property(key)?.isText).map(([, one]) => escapeText(toJsonText(one)))
  const inside = entries
    .filter(([key]) => !schema?.property(key)?.isAttribute && !schema?.property(key)?.isText)
    .map(([key, one]) => toElements(one, schema?.property(key), key, `${indent}  `))
    .join('')
  if (inside === '') return text.length === 0 ? `${open}/>\n` : `${open}>${text.join('')}</${name}>\n`
  return `${open}>${text.join('')}\n${inside}${indent}</${name}>\n`
}

/** A valid XML name: other characters become `_`. */
function toName(schema: XmlSchema | undefined, fallback: string): string {
  const name = (schema?.name ?? fallback).replace(/[^\p{L}\p{N}._-]/gu, '_').replace(/^[^\p{L}_]/u, '_$&') || '_'
  return schema?.prefix === undefined ? name : `${toName(undefined, schema.prefix)}:${name}`
}

function toNamespace(schema: XmlSchema | undefined): string {
  if (schema?.namespace === undefined) return ''
  return ` xmlns${schema.prefix === undefined ? '' : `:${toName(undefined, schema.prefix)}`}="${escapeText(schema.namespace)}"`
}

/** Control characters are replaced, because XML cannot represent them. */
function escapeText(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => readOwn(entities, character) ?? character)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
