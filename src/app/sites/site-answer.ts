import { escapeHtml } from '../../site/html.ts'

/** An answer that is no file of a site. */
export interface SiteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/** A page that needs nothing of a site: there is none, or it is not to be shown. The texts are ours and are not escaped. */
export function renderPlainPage(status: number, title: string, text: string): SiteAnswer {
  const style =
    'body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto 0;padding:0 1.5rem;overflow-wrap:anywhere}:root{color-scheme:light dark}'
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    body,
  }
}

/** The same for a site that is not there and for one that is not to be known. */
export const noSite = renderPlainPage(
  404,
  'There is no site here',
  'The address may be mistyped, or its site is not for everybody.',
)

/** In place of a redirect from a preview to another site: readers see where it leads before they go there. */
export function renderLeavingPage(to: string): SiteAnswer {
  const target = escapeHtml(to)
  return renderPlainPage(
    200,
    'This page redirects to another site',
    `It leads to <a href="${target}" rel="nofollow noreferrer noopener">${target}</a>. Previews do not follow redirects to other sites.`,
  )
}

/** The same in the preview of a fork, whose author may have written the redirect to mislead. */
export const noRedirect = renderPlainPage(
  404,
  'This redirect is turned off',
  'Previews of pull requests from forks have no redirects to other sites.',
)
