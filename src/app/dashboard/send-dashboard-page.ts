import type { FastifyReply } from 'fastify'
import { type ComponentChild, h } from 'preact'
import { drawer, type Frame } from '../pages/frame.ts'
import { renderPage } from '../pages/layout.ts'
import { sendPage } from '../pages/send-page.ts'
import type { Visit } from './dashboard-context.ts'
import { setPersonalHeaders } from './start-visit.ts'

/** What stands around the page; `aside` comes from `sideBar`. */
export function toFrame({ person }: Visit, section: Frame['section'], aside: ComponentChild): Frame {
  return { login: person.login, section, ...(aside !== undefined && { aside: drawer('Projects', aside) }) }
}

interface SendOptions {
  readonly visit: Visit
  readonly title: string
  readonly section: Frame['section']
  readonly aside: ComponentChild
  readonly content: ComponentChild
  /** The page follows itself by it where there is one. */
  readonly etag?: string
  readonly status?: number
}

/** Sends a page of the dashboard. */
export function sendDashboardPage(
  reply: FastifyReply,
  { visit, title, section, aside, content, etag, status }: SendOptions,
): FastifyReply {
  const html = renderPage({
    title: `${title} · openapi-pages`,
    frame: toFrame(visit, section, aside === undefined ? undefined : h('div', { 'data-part': 'side' }, aside)),
    ...(etag !== undefined && { live: { etag, reloads: false } }),
    children: content,
  })
  setPersonalHeaders(reply)
  return sendPage(reply, html, status, '')
}
