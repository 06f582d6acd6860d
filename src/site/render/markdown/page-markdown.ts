import { describeLevel } from '../../../openapi/changes/accepted-changes.ts'
import type { Changelog } from '../../../openapi/changes/changelog.ts'
import { formatOperation } from '../../../openapi/changes/changes-text.ts'
import { toOneLine, withoutControls } from '../../../source/escape-text.ts'
import { isAllowedUrl } from '../../content/allowed-html.ts'
import type { MdxNode } from '../../content/types.ts'
import type { Reference } from '../../reference/create-reference.ts'
import type { ApiView } from '../../reference/to-api-view.ts'
import type {
  MediaTypeView,
  OperationView,
  ParameterView,
  ResponseView,
  SchemaPageView,
  SchemaView,
  SecurityUse,
} from '../../reference/types.ts'
import { describeEntry, describeReason, describeRest, listEntries, nameDirection } from '../api/changelog-entries.ts'
import { type ResolvedLinks, replaceMarkdownLinks, toTargetHref } from '../foreign-links/foreign-links.ts'
import { resolveHref, type SiteContext, type SiteSource } from '../site-context.ts'
import { listGroupPages } from '../tag-groups.ts'
import type { SiteFile, SitePage } from '../types.ts'
import { nodesToMarkdown } from './nodes-to-markdown.ts'

/** The path of a page's Markdown, relative to the output directory. */
export function toMarkdownPath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.md`
}

/** Renders a page as Markdown: its title, its description, its text including snippets, and its API reference. */
export function renderPageMarkdown(
  page: SitePage,
  nodes: readonly MdxNode[],
  source: SiteSource,
  resolved: ResolvedLinks,
): SiteFile {
  const { url, base } = source.context
  // The HTML renderer already reports the links.
  const { onLink: _, ...context } = source.context
  const toWhole = (href: string) => (url !== undefined && href.startsWith(base) ? new URL(href, url).href : href)
  const toAddress = (written: string, use: 'link' | 'media') => {
    if (written === '' || !isAllowedUrl(written, use)) return undefined
    return toWhole(resolveHref(context, written, page))
  }
  const parts = [`# ${page.title.replace(/\s+/g, ' ')}\n`]
  const text = nodesToMarkdown(nodes, toAddress).trim()
  const api = describeSubject(page, source, text)
  if (page.description !== undefined && page.description.trim() !== '' && (api === '' || page.subject.kind === 'description'))
    parts.push(`> ${page.description.trim().replace(/\n/g, '\n> ')}\n`)
  if (api !== '') parts.push(api)
  else if (text !== '') parts.push(`${text}\n`)
  const content = replaceMarkdownLinks(parts.join('\n'), resolved, (found) => toWhole(toTargetHref(context, found)))
  return { path: toMarkdownPath(page), content: withoutControls(content) }
}

/** The API reference of a page with the text of the page in its place. Empty for pages without a reference. */
function describeSubject(page: SitePage, { references, changelogs, context }: SiteSource, ownText: string): string {
  const { subject } = page
  if (subject.kind === 'changelog') return changelogToMarkdown(changelogs.get(subject.source))
  if (subject.kind === 'endpoint') return joinBlocks(code(`${subject.method} ${subject.url}`, 'http'), ownText)
  const reference = 'source' in subject ? references.get(subject.source) : undefined
  if (!reference) return ''
  if (subject.kind === 'schema') {
    const view = reference.schemaView(subject.name)
    return view ? schemaToMarkdown(view, ownText) : ''
  }
  if (subject.kind === 'description') {
    const view = reference.apiView()
    const text = page.path === undefined ? (view.description?.trim() ?? '') : ownText
    return joinBlocks(text, apiToMarkdown(view).trim())
  }
  if (subject.kind === 'tag') return tagToMarkdown(subject.name, page, reference, context)
  if (subject.kind === 'webhook') {
    const operations = reference.webhookViews(subject.name)
    const [only] = operations
    if (operations.length === 1 && only) return operationToMarkdown(only, ownText)
    return joinBlocks(ownText, operations.map((operation) => operationToMarkdown(operation, '')).join('\n'))
  }
  const operation = subject.kind === 'operation' ? reference.operationView(subject.target) : undefined
  return operation ? operationToMarkdown(operation, ownText) : ''
}

function joinBlocks(...blocks: readonly string[]): string {
  const shown = blocks.filter((block) => block !== '')
  return shown.length === 0 ? '' : `${shown.join('\n\n')}\n`
}

