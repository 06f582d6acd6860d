import { toJsonText } from '../../../playground/request/read-operation.ts'
import { english } from '../../messages/messages.ts'
import type {
  CodeSample,
  EncodingView,
  ExampleView,
  HeaderView,
  LinkView,
  MediaTypeView,
  OAuthFlowView,
  OperationView,
  ParameterView,
  ResponseView,
  SchemaFact,
  SchemaView,
  SecurityAlternative,
  SecurityUse,
  ServerView,
} from '../../reference/types.ts'
import { describeEncoding } from '../api/media-type-details.tsx'
import { describeUse } from '../api/operation-article.tsx'
import { listFlowUrls } from '../api/security-part.tsx'
import {
  codeBlock,
  codeSpan,
  escapeMarkdown,
  item,
  joinWords,
  linkTo,
  type MarkdownLinks,
  renderExternalDocs,
  renderInside,
  renderRow,
  renderTitle,
  renderType,
  renderWords,
  toLabelTexts,
} from './schema-markdown.ts'

export interface OperationOptions {
  readonly links: MarkdownLinks
  /** Whether to list the URLs and all scopes of security schemes. */
  readonly showsSchemes: boolean
  /** The level of the section headings. */
  readonly level: number
  /** The request, by the author or with curl. */
  readonly samples: readonly CodeSample[]
}

/**
 * Renders an operation, or one method of a webhook or callback. Descriptions are already Markdown and stay unchanged.
 *
 * @param ownText The text of the page, which follows the description.
 */
export function operationToMarkdown(operation: OperationView, options: OperationOptions, ownText = ''): string {
  return `${renderOperation(operation, options, ownText).join('\n\n')}\n`
}

function renderOperation(operation: OperationView, options: OperationOptions, ownText = ''): string[] {
  const { method, path, servers, security, parameters, requestBody, responses, kind, deprecated } = operation
  const { links, level, samples } = options
  const heading = (text: string) => `${'#'.repeat(Math.min(level, 6))} ${text}`
  const [server] = servers
  const url = kind === 'operation' ? `${(server?.url ?? '').replace(/\/$/, '')}${path}` : path
  const parts = [codeBlock(`${method} ${url}`, 'http')]
  const labels = [...(deprecated ? ['Deprecated'] : []), ...toLabelTexts(operation)]
  if (labels.length > 0) parts.push(labels.map((label) => `**${label}**`).join(', '))
  parts.push(
    joinWords([
      operation.summary === operation.description ? undefined : escapeMarkdown(operation.summary ?? ''),
      operation.description,
      ...operation.pathTexts,
    ]),
    ownText,
  )
  parts.push(...renderServers(operation, heading('Servers')))
  if (security.length > 0)
    parts.push(heading('Authorization'), renderSecurity(security, options), renderLeft(operation.left.security))
  for (const place of ['path', 'query', 'querystring', 'header', 'cookie'] as const) {
    const some = parameters.filter((parameter) => parameter.in === place)
    if (some.length === 0) continue
    parts.push(heading(`${place.charAt(0).toUpperCase()}${place.slice(1)} parameters`))
    parts.push(some.map((parameter) => renderParameter(parameter, links)).join('\n'))
  }
  if (requestBody) {
    parts.push(heading(kind === 'webhook' ? 'Payload' : `Body${requestBody.required ? ' (required)' : ''}`))
    // The request has the example that is generated.
    const toShown = (one: MediaTypeView) =>
      samples.length > 0 ? { ...one, examples: one.examples.filter(({ isSampled }) => !isSampled) } : one
    parts.push(requestBody.description?.trim() ?? '', ...requestBody.content.flatMap((one) => renderContent(toShown(one), links)))
  }
  if (samples.length > 0) parts.push(heading('Request'))
  for (const { label, language, source } of samples) parts.push(escapeMarkdown(label), codeBlock(source, language))
  if (responses.length > 0) parts.push(heading('Responses'))
  const inner = '#'.repeat(Math.min(level + 1, 6))
  for (const response of responses)
    parts.push(...renderResponse(response, `${inner} ${escapeMarkdown(response.statusCode)}`, links))
  for (const { name, operations } of operation.callbacks) {
    for (const callback of operations) {
      parts.push(heading(`Callback ${escapeMarkdown(name)}`))
      parts.push(...renderOperation(callback, { ...options, level: level + 1, samples: [] }))
    }
  }
  if (operation.callbacks.some(({ isShortened }) => isShortened)) parts.push(english.reference.callbacksShortened)
  parts.push(...renderEnd(operation))
  return parts.filter((part) => part.trim() !== '')
}

function renderEnd({ externalDocs, operationId, tags }: OperationView): string[] {
  const lines = [
    ...(externalDocs ? [renderExternalDocs(externalDocs)] : []),
    ...(operationId === undefined ? [] : [`Operation ID: ${codeSpan(operationId)}`]),
    ...(tags.length > 1 ? [`Also in ${tags.slice(1).map(escapeMarkdown).join(', ')}`] : []),
  ]
  return lines.length === 0 ? [] : [lines.join('. ')]
}

