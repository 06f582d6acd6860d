import { type Encoding, readValueExamples } from '../../model/content.ts'
import { mergeWhole } from '../../model/schema.ts'
import { isFormData, isFormType, isJsonType, isXmlType } from '../../model/written-values.ts'
import { type FollowReference, findKeywords } from '../../openapi/references/follow-reference.ts'
import { isContainer, isObject, type Place, parseJson, readOwn, stringOf } from '../../text/json/json-values.ts'
import {
  encode,
  isUndefinedValue,
  type NamedText,
  type RequestBody,
  type RequestFile,
  type RequestPart,
  toConcreteType,
  toFieldPairs,
  toJsonContent,
  toQueryText,
  toSafeHeaders,
} from './http-request.ts'
import { type DescribedBody, isFileSchema, toJsonText } from './read-operation.ts'
import { readSchema, referenceName } from './read-schema.ts'

/** An Encoding Object, with the texts of its headers. */
export interface PropertyEncoding extends Pick<Encoding, 'serialization' | 'contentType'> {
  readonly headers: readonly NamedText[]
}

type EncodingOf = (property: string) => PropertyEncoding | undefined

/** How a value becomes a body. */
interface BodyDescription {
  /** A media type or a range, as written. */
  readonly mediaType: string
  readonly encodingOf: EncodingOf
  /** Returns the file for a value, of the whole body or of a property. */
  readonly fileOf: (value: unknown, property: string | undefined) => RequestFile | undefined
  /** Names and attributes for XML; without it, elements are named after properties. */
  readonly xml?: XmlSchema | undefined
}

/**
 * Converts a value to a request body. Strings are sent unchanged, except in JSON.
 *
 * Source: OpenAPI 3.2.0, "Media Type Object", "Encoding Object".
 */
export function toRequestBody(value: unknown, description: BodyDescription): RequestBody {
  const { mediaType, encodingOf, fileOf, xml } = description
  const file = fileOf(value, undefined)
  if (file) return { kind: 'file', mediaType: toConcreteType(mediaType, file.type) ?? 'application/octet-stream', file }
  if (/^multipart\//i.test(mediaType) && isContainer(value)) {
    return toMultipartBody(toConcreteType(mediaType) ?? 'multipart/form-data', toParts(value, description))
  }
  if (isFormType(mediaType) && isObject(value)) return toFormBody(value, mediaType, encodingOf, fileOf)
  const known = toConcreteType(mediaType)
  const sequence = toSequenceText(value, mediaType)
  if (sequence !== undefined) return { kind: 'text', mediaType: known ?? mediaType, text: sequence }
  if (isJsonType(mediaType)) return { kind: 'json', mediaType: known ?? mediaType, value }
  if (typeof value === 'string') return { kind: 'text', mediaType: known ?? 'text/plain', text: value }
  if (known === undefined) return { kind: 'json', mediaType: 'application/json', value }
  const isYaml = /[/+](?:x-)?yaml\b/i.test(known)
  return {
    kind: 'text',
    mediaType: known,
    text: isXmlType(known) ? toXmlText(value, xml) : isYaml ? toYamlText(value).trimStart() : toJsonText(value),
  }
}

