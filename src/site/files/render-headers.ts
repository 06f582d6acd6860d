import { toPolicy } from '../shell/render-document.tsx'

/**
 * `_headers`, which Netlify and Cloudflare Pages read. Pages carry the same policy in themselves; here is what only a header can say, and what
 * files without a page around them need.
 *
 * @param connect servers that pages may send requests to.
 */
export function renderHeaders(base: string, connect: readonly string[]): string {
  const rules: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [
      '*',
      {
        'Content-Security-Policy': `${toPolicy(connect)}; frame-ancestors 'none'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
    ],
    // A drawing that is opened by itself is a document: nothing in it may run or load.
    ['*.svg', { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox" }],
    ['*.md', { 'Content-Type': 'text/markdown; charset=utf-8' }],
    ['_assets/*', { 'Cache-Control': 'public, max-age=31536000, immutable' }],
  ]
  const blocks = rules.map(([path, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`)
    return `${base}${path}\n${lines.join('')}`
  })
  return blocks.join('\n')
}