function renderServers({ servers, left, hasOwnServers, kind }: OperationView, heading: string): string[] {
  const isShown = servers.length > 1 || (hasOwnServers && (kind !== 'operation' || servers.some(isDescribed)))
  return isShown ? [heading, listServers(servers, hasOwnServers), renderLeft(left.servers)] : []
}

function renderLeft(count: number): string {
  return count > 0 ? `${count} more` : ''
}

function isDescribed({ name, description, variables }: ServerView): boolean {
  return name !== undefined || description !== undefined || variables.length > 0
}

/** @param isWhole whether to list the variables. */
export function listServers(servers: readonly ServerView[], isWhole: boolean): string {
  return servers
    .map(({ url, name, description, variables }) => {
      const inside = isWhole
        ? variables.map((variable) => {
            const words = [`Default ${codeSpan(variable.default)}`]
            if (variable.enum.length > 0) words.push(`One of ${variable.enum.map(codeSpan).join(', ')}`)
            return item(codeSpan(`{${variable.name}}`), [variable.description, words.join('. ')], '', 1)
          })
        : []
      return item(codeSpan(url), [joinWords([escapeMarkdown(name ?? ''), description])], inside.join('\n'), 0)
    })
    .join('\n')
}

/** The security requirements, then what the document says about each scheme. */
export function renderSecurity(
  security: readonly SecurityAlternative[],
  { showsSchemes }: Pick<OperationOptions, 'showsSchemes'>,
): string {
  const uses = new Map(security.flatMap(({ schemes }) => schemes.map((use) => [use.name, use] as const)))
  const alternatives = security.map(({ schemes }) => `- ${schemes.map(describeUseOf).join(' and ') || 'none'}`)
  const details = [...uses.values()].flatMap((use) => {
    const inside = [
      ...use.scopes.flatMap(({ name, description }) =>
        description === undefined ? [] : [item(`Scope ${codeSpan(name)}`, [description], '', 1)],
      ),
      ...(showsSchemes ? listSchemeDetails(use) : []),
    ].join('\n')
    const { description, deprecated } = use.scheme
    if (!description?.trim() && !deprecated && inside === '') return []
    return [item(`${codeSpan(use.name)}${deprecated ? ' (deprecated)' : ''}`, [description], inside, 0)]
  })
  return [alternatives.join('\n'), details.join('\n')].filter((text) => text !== '').join('\n\n')
}

function describeUseOf({ name, scheme, scopes }: SecurityUse): string {
  const how =
    scheme.type === 'apiKey'
      ? `API key in the ${codeSpan(scheme.parameterName)} ${scheme.in === 'query' ? 'query parameter' : scheme.in}`
      : scheme.type === 'http'
        ? `HTTP ${[scheme.scheme, scheme.bearerFormat ?? []].flat().map(escapeMarkdown).join(', ')}`
        : scheme.type === 'oauth2'
          ? ['OAuth 2', ...scheme.flows.map(({ flow }) => english.authorization[flow])].join(', ')
          : scheme.type === 'openIdConnect'
            ? 'OpenID Connect'
            : scheme.type === 'mutualTLS'
              ? 'mutual TLS'
              : 'unknown'
  return `${codeSpan(name)} (${how}${scopes.length > 0 ? `; scopes ${scopes.map((scope) => codeSpan(scope.name)).join(', ')}` : ''})`
}

function listSchemeDetails({ scheme }: SecurityUse): string[] {
  if (scheme.type === 'openIdConnect') return [item(`Discovery URL ${codeSpan(scheme.url)}`, [], '', 1)]
  if (scheme.type !== 'oauth2') return []
  const metadata = scheme.metadataUrl === undefined ? [] : [item(`Metadata URL ${codeSpan(scheme.metadataUrl)}`, [], '', 1)]
  return [...metadata, ...scheme.flows.map(renderFlow)]
}

function renderFlow(flow: OAuthFlowView): string {
  const urls = listFlowUrls(flow, english).flatMap(([name, url]) => (url === undefined ? [] : [`${name} ${codeSpan(url)}`]))
  const scopes = flow.scopes.map(({ name, description }) => item(codeSpan(name), [description], '', 2))
  const name = english.authorization[flow.flow]
  return item(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, [urls.join('. ')], scopes.join('\n'), 1)
}

function renderParameter(parameter: ParameterView, links: MarkdownLinks): string {
  const { name, required, deprecated, labels, description, schema, examples, style, explode, contentType } = parameter
  const isDefault = parameter.in === 'query' || parameter.in === 'cookie' ? style === 'form' && explode : style === 'simple'
  const notes = contentType === undefined ? [] : [`as ${escapeMarkdown(contentType)}`]
  if (contentType === undefined && !isDefault) notes.push(`style ${escapeMarkdown(style)}${explode ? ', exploded' : ''}`)
  const facts = [...describeUse(parameter), ...toExampleFacts(examples, schema)]
  return renderRow(name, schema, { required, deprecated, labels, description, notes, facts }, links)
}

