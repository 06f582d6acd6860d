import type { Link } from '../../../model/bodies.ts'
import { resolveServerUrl } from '../../../model/servers.ts'
import { splitReference } from '../../../openapi/references/follow-reference.ts'
import { reasonPhrases } from '../../../playground/request/http-request.ts'
import { toJsonText } from '../../../playground/request/read-operation.ts'
import { parsePointer } from '../../../text/json/json-values.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { toTypeText } from '../../reference/type-words.ts'
import type { HeaderView, MediaTypeView, OperationView, ResponseView, SchemaSide } from '../../reference/types.ts'
import { toBreakable } from '../breakable.tsx'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import { StatusMark } from '../shell/marks.tsx'
import { type ApiContext, findPageHref } from './api-context.ts'
import { Encodings, MoreExamples, type MoreExamplesProps } from './media-type-details.tsx'
import { Part, Switch } from './part.tsx'
import { PropertyRow, SchemaContent, type SchemaContentProps, SchemaWords } from './schema-content.tsx'

export interface ContentPartProps extends Pick<MoreExamplesProps, 'api' | 'shown'> {
  readonly content: readonly MediaTypeView[]
  /** The element ID of the body or response. */
  readonly id: string
}

/** The content of a body or response, with a tab for each media type if there are several. */
export function ContentPart(props: ContentPartProps) {
  const options = toMediaTypes(props)
  const [only] = options
  if (!only) return null
  if (options.length === 1) return only.content
  const { messages } = props.api.site
  const group = props.api.claim(`${props.id}-media`)
  return (
    <div class="choice media">
      <Switch messages={messages} legend={messages.reference.mediaType} group={group} options={options} />
    </div>
  )
}

/** Each media type with what is shown of it. */
export function toMediaTypes({ content, api, id, shown }: ContentPartProps) {
  const idOf = (index: number, label: string) => (index === 0 ? id : toElementId(id, label))
  return content.map((mediaType, index) => {
    const label = mediaType.mediaType
    return { label, content: <MediaType mediaType={mediaType} id={idOf(index, label)} api={api} start={id} shown={shown} /> }
  })
}

interface MediaTypeProps extends Omit<ContentPartProps, 'content'> {
  readonly mediaType: MediaTypeView
  /** The element ID of the body or response. */
  readonly start: string
}

function MediaType({ mediaType, api, id, start, shown }: MediaTypeProps) {
  const { schema, itemSchema, encoding } = mediaType
  const texts = api.site.messages.reference
  return (
    <>
      {itemSchema && <RootSchema schema={itemSchema} api={api} id={id} start={start} lead={`${texts.streamItem} `} />}
      {schema && (
        <RootSchema
          schema={schema}
          api={api}
          id={itemSchema ? toElementId(id, 'whole') : id}
          start={start}
          lead={itemSchema ? `${texts.streamWhole} ` : ''}
        />
      )}
      <Encodings encoding={encoding} api={api} id={id} />
      <MoreExamples mediaType={mediaType} shown={shown} api={api} />
    </>
  )
}

interface RootSchemaProps extends Required<Pick<SchemaContentProps, 'schema' | 'api' | 'id' | 'start'>> {
  readonly lead: string
}

/** The schema of a body or response. */
function RootSchema({ schema, api, id, start, lead }: RootSchemaProps) {
  const isPlain = ['', 'object', 'one of several'].includes(toTypeText(schema))
  const isInside = schema.properties.length > 0 || schema.choices.length > 0
  return (
    <>
      <SchemaWords schema={schema} api={api} lead={lead} saysMore={!isPlain || !isInside} />
      <SchemaContent schema={schema} api={api} id={id} start={start} depth={0} />
    </>
  )
}

/** The responses of an operation. The first success response is expanded. */
export function ResponsesPart({
  operation,
  api,
  prefix,
  shown,
  id = 'responses',
}: Pick<ResponseProps, 'api' | 'shown'> & {
  readonly operation: OperationView
  readonly prefix: string
  readonly id?: string
}) {
  const { responses } = operation
  if (responses.length === 0) return null
  const headingId = api.claim(id === 'responses' ? prefix + id : id)
  const opened = responses.find(({ statusCode }) => statusCode.startsWith('2')) ?? responses[0]
  return (
    <Part
      messages={api.site.messages}
      id={headingId}
      heading={api.site.messages.reference.responses}
      isExpanded={api.site.plan.settings.api.params.expanded === 'all'}
    >
      {responses.map((response) => (
        <Response
          response={response}
          api={api}
          shown={shown}
          isOpen={response === opened}
          side={operation.kind === 'operation' ? 'response' : 'request'}
          id={`${id === 'responses' ? `${prefix}r` : `${id}-`}${toElementId(response.statusCode)}`}
        />
      ))}
    </Part>
  )
}

