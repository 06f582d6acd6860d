import type { OperationView } from '../../reference/types.ts'
import { Icon } from '../icons/icon.tsx'
import { MethodMark } from '../shell/method-mark.tsx'
import type { ApiContext } from './api-context.ts'
import { ContentPart } from './content-part.tsx'
import { Description } from './description.tsx'
import { EndpointBar } from './endpoint-bar.tsx'
import { ParametersPart } from './parameters-part.tsx'
import { PlayButton, toPlaygroundDisplay } from './play-button.tsx'
import { ResponsesPart } from './responses-part.tsx'
import { hasSamples } from './samples.tsx'
import { SecurityPart } from './security-part.tsx'
import { toAnchor } from './to-anchor.ts'

interface OperationArticleProps {
  readonly operation: OperationView
  readonly api: ApiContext
  /** The file of this operation alone; absent where the playground cannot have it. */
  readonly slicePath?: string | undefined
}

/** All that a page says about one operation, under its title. */
export function OperationArticle({ operation, api, slicePath }: OperationArticleProps) {
  const display = toPlaygroundDisplay(api.page, api.site)
  const canPlay = slicePath !== undefined && display === 'interactive'
  return (
    <>
      <EndpointBar
        operation={operation}
        hasSamples={hasSamples([operation])}
        canCopy={display !== 'none'}
        play={canPlay && <PlayButton site={api.site} slicePath={slicePath} />}
      />
      <SecurityPart operation={operation} api={api} />
      <ParametersPart operation={operation} api={api} />
      <BodyPart operation={operation} api={api} />
      <ResponsesPart operation={operation} api={api} />
      <CallbacksPart operation={operation} api={api} />
    </>
  )
}

function BodyPart({ operation: { requestBody, kind }, api }: { readonly operation: OperationView; readonly api: ApiContext }) {
  if (!requestBody) return null
  const [only] = requestBody.content
  const id = api.claim(`${api.prefix}body`)
  return (
    <section class="part">
      <h2 id={id}>
        <a class="h" href={`#${id}`}>
          {kind === 'webhook' ? 'Payload' : 'Body'}
        </a>{' '}
        <small>
          {[requestBody.content.length === 1 && only?.mediaType, requestBody.required && 'required'].filter(Boolean).join(' · ')}
        </small>
      </h2>
      <Description text={requestBody.description} api={api} />
      <ContentPart content={requestBody.content} api={api} id={id} />
    </section>
  )
}

function CallbacksPart({ operation: { callbacks }, api }: { readonly operation: OperationView; readonly api: ApiContext }) {
  const all = callbacks.flatMap(({ name, operations }) => operations.map((operation) => ({ name, operation })))
  if (all.length === 0) return null
  const headingId = api.claim(`${api.prefix}callbacks`)
  return (
    <section class="part">
      <h2 id={headingId}>
        <a class="h" href={`#${headingId}`}>
          Callbacks
        </a>
      </h2>
      {all.map(({ name, operation }, index) => (
        <details class="fold" id={api.claim(toAnchor('callback', name, index + 1))}>
          <summary>
            <Icon name="chev" class="turn" /> <MethodMark method={operation.method} /> <code class="mono">{operation.path}</code>{' '}
            <span class="muted">{name}</span>
          </summary>
          <div>
            <Description text={operation.description ?? operation.summary} api={api} />
            {operation.requestBody && (
              <ContentPart content={operation.requestBody.content} api={api} id={toAnchor('callback', name, index + 1, 'body')} />
            )}
            <ResponsesPart operation={operation} api={api} id={toAnchor('callback', name, index + 1, 'response')} />
          </div>
        </details>
      ))}
    </section>
  )
}
