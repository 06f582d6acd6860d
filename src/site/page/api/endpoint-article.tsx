import { stringOf } from '../../../text/json/json-values.ts'
import type { Messages } from '../../messages/messages.ts'
import type { ApiSettings, SitePage } from '../../plan/types.ts'
import { findNamedSchemas } from '../../reference/context.ts'
import { toOperationView } from '../../reference/to-operation-view.ts'
import type { OperationView, SecurityAlternative } from '../../reference/types.ts'
import { Part } from './part.tsx'
import { describeScheme } from './security-part.tsx'
import { readOnlyPath } from './server-sources.ts'

/** What a page and `docs.json` say about an operation without an OpenAPI document, with `api: METHOD url` in the frontmatter. */
export type Endpoint = Pick<OperationView, 'method' | 'path' | 'servers' | 'security'>

/** The authorization of such an operation. Its fields are part of the text of the page. */
export function EndpointAuthorization({
  endpoint: { security },
  messages,
}: {
  readonly endpoint: Endpoint
  readonly messages: Messages
}) {
  const [use] = security[0] ?? []
  return use ? (
    <Part messages={messages} id="authorization" heading={messages.authorization.title}>
      <p class="p-desc">{describeScheme(use, messages)}</p>
    </Part>
  ) : null
}

/** Reads `api: METHOD url` and `authMethod` of a page, and the settings of `docs.json`. */
export function readEndpoint(
  { frontmatter }: Pick<SitePage, 'frontmatter'>,
  { method, url }: { readonly method: string; readonly url: string },
  { servers, auth }: ApiSettings['mdx'],
): Endpoint {
  const own = stringOf(frontmatter['authMethod'])
  const whole = /^(https?:\/\/[^/]+)(.*)$/is.exec(url)
  const path = whole ? whole[2] || '/' : url.startsWith('/') ? url : `/${url}`
  const urls = whole?.[1] === undefined ? servers : [whole[1]]
  return {
    method,
    path,
    servers: urls.map((serverUrl) => ({ url: serverUrl, name: undefined, description: undefined, variables: [] })),
    security: toSecurity(own === undefined ? auth : { method: own, name: auth?.name }),
  }
}

/** The view of the only operation of a document, see `describeEndpoint`. */
export function toEndpointView(document: object, endpoint: Endpoint): OperationView | undefined {
  const { api, operations } = readOnlyPath(document)
  const context = { ...api, labelFields: [], named: findNamedSchemas(api) }
  return operations.map((one) => ({ ...toOperationView(one, 'operation', context), ...endpoint }))[0]
}

/** Reads `api.mdx.auth` of `docs.json`: `bearer`, `basic` or `key` (with `name`). */
function toSecurity(auth: ApiSettings['mdx']['auth']): SecurityAlternative[] {
  const shared = { description: undefined, deprecated: false, prefill: undefined }
  if (auth?.method === 'bearer' || auth?.method === 'basic') {
    const scheme = { ...shared, type: 'http', scheme: auth.method, bearerFormat: undefined } as const
    return [[{ name: auth.method, scheme, scopes: [] }]]
  }
  if (auth?.method !== 'key') return []
  const scheme = { ...shared, type: 'apiKey', in: 'header', parameterName: auth.name ?? 'x-api-key' } as const
  return [[{ name: 'key', scheme, scopes: [] }]]
}
