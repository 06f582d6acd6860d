import type { ComponentChildren } from 'preact'
import type { OAuthFlow, SchemeFields } from '../../../model/security.ts'
import { groupBy } from '../../../text/plain/lists.ts'
import { fillMessage, formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { OperationView, SchemeUse, SecurityAlternative } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import type { ApiContext } from './api-context.ts'
import { DocumentLink, Terms } from './part.tsx'

/** The security requirements of an operation in one line, which opens to each scheme once, and how schemes are combined. */
export function SecurityPart({
  operation: { security, left },
  api,
  prefix = '',
  heading = api.site.messages.authorization.title,
  isOpen = false,
}: {
  readonly operation: Pick<OperationView, 'security'> & Partial<Pick<OperationView, 'left'>>
  readonly api: ApiContext
  /** See `OperationArticle`. */
  readonly prefix?: string
  readonly heading?: string
  readonly isOpen?: boolean
}) {
  const needed = listNeeded(security)
  if (needed.length === 0) return null
  const { messages } = api.site
  const { authorization: texts, reference } = messages
  const isOptional = needed.length < security.length
  const id = api.claim(`${prefix}authorization`)
  const uses = new Map(needed.flat().map((use) => [use.name, use]))
  return (
    <details class="fold auth" open={isOpen}>
      <summary>
        <Icon name="chev" class="turn" /> <h2 id={id}>{heading}</h2>{' '}
        <span class="p-type">{summarizeSecurity(needed, messages)}</span>{' '}
        {isOptional ? <span class="muted">{reference.optional}</span> : <em>{reference.required}</em>}
      </summary>
      <div>
        {needed.some((schemes) => schemes.length > 1) && (
          <p class="p-desc">
            {needed
              .map((schemes) =>
                joinWith(
                  texts.and,
                  schemes.map(({ name }) => <code>{name}</code>),
                ),
              )
              .reduce((first, second) => joinWith(texts.or, [first, second]))}
          </p>
        )}
        <ul class="props">
          {[...uses.values()].map((use) => (
            <Scheme use={use} api={api} prefix={prefix} />
          ))}
        </ul>
        {left && left.security > 0 && <p>{formatMessage(reference.more, { count: left.security }, messages.language)}</p>}
      </div>
    </details>
  )
}

/** Joins parts with a message for two of them. */
function joinWith(message: string, parts: readonly ComponentChildren[]): ComponentChildren {
  return parts.reduce((first, second) =>
    fillMessage<ComponentChildren>(message, (name) => (name === 'first' ? first : name === 'second' ? second : undefined)),
  )
}

/** The alternatives with credentials. */
export function listNeeded(security: readonly SecurityAlternative[]): readonly SecurityAlternative[] {
  return security.filter((schemes) => schemes.length > 0)
}

/** The requirements in a few words: `Bearer token`, `API key or OAuth 2.0`, `2 API keys`, `Bearer token, or 6 others`. */
export function summarizeSecurity(alternatives: readonly SecurityAlternative[], messages: Messages): string {
  const { authorization: texts, language } = messages
  const uses = alternatives.flat()
  const [only] = uses
  if (only && uses.length === 1 && only.scheme.type === 'apiKey') return describeScheme(only, messages)
  const names = [...new Set(alternatives.map((schemes) => nameTogether(schemes, messages)))]
  const [first = '', second] = names
  if (second !== undefined && names.length === 2) return formatMessage(texts.either, { first, second }, language)
  return names.length < 2 ? first : formatMessage(texts.others, { first, count: names.length - 1 }, language)
}

/** Schemes that are required together. */
function nameTogether(schemes: readonly SchemeUse[], { authorization: texts, language }: Messages): string {
  const kinds = groupBy(schemes, (use) => nameScheme(use, texts))
  const names = Array.from(kinds, ([kind, { length: count }]) =>
    kind === texts.apiKey && count > 1 ? formatMessage(texts.apiKeys, { count }, language) : kind,
  )
  return names.reduce((first, second) => formatMessage(texts.and, { first, second }, language), names.shift() ?? '')
}

function nameScheme({ name, scheme }: Pick<SchemeUse, 'name' | 'scheme'>, texts: Messages['authorization']): string {
  switch (scheme.type) {
    case 'apiKey':
      return texts.apiKey
    case 'http':
      return scheme.scheme === 'bearer' ? texts.bearer : scheme.scheme === 'basic' ? texts.basic : `HTTP ${scheme.scheme}`
    case 'oauth2':
      return 'OAuth 2.0'
    case 'openIdConnect':
      return 'OpenID Connect'
    case 'mutualTLS':
      return texts.certificate
    default:
      return name
  }
}

function Scheme({ use, api, prefix }: { readonly use: SchemeUse; readonly api: ApiContext; readonly prefix: string }) {
  const { name, scheme, scopes } = use
  const described = scheme.type === 'oauth2' ? scheme.flows.flatMap((flow) => flow.scopes) : []
  const id = api.claim(toElementId(`${prefix}auth`, name))
  return (
    <li id={id}>
      <p class="p-head">
        <a href={`#${id}`}>{name}</a> <i>{describeScheme(use, api.site.messages)}</i>
        {scheme.deprecated && <span class="tag dep">{api.site.messages.reference.deprecated}</span>}
      </p>
      <Description text={scheme.description} api={api} />
      {api.routes.showsSchemes && <SchemeDetails scheme={scheme} messages={api.site.messages} />}
      <Terms
        terms={scopes.map((scope) => ({
          name: scope,
          text: described.findLast(({ name }) => name === scope)?.description || undefined,
        }))}
      />
    </li>
  )
}

const keyPlaces = { header: 'keyInHeader', query: 'keyInQuery', cookie: 'keyInCookie' } as const

/** A short description of a security scheme. */
export function describeScheme({ scheme }: Pick<SchemeUse, 'scheme'>, { authorization: texts, language }: Messages): string {
  switch (scheme.type) {
    case 'apiKey':
      return formatMessage(texts[keyPlaces[scheme.in]], { name: scheme.parameterName }, language)
    case 'http': {
      const format = scheme.scheme === 'bearer' && scheme.bearerFormat !== undefined ? ` (${scheme.bearerFormat})` : ''
      return formatMessage(texts.inHeader, { credential: nameScheme({ name: '', scheme }, texts) + format }, language)
    }
    case 'oauth2': {
      const [flow, ...flows] = scheme.flows.map((one) => texts[one.flow])
      if (flow === undefined) return 'OAuth 2.0'
      return `OAuth 2.0, ${flows.reduce((first, second) => formatMessage(texts.either, { first, second }, language), flow)}`
    }
    case 'openIdConnect':
      return 'OpenID Connect'
    case 'mutualTLS':
      return texts.mutualTls
    default:
      // The document does not define it, which the check reports to its authors.
      return ''
  }
}

/** The URLs and scopes of a security scheme. */
function SchemeDetails({ scheme, messages }: { readonly scheme: SchemeFields; readonly messages: Messages }) {
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

function Flow({ flow, messages }: { readonly flow: OAuthFlow; readonly messages: Messages }) {
  const { authorization: texts, language } = messages
  const name = formatMessage(texts.namedFlow, { name: texts[flow.flow] }, language)
  return (
    <details class="nest">
      <NestSummary label={name} hidden={name} messages={messages} />
      <Urls
        urls={[
          [texts.authorizationUrl, flow.authorizationUrl],
          [texts.deviceAuthorizationUrl, flow.deviceAuthorizationUrl],
          [texts.tokenUrl, flow.tokenUrl],
          [texts.refreshUrl, flow.refreshUrl],
        ]}
      />
      <Terms terms={flow.scopes.map((scope) => ({ name: scope.name, text: scope.description }))} />
    </details>
  )
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
