import { changeUrl } from '../../../changes/change.ts'
import { formatOperation } from '../../../changes/show/changes-text.ts'
import { type MdxElement, type MdxNode, propsIn, textOf } from '../../../script/values/values.ts'
import { escapeDirection, escapeHtml, escapeXml, withoutControls } from '../../../text/plain/escape-text.ts'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { findMessages, type Messages } from '../../messages/messages.ts'
import { findPageLanguage } from '../../plan/page-language.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import {
  describeEntry,
  describeReason,
  describeRest,
  type ListedEntry,
  listEntries,
  nameDirection,
  nameLevel,
} from '../api/changelog-entries.ts'
import { readText } from '../components/component-props.tsx'
import { toAbsoluteUrl, toFeedPaths } from '../shell/metatags.ts'
import { type SiteContext, type SiteSource, toFileUrl } from '../site-context.ts'

/**
 * The feeds of all changelogs. Changes that are not released yet are left out, so that an item never changes.
 *
 * Source: RSS 2.0; JSON Feed 1.1.
 */
export function listFeeds({ context, changelogs }: Pick<SiteSource, 'context' | 'changelogs'>): SiteFile[] {
  return context.plan.pages.flatMap((page): SiteFile[] => {
    const changelog = page.subject.kind === 'changelog' ? changelogs.get(page.subject.source) : undefined
    const home = toAbsoluteUrl(context, page.route)
    if (!changelog || home === undefined) return []
    const messages = findMessages(findPageLanguage(page, context.plan.settings))
    const { changelog: texts, language } = messages
    const items = listEntries(changelog).flatMap((one) => toItem(one, home, messages))
    const name = context.plan.settings.name
    const title = page.title === texts.title ? formatMessage(texts.titleOf, { name }, language) : `${page.title} – ${name}`
    return renderFeeds(page, { title, description: 'Changes of the API by version', home, items }, context)
  })
}

/** The feeds of a page with `rss: true`: an item for each `<Update>`. `show` renders its content. */
export function listUpdateFeeds(
  page: SitePage,
  nodes: readonly MdxNode[],
  context: SiteContext,
  show: (nodes: readonly MdxNode[]) => string,
): SiteFile[] {
  const home = toAbsoluteUrl(context, page.route)
  if (page.subject.kind !== 'guide' || home === undefined) return []
  const items = listUpdates(nodes).map(({ props, children }): Item => {
    const id = readText(props, 'id')
    const own = propsIn(props['rss'])
    const label = readText(props, 'label') ?? page.title
    const text = readText(own, 'description')
    const html = (text === undefined ? withoutDrawings(show(children)) : `<p>${escapeHtml(text)}</p>`).replace(
      / (href|src)="(?=\/(?!\/))/g,
      (_, name) => ` ${name}="${new URL(home).origin}`,
    )
    const summary = (text ?? textOf(children)).replace(/\s+/g, ' ').trim().slice(0, maxSummary)
    const date = findDate(label) ?? findDate(readText(props, 'description') ?? '')
    return {
      url: id === undefined ? home : `${home}#${encodeUrlPart(id)}`,
      title: readText(own, 'title') ?? label,
      summary,
      html,
      date,
    }
  })
  const { name } = context.plan.settings
  return renderFeeds(page, { title: `${page.title} – ${name}`, description: page.description ?? name, home, items }, context)
}

/** Removes drawings and buttons, which readers of feeds do not show. */
function withoutDrawings(html: string): string {
  let depth = 0
  const parts = html.split(/(?=<\/?(?:svg|button)\b)/).map((part) => {
    const [, slash] = /^<(\/?)(?:svg|button)\b/.exec(part) ?? []
    if (slash !== undefined) depth += slash === '' ? 1 : -1
    if (depth > 0) return ''
    return slash === undefined ? part : part.slice(part.indexOf('>') + 1)
  })
  return parts.join('')
}

/** In characters. Readers show the whole entry after it. */
const maxSummary = 300

