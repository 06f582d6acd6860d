import type { MediaTypeView, OperationView, ResponseView } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import { StatusMark } from '../shell/marks.tsx'
import type { ApiContext } from './api-context.ts'
import { Part } from './part.tsx'
import { Facts, PropertyRow, SchemaContent, TypeText } from './schema-content.tsx'

interface ContentPartProps {
  readonly content: readonly MediaTypeView[]
  readonly api: ApiContext
  /** The element ID of the body or response. */
  readonly id: string
}

/** The content of a body or response, with a tab for each media type if there are several. */
export function ContentPart({ content, api, id }: ContentPartProps) {
  const [only] = content
  if (!only) return null
  if (content.length === 1) return <MediaType mediaType={only} api={api} id={id} />
  const group = api.claim(`${id}-media`)
  return (
    <div class="choice media">
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
            <MediaType mediaType={mediaType} api={api} id={index === 0 ? id : toElementId(id, mediaType.mediaType)} />
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
          {itemSchema !== undefined && 'A stream. Each item: '}
          <TypeText type={shown.type} api={api} />
        </p>
      )}
      {shown.isCut === false && <Description text={saysInside ? undefined : shown.description} api={api} />}
      <Facts schema={shown} api={api} />
      <SchemaContent schema={shown} api={api} id={id} depth={0} />
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

/** The responses of an operation. The first success response is expanded. */
export function ResponsesPart({
  operation,
  api,
  id = 'responses',
}: {
  readonly operation: OperationView
  readonly api: ApiContext
  readonly id?: string
}) {
  const { responses } = operation
  if (responses.length === 0) return null
  const headingId = api.claim(api.prefix + id)
  const opened = responses.find(({ statusCode }) => statusCode.startsWith('2')) ?? responses[0]
  return (
    <Part id={headingId} heading="Responses">
      {responses.map((response) => (
        <Response
          response={response}
          api={api}
          isOpen={response === opened}
          id={`${id === 'responses' ? `${api.prefix}r` : `${id}-`}${toElementId(response.statusCode)}`}
        />
      ))}
    </Part>
  )
}

interface ResponseProps {
  readonly response: ResponseView
  readonly api: ApiContext
  readonly isOpen: boolean
  readonly id: string
}

function Response({ response, api: whole, isOpen, id: wanted }: ResponseProps) {
  const api = isOpen ? whole : { ...whole, hasForeignIds: false }
  const id = api.claim(wanted)
  const { statusCode, summary, description, headers, content, links } = response
  const [only] = content
  const title = summary ?? (description !== undefined && isShort(description) ? description : undefined)
  const isEmpty =
    headers.length === 0 && content.length === 0 && links.length === 0 && (title === description || description === undefined)
  const head = (
    <>
      <StatusMark statusCode={statusCode} /> {title !== undefined && <span dir="auto">{title}</span>}{' '}
      <span class="muted">
        {content.length === 1 ? only?.mediaType : content.length === 0 ? 'no content' : `${content.length} media types`}
      </span>
    </>
  )
  if (isEmpty) {
    return (
      <div class="fold plain" id={id}>
        <p class="head">{head}</p>
      </div>
    )
  }
  return (
    <details class="fold" open={isOpen} id={id}>
      <summary>
        <Icon name="chev" class="turn" /> {head}
      </summary>
      <div>
        {title !== description && <Description text={description} api={api} />}
        {headers.length > 0 && (
          <>
            <h3>Headers</h3>
            <ul class="props">
              {headers.map((header) => (
                <PropertyRow
                  api={api}
                  id={toElementId(id, 'header', header.name)}
                  name={header.name}
                  required={header.required}
                  deprecated={header.deprecated}
                  description={header.description}
                  schema={header.schema}
                  examples={header.examples}
                  depth={1}
                />
              ))}
            </ul>
          </>
        )}
        {headers.length > 0 && content.length > 0 && <h3>Body</h3>}
        <ContentPart content={content} api={api} id={id} />
        {links.length > 0 && (
          <>
            <h3>Links</h3>
            <ul class="props">
              {links.map(({ name, description, target, parameters }) => (
                <li id={api.claim(toElementId(id, 'link', name))}>
                  <div class="p-head">
                    <span class="p-name">{name}</span> <span class="p-type">{toLink(target, api)}</span>
                  </div>
                  <Description text={description} api={api} />
                  {parameters.length > 0 && (
                    <ul class="facts">
                      {parameters.map((parameter) => (
                        <li>
                          {parameter.name} <code>{parameter.value}</code>
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  )
}

function toLink(target: string, api: ApiContext) {
  const href = api.operationHref(target)
  return href === undefined ? target : <a href={href}>{target}</a>
}

/** Whether a description is a short line without Markdown that fits next to the status code. */
function isShort(description: string): boolean {
  return description.length <= 60 && !/[\n`*_[\]<>#|]/.test(description.trim())
}
