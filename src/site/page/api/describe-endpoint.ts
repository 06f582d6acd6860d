import type { SchemeFields } from '../../../model/security.ts'
import { type MdxElement, type MdxNode, textOf } from '../../../script/values/values.ts'
import { stringOf } from '../../../text/json/json-values.ts'
import type { SitePage } from '../../plan/types.ts'
import { readFlag, readText, readTexts } from '../components/component-props.tsx'
import type { Endpoint } from './endpoint-article.tsx'

/**
 * Creates an OpenAPI description for a page that documents an operation without an OpenAPI document. The parameters and the body come from the `<ParamField>`
 * elements of the page, the response from `<ResponseField>`.
 *
 * Fields inside a body field become its properties. Source: docs.json, "MDX setup"; OpenAPI 3.1.1.
 */
export function describeEndpoint(page: SitePage, endpoint: Endpoint, nodes: readonly MdxNode[]): object {
  const fields = listFields(nodes, 'ParamField')
  const answer = listFields(nodes, 'ResponseField')
  const { method, path, servers, security } = endpoint
  const body = fields.filter(({ props }) => readText(props, 'body') !== undefined)
  const isOld = /^(?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)$/.test(method)
  const hasField = isOld || method === 'QUERY'
  const described = {
    summary: page.title,
    ...(page.description !== undefined && { description: page.description }),
    ...(page.deprecated && { deprecated: true }),
    parameters: listParameters(fields, path),
    ...(body.length > 0 && { requestBody: describeBody(body, page) }),
    responses:
      answer.length > 0
        ? { 200: { description: 'See the page', content: { 'application/json': { schema: describeObject(answer) } } } }
        : { default: { description: 'See the page' } },
  }
  return {
    // Other methods need OpenAPI 3.2.
    openapi: isOld ? '3.1.0' : '3.2.0',
    info: { title: page.title, version: '1' },
    servers: servers.map(({ url }) => ({ url })),
    paths: { [path]: hasField ? { [method.toLowerCase()]: described } : { additionalOperations: { [method]: described } } },
    security: security.map((schemes) => Object.fromEntries(schemes.map(({ name }) => [name, []]))),
    components: {
      securitySchemes: Object.fromEntries(security.flat().map(({ name, scheme }) => [name, describeScheme(scheme)])),
    },
  }
}

/** Parameters from fields, and path parameters without a field. */
function listParameters(fields: readonly MdxElement[], path: string): object[] {
  const described = fields.flatMap((field) =>
    parameterLocations.flatMap((location) => {
      const { props, children } = field
      const name = readText(props, location)
      if (name === undefined) return []
      const description = textOf(children).trim()
      const shared = { name, in: location, required: location === 'path' || readFlag(props, 'required') }
      const schema = describeSchema(field)
      const { examples: [example = schema.default] = [] } = schema
      return [{ ...shared, ...(description !== '' && { description }), schema, ...(example !== undefined && { example }) }]
    }),
  )
  // Of duplicate names, keep the first. Skip path parameters that the path does not contain.
  const unique = described.filter(
    (one, index) =>
      described.findIndex((other) => other.name === one.name && other.in === one.in) === index &&
      (one.in !== 'path' || path.includes(`{${one.name}}`)),
  )
  const rest = [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))].filter(
    (name) => !unique.some((one) => one.in === 'path' && one.name === name),
  )
  return [...unique, ...rest.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))]
}

function describeBody(fields: readonly MdxElement[], { frontmatter }: SitePage): object {
  const contentType = stringOf(frontmatter['contentType']) ?? ''
  const hasFile = fields.some(({ props }) => /^file/i.test(readText(props, 'type') ?? ''))
  const isMediaType = /^[\w.+-]+\/[\w.+-]+$/.test(contentType)
  const mediaType = isMediaType ? contentType : hasFile ? 'multipart/form-data' : 'application/json'
  return {
    required: fields.some(({ props }) => readFlag(props, 'required')),
    content: { [mediaType]: { schema: describeObject(fields) } },
  }
}

function describeObject(fields: readonly MdxElement[]) {
  const named = fields.flatMap((field) => {
    const name = readText(field.props, 'body', 'name')
    return name === undefined ? [] : [[name, field] as const]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, field]) => [name, describeSchema(field, true)])),
    required: named.filter(([, { props }]) => readFlag(props, 'required')).map(([name]) => name),
  }
}

/** A schema, with the keywords that are read again. */
interface WrittenSchema {
  readonly type?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

/** Supports `string`, `integer`, `string[]`, `array<object>`, `enum<string>`, `file` and similar types. Unknown types become strings. */
function describeSchema({ name, props, children }: MdxElement, withText = false): WrittenSchema {
  const written = (readText(props, 'type') ?? 'string').toLowerCase().replace(/\|.*$/s, '').trimEnd()
  const list = /^(?:array<(.*)>|list<(.*)>|(.*)\[\]|(array|list))$/.exec(written)
  const inner = list ? (list[1] ?? list[2] ?? list[3] ?? 'string') : written.replace(/^enum<(.*)>$/, '$1')
  const preset = readText(props, 'default', 'initialValue')
  const example = readText(props, 'placeholder')
  const choices = readTexts(props, 'enum')
  const inside = listFields(children, name)
  const description = withText
    ? textOf(children.filter((child) => child.kind !== 'element' || child.name !== 'Expandable')).trim()
    : ''
  const one: WrittenSchema =
    inside.length > 0
      ? describeObject(inside)
      : { ...(types.get(inner.replace(/<.*$/s, '')) ?? { type: 'string' }), ...(choices.length > 0 && { enum: choices }) }
  return {
    ...(list ? { type: 'array', items: one } : one),
    ...(description !== '' && { description }),
    ...(preset !== undefined && { default: readValue(preset, one.type) }),
    ...(example !== undefined && { examples: [readValue(example, one.type)] }),
    ...(readFlag(props, 'deprecated') && { deprecated: true }),
  }
}

/** Schemas by the type names that pages use. */
const types: ReadonlyMap<string, WrittenSchema> = new Map<string, WrittenSchema>(
  Object.entries({
    string: { type: 'string' },
    integer: { type: 'integer' },
    int: { type: 'integer' },
    number: { type: 'number' },
    float: { type: 'number' },
    boolean: { type: 'boolean' },
    bool: { type: 'boolean' },
    object: { type: 'object' },
    map: { type: 'object', additionalProperties: true },
    any: {},
    file: { type: 'string', format: 'binary' },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
  }),
)

/** Converts a prop, which is always a string, to the type of its field. */
function readValue(text: string, type: unknown): unknown {
  if ((type === 'integer' || type === 'number') && text !== '' && Number.isFinite(Number(text))) return Number(text)
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

/** The Security Scheme Object for a scheme from `api.mdx.auth`. */
function describeScheme(scheme: SchemeFields): object {
  if (scheme.type === 'apiKey') return { type: 'apiKey', in: scheme.in, name: scheme.parameterName }
  return scheme.type === 'http' ? { type: 'http', scheme: scheme.scheme } : { type: scheme.type }
}

/** The parameter locations that `<ParamField>` supports. */
const parameterLocations = ['path', 'query', 'header', 'cookie'] as const

/** The outermost elements with a given name (`ParamField` or `ResponseField`), in order. */
function listFields(nodes: readonly MdxNode[], name: string): MdxElement[] {
  return nodes.flatMap((node) => {
    if (node.kind !== 'element') return []
    return node.name === name ? [node] : listFields(node.children, name)
  })
}
