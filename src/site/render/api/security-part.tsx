import type { OperationView, SecurityUse } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { toElementId } from '../element-ids.ts'
import type { ApiContext } from './api-context.ts'
import { Part } from './part.tsx'
import { requiredMark } from './schema-content.tsx'
import { flowNames, SchemeDetails } from './security-details.tsx'

/** The security requirements of an operation: each scheme once, and how schemes are combined. */
export function SecurityPart({
  operation: { security },
  api,
  heading = 'Authorization',
}: {
  readonly operation: Pick<OperationView, 'security'>
  readonly api: ApiContext
  readonly heading?: string
}) {
  const needed = security.filter(({ schemes }) => schemes.length > 0)
  if (needed.length === 0) return null
  const isOptional = needed.length < security.length
  const id = api.claim(`${api.prefix}authorization`)
  const uses = new Map(needed.flatMap(({ schemes }) => schemes.map((use) => [use.name, use] as const)))
  return (
    <Part
      id={id}
      heading={heading}
      note={
        <>
          {[needed.length > 1 && `one of ${needed.length}`, isOptional && 'optional'].filter(Boolean).join(', ')}{' '}
          {!isOptional && requiredMark}
        </>
      }
    >
      {needed.some(({ schemes }) => schemes.length > 1) && (
        <p class="p-desc">
          {needed.map(({ schemes }, index) => (
            <>
              {index > 0 && ', or '}
              {schemes.map(({ name }, at) => (
                <>
                  {at > 0 && ' and '}
                  <code>{name}</code>
                </>
              ))}
            </>
          ))}
        </p>
      )}
      <ul class="props">
        {[...uses.values()].map((use) => (
          <Scheme use={use} api={api} />
        ))}
      </ul>
    </Part>
  )
}

function Scheme({ use, api }: { readonly use: SecurityUse; readonly api: ApiContext }) {
  const { name, scheme, scopes } = use
  const id = api.claim(toElementId(`${api.prefix}auth`, name))
  return (
    <li id={id}>
      <div class="p-head">
        <a class="p-name h" href={`#${id}`}>
          {name}
        </a>{' '}
        <span class="p-type">{describeScheme(use)}</span>
        {scheme.deprecated && <span class="tag dep">deprecated</span>}
      </div>
      <Description text={scheme.description} api={api} />
      {api.showsSchemes && <SchemeDetails scheme={scheme} />}
      {scopes.length > 0 && (
        <dl class="enum">
          {scopes.map((scope) => (
            <>
              <dt>
                <code>{scope.name}</code>
              </dt>
              <dd>{scope.description}</dd>
            </>
          ))}
        </dl>
      )}
    </li>
  )
}

/** A short description of a security scheme. */
export function describeScheme({ scheme }: Pick<SecurityUse, 'scheme'>): string {
  switch (scheme.type) {
    case 'apiKey':
      return `API key in the ${scheme.parameterName} ${scheme.in === 'query' ? 'query parameter' : scheme.in}`
    case 'http':
      if (scheme.scheme === 'bearer')
        return `Bearer token${scheme.bearerFormat === undefined ? '' : ` (${scheme.bearerFormat})`} in the Authorization header`
      return scheme.scheme === 'basic'
        ? 'Username and password in the Authorization header'
        : `HTTP ${scheme.scheme} in the Authorization header`
    case 'oauth2':
      return `OAuth 2.0${scheme.flows.length > 0 ? `, ${scheme.flows.map(({ flow }) => flowNames[flow]).join(' or ')}` : ''}`
    case 'openIdConnect':
      return 'OpenID Connect'
    case 'mutualTLS':
      return 'Client certificate (mutual TLS)'
    default:
      return 'not defined in the OpenAPI document'
  }
}
