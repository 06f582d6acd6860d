import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { escapeDirection } from '../../source/escape-text.ts'
import { assetPath } from './assets.ts'
import { icon } from './elements.ts'

interface PageOptions {
  readonly title: string
  /** Contents of `<main>`. */
  readonly children: ComponentChildren
  /** The record may still change, so the page updates itself. */
  readonly live?: {
    readonly etag: string
    /** Whether the page reloads itself if JavaScript is disabled. */
    readonly reloads?: boolean
  }
  readonly mainClass?: string
  /** Header and side bar for a signed-in user. */
  readonly frame?: Frame
}

/** Renders a page as HTML. Preact escapes untrusted text; this also makes bidirectional control characters visible. */
export function renderPage({ title, children, live, mainClass, frame }: PageOptions): string {
  const main = (place: string) =>
    h(
      'main',
      { id: 'main', tabIndex: -1, class: `${place} ${mainClass ?? ''}`.trim(), ...(live && { 'data-live': '' }) },
      children,
    )
  const page = h(
    'html',
    { lang: 'en', ...(live && { 'data-revision': live.etag }) },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'robots', content: 'noindex' }),
      h('title', null, title),
      h('link', { rel: 'icon', href: assetPath('icon.svg'), type: 'image/svg+xml' }),
      h('link', { rel: 'stylesheet', href: assetPath('pages.css') }),
      h('script', { src: assetPath('theme.js') }),
      live && h('script', { src: assetPath('live.js'), defer: true }),
      live && live.reloads !== false && h('noscript', null, h('meta', { 'http-equiv': 'refresh', content: '5' })),
    ),
    h(
      'body',
      null,
      h('a', { class: 'skip', href: '#main' }, 'Skip to content'),
      h(
        'header',
        { class: 'top' },
        h(
          'div',
          { class: 'wrap' },
          h('a', { class: 'brand', href: '/' }, brandMark(), 'openapi-pages'),
          frame && sectionLinks(frame),
          frame && signOutForm(frame),
          h(
            'button',
            { class: 'theme', type: 'button', 'aria-label': 'Switch between light and dark' },
            icon('sun', 'sun'),
            icon('moon', 'moon'),
          ),
        ),
      ),
      frame ? h('div', { class: 'wrap shell' }, frame.aside, main('page')) : main('wrap'),
    ),
  )
  // Only untrusted text (from a commit, branch or document) contains these characters.
  return escapeDirection(`<!doctype html>${renderToString(page)}`)
}

function brandMark() {
  return h(
    'svg',
    { viewBox: '0 0 22 22', 'aria-hidden': 'true' },
    h('rect', { width: 22, height: 22, rx: 6 }),
    h('path', { d: 'M8 5.5 5 11l3 5.5M14 5.5l3 5.5-3 5.5M11.9 8l-1.8 6' }),
  )
}

/** The header and side bar around a page for a signed-in user. */
export interface Frame {
  readonly login: string
  readonly section: 'projects' | 'updates' | undefined
  /** The side bar; a drawer on small screens. */
  readonly aside?: ComponentChild
}

const sections = [
  { name: 'projects', label: 'Projects', href: '/projects' },
  { name: 'updates', label: 'Updates', href: '/updates' },
] as const

function sectionLinks({ section }: Frame): ComponentChild {
  return h(
    'nav',
    { class: 'sections', 'aria-label': 'Sections' },
    sections.map(({ name, label, href }) => h('a', { href, ...(name === section && { 'aria-current': 'true' }) }, label)),
  )
}

function signOutForm({ login }: Frame): ComponentChild {
  return h(
    'form',
    { class: 'person', method: 'post', action: '/sign-out' },
    h('span', { class: 'login' }, login),
    h('button', { class: 'button quiet', type: 'submit' }, 'Sign out'),
  )
}

/** The stylesheet keeps it open on wide screens. */
export function drawer(label: string, content: ComponentChild): ComponentChild {
  return h(
    'details',
    { class: 'side', 'data-fold': 'side' },
    h('summary', null, icon('menu'), h('span', { class: 'hidden' }, 'Navigation: '), label),
    h('nav', { 'aria-label': label }, content),
  )
}
