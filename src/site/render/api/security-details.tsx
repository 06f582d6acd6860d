import type { OAuthFlowView, SecuritySchemeView } from '../../reference/types.ts'
import { NestSummary } from '../components/nest-summary.tsx'
import { DocumentLink } from './document-link.tsx'

/** The URLs and scopes of a security scheme. */
export function SchemeDetails({ scheme }: { readonly scheme: SecuritySchemeView }) {
  if (scheme.type === 'openIdConnect') return <Urls urls={[['Discovery', scheme.url]]} />
  if (scheme.type !== 'oauth2') return null
  return (
    <>
      <Urls urls={[['Metadata', scheme.metadataUrl]]} />
      {scheme.flows.map((flow) => (
        <Flow flow={flow} />
      ))}
    </>
  )
}

function Flow({ flow }: { readonly flow: OAuthFlowView }) {
  return (
    <details class="nest">
      <NestSummary label={flowNames[flow.flow]} />
      <Urls urls={listFlowUrls(flow)} />
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

/** The names of OAuth flows in sentences. */
export const flowNames = {
  authorizationCode: 'authorization code',
  clientCredentials: 'client credentials',
  deviceAuthorization: 'device authorization',
  implicit: 'implicit',
  password: 'password',
} as const

/** The URLs of a flow with their names. */
export function listFlowUrls(flow: OAuthFlowView): readonly (readonly [string, string | undefined])[] {
  return [
    ['Authorization', flow.authorizationUrl],
    ['Device authorization', flow.deviceAuthorizationUrl],
    ['Token', flow.tokenUrl],
    ['Refresh', flow.refreshUrl],
  ]
}

function Urls({ urls }: { readonly urls: readonly (readonly [string, string | undefined])[] }) {
  const shown = urls.filter(([, url]) => url !== undefined && url !== '')
  if (shown.length === 0) return null
  return (
    <ul class="facts">
      {shown.map(([name, url = '']) => (
        <li>
          {name} URL <DocumentLink url={url}>{url}</DocumentLink>
        </li>
      ))}
    </ul>
  )
}
