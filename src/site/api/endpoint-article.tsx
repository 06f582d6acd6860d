import type { ComponentChildren } from 'preact'
import type { OperationView, SecurityAlternative } from '../../reference/types.ts'
import type { ApiSettings, SitePage } from '../types.ts'
import { EndpointBar } from './endpoint-bar.tsx'
import { describeScheme } from './security-part.tsx'
import type { toEndpointFields } from './to-endpoint-fields.ts'

interface EndpointArticleProps {
  readonly operation: OperationView
  /** Opens the playground; absent where there is none. */
  readonly play: ComponentChildren
}

/**
 * An operation that a page describes itself: `api: METHOD url` in its frontmatter, with no document. Its fields are in the page's text (see
 * `toEndpointFields`).
 */
export function EndpointArticle({ operation, play }: EndpointArticleProps) {
  const [use] = operation.security[0]?.schemes ?? []
  return (
    <>
      <EndpointBar operation={operation} hasSamples play={play} />
      {use && (
        <section class="part">
          <h2 id="authorization">
            <a class="h" href="#authorization">
              Authorization
            </a>
          </h2>
          <p class="p-desc">{describeScheme(use)}</p>
        </section>
      )}
    </>
  )
}

/** What `api: METHOD url` and `authMethod` of a page and the settings of docs.json tell about an operation. */
export function toEndpointView(
  { frontmatter: { authMethod } }: Pick<SitePage, 'frontmatter'>,
  { method, url }: { readonly method: string; readonly url: string },
  { servers, auth }: ApiSettings['mdx'],
  fields: ReturnType<typeof toEndpointFields> = { parameters: [], requestBody: undefined, responses: [] },
): OperationView {
  const whole = /^(https?:\/\/[^/]+)(.*)$/is.exec(url)
  const path = whole ? whole[2] || '/' : url.startsWith('/') ? url : `/${url}`
  const addresses = whole?.[1] === undefined ? servers : [whole[1]]
  return {
    kind: 'operation',
    method,
    path,
    operationId: undefined,
    summary: undefined,
    description: undefined,
    deprecated: false,
    tags: [],
    externalDocs: undefined,
    servers: addresses.map((address) => ({ url: address, name: undefined, description: undefined, variables: [] })),
    security: toSecurity(typeof authMethod === 'string' ? { method: authMethod, name: auth?.name } : auth),
    ...fields,
    callbacks: [],
    codeSamples: [],
    file: '',
    pointer: '',
  }
}

/** Source: contract of docs.json, `api.mdx.auth`: `bearer`, `basic`, `key` (with `name`). */
function toSecurity(auth: ApiSettings['mdx']['auth']): SecurityAlternative[] {
  const shared = { description: undefined, deprecated: false, prefill: undefined }
  if (auth?.method === 'bearer' || auth?.method === 'basic') {
    const scheme = { ...shared, type: 'http', scheme: auth.method, bearerFormat: undefined } as const
    return [{ schemes: [{ name: auth.method, scheme, scopes: [] }] }]
  }
  if (auth?.method !== 'key') return []
  const scheme = { ...shared, type: 'apiKey', in: 'header', parameterName: auth.name ?? 'x-api-key' } as const
  return [{ schemes: [{ name: 'key', scheme, scopes: [] }] }]
}
