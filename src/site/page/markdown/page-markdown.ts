import { describeLevel } from '../../../changes/change.ts'
import type { Changelog } from '../../../changes/compare/changelog.ts'
import { formatOperation } from '../../../changes/show/changes-text.ts'
import type { Tag } from '../../../openapi/types.ts'
import type { MdxNode } from '../../../script/values/values.ts'
import { withoutControls } from '../../../text/plain/escape-text.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { english } from '../../messages/messages.ts'
import { listGroupPages, listOtherTags, toTagLabel } from '../../plan/tag-groups.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { makeSampleRequest, toCodeSamples } from '../../reference/code-samples.ts'
import type { Reference } from '../../reference/create-reference.ts'
import type { ApiView } from '../../reference/to-api-view.ts'
import type { SchemaPageView, SchemaView } from '../../reference/types.ts'
import { renderAgentNote } from '../agent-note.ts'
import { findRoutes } from '../api/api-context.ts'
import { describeEntry, describeReason, describeRest, listEntries, nameDirection } from '../api/changelog-entries.ts'
import { toEndpointView } from '../api/endpoint-article.tsx'
import { resolveHref, type SiteContext, type SiteSource, toAssetHref } from '../site-context.ts'
import { nodesToMarkdown } from './nodes-to-markdown.ts'
import { listServers, operationToMarkdown, renderExample, renderRoot, renderSecurity } from './operation-markdown.ts'
import { withoutRefusedLinks } from './refused-links.ts'
import { codeSpan, escapeMarkdown, linkTo, type MarkdownLinks, renderExternalDocs, renderUrl } from './schema-markdown.ts'

/** The path of a page's Markdown, relative to the output directory. */
export function toMarkdownPath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.md`
}

/** Renders a page as Markdown: its title, its description, its text including snippets, and its API reference. */
export function renderPageMarkdown(page: SitePage, nodes: readonly MdxNode[], source: SiteSource): SiteFile {
  const { toWhole, context } = toLinks(source)
  const toAddress = (written: string, use: 'link' | 'media') => {
    if (written === '' || !isAllowedUrl(written, use)) return undefined
    return toWhole(resolveHref(context, written, page))
  }
  const text = nodesToMarkdown(nodes, toAddress).trim()
  const api = describeSubject(page, source, text)
  const parts: string[] = []
  if (page.description !== undefined && page.description.trim() !== '' && (api === '' || page.subject.kind === 'description'))
    parts.push(`> ${page.description.trim().replace(/\n/g, '\n> ')}\n`)
  if (api !== '') parts.push(api)
  else if (text !== '') parts.push(`${text}\n`)
  return toMarkdownFile(page, parts, source)
}

/** Renders the page of a part of a schema, which is published with the page `owner`. */
export function renderPartMarkdown(page: SitePage, owner: SitePage, schema: SchemaView, source: SiteSource): SiteFile {
  const routes = findPageRoutes(owner, source)
  const text = routes ? schemaToMarkdown({ schema, examples: [], usedBy: [] }, routes.links) : ''
  return toMarkdownFile(page, [text], source)
}

function toMarkdownFile(page: SitePage, parts: readonly string[], source: SiteSource): SiteFile {
  const { context } = source
  const text = [`# ${escapeMarkdown(page.title)}\n`, ...parts].join('\n')
  return { path: toMarkdownPath(page), content: withoutControls(renderAgentNote(context) + withoutRefusedLinks(text)) }
}

/** Links in Markdown are absolute if the URL of the site is known. */
function toLinks({ context: { notes: _, ...context } }: SiteSource) {
  // The HTML renderer already reports the links.
  const { url, base } = context.hosting
  return { context, toWhole: (href: string) => (url !== undefined && href.startsWith(base) ? new URL(href, url).href : href) }
}

