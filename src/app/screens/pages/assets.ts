import { createHash } from 'node:crypto'
import { stylesheet } from './stylesheet.ts'

interface Asset {
  readonly type: string
  readonly text: string
  /** Part of the URL, so that browsers can cache the file without limit. */
  readonly hash: string
}

const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 22 22"><rect width="22" height="22" rx="6" fill="#2548c4"/>' +
  '<path d="M8 5.5 5 11l3 5.5M14 5.5l3 5.5-3 5.5M11.9 8l-1.8 6" fill="none" stroke="#fff" stroke-width="1.75" stroke-linecap="round"/></svg>'

/** Loaded without `defer`, so that the theme is set before the first paint. Pages also work without it. */
const themeScript = `const root = document.documentElement
root.dataset.js = ''
const dark = matchMedia('(prefers-color-scheme: dark)')
const stored = () => { try { return localStorage.getItem('theme') } catch { return null } }
const show = () => { root.dataset.theme = stored() ?? (dark.matches ? 'dark' : 'light') }
show()
dark.addEventListener('change', show)
const wide = matchMedia('(min-width: 1024px)')
const open = () => document.querySelector('.side')?.toggleAttribute('open', wide.matches)
if (!CSS.supports('selector(::details-content)')) {
  addEventListener('DOMContentLoaded', open)
  wide.addEventListener('change', open)
}
addEventListener('click', (event) => {
  if (!event.target.closest('.theme')) return
  const theme = root.dataset.theme === 'dark' ? 'light' : 'dark'
  root.dataset.theme = theme
  try { localStorage.setItem('theme', theme) } catch { /* private mode: not remembered */ }
})
`

/**
 * Requests the same page with \`Prefer: wait\` until the update ends, and replaces the parts that changed.
 *
 * Replacing single parts preserves open folds, the selection and the scroll position.
 */
const liveScript = `const follow = async () => {
  let etag = document.documentElement.dataset.revision
  let pauseMs = 0
  while (document.querySelector('main[data-live]')) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    try {
      // With the cache, the browser would delay a reload of the page until this request ends.
      const response = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html', Prefer: 'wait=25', 'If-None-Match': etag } })
      // The session has ended.
      if (response.redirected) return location.reload()
      if (response.status === 200) {
        replaceParts(new DOMParser().parseFromString(await response.text(), 'text/html'))
        etag = response.headers.get('ETag') ?? etag
      } else if (response.status === 404) return
      pauseMs = response.ok || response.status === 304 ? 250 : 5000
    } catch {
      pauseMs = 5000
    }
  }
}
const replaceParts = (fresh) => {
  document.title = fresh.title
  sortParts(fresh)
  for (const part of document.querySelectorAll('[data-part]')) {
    const other = fresh.querySelector('[data-part="' + part.dataset.part + '"]')
    if (!other || other.isEqualNode(part)) continue
    for (const fold of other.querySelectorAll('details')) {
      const old = part.querySelector('details[data-fold="' + fold.dataset.fold + '"]')
      if (old) fold.open = old.open
    }
    const focused = part.contains(document.activeElement) && nameOf(document.activeElement)
    part.replaceWith(other)
    if (focused) [...other.querySelectorAll('a, button, summary, pre')].find((element) => nameOf(element) === focused)?.focus()
  }
  if (!fresh.querySelector('main[data-live]')) document.querySelector('main').removeAttribute('data-live')
}
/* A failure moves its problems to the top. */
const sortParts = (fresh) => {
  const namesOf = (page) => [...page.querySelectorAll('main > [data-part]')].map(({ dataset }) => dataset.part)
  const names = namesOf(fresh)
  if (names.join() === namesOf(document).join()) return
  const focused = document.activeElement
  for (const name of names) {
    const part = document.querySelector('main > [data-part="' + name + '"]')
    if (part) part.parentNode.append(part)
  }
  focused?.focus({ preventScroll: true })
}
const nameOf = (element) => element.tagName + (element.getAttribute('href') ?? element.form?.action ?? '') + element.textContent
follow()
`

/** Every file that a page loads. */
export const assets = {
  'pages.css': toAsset('text/css; charset=utf-8', stylesheet),
  'theme.js': toAsset('text/javascript; charset=utf-8', themeScript),
  'live.js': toAsset('text/javascript; charset=utf-8', liveScript),
  'icon.svg': toAsset('image/svg+xml', favicon),
} as const

export type AssetName = keyof typeof assets

/** The URL path of a file: `/assets/3f2a91c0/pages.css`. */
export function assetPath(name: AssetName): string {
  return `/assets/${assets[name].hash}/${name}`
}

function toAsset(type: string, text: string): Asset {
  return { type, text, hash: createHash('sha256').update(text).digest('hex').slice(0, 12) }
}
