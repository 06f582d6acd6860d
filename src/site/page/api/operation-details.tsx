import { formatMessage } from '../../messages/format-message.ts'
import type { OperationView, ServerView } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import type { ApiContext } from './api-context.ts'
import { Part } from './part.tsx'
import { ExternalDocs } from './schema-facts.tsx'

interface OperationPartProps {
  readonly operation: OperationView
  readonly api: ApiContext
}

/** The words of an operation that has no page, such as a callback. */
export function OperationWords({ operation: { summary, description, deprecated }, api }: OperationPartProps) {
  return (
    <>
      {deprecated && <span class="tag dep">{api.site.messages.reference.deprecated}</span>}
      {summary !== undefined && summary !== description && <p class="p-desc">{summary}</p>}
      <Description text={description} api={api} />
    </>
  )
}

/** What else the document says about an operation: its server variables, links and ID. */
export function OperationEnd({ operation, api }: OperationPartProps) {
  const { pathTexts, externalDocs, operationId, servers, left, hasOwnServers, kind, tags, summary = '' } = operation
  // The start page of the API has the servers of the document.
  const isDescribed = servers.some(({ variables, name, description }) =>
    variables.length > 0 || name !== undefined ? true : description !== undefined,
  )
  const more = tags.slice(1)
  const { reference: texts, language } = api.site.messages
  // The title of the page is usually the summary.
  const hasSummary = [api.page.title, api.page.description, operation.description].some((text) => text?.includes(summary))
  return (
    <>
      {hasOwnServers && (isDescribed || kind !== 'operation') && (
        <Part
          messages={api.site.messages}
          id={api.claim(`${api.prefix}servers`)}
          heading={servers.length === 1 ? texts.server : texts.servers}
        >
          <ServerList servers={servers} api={api} />
          {left.servers > 0 && <p>{formatMessage(texts.more, { count: left.servers }, language)}</p>}
        </Part>
      )}
      <div class="op-end">
        {!hasSummary && kind !== 'callback' && <Description text={summary} api={api} />}
        {pathTexts.map((text) => (
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

/** Servers with their variables. */
function ServerList({ servers, api }: { readonly servers: readonly ServerView[]; readonly api: ApiContext }) {
  return (
    <ul class="props">
      {servers.map((server) => (
        <li>
          <div class="p-head">
            <span class="p-name">{server.url}</span>
          </div>
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
      {variables.length > 0 && (
        <dl class="enum">
          {variables.map((variable) => (
            <>
              <dt>
                <code>{`{${variable.name}}`}</code>
              </dt>
              <dd>
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
              </dd>
            </>
          ))}
        </dl>
      )}
    </>
  )
}
