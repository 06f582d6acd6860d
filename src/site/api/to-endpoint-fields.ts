import type { MdxElement, MdxNode } from '../../mdx/types.ts'
import { emptySchemaView } from '../../reference/schema-outline.ts'
import type { ExampleView, OperationView, ParameterView } from '../../reference/types.ts'
import { readFlag, readText } from '../content/read-props.ts'
import type { SitePage } from '../types.ts'
import { listFields, parameterLocations } from './list-fields.ts'

/** What the fields of a page (`<ParamField>`, `<ResponseField>`) tell about the operation that it describes itself: enough for its samples. */
export function toEndpointFields(
  nodes: readonly MdxNode[],
  { frontmatter }: Pick<SitePage, 'frontmatter'>,
): Pick<OperationView, 'parameters' | 'requestBody' | 'responses'> {
  const fields = listFields(nodes, 'ParamField')
  const inBody = fields.filter(({ props }) => readText(props, 'body') !== undefined)
  const answered = listFields(nodes, 'ResponseField')
  const written = frontmatter['contentType']
  const mediaType = typeof written === 'string' ? written : 'application/json'
  return {
    parameters: fields.flatMap(toParameter),
    requestBody:
      inBody.length === 0 ? undefined : { description: undefined, required: true, content: [toContent(inBody, mediaType)] },
    responses:
      answered.length === 0
        ? []
        : [
            {
              statusCode: '200',
              summary: undefined,
              description: undefined,
              headers: [],
              content: [toContent(answered, 'application/json')],
              links: [],
            },
          ],
  }
}

function toParameter({ props }: MdxElement): ParameterView[] {
  const location = parameterLocations.find((one) => readText(props, one) !== undefined)
  if (location === undefined) return []
  const style = location === 'query' || location === 'cookie' ? 'form' : 'simple'
  const preset = toPreset(props)
  return [
    {
      name: readText(props, location) ?? '',
      in: location,
      required: location === 'path' || readFlag(props, 'required'),
      deprecated: readFlag(props, 'deprecated'),
      description: undefined,
      style,
      explode: style === 'form',
      allowReserved: false,
      schema: emptySchemaView,
      contentType: undefined,
      examples: preset === undefined ? [] : [toExample(preset)],
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

/** The default or placeholder of a field, what the fields in it make together, or a value of its type. */
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
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return { name: '', summary: undefined, description: undefined, value, text, externalValue: undefined, isSampled: true }
}