/** The links of a reference page to other pages. */
function findPageRoutes(page: SitePage, source: SiteSource) {
  const { subject } = page
  const reference = 'source' in subject ? source.references.get(subject.source) : undefined
  if (!reference || !('source' in subject)) return undefined
  const { toWhole, context } = toLinks(source)
  const { routeOf, showsSchemes, findPart } = findRoutes(context, page, reference, subject.source)
  const toLink = (route: string | undefined) =>
    route === undefined ? undefined : toWhole(toAssetHref(context.hosting, toMarkdownPath({ route })))
  const links: MarkdownLinks = {
    schema: ({ name }) => toLink(routeOf('schema', name)),
    part: (part) => toLink(findPart(part)),
    operation: (target) => toLink(routeOf('operation', target)),
  }
  return { reference, links, showsSchemes }
}

/** The API reference of a page with the text of the page in its place. Empty for pages without a reference. */
function describeSubject(page: SitePage, source: SiteSource, ownText: string): string {
  const { changelogs, context } = source
  const { subject } = page
  if (subject.kind === 'changelog') return changelogToMarkdown(changelogs.get(subject.source))
  if (subject.kind === 'endpoint') {
    const operation = toEndpointView(page, subject, context.plan.settings.api.mdx)
    const { description, deprecated } = page
    const links = { schema: () => undefined, part: () => undefined, operation: () => undefined }
    const options = { links, showsSchemes: true, level: 2, samples: [] }
    return operationToMarkdown({ ...operation, description, deprecated }, options, ownText)
  }
  const routes = findPageRoutes(page, source)
  if (!routes) return ''
  const { reference, links, showsSchemes } = routes
  if (subject.kind === 'schema') {
    const view = reference.schemaView(subject.name)
    return view ? schemaToMarkdown(view, links, ownText) : ''
  }
  if (subject.kind === 'schemas') {
    const lines = reference.usedSchemas.map(({ name }) => `- ${linkTo(name, links.schema({ name }))}`)
    return joinBlocks(ownText, lines.join('\n'))
  }
  if (subject.kind === 'description') {
    const view = reference.apiView()
    const text = page.path === undefined ? (view.description?.trim() ?? '') : ownText
    const tags = listOtherTags(reference.context.description, context.plan, page)
    const others = tags.flatMap((tag) => [
      `## ${escapeMarkdown(toTagLabel({ tag: tag.name, described: tag }))}`,
      ...tagTextToMarkdown(tag),
    ])
    return joinBlocks(text, apiToMarkdown(view, showsSchemes).trim(), ...others)
  }
  if (subject.kind === 'tag') return tagToMarkdown(subject.name, page, reference, context)
  const options = { links, showsSchemes, level: 2, samples: [] }
  if (subject.kind === 'webhook') {
    const operations = reference.webhookViews(subject.name)
    const [only] = operations
    if (operations.length === 1 && only) return operationToMarkdown(only, options, ownText)
    return joinBlocks(ownText, operations.map((operation) => operationToMarkdown(operation, options)).join('\n'))
  }
  if (subject.kind !== 'operation') return ''
  const view = reference.operationView(subject.target)
  const operation = reference.describe(subject.target)?.operation
  if (!view || !operation) return ''
  const { examples } = context.plan.settings.api
  const request = makeSampleRequest(operation, examples.defaults)
  const samples = toCodeSamples(view, request, { languages: ['bash'], autogenerate: examples.autogenerate })
  return operationToMarkdown(view, { ...options, samples }, ownText)
}

function joinBlocks(...blocks: readonly string[]): string {
  const shown = blocks.filter((block) => block !== '')
  return shown.length === 0 ? '' : `${shown.join('\n\n')}\n`
}

