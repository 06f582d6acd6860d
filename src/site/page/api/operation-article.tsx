import { locations, type ParameterLocation } from '../../../model/parameters.ts'
import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import { isListType } from '../../reference/type-words.ts'
import type { OperationView, ParameterView, SchemaFact, ServerView } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import { MethodMark } from '../shell/marks.tsx'
import type { ApiContext } from './api-context.ts'
import { ContentPart, type ContentPartProps, ResponsesPart } from './content-part.tsx'
import { EndpointBar, PlayButton, type PlaySource, toPlaygroundDisplay } from './endpoint-bar.tsx'
import { Part, Terms } from './part.tsx'
import { hasSamples } from './samples.tsx'
import { PropertyRow } from './schema-content.tsx'
import { ExternalDocs } from './schema-facts.tsx'
import { SecurityPart } from './security-part.tsx'

interface OperationProps {
  readonly operation: OperationView
  readonly api: ApiContext
}

interface OperationBarProps extends OperationProps {
  /** The path of the OpenAPI document that contains only this operation; absent if the playground cannot use it. */
  readonly play?: PlaySource | undefined
}

/** Method, path and server of an operation, with the button that opens the playground. */
export function OperationBar({ operation, api, play }: OperationBarProps) {
  const display = toPlaygroundDisplay(api.page, api.site)
  const canPlay = play !== undefined && display === 'interactive'
  return (
    <EndpointBar
      site={api.site}
      operation={operation}
      hasSamples={hasSamples([operation])}
      canCopy={display !== 'none'}
      play={canPlay && <PlayButton site={api.site} source={play} />}
    />
  )
}

interface ArticleProps extends OperationProps, Pick<ContentPartProps, 'shown'> {
  /** A prefix for element IDs if a page has several operations, else `''`. */
  readonly prefix: string
}

/**
 * The reference of an operation or callback: authorization, parameters, body, responses and callbacks.
 *
 * @param responsesId the element ID of the responses, if it differs from that of an operation.
 */
export function OperationArticle({ responsesId, ...props }: ArticleProps & { readonly responsesId?: string }) {
  return (
    <>
      <SecurityPart {...props} />
      <ParametersPart {...props} />
      <BodyPart {...props} />
      <ResponsesPart {...props} {...(responsesId !== undefined && { id: responsesId })} />
      <CallbacksPart {...props} />
      <OperationEnd {...props} />
    </>
  )
}

function BodyPart({ operation: { requestBody, kind }, api, prefix, shown }: ArticleProps) {
  if (!requestBody) return null
  const [only] = requestBody.content
  const id = api.claim(`${prefix}body`)
  const { messages } = api.site
  return (
    <Part
      messages={messages}
      id={id}
      heading={kind === 'webhook' ? messages.reference.payload : messages.reference.body}
      side={kind === 'operation' ? 'request' : 'response'}
      isExpanded={api.site.plan.settings.api.params.expanded === 'all'}
      note={
        <>
          {requestBody.content.length === 1 && only?.mediaType} {requestBody.required && <em>{messages.reference.required}</em>}
        </>
      }
    >
      {requestBody.description !== only?.schema?.description && <Description text={requestBody.description} api={api} />}
      <ContentPart content={requestBody.content} api={api} id={id} shown={shown} />
    </Part>
  )
}

export function CallbacksPart({ operation: { callbacks }, api, prefix, shown }: ArticleProps) {
  const all = callbacks.flatMap(({ name, operations }) => operations.map((operation) => ({ name, operation })))
  const isShortened = callbacks.some((callback) => callback.isShortened)
  if (all.length === 0 && !isShortened) return null
  const headingId = api.claim(`${prefix}callbacks`)
  return (
    <Part messages={api.site.messages} id={headingId} heading={api.site.messages.reference.callbacks}>
      {all.map(({ name, operation }, index) => {
        const id = toElementId('callback', name, index + 1)
        return (
          <details class="fold" id={api.claim(id)}>
            <summary>
              <Icon name="chev" class="turn" /> <MethodMark method={operation.method} />{' '}
              <code class="mono">{operation.path}</code> <span class="muted">{name}</span>
            </summary>
            <div>
              <OperationWords operation={operation} api={api} />
              <OperationArticle operation={operation} api={api} prefix={`${id}-`} shown={shown} responsesId={`${id}-response`} />
            </div>
          </details>
        )
      })}
      {isShortened && <p>{api.site.messages.reference.callbacksShortened}</p>}
    </Part>
  )
}

const titles = {
  path: 'pathParameters',
  query: 'queryParameters',
  querystring: 'queryString',
  header: 'headers',
  cookie: 'cookies',
} as const satisfies Readonly<Record<ParameterLocation, keyof Messages['reference']>>

/** The parameters of an operation, with a section for each location. */
function ParametersPart({ operation, api, prefix }: Omit<ArticleProps, 'shown'>) {
  const { messages } = api.site
  return (
    <>
      {locations.map((location) => {
        const parameters = operation.parameters.filter((parameter) => parameter.in === location)
        if (parameters.length === 0) return null
        const id = api.claim(prefix + location)
        return (
          <Part
            messages={messages}
            id={id}
            heading={messages.reference[titles[location]]}
            isExpanded={api.site.plan.settings.api.params.expanded === 'all'}
          >
            <ul class="props">
              {parameters.map((parameter) => (
                <PropertyRow
                  api={api}
                  id={toElementId(id, parameter.name)}
                  {...parameter}
                  facts={describeUse(parameter)}
                  note={describeStyle(parameter, messages)}
                  depth={1}
                />
              ))}
            </ul>
          </Part>
        )
      })}
    </>
  )
}

