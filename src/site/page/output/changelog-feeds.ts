import { changeUrl } from '../../../changes/change.ts'
import { formatOperation } from '../../../changes/show/changes-text.ts'
import { escapeDirection, escapeHtml, escapeXml, withoutControls } from '../../../text/plain/escape-text.ts'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { findMessages, type Messages } from '../../messages/messages.ts'
import { findPageLanguage } from '../../plan/page-language.ts'
import type { SiteFile } from '../../plan/types.ts'
import {
  describeEntry,
  describeReason,
  describeRest,
  type ListedEntry,
  listEntries,
  nameDirection,
  nameLevel,
} from '../api/changelog-entries.ts'
import { toAbsoluteUrl, toFeedPaths } from '../shell/metatags.ts'
import type { SiteSource } from '../site-context.ts'

/**
 * The feeds of all changelogs. Changes that are not released yet are left out, so that an item never changes.
 *
 * Source: RSS 2.0; JSON Feed 1.1.
 */
export function listFeeds({ context, changelogs }: Pick<SiteSource, 'context' | 'changelogs'>): SiteFile[] {
  return context.plan.pages.flatMap((page): SiteFile[] => {
    const paths = toFeedPaths(context, page)
    const changelog = page.subject.kind === 'changelog' ? changelogs.get(page.subject.source) : undefined
    const home = toAbsoluteUrl(context, page.route)
    if (!paths || !changelog || home === undefined) return []
    const messages = findMessages(findPageLanguage(page, context.plan.settings))
    const { changelog: texts, language } = messages
    const items = listEntries(changelog).flatMap((one) => toItem(one, home, messages))
    const name = context.plan.settings.name
    const feed = {
      title: page.title === texts.title ? formatMessage(texts.titleOf, { name }, language) : `${page.title} – ${name}`,
      home,
      items,
    }
    const urlOf = (path: string) => new URL(path.slice(page.route.length + 1), home).href
    return [
      { path: paths.rss, content: renderRss(feed, urlOf(paths.rss)) },
      { path: paths.json, content: renderJsonFeed(feed, urlOf(paths.json)) },
    ]
  })
}

interface Feed {
  readonly title: string
  /** The URL of the changelog page. */
  readonly home: string
  readonly items: readonly Item[]
}

interface Item {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly html: string
  /** ISO 8601 in UTC. */
  readonly date: string
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

function renderRss({ title, home, items }: Feed, self: string): string {
  const lines = items.map(
    (item) =>
      `<item><title>${escapeXml(item.title)}</title><link>${escapeXml(item.url)}</link><guid>${escapeXml(item.url)}</guid>` +
      `<pubDate>${new Date(item.date).toUTCString()}</pubDate><description>${escapeXml(item.html)}</description></item>`,
  )
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${escapeXml(title)}</title><link>${escapeXml(home)}</link>`,
    `<description>${escapeXml('Changes of the API by version')}</description>`,
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
