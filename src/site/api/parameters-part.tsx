import type { OperationView, ParameterLocation, ParameterView } from '../../reference/types.ts'
import type { ApiContext } from './api-context.ts'
import { PropertyRow } from './property-row.tsx'
import { toAnchor } from './to-anchor.ts'

const titles: Readonly<Record<ParameterLocation, string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  querystring: 'Query string',
  header: 'Headers',
  cookie: 'Cookies',
}

const locations = Object.keys(titles) as ParameterLocation[] // The keys of the table above.

/** The parameters of an operation, a section for each place they go. */
export function ParametersPart({ operation, api }: { readonly operation: OperationView; readonly api: ApiContext }) {
  return (
    <>
      {locations.map((location) => {
        const parameters = operation.parameters.filter((parameter) => parameter.in === location)
        if (parameters.length === 0) return null
        const id = api.claim(api.prefix + location)
        return (
          <section class="part">
            <h2 id={id}>
              <a class="h" href={`#${id}`}>
                {titles[location]}
              </a>
            </h2>
            <ul class="props">
              {parameters.map((parameter) => (
                <PropertyRow
                  api={api}
                  id={toAnchor(id, parameter.name)}
                  name={parameter.name}
                  required={parameter.required}
                  deprecated={parameter.deprecated}
                  description={parameter.description}
                  schema={parameter.schema}
                  note={describeStyle(parameter)}
                  depth={1}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

/** How a list or object is written into the request, where it is not the usual way. */
function describeStyle({ in: location, style, explode, contentType, schema }: ParameterView): string | undefined {
  if (contentType !== undefined) return `as ${contentType}`
  const isPlain = !/array|list|object/.test(schema.type.map(({ text }) => text).join('')) && schema.properties.length === 0
  if (isPlain) return undefined
  const usual = location === 'query' || location === 'cookie' ? style === 'form' && explode : style === 'simple'
  if (usual) return undefined
  if (style === 'form') return 'separated by commas'
  if (style === 'spaceDelimited') return 'separated by blanks'
  return style === 'pipeDelimited' ? 'separated by |' : style
}