/** How a list or object is serialized, unless it has the default style. */
function describeStyle(
  { in: location, style, explode, contentType, schema }: ParameterView,
  { reference: texts, language }: Messages,
): string | undefined {
  if (contentType !== undefined) return formatMessage(texts.asMediaType, { mediaType: contentType }, language)
  const isObject = schema.type.some((part) => part.kind === 'mapTo' || (part.kind === 'text' && part.text === 'object'))
  const isPlain = schema.properties.length === 0 && !isObject && !schema.items && !isListType(schema.type)
  if (isPlain) return undefined
  const isDefault = location === 'query' || location === 'cookie' ? style === 'form' && explode : style === 'simple'
  if (isDefault) return undefined
  if (style === 'form') return texts.commaSeparated
  if (style === 'spaceDelimited') return texts.spaceSeparated
  return style === 'pipeDelimited' ? texts.pipeSeparated : style
}

/** What a parameter allows besides its schema. */
function describeUse({ name, in: location, allowReserved, allowEmptyValue }: ParameterView): SchemaFact[] {
  // OpenAPI says to ignore these parameters, but some documents describe them.
  const isOwn = location === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)
  return [
    ...(isOwn ? [{ kind: 'words', text: 'Most clients set this header' } as const] : []),
    ...(allowReserved ? [{ kind: 'words', text: 'Reserved characters are not encoded' } as const] : []),
    ...(allowEmptyValue ? [{ kind: 'words', text: 'The value can be empty' } as const] : []),
  ]
}

/** The reference of a webhook with several methods, with a heading for each. */
export function WebhookArticle({
  operations,
  api,
  shown,
}: Omit<ArticleProps, 'operation' | 'prefix'> & { readonly operations: readonly OperationView[] }) {
  return (
    <>
      {operations.map((operation) => {
        const prefix = `${operation.method.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-`
        const id = api.claim(`method-${prefix.slice(0, -1)}`)
        return (
          <Part
            messages={api.site.messages}
            id={id}
            heading={
              <>
                <MethodMark method={operation.method} /> {operation.summary ?? operation.path}
              </>
            }
          >
            <OperationBar operation={operation} api={api} />
            <Description text={operation.description} api={api} />
            <OperationArticle operation={operation} api={api} prefix={prefix} shown={shown} />
          </Part>
        )
      })}
    </>
  )
}

/** The words of an operation that has no page, such as a callback. */
export function OperationWords({ operation: { summary, description, deprecated }, api }: OperationProps) {
  return (
    <>
      {deprecated && <span class="tag dep">{api.site.messages.reference.deprecated}</span>}
      {summary !== undefined && summary !== description && <p class="p-desc">{summary}</p>}
      <Description text={description} api={api} />
    </>
  )
}

/** What else the document says about an operation: its server variables, links and ID. */
function OperationEnd({ operation, api, prefix }: Omit<ArticleProps, 'shown'>) {
  const { pathTexts, externalDocs, operationId, servers, left, hasOwnServers, kind, tags, summary = '', description } = operation
  // The start page of the API has the servers of the document.
  const isDescribed = servers.some(({ variables, name, description }) =>
    variables.length > 0 || name !== undefined ? true : description !== undefined,
  )
  const more = tags.slice(1)
  const { reference: texts, language } = api.site.messages
  // The title of the page is usually the summary. Operations without a description have that of their path.
  const shown = [api.page.title, api.page.description ?? description, ...(prefix === '' ? [] : [summary, description])]
  const others = [summary, ...pathTexts].filter((text) => !shown.some((one) => one?.includes(text)))
  return (
    <>
      {hasOwnServers && (isDescribed || kind !== 'operation') && (
        <Part
          messages={api.site.messages}
          id={api.claim(`${prefix}servers`)}
          heading={servers.length === 1 ? texts.server : texts.servers}
        >
          <ServerList servers={servers} api={api} />
          {left.servers > 0 && <p>{formatMessage(texts.more, { count: left.servers }, language)}</p>}
        </Part>
      )}
      <div class="op-end">
        {others.map((text) => (
          <Description text={text} api={api} />
        ))}
        {externalDocs && <ExternalDocs docs={[externalDocs]} />}
        {(operationId !== undefined || more.length > 0) && (
          <ul class="facts">
            {operationId !== undefined && (
              <li>
                {texts.operationId} <code>{operationId}</code>
              </li>
            )}
            {more.length > 0 && <li>{formatMessage(texts.alsoIn, { names: more.join(', ') }, language)}</li>}
          </ul>
        )}
      </div>
    </>
  )
}

function ServerList({ servers, api }: { readonly servers: readonly ServerView[]; readonly api: ApiContext }) {
  return (
    <ul class="props">
      {servers.map((server) => (
        <li>
          <p class="p-head">
            <span class="p-name">{server.url}</span>
          </p>
          <ServerWords server={server} api={api} />
        </li>
      ))}
    </ul>
  )
}

/** The name, description and variables of a server. */
export function ServerWords({
  server: { name, description, variables },
  api,
}: {
  readonly server: ServerView
  readonly api: ApiContext
}) {
  const { words } = api.site.messages.schema
  return (
    <>
      <Description text={name} api={api} />
      <Description text={description} api={api} />
      <Terms
        terms={variables.map((variable) => ({
          name: `{${variable.name}}`,
          text: (
            <>
              <Description text={variable.description} api={api} class="" />
              <ul class="facts">
                <li>
                  {words.Default} <code>{variable.default}</code>
                </li>
                {variable.enum.length > 0 && (
                  <li>
                    {words['One of']}{' '}
                    {variable.enum.map((value) => (
                      <>
                        <code>{value}</code>{' '}
                      </>
                    ))}
                  </li>
                )}
              </ul>
            </>
          ),
        }))}
      />
    </>
  )
}
