import type { OperationView, ResponseView } from '../../reference/types.ts'
import { Icon } from '../icons/icon.tsx'
import type { ApiContext } from './api-context.ts'
import { ContentPart } from './content-part.tsx'
import { Description } from './description.tsx'
import { PropertyRow } from './property-row.tsx'
import { StatusMark } from './status-mark.tsx'
import { toAnchor } from './to-anchor.ts'

/** The responses of an operation; the first good one is open. */
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
    <section class="part">
      <h2 id={headingId}>
        <a class="h" href={`#${headingId}`}>
          Responses
        </a>
      </h2>
      {responses.map((response) => (
        <Response
          response={response}
          api={api}
          isOpen={response === opened}
          id={`${id === 'responses' ? `${api.prefix}r` : `${id}-`}${toAnchor(response.statusCode)}`}
        />
      ))}
    </section>
  )
}

interface ResponseProps {
  readonly response: ResponseView
  readonly api: ApiContext
  readonly isOpen: boolean
  readonly id: string
}

function Response({ response, api, isOpen, id: wanted }: ResponseProps) {
  const id = api.claim(wanted)
  const { statusCode, summary, description, headers, content, links } = response
  const [only] = content
  const words = summary ?? (description !== undefined && isShort(description) ? description : undefined)
  const isEmpty =
    headers.length === 0 && content.length === 0 && links.length === 0 && (words === description || description === undefined)
  const head = (
    <>
      <StatusMark statusCode={statusCode} /> {words ?? ''}{' '}
      <span class="muted">
        {content.length === 1 ? only?.mediaType : content.length === 0 ? 'no content' : `${content.length} media types`}
      </span>
    </>
  )
  if (isEmpty) {
    return (
      <div class="fold plain" id={id}>
        <p>{head}</p>
      </div>
    )
  }
  return (
    <details class="fold" open={isOpen} id={id}>
      <summary>
        <Icon name="chev" class="turn" /> {head}
      </summary>
      <div>
        {words !== description && <Description text={description} api={api} />}
        {headers.length > 0 && (
          <>
            <h3>Headers</h3>
            <ul class="props">
              {headers.map((header) => (
                <PropertyRow
                  api={api}
                  id={toAnchor(id, 'header', header.name)}
                  name={header.name}
                  required={header.required}
                  deprecated={header.deprecated}
                  description={header.description}
                  schema={header.schema}
                  depth={1}
                />
              ))}
            </ul>
          </>
        )}
        <ContentPart content={content} api={api} id={id} />
        {links.length > 0 && (
          <>
            <h3>Links</h3>
            <ul class="props">
              {links.map(({ name, description: words, target, parameters }) => (
                <li id={api.claim(toAnchor(id, 'link', name))}>
                  <div class="p-head">
                    <span class="p-name">{name}</span> <span class="p-type">{toLink(target, api)}</span>
                  </div>
                  <Description text={words} api={api} />
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

/** One line of plain words, which fits beside the status code. */
function isShort(description: string): boolean {
  return description.length <= 60 && !/[\n`*_[\]<>#|]/.test(description.trim())
}
