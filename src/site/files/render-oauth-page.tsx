import { renderToString } from 'preact-render-to-string'
import { toPolicy } from '../shell/render-document.tsx'
import { type SiteContext, toAssetHref } from '../site-context.ts'
import type { SiteFile } from '../types.ts'

/** Where a sign-in ends, below the base: authorization servers know it by this address, so it never changes. */
const oauthPath = '_oauth/'

/** The page that an authorization server sends the reader to. It knows nothing itself: its script tells the page that waits. */
export function renderOAuthPage(context: Pick<SiteContext, 'base' | 'assets'>): SiteFile {
  const { assets } = context
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={toPolicy([])} />
        {/* The address has a code in it. */}
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>Signing in</title>
        <link rel="icon" href="data:," />
        <script src={toAssetHref(context, assets.theme)} />
        <script type="module" src={toAssetHref(context, assets.oauth)} />
        <link rel="stylesheet" href={toAssetHref(context, assets.stylesheet)} />
      </head>
      <body>
        <main class="wrap bare">
          <h1>Signing in</h1>
          <p role="status" data-words="">
            Handing over to the page that asked for it …
          </p>
          <noscript>
            <p>This needs script.</p>
          </noscript>
        </main>
      </body>
    </html>,
  )
  return { path: `${oauthPath}index.html`, content: `<!doctype html>\n${html}\n` }
}