/** A value, or the items of a list, as a sequence: lines of JSON, events or rows. Absent for other media types. */
function toSequenceText(value: unknown, mediaType: string): string | undefined {
  const items: unknown[] = [value].flat()
  if (/[/+](?:x-)?(?:ndjson|jsonl|json-lines|jsonlines|json-seq)\b/i.test(mediaType)) {
    // An author writes several values as one text.
    if (
      typeof value === 'string' &&
      value.split(/[\n\x1e]+/).every((line) => line.trim() === '' || parseJson(line) !== undefined)
    )
      return undefined
    // RFC 7464: each item of a sequence begins with a record separator.
    const before = /json-seq/i.test(mediaType) ? '\x1e' : ''
    return items.map((one) => `${before}${JSON.stringify(one)}\n`).join('')
  }
  if (!isContainer(value)) return undefined
  if (/^text\/event-stream\b/i.test(mediaType)) return items.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
  if (!/[/+]csv\b/i.test(mediaType) || !items.every(isObject)) return undefined
  const names = [...new Set(items.flatMap((one) => Object.keys(one)))]
  const rows = [names, ...items.map((one) => names.map((name) => readOwn(one, name) ?? ''))]
  const toCell = (cell: unknown) => toJsonText(cell).replace(/^.*[",\r\n].*$/s, (text) => `"${text.replaceAll('"', '""')}"`)
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
}

/** Creates a multipart body. */
export function toMultipartBody(mediaType: string, parts: readonly RequestPart[]): RequestBody {
  const boundary = chooseBoundary(parts)
  return { kind: 'multipart', mediaType, parts, boundary, pieces: toPieces(parts, boundary) }
}

function toParts(value: object, { mediaType, encodingOf, fileOf }: BodyDescription): RequestPart[] {
  // Each item of a list is a part without a name, even if the item is a list itself.
  const entries = Array.isArray(value) ? value.map((one: unknown) => ['', one] as const) : Object.entries(value)
  return entries.flatMap(([name, one]): RequestPart[] => {
    const encoding = encodingOf(name)
    const headers = toSafeHeaders(encoding?.headers ?? []).filter(
      (header) => !/^content-(?:type|disposition)$/i.test(header.name),
    )
    const style = encoding?.serialization && { name, ...encoding.serialization }
    const hasFile = toItems(one).some((item) => fileOf(item, name))
    if (style && !hasFile && /^multipart\/form-data\b/i.test(mediaType)) {
      if (isUndefinedValue(one)) return []
      return toFieldPairs(style, one).map((pair) => ({ ...pair, file: undefined, contentType: undefined, headers }))
    }
    return (Array.isArray(value) ? [one] : toItems(one)).map((item) => {
      const file = fileOf(item, name)
      if (file) {
        const contentType = toConcreteType(encoding?.contentType, file.type)
        return { name, value: '', file, contentType: contentType ?? (file.type || undefined), headers }
      }
      return { name, ...toPropertyContent(item, encoding?.contentType), file: undefined, headers }
    })
  })
}

/**
 * Creates a form body. Without `style`, `explode` and `allowReserved`, it is encoded as in the URL standard, which all libraries
 * support. With them, RFC 6570 applies, and a form with delimiters that libraries would encode becomes text.
 */
function toFormBody(
  value: Readonly<Record<string, unknown>>,
  mediaType: string,
  encodingOf: EncodingOf,
  fileOf: (value: unknown, property: string) => RequestFile | undefined,
): RequestBody {
  const written = Object.entries(value).flatMap(([name, one]) => {
    const encoding = encodingOf(name)
    const style = encoding?.serialization && { name, ...encoding.serialization }
    if (style) return isUndefinedValue(one) ? [] : { pairs: toFieldPairs(style, one), text: toQueryText(style, one) }
    const pairs = toItems(one).map((item) => ({
      name,
      value: fileOf(item, name)?.name ?? toPropertyContent(item, encoding?.contentType).value,
    }))
    return { pairs, text: undefined }
  })
  const fields = written.flatMap(({ pairs }) => pairs)
  const isPlain = written.every(
    ({ pairs, text }) =>
      text === undefined || text === pairs.map((pair) => `${encode(pair.name)}=${encode(pair.value)}`).join('&'),
  )
  if (isPlain) return { kind: 'form', mediaType, fields }
  const texts = written.map(({ pairs, text }) => text ?? toUrlStandardText(pairs))
  return { kind: 'text', mediaType, text: texts.filter((text) => text !== '').join('&') }
}

/** The items of a list become separate fields or parts. `null` has no items. */
function toItems(value: unknown): readonly unknown[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined)
}

/** Encodes a property in its media type. JSON is the default for objects and lists, and plain text for everything else; lists of types prefer them. */
function toPropertyContent(value: unknown, contentTypes: string | undefined): { value: string; contentType: string | undefined } {
  const plain = isContainer(value) ? 'application/json' : 'text/plain'
  const isListed = contentTypes?.split(',').some((one) => one.trim() === plain)
  const contentType = isListed ? plain : (toConcreteType(contentTypes) ?? (isContainer(value) ? plain : undefined))
  if (contentType === undefined) return { value: toJsonText(value), contentType }
  if (isJsonType(contentType)) return { value: toJsonContent(value), contentType }
  return { value: isXmlType(contentType) && typeof value !== 'string' ? toXmlText(value) : toJsonText(value), contentType }
}

function toUrlStandardText(pairs: readonly NamedText[]): string {
  return new URLSearchParams(pairs.map(({ name, value }) => [name, value])).toString()
}

/**
 * Creates a multipart body as a sequence of strings and files. Browsers and many languages cannot send a part with a media type
 * but without a file name.
 *
 * A part without a name has only its own headers. Source: RFC 7578; HTML standard, "Multipart form data", for escaping names.
 */
function toPieces(parts: readonly RequestPart[], boundary: string): (string | RequestFile)[] {
  const pieces: (string | RequestFile)[] = []
  let text = ''
  for (const { name, value, file, contentType, headers } of parts) {
    text += `--${boundary}\r\n`
    const fileName = file && `; filename="${escapeName(file.name)}"`
    if (name !== '') text += `Content-Disposition: form-data; name="${escapeName(name)}"${fileName ?? ''}\r\n`
    else if (fileName) text += `Content-Disposition: attachment${fileName}\r\n`
    const type = contentType ?? (file ? 'application/octet-stream' : undefined)
    if (type !== undefined) text += `Content-Type: ${type.replace(/[\r\n]+/g, ' ')}\r\n`
    for (const header of headers) text += `${header.name}: ${header.value}\r\n`
    text += '\r\n'
    if (file) {
      pieces.push(text, file)
      text = ''
    } else text += value
    text += '\r\n'
  }
  return [...pieces, `${text}--${boundary}--\r\n`]
}

/** Chooses a boundary that does not occur in the parts, always the same for the same parts. */
function chooseBoundary(parts: readonly RequestPart[]): string {
  const texts = JSON.stringify(parts.map(({ file, ...part }) => [file?.name, part]))
  let boundary = 'form-boundary'
  for (let count = 2; texts.includes(boundary); count++) boundary = `form-boundary-${count}`
  return boundary
}

function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** Writes bodies other than JSON, and forms in parameters. Loaded only for operations that need it. */
export interface OtherBodies {
  readonly writeBody: typeof writeBody
  readonly writeForm: typeof writeForm
}

/** The request body for a value. A `File` in it is sent as a file; with `show`, other values of a file are one with a name only. */
export function writeBody(
  value: unknown,
  { mediaType, encodings, schema, isFile }: DescribedBody,
  follow: FollowReference,
  purpose: 'send' | 'show' = 'send',
): RequestBody {
  const { properties, required } = readSchema(isFormData(mediaType) ? schema : undefined, follow)
  const isFileProperty = (property: string) => isFileSchema(properties.get(property), follow)
  /** Shows a file for each that has none and is required, or for all files of an empty form. */
  const addFiles = (form: Readonly<Record<string, unknown>>) => {
    const isNeeded = (name: string) => Object.keys(form).length === 0 || required.has(name)
    const names = [...properties.keys()]
    const files = names.filter((name) => isNeeded(name) && toItems(readOwn(form, name)).length === 0 && isFileProperty(name))
    const whole = { ...form, ...Object.fromEntries(files.map((name) => [name, ''])) }
    const order = files.length === 0 ? [] : names.filter((name) => Object.hasOwn(whole, name))
    return { ...Object.fromEntries(order.map((name) => [name, readOwn(whole, name)])), ...whole }
  }
  const whole = purpose === 'show' && isFormData(mediaType) && isObject(value) ? addFiles(value) : value
  return toRequestBody(whole, {
    mediaType,
    encodingOf: toEncodingOf(encodings, follow),
    fileOf: (one, property) => {
      if (one instanceof File) return one
      const isSample = purpose === 'show' && (property === undefined ? isFile : isFileProperty(property))
      return isSample ? sampleFile : undefined
    },
    xml: isXmlType(mediaType) ? toXmlSchema(schema ? [schema] : [], follow) : undefined,
  })
}

/** The file of samples. */
const sampleFile: RequestFile = { name: 'file.bin', type: '' }

/** A form as a query string. */
export function writeForm(
  value: Readonly<Record<string, unknown>>,
  encodings: readonly Encoding[],
  follow: FollowReference,
): string {
  const body = toFormBody(value, 'application/x-www-form-urlencoded', toEncodingOf(encodings, follow), () => undefined)
  return body.kind === 'form' ? toUrlStandardText(body.fields) : body.kind === 'text' ? body.text : ''
}

/** The form has no fields for the headers of parts, so a header is sent only if it has an example or a default. */
function toEncodingOf(encodings: readonly Encoding[], follow: FollowReference): EncodingOf {
  const byProperty = new Map(
    encodings.map(({ property, serialization, contentType, headers }): [string, PropertyEncoding] => {
      const sent = headers.flatMap((header) => {
        const { keywords } = readSchema(header.schema, follow)
        const [example] = readValueExamples(header, { follow })
        const value = example?.value ?? keywords['example'] ?? keywords['default'] ?? keywords['const']
        return value === undefined ? [] : [{ name: header.name, value: toJsonText(value) }]
      })
      return [property, { serialization, contentType, headers: sent }]
    }),
  )
  return (property) => byProperty.get(property)
}

/** Writes a value as YAML: mappings and lists as blocks, everything else as JSON, which is YAML too. */
function toYamlText(value: unknown, indent = ''): string {
  const isBlock = isContainer(value) && Object.keys(value).length > 0
  if (!isBlock) return ` ${JSON.stringify(value)}\n`
  const lines = Object.entries(value).map(([key, one]) => {
    const start = Array.isArray(value) ? '-' : `${plainKey.test(key) ? key : JSON.stringify(key)}:`
    return `${indent}${start}${toYamlText(one, `${indent}  `)}`
  })
  return `${indent === '' ? '' : '\n'}${lines.join('')}`
}

/** Without quotes, some words are booleans. */
const plainKey = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][a-z\d_-]*$/i

/**
 * The XML names of schemas that apply to a value, read lazily. Without an explicit name, the root element has the name of the component.
 */
export function toXmlSchema(schemas: readonly Place[], follow: FollowReference, isRoot = true): XmlSchema {
  const { parts, properties, types } = mergeWhole(schemas, follow)
  const xml = Object.assign({}, ...parts.map(({ keywords }) => keywords.xml).toReversed())
  const { attribute, wrapped, nodeType } = xml
  const read = (places: readonly Place[]) => (places.length === 0 ? undefined : toXmlSchema(places, follow, false))
  return {
    name: stringOf(xml.name) ?? (isRoot ? referenceName(schemas[0]) : undefined),
    prefix: stringOf(xml.prefix),
    namespace: stringOf(xml.namespace),
    isAttribute: attribute === true || nodeType === 'attribute',
    isText: nodeType === 'text' || nodeType === 'cdata',
    isWrapped: wrapped === true || (nodeType === 'element' && types.includes('array')),
    property: (key) => read(properties.get(key) ?? []),
    get items() {
      return read(findKeywords(parts, 'items'))
    },
  }
}

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
