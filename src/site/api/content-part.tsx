import type { MediaTypeView } from '../../reference/types.ts'
import type { ApiContext } from './api-context.ts'
import { Description } from './description.tsx'
import { Facts } from './facts.tsx'
import { SchemaInside } from './schema-inside.tsx'
import { toAnchor } from './to-anchor.ts'
import { TypeText } from './type-text.tsx'

interface ContentPartProps {
  readonly content: readonly MediaTypeView[]
  readonly api: ApiContext
  /** The address of the body or response. */
  readonly id: string
}

/** The content of a body or a response: one media type as it is, several as tabs. */
export function ContentPart({ content, api, id }: ContentPartProps) {
  const [only] = content
  if (!only) return null
  if (content.length === 1) return <MediaType mediaType={only} api={api} id={id} />
  const group = api.claim(`${id}-media`)
  return (
    <div class="choice">
      <div class="tabs seg">
        <fieldset>
          <legend class="vh">Media type</legend>
          {content.map(({ mediaType }, index) => (
            <label>
              <input type="radio" name={group} checked={index === 0} /> {mediaType}
            </label>
          ))}
        </fieldset>
        {content.map((mediaType, index) => (
          <div>
            <MediaType mediaType={mediaType} api={api} id={index === 0 ? id : toAnchor(id, mediaType.mediaType)} />
          </div>
        ))}
      </div>
    </div>
  )
}

function MediaType({
  mediaType: { schema, itemSchema, encoding },
  api,
  id,
}: {
  readonly mediaType: MediaTypeView
  readonly api: ApiContext
  readonly id: string
}) {
  const shown = itemSchema ?? schema
  if (!shown) return null
  const saysInside = shown.properties.length > 0 || shown.choices.length > 0
  return (
    <>
      {(!saysInside || itemSchema !== undefined) && (
        <p class="p-desc">
          {itemSchema !== undefined && 'A stream; each item: '}
          <TypeText type={shown.type} api={api} />
        </p>
      )}
      {shown.isCut === false && <Description text={saysInside ? undefined : shown.description} api={api} />}
      <Facts schema={shown} api={api} />
      <SchemaInside schema={shown} api={api} id={id} depth={0} />
      {encoding.length > 0 && (
        <ul class="facts">
          {encoding.map(({ property, contentType, style }) => (
            <li>
              <code>{property}</code> is sent as {contentType ?? style ?? 'described'}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