function apiToMarkdown({ version, servers, security }: ApiView): string {
  const parts = version === undefined ? [] : [`Version ${version}`]
  if (servers.length > 0)
    parts.push(
      '## Servers',
      servers.map(({ url, description }) => `- \`${url}\`${description ? `: ${description}` : ''}`).join('\n'),
    )
  if (security.some(({ schemes }) => schemes.length > 0))
    parts.push(
      '## Authorization',
      security.map(({ schemes }) => `- ${schemes.map(describeScheme).join(' and ') || 'none'}`).join('\n'),
    )
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`
}

/** The changes of each version, with the operations that they affect. */
function changelogToMarkdown(changelog: Changelog | undefined): string {
  if (!changelog || changelog.entries.length === 0) return 'There are no versions to compare yet.\n'
  const parts = listEntries(changelog).map(({ entry, listed }) => {
    const lines = listed.map((change) => {
      const { code, message, operation, operations } = change
      const affected = (operation ? [operation] : operations).slice(0, maxAffected).map(formatOperation)
      const named = affected.filter((name) => !message.includes(`\`${name}\``))
      const at = named.map((name) => `\`${name.replaceAll('`', "'")}\``).join(', ')
      const reason = describeReason(change)
      const end = `${at === '' ? '' : ` (${at})`}${reason === undefined ? '' : `. ${escapeMarkdown(reason)}`}`
      return `- **${describeLevel(change)}** (${code}): ${escapeMarkdown(message)}${nameDirection(change, listed)}${end}`
    })
    const left = entry.changes.length - listed.length
    return [
      `## ${escapeMarkdown(entry.name)}${entry.date === undefined ? '' : ` (${entry.date.slice(0, 10)})`}\n`,
      `${describeEntry(entry)}\n`,
      ...(lines.length > 0 ? [`${lines.join('\n')}\n`] : []),
      ...(left > 0 ? [`${describeRest(left, listed.length)}\n`] : []),
    ].join('\n')
  })
  return [...parts, ...(changelog.isCut ? ['Older versions are not listed.\n'] : [])].join('\n')
}

/** The most operations of a change that the Markdown names. */
const maxAffected = 10

/** Escapes a sentence with names in backticks on one line. */
function escapeMarkdown(text: string): string {
  const parts = toOneLine(text).split('`')
  const escapePart = (part: string) => part.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
  if (parts.length % 2 === 0) return escapePart(toOneLine(text))
  return parts.map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapePart(part))).join('')
}

/** The description of a tag and the operations of its group. */
function tagToMarkdown(name: string, page: SitePage, { description }: Reference, { pageByRoute }: SiteContext): string {
  const text = description.tags.find((tag) => tag.name === name)?.description?.trim()
  const list = listGroupPages(page.trail.at(-1), pageByRoute).map(({ title, subject }) =>
    subject.kind === 'operation' ? `- ${title}: \`${subject.target}\`` : `- ${title}`,
  )
  return `${[...(text ? [text] : []), list.join('\n')].join('\n\n')}\n`
}

/** The maximum depth of schema rows. Deeper levels show only their type. */
const maxDepth = 4

/** Renders an operation, or one method of a webhook. Descriptions are already Markdown and stay unchanged. */
function operationToMarkdown(operation: OperationView, ownText: string): string {
  const { method, path, servers, security, parameters, requestBody, responses, kind, deprecated } = operation
  const [server] = servers
  const url = kind === 'operation' ? `${(server?.url ?? '').replace(/\/$/, '')}${path}` : path
  const parts = [code(`${method} ${url}`, 'http')]
  const labels = [...(deprecated ? ['Deprecated'] : []), ...operation.labels.map(({ text }) => escapeMarkdown(text))]
  if (labels.length > 0) parts.push(labels.map((label) => `**${label}**`).join(', '))
  if (operation.description !== undefined && operation.description.trim() !== '') parts.push(operation.description.trim())
  if (ownText !== '') parts.push(ownText)
  if (security.length > 0)
    parts.push(
      '## Authorization',
      security.map(({ schemes }) => `- ${schemes.map(describeScheme).join(' and ') || 'none'}`).join('\n'),
    )
  for (const place of ['path', 'query', 'querystring', 'header', 'cookie'] as const) {
    const some = parameters.filter((parameter) => parameter.in === place)
    if (some.length > 0)
      parts.push(`## ${place.charAt(0).toUpperCase()}${place.slice(1)} parameters`, some.map(describeParameter).join('\n'))
  }
  if (requestBody) {
    parts.push(kind === 'webhook' ? '## Payload' : `## Body${requestBody.required ? ' (required)' : ''}`)
    if (requestBody.description) parts.push(requestBody.description.trim())
    parts.push(...requestBody.content.flatMap(describeContent))
  }
  if (responses.length > 0) parts.push('## Responses', ...responses.flatMap(describeResponse))
  return `${parts.join('\n\n')}\n`
}

/** Renders the page of a named schema. */
function schemaToMarkdown({ schema, examples, usedBy }: SchemaPageView, ownText: string): string {
  const parts: string[] = []
  if (schema.description !== undefined && schema.description.trim() !== '') parts.push(schema.description.trim())
  if (ownText !== '') parts.push(ownText)
  parts.push(`Type: ${typeOf(schema)}${facts(schema)}`)
  const rows = describeInside(schema, 0)
  if (rows !== '') parts.push(rows)
  for (const { text, name } of examples.slice(0, 1))
    if (text !== undefined) parts.push(`## Example${name === '' ? '' : ` ${name}`}`, code(text, 'json'))
  if (usedBy.length > 0) parts.push('## Used by', usedBy.map(({ target, place }) => `- \`${target}\` (${place})`).join('\n'))
  return `${parts.join('\n\n')}\n`
}

