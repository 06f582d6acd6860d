import type { Page } from 'playwright-core'
import { createSingleDocumentDocs } from '../../../../src/cli/open/single-document.ts'
import type { DocsAccess } from '../../../../src/docs/types.ts'
import { hashContent } from '../../../../src/files/output-folder.ts'
import { readSiteAssets } from '../../../../src/site/make/assets/read-site-assets.ts'
import { buildSite } from '../../../../src/site/make/build-site.ts'
import type { ReadSiteOptions } from '../../../../src/site/make/read-site.ts'
import { type EmitFile, noEarlierBuild } from '../../../../src/site/make/render-memory.ts'
import { toAccess } from '../../../support/memory-tree.ts'
import { serve } from '../../../support/serve.ts'
import { readHeaders } from '../../../support/serve-site.ts'

export interface ServedSite {
  readonly address: string
  /** The paths of all pages except redirects, with a leading `/`. */
  readonly routes: readonly string[]
  readonly files: ReadonlyMap<string, string>
}

/** Builds the site of a single document in memory and serves it like `serveSite`. */
export async function serveDocument(document: unknown): Promise<ServedSite> {
  const name = 'openapi.json'
  const text = JSON.stringify(document)
  const access = toAccess({ [name]: text })
  const { files, madeFiles } = await createSingleDocumentDocs(name, new TextEncoder().encode(text), access.files, '')
  return serveFiles(await buildFiles({ ...access, files }, { madeFiles }), false)
}

/** Builds a site in memory and serves it with the headers of `_headers` until the test ends. */
export async function serveSite(
  tree: Parameters<typeof toAccess>[0],
  isPreview = false,
  options: Pick<ReadSiteOptions, 'appliesRedirects'> = {},
): Promise<ServedSite> {
  const key = JSON.stringify([tree, isPreview, options])
  const build = builds.get(key) ?? buildFiles(toAccess(tree), { isPreview, ...options })
  builds.set(key, build)
  return serveFiles(await build, isPreview)
}

/** The tests of a file often use the same site. */
const builds = new Map<string, Promise<ReadonlyMap<string, string>>>()

async function buildFiles(access: DocsAccess, options: Partial<ReadSiteOptions>): Promise<ReadonlyMap<string, string>> {
  const assets = readSiteAssets()
  const files = new Map<string, string>()
  const add: EmitFile = ({ path, content }) => {
    files.set(path, typeof content === 'string' ? content : new TextDecoder().decode(content))
    return hashContent(content)
  }
  const site = {
    root: '',
    base: '/',
    url: undefined,
    assets: assets.paths,
    readDiagrams: assets.readDiagrams,
    isPreview: false,
    ...options,
  }
  await buildSite(site, access, add, { ...noEarlierBuild, stamp: 'test' })
  for (const file of assets.files) add(file)
  return files
}

async function serveFiles(files: ReadonlyMap<string, string>, isPreview: boolean): Promise<ServedSite> {
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
  const routes = [...files]
    .filter(([path, text]) => path.endsWith('index.html') && !text.includes('http-equiv="refresh"'))
    .map(([path]) => `/${path.slice(0, -'index.html'.length)}`)
  return { address, routes, files }
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
}

/** Collects policy violations, errors, failed requests and dialogs of a page. */
export function collectBrowserErrors(page: Page): string[] {
  const browserErrors: string[] = []
  page.on('console', (message) => {
    // Ignore Chromium's advice about fields outside of forms. A form would offer to save passwords.
    const isAdvice = message.text().startsWith('[DOM] Password field is not contained in a form')
    if (message.type() !== 'log' && !isAdvice) browserErrors.push(message.text())
  })
  page.on('pageerror', (error) => browserErrors.push(String(error)))
  page.on('dialog', (dialog) => {
    browserErrors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('requestfailed', (request) => {
    // Navigation aborts pending requests. Blocked requests fail with another error.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') browserErrors.push(`${request.url()} failed`)
  })
  return browserErrors
}