function listUpdates(nodes: readonly MdxNode[]): MdxElement[] {
  const elements = nodes.filter((node) => node.kind === 'element')
  return elements.flatMap((element) => (element.name === 'Update' ? [element] : listUpdates(element.children)))
}

/** The date in a text such as `2026-01-31`, `January 31, 2026` or `v2 (Jan 2026)`, ISO 8601 in UTC. */
function findDate(text: string): string | undefined {
  const [written] = /\b(?:\d{4}-\d{2}-\d{2}|[A-Z][a-z]{2,8} (?:\d{1,2}, )?\d{4})\b/.exec(text) ?? []
  const time = written === undefined ? Number.NaN : Date.parse(`${written} UTC`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

function renderFeeds(page: SitePage, feed: Feed, context: SiteContext): SiteFile[] {
  const paths = toFeedPaths(context, page)
  if (!paths) return []
  const urlOf = (path: string) => toFileUrl(context.hosting, path)
  return [
    { path: paths.rss, content: renderRss(feed, urlOf(paths.rss)) },
    { path: paths.json, content: renderJsonFeed(feed, urlOf(paths.json)) },
  ]
}

interface Feed {
  readonly title: string
  readonly description: string
  /** The URL of the page. */
  readonly home: string
  readonly items: readonly Item[]
}

interface Item {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly html: string
  /** ISO 8601 in UTC, if it is known. */
  readonly date: string | undefined
}

function toItem({ entry, id, listed, left }: ListedEntry, home: string, messages: Messages): Item[] {
  if (entry.date === undefined) return []
  const lines = listed.map((change) => {
    const { code, message, operation } = change
    const name = operation && formatOperation(operation)
    const at = name === null || message.includes(`\`${name}\``) ? '' : ` (<code>${escapeHtml(name)}</code>)`
    const reason = describeReason(change, messages)
    const end = reason === undefined ? '' : `<br>${escapeHtml(reason)}`
    return `<li><b>${nameLevel(change, messages)}</b>: ${toHtml(message)}${nameDirection(change, listed, messages)}${at} <a href="${escapeHtml(changeUrl(code))}">${code}</a>${end}</li>`
  })
  const html = [
    `<p>${describeEntry(entry, messages)}</p>`,
    ...(lines.length > 0 ? [`<ul>${lines.join('')}</ul>`] : []),
    ...(left > 0 ? [`<p>${describeRest(left, listed.length, messages)}</p>`] : []),
  ]
  return [
    {
      url: `${home}#${encodeUrlPart(id)}`,
      title: escapeDirection(entry.name),
      summary: describeEntry(entry, messages),
      html: escapeDirection(html.join('')),
      date: entry.date,
    },
  ]
}

/** A message with names in backticks. */
function toHtml(message: string): string {
  const parts = message.split('`')
  if (parts.length % 2 === 0) return escapeHtml(message)
  return parts.map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part))).join('')
}

function renderRss({ title, description, home, items }: Feed, self: string): string {
  const lines = items.map(
    (item) =>
      `<item><title>${escapeXml(item.title)}</title><link>${escapeXml(item.url)}</link><guid>${escapeXml(item.url)}</guid>` +
      `${item.date === undefined ? '' : `<pubDate>${new Date(item.date).toUTCString()}</pubDate>`}<description>${escapeXml(item.html)}</description></item>`,
  )
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${escapeXml(title)}</title><link>${escapeXml(home)}</link>`,
    `<description>${escapeXml(description)}</description>`,
    `<atom:link href="${escapeXml(self)}" rel="self" type="application/rss+xml"/>`,
    ...lines,
    '</channel></rss>',
  ]
  return `${toXmlText(text.join('\n'))}\n`
}

/** Replaces characters that XML does not allow. Source: XML 1.0, section 2.2. */
function toXmlText(text: string): string {
  return withoutControls(text.toWellFormed()).replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
}

function renderJsonFeed({ title, home, items }: Feed, self: string): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    items: items.map(({ url, title: name, summary, html, date }) => ({
      id: url,
      url,
      title: name,
      summary,
      content_html: html,
      date_published: date,
    })),
  }
  return `${JSON.stringify(feed, undefined, 2)}\n`
}
