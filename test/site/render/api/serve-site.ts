import type { Page } from 'playwright-core'
import { hashContent } from '../../../../src/files/output-folder.ts'
import { buildSite } from '../../../../src/site/build/build-site.ts'
import { readSiteAssets } from '../../../../src/site/build/read-site-assets.ts'
import { type EmitFile, nothingEarlier } from '../../../../src/site/build/render-memory.ts'
import { type Tree, toEnvironment } from '../../../support/memory-tree.ts'
import { serve } from '../../../support/serve.ts'
import { readHeaders } from '../../../support/serve-site.ts'

export interface ServedSite {
  readonly address: string
  /** The addresses of all pages, beginning with `/`. */
  readonly routes: readonly string[]
  readonly files: ReadonlyMap<string, string>
}

/** Builds the site of a tree in memory and serves it until the test has ended, with the headers that `_headers` asks for. */
export async function serveSite(tree: Tree, isPreview = false): Promise<ServedSite> {
  const assets = readSiteAssets()
  const files = new Map<string, string>()
  const add: EmitFile = ({ path, content }) => {
    files.set(path, typeof content === 'string' ? content : new TextDecoder().decode(content))
    return hashContent(content)
  }
  const site = { root: '', base: '/', url: undefined, assets: assets.paths, isPreview }
  await buildSite(site, toEnvironment(tree), add, { ...nothingEarlier, stamp: 'test' })
  for (const file of assets.files) add(file)
  const headers = isPreview ? {} : readHeaders(files.get('_headers') ?? '', '/')
  const address = await serve((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1)
    const found = path === '' || path.endsWith('/') ? `${path}index.html` : path
    const type = types[found.split('.').at(-1) ?? ''] ?? 'text/plain'
    const content = files.get(found)
    response.writeHead(content === undefined ? 404 : 200, {
      ...headers,
      'content-type': `${type}; charset=utf-8`,
    })
    response.end(content)
  })
  const routes = [...files.keys()]
    .filter((path) => path.endsWith('index.html'))
    .map((path) => `/${path.slice(0, -'index.html'.length)}`)
  return { address, routes, files }
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
}

/** What a page complains of: violations of its policy, errors, answers that are missing, windows that open. */
export function listenForComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    // Chromium's advice about fields outside of forms: in one it would offer to keep what is typed.
    const isAdvice = message.text().startsWith('[DOM] Password field is not contained in a form')
    if (message.type() !== 'log' && !isAdvice) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('requestfailed', (request) => {
    // A picture still on its way when the next page is opened; what a policy stops fails otherwise.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed`)
  })
  return complaints
}
