import { groupBy } from '../../../source/group-by.ts'
import type { OperationView, SecurityAlternative, SecurityUse } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import type { ApiContext } from './api-context.ts'
import { requiredMark } from './schema-content.tsx'
import { flowNames, SchemeDetails } from './security-details.tsx'

/** The security requirements of an operation in one line, which opens to each scheme once, and how schemes are combined. */
export function SecurityPart({
  operation: { security },
  api,
  heading = 'Authorization',
  isOpen = false,
}: {
  readonly operation: Pick<OperationView, 'security'>
  readonly api: ApiContext
  readonly heading?: string
  readonly isOpen?: boolean
}) {
  const needed = listNeeded(security)
  if (needed.length === 0) return null
  const isOptional = needed.length < security.length
  const id = api.claim(`${api.prefix}authorization`)
  const uses = new Map(needed.flatMap(({ schemes }) => schemes.map((use) => [use.name, use] as const)))
  return (
    <details class="fold auth" open={isOpen}>
      <summary>
        <Icon name="chev" class="turn" /> <h2 id={id}>{heading}</h2> <span class="p-type">{summarizeSecurity(needed)}</span>{' '}
        {isOptional ? <span class="muted">optional</span> : requiredMark}
      </summary>
      <div>
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
      </div>
    </details>
  )
}

/** The alternatives with credentials. */
export function listNeeded(security: readonly SecurityAlternative[]): readonly SecurityAlternative[] {
  return security.filter(({ schemes }) => schemes.length > 0)
}

/** The requirements in a few words: `Bearer token`, `API key or OAuth 2.0`, `2 API keys`, `Bearer token, or 6 others`. */
export function summarizeSecurity(alternatives: readonly SecurityAlternative[]): string {
  const uses = alternatives.flatMap(({ schemes }) => schemes)
  const [only] = uses
  if (only && uses.length === 1 && only.scheme.type === 'apiKey') return describeScheme(only)
  const names = [...new Set(alternatives.map(({ schemes }) => nameTogether(schemes)))]
  const [first = '', second] = names
  if (names.length === 2) return `${first} or ${second}`
  return names.length < 2 ? first : `${first}, or ${names.length - 1} others`
}

/** Schemes that are required together. */
function nameTogether(schemes: readonly SecurityUse[]): string {
  const kinds = groupBy(schemes, nameScheme)
  return Array.from(kinds, ([kind, { length }]) => (kind === 'API key' && length > 1 ? `${length} API keys` : kind)).join(' and ')
}

/** The kind of a scheme. */
function nameScheme({ name, scheme }: SecurityUse): string {
  switch (scheme.type) {
    case 'apiKey':
      return 'API key'
    case 'http':
      return scheme.scheme === 'bearer'
        ? 'Bearer token'
        : scheme.scheme === 'basic'
          ? 'Username and password'
          : `HTTP ${scheme.scheme}`
    case 'oauth2':
      return 'OAuth 2.0'
    case 'openIdConnect':
      return 'OpenID Connect'
    case 'mutualTLS':
      return 'Client certificate'
    default:
      return name
  }
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
      // The document does not define it, which the check reports to its authors.
      return ''
  }
}
