import { exampleOf } from '../../../model/content.ts'
import { readSerialization } from '../../../model/written-values.ts'
import type { MdxElement, MdxNode } from '../../../script/values/values.ts'
import type { Messages } from '../../messages/messages.ts'
import type { ApiSettings, SitePage } from '../../plan/types.ts'
import { toExampleView } from '../../reference/schema-examples.ts'
import { emptySchemaView } from '../../reference/schema-outline.ts'
import type { ExampleView, OperationView, ParameterView, SecurityAlternative } from '../../reference/types.ts'
import { readFlag, readText } from '../components/component-props.tsx'
import { listFields, parameterLocations } from './describe-endpoint.ts'
import { Part } from './part.tsx'
import { describeScheme } from './security-part.tsx'

/**
 * The authorization of an operation that a page documents without an OpenAPI document, with `api: METHOD url` in its frontmatter. Its fields are part of the
 * page's text (see `toEndpointFields`).
 */
export function EndpointAuthorization({
  operation: { security },
  messages,
}: {
  readonly operation: OperationView
  readonly messages: Messages
}) {
  const [use] = security[0] ?? []
  return use ? (
    <Part messages={messages} id="authorization" heading={messages.authorization.title}>
      <p class="p-desc">{describeScheme(use, messages)}</p>
    </Part>
  ) : null
}

/** Creates the operation view from `api: METHOD url` and `authMethod` of a page and the settings of `docs.json`. */
export function toEndpointView(
  { frontmatter: { authMethod } }: Pick<SitePage, 'frontmatter'>,
  { method, url }: { readonly method: string; readonly url: string },
  { servers, auth }: ApiSettings['mdx'],
  fields: ReturnType<typeof toEndpointFields> = { parameters: [], requestBody: undefined, responses: [] },
): OperationView {
  const whole = /^(https?:\/\/[^/]+)(.*)$/is.exec(url)
  const path = whole ? whole[2] || '/' : url.startsWith('/') ? url : `/${url}`
  const urls = whole?.[1] === undefined ? servers : [whole[1]]
  return {
    kind: 'operation',
    method,
    path,
    operationId: undefined,
    summary: undefined,
    description: undefined,
    deprecated: false,
    labels: [],
    tags: [],
    externalDocs: undefined,
    pathTexts: [],
    hasOwnServers: false,
    servers: urls.map((serverUrl) => ({ url: serverUrl, name: undefined, description: undefined, variables: [] })),
    left: { servers: 0, security: 0 },
    security: toSecurity(typeof authMethod === 'string' ? { method: authMethod, name: auth?.name } : auth),
    ...fields,
    callbacks: [],
    codeSamples: [],
  }
}

/** Reads `api.mdx.auth` of `docs.json`: `bearer`, `basic` or `key` (with `name`). */
function toSecurity(auth: ApiSettings['mdx']['auth']): SecurityAlternative[] {
  const shared = { description: undefined, deprecated: false, prefill: undefined }
  if (auth?.method === 'bearer' || auth?.method === 'basic') {
    const scheme = { ...shared, type: 'http', scheme: auth.method, bearerFormat: undefined } as const
    return [[{ name: auth.method, scheme, scopes: [] }]]
  }
  if (auth?.method !== 'key') return []
  const scheme = { ...shared, type: 'apiKey', in: 'header', parameterName: auth.name ?? 'x-api-key' } as const
  return [[{ name: 'key', scheme, scopes: [] }]]
}

/** Reads the `<ParamField>` and `<ResponseField>` elements of a page, as far as code samples need them. */
export function toEndpointFields(
  nodes: readonly MdxNode[],
  { frontmatter }: Pick<SitePage, 'frontmatter'>,
): Pick<OperationView, 'parameters' | 'requestBody' | 'responses'> {
  const fields = listFields(nodes, 'ParamField')
  const bodyFields = fields.filter(({ props }) => readText(props, 'body') !== undefined)
  const responseFields = listFields(nodes, 'ResponseField')
  const written = frontmatter['contentType']
  const mediaType = typeof written === 'string' ? written : 'application/json'
  return {
    parameters: fields.flatMap(toParameter),
    requestBody:
      bodyFields.length === 0
        ? undefined
        : { description: undefined, required: true, content: [toContent(bodyFields, mediaType)] },
    responses:
      responseFields.length === 0
        ? []
        : [
            {
              statusCode: '200',
              summary: undefined,
              description: undefined,
              headers: [],
              content: [toContent(responseFields, 'application/json')],
              links: [],
              linksLeft: 0,
            },
          ],
  }
}

function toParameter({ props }: MdxElement): ParameterView[] {
  const location = parameterLocations.find((one) => readText(props, one) !== undefined)
  if (location === undefined) return []
  const preset = toPreset(props)
  return [
    {
      name: readText(props, location) ?? '',
      in: location,
      required: location === 'path' || readFlag(props, 'required'),
      deprecated: readFlag(props, 'deprecated'),
      labels: [],
      description: undefined,
      ...readSerialization({}, location),
      allowEmptyValue: false,
      schema: emptySchemaView,
      contentType: undefined,
      examples: preset === undefined ? [] : [toExample(preset)],
      sample: undefined,
    },
  ]
}

function toContent(fields: readonly MdxElement[], mediaType: string) {
  const examples = [toExample(toObject(fields))]
  return { mediaType, schema: undefined, itemSchema: undefined, examples, encoding: [] }
}

function toObject(fields: readonly MdxElement[]): { [name: string]: unknown } {
  return Object.fromEntries(fields.map((field) => [readText(field.props, 'body', 'name') ?? '', toValue(field)]))
}

/** The example value of a field: from its nested fields, its default or placeholder, or its type. */
function toValue({ name, props, children }: MdxElement): unknown {
  const type = readText(props, 'type') ?? ''
  const preset = toPreset(props)
  const inside = listFields(children, name)
  const isList = /\[\]\s*$|^\s*(?:array|list)\b/i.test(type)
  if (inside.length > 0) return isList ? [toObject(inside)] : toObject(inside)
  if (isList) return []
  if (/\b(?:int\w*|number|float|double|decimal|long)\b/i.test(type)) return Number(preset ?? 0) || 0
  if (/\bbool/i.test(type)) return preset !== 'false'
  if (/\b(?:object|map|dict\w*|record|json)\b/i.test(type)) return {}
  return preset ?? 'string'
}

function toPreset(props: MdxElement['props']): string | undefined {
  const { default: preset } = props
  return typeof preset === 'boolean' ? String(preset) : readText(props, 'default', 'initialValue', 'placeholder')
}

function toExample(value: unknown): ExampleView {
  return { ...toExampleView(exampleOf(value)), isSampled: true }
}
