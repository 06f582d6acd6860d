import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { escapeDirection } from '../../../text/plain/escape-text.ts'
import { assetPath } from './assets.ts'
import { Icon, Submit } from './elements.tsx'

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
  /** A short text in one column. */
  readonly isPlain?: boolean
  /** Header and side bar for a signed-in user. */
  readonly frame?: Frame
}

/** Renders a page as HTML. Preact escapes untrusted text; this also makes bidirectional control characters visible. */
export function renderPage({ title, children, live, isPlain = false, frame }: PageOptions): string {
  const main = (place: string) => (
    <main id="main" tabIndex={-1} class={isPlain ? `${place} plain` : place} data-live={live && ''}>
      {children}
    </main>
  )
  const page = (
    <html lang="en" data-revision={live?.etag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetPath('pages.css')} />
        <script src={assetPath('theme.js')} />
        {live && <script src={assetPath('live.js')} defer />}
        {live && live.reloads !== false && (
          <noscript>
            <meta http-equiv="refresh" content="5" />
          </noscript>
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <div class="wrap">
            <a class="brand" href="/">
              <BrandMark />
              openapi-pages
            </a>
            {frame && <SectionLinks {...frame} />}
            {frame && <SignOutForm login={frame.login} />}
            <button class="theme" type="button" aria-label="Switch between light and dark">
              <Icon name="sun" class="sun" />
              <Icon name="moon" class="moon" />
            </button>
          </div>
        </header>
        {frame ? (
          <div class="wrap shell">
            {frame.aside}
            {main('page')}
          </div>
        ) : (
          main('wrap')
        )}
      </body>
    </html>
  )
  // Only untrusted text (from a commit, branch or document) contains these characters.
  return escapeDirection(`<!doctype html>${renderToString(page)}`)
}

interface PlainPageOptions extends Pick<PageOptions, 'frame'> {
  /** Also the heading, unless there is another one. */
  readonly title: string
  readonly heading?: string
  readonly lead: ComponentChildren
  readonly children?: ComponentChildren
}

/** Renders a page with a heading, a first paragraph and little else. */
export function renderPlainPage({ title, heading = title, lead, children, ...options }: PlainPageOptions): string {
  return renderPage({
    ...options,
    title: `${title} · openapi-pages`,
    isPlain: true,
    children: (
      <>
        <h1>{heading}</h1>
        <p class="lead">{lead}</p>
        {children}
      </>
    ),
  })
}

function BrandMark() {
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true">
      <rect width={22} height={22} rx={6} />
      <path d="M8 5.5 5 11l3 5.5M14 5.5l3 5.5-3 5.5M11.9 8l-1.8 6" />
    </svg>
  )
}

/** The header and side bar around a page for a signed-in user. */
export interface Frame {
  readonly login: string
  readonly section: 'projects' | 'updates' | 'server' | undefined
  readonly isAdministrator?: boolean
  /** The side bar; a drawer on small screens. */
  readonly aside?: ComponentChildren
}

const sections = [
  { name: 'projects', label: 'Projects', href: '/projects' },
  { name: 'updates', label: 'Updates', href: '/updates' },
  { name: 'server', label: 'Server', href: '/server' },
] as const

function SectionLinks({ section, isAdministrator = false }: Pick<Frame, 'section' | 'isAdministrator'>) {
  const shown = sections.filter(({ name }) => name !== 'server' || isAdministrator)
  return (
    <nav class="sections" aria-label="Sections">
      {shown.map(({ name, label, href }) => (
        <a href={href} aria-current={name === section ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}

function SignOutForm({ login }: Pick<Frame, 'login'>) {
  return (
    <form class="person" method="post" action="/sign-out">
      <span class="login">{login}</span>
      <Submit>Sign out</Submit>
    </form>
  )
}

/** A side bar. The stylesheet keeps it open on wide screens. */
export function Drawer({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <details class="side" data-fold="side">
      <summary>
        <Icon name="menu" />
        <span class="hidden">Navigation: </span>
        {label}
      </summary>
      <nav aria-label={label}>{children}</nav>
    </details>
  )
}