interface ResponseProps extends Omit<ContentPartProps, 'content'> {
  readonly response: ResponseView
  readonly isOpen: boolean
  /** Which properties apply. Readers receive the requests of webhooks and callbacks. */
  readonly side: SchemaSide
}

/** A response that readers open. */
export function Response({ response, api: whole, shown, isOpen, id: wanted, side }: ResponseProps) {
  const api = isOpen ? whole : { ...whole, hasForeignIds: false }
  const id = api.claim(wanted)
  const { statusCode, summary, description, headers, content, links, linksLeft } = response
  const [only] = content
  const { reference: texts, language } = api.site.messages
  const known = Object.hasOwn(reasonPhrases, statusCode) ? reasonPhrases[statusCode] : undefined
  const title = summary ?? (description !== undefined && isShort(description) ? description : known)
  const isEmpty =
    headers.length === 0 && content.length === 0 && links.length === 0 && (title === description || description === undefined)
  const head = (
    <>
      <StatusMark statusCode={statusCode} /> {title !== undefined && <span dir="auto">{toBreakable(title)}</span>}{' '}
      <span class="muted">
        {content.length === 1
          ? only?.mediaType
          : content.length === 0
            ? texts.noContent
            : formatMessage(texts.mediaTypes, { count: content.length }, language)}
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
    <details class="fold" open={isOpen} id={id} data-side={side}>
      <summary>
        <Icon name="chev" class="turn" /> {head}
      </summary>
      <div>
        {title !== description && description !== only?.schema?.description && <Description text={description} api={api} />}
        <ContentPart content={content} api={api} id={id} shown={shown} />
        <Headers headers={headers} api={api} id={id} />
        {links.length > 0 && (
          <>
            <h3>{texts.links}</h3>
            <ul class="props">
              {links.map(({ name, description, parameters, requestBody, server, ...target }) => (
                <li id={api.claim(toElementId(id, 'link', name))}>
                  <p class="p-head">
                    <span class="p-name">{name}</span> <i>{toLink(nameTarget(target), api)}</i>
                  </p>
                  <Description text={description} api={api} />
                  {(parameters.length > 0 || requestBody !== undefined || server) && (
                    <ul class="facts">
                      {parameters.map((parameter) => (
                        <li>
                          {parameter.name} <code>{toJsonText(parameter.value)}</code>
                        </li>
                      ))}
                      {requestBody !== undefined && (
                        <li>
                          {texts.body} <code>{toJsonText(requestBody)}</code>
                        </li>
                      )}
                      {server && (
                        <li>
                          {texts.server} <code>{resolveServerUrl(server.url, server.place.file)}</code>
                        </li>
                      )}
                    </ul>
                  )}
                  <Description text={server?.description} api={api} />
                </li>
              ))}
            </ul>
            {linksLeft > 0 && <p>{formatMessage(texts.more, { count: linksLeft }, language)}</p>}
          </>
        )}
      </div>
    </details>
  )
}

/** The headers of a response. Those that all responses of the API have are one closed line. */
function Headers({ headers, api, id }: Pick<ResponseView, 'headers'> & Pick<ResponseProps, 'api' | 'id'>) {
  const { messages } = api.site
  const isShared = ({ name }: HeaderView) => api.reference.sharedHeaders.has(name.toLowerCase())
  const shared = headers.filter(isShared)
  const own = headers.filter((header) => !isShared(header))
  const toRows = (shown: readonly HeaderView[]) => (
    <ul class="props">
      {shown.map((header) => (
        <PropertyRow api={api} id={toElementId(id, 'header', header.name)} {...header} depth={1} />
      ))}
    </ul>
  )
  const label = formatMessage(messages.reference.sharedHeaders, { count: shared.length }, messages.language)
  return (
    <>
      {own.length > 0 && <h3>{messages.reference.headers}</h3>}
      {own.length > 0 && toRows(own)}
      {shared.length > 0 && (
        <details class="nest">
          <NestSummary label={label} hidden={label} messages={messages} />
          {toRows(shared)}
        </details>
      )}
    </>
  )
}

function toLink(target: string, api: ApiContext) {
  const href = findPageHref(api, 'operation', target)
  return href === undefined ? target : <a href={href}>{target}</a>
}

/** The operation of a link: its ID, `GET /path`, or the reference as written. */
function nameTarget({ operationId, operationRef = '' }: Pick<Link, 'operationId' | 'operationRef'>): string {
  const target = splitReference(operationRef, '')
  const [paths, path, method, ...rest] = target.kind === 'file' && target.path === '' ? parsePointer(target.fragment) : []
  const isOperation = paths === 'paths' && path !== undefined && method !== undefined && rest.length === 0
  return operationId ?? (isOperation ? `${method.toUpperCase()} ${path}` : operationRef)
}

/** Whether a description is a short line without Markdown that fits next to the status code. */
function isShort(description: string): boolean {
  return description.length <= 60 && !/[\n`*[\]<>#|]|\b_|_\b/.test(description.trim())
}