function apiToMarkdown(view: ApiView, showsSchemes: boolean): string {
  const { version, license, contact, email, termsOfService, externalDocs, servers, security, otherSchemes } = view
  const lines = [
    ...[license, contact].flatMap((link) => {
      return link ? [`- ${escapeMarkdown(link.name)}${link.url === undefined ? '' : `: ${renderUrl(link.url)}`}`] : []
    }),
    ...(email === undefined ? [] : [`- ${escapeMarkdown(email)}`]),
    ...(termsOfService === undefined ? [] : [`- Terms of service: ${renderUrl(termsOfService)}`]),
    ...(externalDocs ? [`- ${renderExternalDocs(externalDocs)}`] : []),
  ]
  const parts = [
    ...(version === undefined ? [] : [`Version ${escapeMarkdown(version)}`]),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ]
  if (servers.length > 0) parts.push('## Servers', listServers(servers, true))
  if (security.some(({ schemes }) => schemes.length > 0))
    parts.push('## Authorization', renderSecurity(security, { showsSchemes }))
  if (otherSchemes.length > 0) parts.push('## Authorization of some operations', renderSecurity(otherSchemes, { showsSchemes }))
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`
}

/** The changes of each version, with the operations that they affect. */
function changelogToMarkdown(changelog: Changelog | undefined): string {
  if (!changelog || changelog.entries.length === 0) return 'There are no versions to compare yet.\n'
  const parts = listEntries(changelog).map(({ entry, listed, left }) => {
    const lines = listed.map((change) => {
      const { code, message, operation, operations } = change
      const affected = (operation ? [operation] : operations).slice(0, maxAffected).map(formatOperation)
      const named = affected.filter((name) => !message.includes(`\`${name}\``))
      const at = named.map(codeSpan).join(', ')
      const reason = describeReason(change, english)
      const end = `${at === '' ? '' : ` (${at})`}${reason === undefined ? '' : `. ${escapeMarkdown(reason)}`}`
      return `- **${describeLevel(change)}** (${code}): ${escapeMarkdown(message)}${nameDirection(change, listed, english)}${end}`
    })
    return [
      `## ${escapeMarkdown(entry.name)}${entry.date === undefined ? '' : ` (${entry.date.slice(0, 10)})`}\n`,
      `${describeEntry(entry, english)}\n`,
      ...(lines.length > 0 ? [`${lines.join('\n')}\n`] : []),
      ...(left > 0 ? [`${describeRest(left, listed.length, english)}\n`] : []),
    ].join('\n')
  })
  return [...parts, ...(changelog.isCut ? ['Older versions are not listed.\n'] : [])].join('\n')
}

/** The most operations of a change that the Markdown names. */
const maxAffected = 10

/** The description of a tag and the operations of its group. */
function tagToMarkdown(name: string, page: SitePage, { context: { description } }: Reference, { plan }: SiteContext): string {
  const tag = description.tags.find((one) => one.name === name)
  const list = listGroupPages(page.trail.at(-1), plan.pageByRoute).map(
    ({ title, subject }) => `- ${escapeMarkdown(title)}${subject.kind === 'operation' ? `: ${codeSpan(subject.target)}` : ''}`,
  )
  return `${[...(tag ? tagTextToMarkdown(tag) : []), list.join('\n')].join('\n\n')}\n`
}

function tagTextToMarkdown({ description, externalDocs }: Tag): string[] {
  const text = description?.trim()
  return [...(text ? [text] : []), ...(externalDocs ? [renderExternalDocs(externalDocs)] : [])]
}

/** The most places that the Markdown of a schema lists. Error schemas can have thousands. */
const maxUses = 100

/** The content of the page of a schema or of a part of one. */
function schemaToMarkdown(
  { schema, examples, usedBy }: Omit<SchemaPageView, 'name'>,
  links: MarkdownLinks,
  ownText = '',
): string {
  const parts = [schema.description?.trim() ?? '', ownText, ...renderRoot('Type', { ...schema, description: undefined }, links)]
  for (const example of examples) parts.push(...renderExample(example, 'application/json'))
  if (usedBy.length > 0) {
    const more = usedBy.length - maxUses
    const lines = usedBy.slice(0, maxUses).map(({ target, place }) => `- ${codeSpan(target)} (${escapeMarkdown(place)})`)
    parts.push('## Used by', [...lines, ...(more > 0 ? [`- ${more} more places`] : [])].join('\n'))
  }
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`
}
