import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { OAuthFlowView, SecuritySchemeView } from '../../reference/types.ts'
import { NestSummary } from '../components/nest-summary.tsx'
import { DocumentLink } from './document-link.tsx'

/** The URLs and scopes of a security scheme. */
export function SchemeDetails({ scheme, messages }: { readonly scheme: SecuritySchemeView; readonly messages: Messages }) {
  const texts = messages.authorization
  if (scheme.type === 'openIdConnect') return <Urls urls={[[texts.discoveryUrl, scheme.url]]} />
  if (scheme.type !== 'oauth2') return null
  return (
    <>
      <Urls urls={[[texts.metadataUrl, scheme.metadataUrl]]} />
      {scheme.flows.map((flow) => (
        <Flow flow={flow} messages={messages} />
      ))}
    </>
  )
}

function Flow({ flow, messages }: { readonly flow: OAuthFlowView; readonly messages: Messages }) {
  const { authorization: texts, language } = messages
  const name = formatMessage(texts.namedFlow, { name: texts[flow.flow] }, language)
  return (
    <details class="nest">
      <NestSummary label={name} hidden={name} messages={messages} />
      <Urls urls={listFlowUrls(flow, messages)} />
      {flow.scopes.length > 0 && (
        <dl class="enum">
          {flow.scopes.map(({ name, description }) => (
            <>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{description}</dd>
            </>
          ))}
        </dl>
      )}
    </details>
  )
}

/** The URLs of a flow with their names. */
export function listFlowUrls(
  flow: OAuthFlowView,
  { authorization: texts }: Messages,
): readonly (readonly [string, string | undefined])[] {
  return [
    [texts.authorizationUrl, flow.authorizationUrl],
    [texts.deviceAuthorizationUrl, flow.deviceAuthorizationUrl],
    [texts.tokenUrl, flow.tokenUrl],
    [texts.refreshUrl, flow.refreshUrl],
  ]
}

function Urls({ urls }: { readonly urls: readonly (readonly [string, string | undefined])[] }) {
  const shown = urls.filter(([, url]) => url !== undefined && url !== '')
  if (shown.length === 0) return null
  return (
    <ul class="facts">
      {shown.map(([name, url = '']) => (
        <li>
          {name} <DocumentLink url={url}>{url}</DocumentLink>
        </li>
      ))}
    </ul>
  )
}