function renderHeader(
  { name, required, deprecated, description, schema, examples }: HeaderView,
  links: MarkdownLinks,
  depth = 0,
): string {
  return renderRow(name, schema, { required, deprecated, description, facts: toExampleFacts(examples, schema) }, links, depth)
}

function toExampleFacts(examples: readonly ExampleView[], schema: SchemaView): SchemaFact[] {
  return examples.flatMap(({ name, summary, description, value, externalValue }): SchemaFact[] => {
    const text = value === undefined ? externalValue : toJsonText(value)
    if (text === undefined) return []
    const words = [escapeMarkdown(name), escapeMarkdown(summary ?? ''), description].filter((word) => word?.trim()).join(', ')
    const isKnown = words === '' && schema.facts.some((fact) => fact.kind === 'value' && fact.value === text)
    return isKnown
      ? []
      : [{ kind: 'value', label: words === '' ? 'Example' : `Example (${words.replace(/\s+/g, ' ')})`, value: text }]
  })
}

function renderResponse(
  { description, summary, headers, content, links: targets, linksLeft }: ResponseView,
  heading: string,
  links: MarkdownLinks,
): string[] {
  const parts = [heading, joinWords([escapeMarkdown(summary ?? ''), description])]
  if (headers.length > 0) parts.push(`Headers:\n\n${headers.map((header) => renderHeader(header, links)).join('\n')}`)
  parts.push(...content.flatMap((one) => renderContent(one, links)))
  if (targets.length > 0)
    parts.push(`Links:\n\n${targets.map((target) => renderLink(target, links)).join('\n')}`, renderLeft(linksLeft))
  return parts
}

function renderLink({ name, description, target, parameters, requestBody, server }: LinkView, links: MarkdownLinks): string {
  const url = links.operation(target)
  const words = [
    ...parameters.map((parameter) => `${codeSpan(parameter.name)} is ${codeSpan(parameter.value)}`),
    ...(requestBody === undefined ? [] : [`The body is ${codeSpan(requestBody)}`]),
    ...(server ? [`Server ${codeSpan(server.url)}`] : []),
  ]
  const head = `${codeSpan(name)}${target === '' ? '' : ` to ${linkTo(target, url)}`}`
  return item(head, [description, words.join('. '), server?.description], '', 0)
}

function renderContent({ mediaType, schema, itemSchema, examples, encoding }: MediaTypeView, links: MarkdownLinks): string[] {
  const parts: string[] = []
  const schemas = [
    ...(itemSchema ? [{ words: `${codeSpan(mediaType)}, a stream of items`, one: itemSchema }] : []),
    ...(schema ? [{ words: itemSchema ? 'All of it' : codeSpan(mediaType), one: schema }] : []),
  ]
  if (schemas.length === 0) parts.push(codeSpan(mediaType))
  for (const { words, one } of schemas) parts.push(...renderRoot(words, one, links))
  if (encoding.length > 0) parts.push(encoding.map((one) => renderEncoding(one, links)).join('\n'))
  const shown = examples.filter((example, index) => index === 0 || !example.isSampled)
  for (const example of shown) parts.push(...renderExample(example, mediaType))
  return parts
}

/** The schema of a body, response or page: its type, its words and its rows. */
export function renderRoot(words: string, schema: SchemaView, links: MarkdownLinks): string[] {
  const { deprecated, readOnly, writeOnly, description } = schema
  const marks = [
    renderTitle(schema, []),
    deprecated ? 'deprecated' : undefined,
    readOnly ? 'read-only' : undefined,
    writeOnly ? 'write-only' : undefined,
    ...toLabelTexts(schema),
  ].filter((mark) => mark !== undefined && mark !== '')
  const type = `${renderType(schema, links)}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`
  const [sentence, ...blocks] = renderWords(schema)
  const isBlock = sentence === undefined || /^(?:- |`{3})/.test(sentence)
  return [
    `${words}: ${type}${isBlock ? '' : `. ${sentence}`}`,
    ...(isBlock && sentence !== undefined ? [sentence] : []),
    ...blocks,
    description?.trim() ?? '',
    renderInside(schema, links, 0),
  ]
}

function renderEncoding({ property, headers, ...encoding }: EncodingView, links: MarkdownLinks): string {
  return item(
    `${codeSpan(property)} is sent as ${escapeMarkdown(describeEncoding(encoding, english))}`,
    [],
    headers.map((header) => renderHeader(header, links, 1)).join('\n'),
    0,
  )
}

/** An example with its name and words. */
export function renderExample(
  { name, summary, description, text, externalValue, isSampled }: ExampleView,
  mediaType: string,
): string[] {
  const language = /json/i.test(mediaType) ? 'json' : /xml/i.test(mediaType) ? 'xml' : ''
  const names = [name, summary === name ? '' : (summary ?? '')].filter((word) => word.trim() !== '')
  const head = names.length > 0 ? `Example ${names.map(escapeMarkdown).join(': ')}` : isSampled ? '' : 'Example'
  return [
    head,
    description?.trim() ?? '',
    ...(externalValue === undefined ? [] : [externalValue]),
    ...(text === undefined ? [] : [codeBlock(text, language)]),
  ]
}
