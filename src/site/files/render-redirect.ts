import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'

/**
 * A page that only leads elsewhere, for hosts that know no redirects of their own: the browser follows it at once, a person without that by the
 * link. `href` has to be an address that `isAllowedUrl` allows.
 */
export function renderRedirect(href: string, language: string): string {
  const html = h(
    'html',
    { lang: language },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { 'http-equiv': 'Content-Security-Policy', content: "default-src 'none'; base-uri 'none'; form-action 'none'" }),
      h('title', null, 'This page has moved'),
      h('meta', { name: 'robots', content: 'noindex' }),
      h('link', { rel: 'canonical', href }),
      h('meta', { 'http-equiv': 'refresh', content: `0; url=${href}` }),
    ),
    h('body', null, h('p', null, 'This page has moved to ', h('a', { href }, href), '.')),
  )
  return `<!doctype html>\n${renderToString(html)}\n`
}
