import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { Drawer, type Frame, renderPage } from '../pages/layout.tsx'
import { sendPage } from '../pages/send-page.ts'
import { setPersonalHeaders, type Visit } from './visit.ts'

/** The header and side bar around a page; `aside` comes from `sideBar`. */
export function toFrame({ person }: Visit, section: Frame['section'], aside: ComponentChildren): Frame {
  return { login: person.login, section, ...(aside !== undefined && { aside: <Drawer label="Projects">{aside}</Drawer> }) }
}

interface SendOptions {
  readonly visit: Visit
  readonly title: string
  readonly section: Frame['section']
  readonly aside: ComponentChildren
  readonly content: ComponentChildren
  /** If present, the page updates itself when its entity tag changes. */
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
    frame: toFrame(visit, section, aside === undefined ? undefined : <div data-part="side">{aside}</div>),
    ...(etag !== undefined && { live: { etag, reloads: false } }),
    children: content,
  })
  setPersonalHeaders(reply)
  return sendPage(reply, html, status, '')
}