function describeScheme({ name, scheme, scopes }: SecurityUse): string {
  const how =
    scheme.type === 'apiKey'
      ? `API key in the \`${scheme.parameterName}\` ${scheme.in === 'query' ? 'query parameter' : scheme.in}`
      : scheme.type === 'http'
        ? `HTTP ${scheme.scheme}`
        : scheme.type === 'oauth2'
          ? 'OAuth 2'
          : scheme.type === 'openIdConnect'
            ? 'OpenID Connect'
            : scheme.type === 'mutualTLS'
              ? 'mutual TLS'
              : 'unknown'
  return `\`${name}\` (${how}${scopes.length > 0 ? `; scopes ${scopes.map((scope) => `\`${scope.name}\``).join(', ')}` : ''})`
}

function describeParameter({ name, required, deprecated, labels, description, schema }: ParameterView): string {
  return describeRow(name, schema, { required, deprecated, labels, description: description ?? schema.description }, 0)
}

function describeResponse({ statusCode, description, summary, headers, content }: ResponseView): string[] {
  const parts = [`### ${statusCode}`]
  const text = description ?? summary
  if (text !== undefined && text.trim() !== '') parts.push(text.trim())
  if (headers.length > 0)
    parts.push(
      `Headers:\n\n${headers.map((one) => describeRow(one.name, one.schema, { ...one, description: one.description ?? one.schema.description }, 0)).join('\n')}`,
    )
  return [...parts, ...content.flatMap(describeContent)]
}

function describeContent({ mediaType, schema, itemSchema, examples }: MediaTypeView): string[] {
  const parts = [`\`${mediaType}\`${schema ? `: ${typeOf(schema)}${facts(schema)}` : ''}`]
  const rows = [schema, itemSchema].flatMap((one) => (one ? [describeInside(one, 0)] : [])).filter((text) => text !== '')
  parts.push(...rows)
  const [example] = examples
  if (example?.text !== undefined) parts.push(code(example.text, /json/i.test(mediaType) ? 'json' : ''))
  return parts
}

interface RowDetails {
  readonly required: boolean
  readonly deprecated: boolean
  readonly description: string | undefined
  readonly labels?: ParameterView['labels']
}

function describeRow(name: string, schema: SchemaView, details: RowDetails, depth: number): string {
  const { required, deprecated, description, labels: more = [] } = details
  const indent = '  '.repeat(depth)
  const marks = [
    typeOf(schema),
    required && 'required',
    (deprecated || schema.deprecated) && 'deprecated',
    schema.readOnly && 'read-only',
    schema.writeOnly && 'write-only',
    ...schema.labels.map(({ text }) => escapeMarkdown(text)),
    ...more.map(({ text }) => escapeMarkdown(text)),
  ]
  const labels = marks.filter((mark) => typeof mark === 'string' && mark !== '').join(', ')
  const text = description?.trim().replace(/\n/g, `\n${indent}  `)
  const inside = describeInside(schema, depth + 1)
  return `${indent}- \`${name}\` (${labels})${text === undefined || text === '' ? '' : `: ${text}`}${facts(schema)}${inside === '' ? '' : `\n${inside}`}`
}

/** The rows of a schema: its properties, and those of its items and choices. */
function describeInside(schema: SchemaView, depth: number): string {
  if (depth >= maxDepth || schema.isCut !== false) return ''
  const { properties, otherKeys, items, prefixItems, choices } = schema
  const indent = '  '.repeat(depth)
  const rows = properties.map(({ name, required, schema: one }) =>
    describeRow(name, one, { required, deprecated: false, description: one.description }, depth),
  )
  rows.push(
    ...otherKeys.map(({ label, schema: one }) =>
      describeRow(label, one, { required: false, deprecated: false, description: one.description }, depth),
    ),
  )
  for (const item of [...prefixItems, ...(items ? [items] : [])]) {
    const inside = describeInside(item, depth)
    if (inside !== '') rows.push(inside)
  }
  for (const { kind, options } of choices) {
    rows.push(`${indent}- ${kind === 'oneOf' ? 'One of' : 'Any of'}:`)
    for (const { label, schema: one } of options) {
      const inside = describeInside(one, depth + 2)
      rows.push(`${indent}  - ${label} (${typeOf(one)})${inside === '' ? '' : `\n${inside}`}`)
    }
  }
  return rows.filter((row) => row !== '').join('\n')
}

function typeOf({ type }: SchemaView): string {
  return type.map(({ text }) => text).join('')
}

function facts({ facts: list, enum: values }: SchemaView): string {
  const sentences = list.map((fact) => (fact.kind === 'words' ? fact.text : `${fact.label} \`${fact.value}\``))
  if (values.length > 0) sentences.unshift(`One of ${values.map(({ value }) => `\`${value}\``).join(', ')}`)
  return sentences.length === 0 ? '' : `. ${sentences.join('. ')}`
}

/** A fenced code block, with a fence that is longer than any in the text. */
function code(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
