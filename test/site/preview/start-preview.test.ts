import { symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { isAllowedHost } from '../../../src/site/preview/preview-server.ts'
import type { PreviewReading } from '../../../src/site/preview/preview-site.ts'
import { startPreview } from '../../../src/site/preview/start-preview.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const docs = {
  'docs.json': `{"name": "Tracker", "redirects": [{"source": "/old", "destination": "/guides/start"}],
    "navigation": {"groups": [{"group": "A", "pages": ["index", "guides/start"]}, {"group": "API", "openapi": "api.json"}]}}`,
  'api.json': `{"openapi": "3.1.1", "info": {"title": "T", "version": "1"},
    "paths": {"/a": {"get": {"summary": "List", "responses": {"200": {"description": "ok"}}}}}}`,
  'index.mdx': 'Hello\n',
  'guides/start.mdx': 'Start\n',
  'images/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'images/a.png': 'png',
  'evil.html': '<script>alert(1)</script>',
  'evil.js': 'alert(1)',
  '.env': 'SECRET=1',
}

async function start(content: Readonly<Record<string, string>>, port = 0) {
  const outer = makeTemporaryFolder({ 'secret.txt': 'secret' })
  const folder = makeTemporaryFolder(content)
  symlinkSync(join(outer, 'secret.txt'), join(folder, 'images/link.txt'))
  const readings: { reading: PreviewReading; changed: readonly string[] }[] = []
  const preview = await startPreview(
    {
      root: '',
      host: '127.0.0.1',
      port,
      watched: folder,
      assets: {
        stylesheet: '_assets/site.css',
        theme: '_assets/theme.js',
        page: '_assets/page.js',
        oauth: '_assets/oauth.js',
        diagrams: '_assets/diagrams/diagrams.js',
        feedback: '_assets/feedback.js',
        playground: '_assets/playground.css',
      },
      files: {
        site: [{ path: '_assets/site.css', content: 'body {}' }],
        preview: { stylesheet: new Uint8Array(), script: new Uint8Array() },
      },
      onReading: (reading, changed) => readings.push({ reading, changed }),
      onPage: () => {},
    },
    async () => ({
      access: { files: openDiskFiles(folder), fetchDocument: (url) => Promise.reject(new Error(`asked for ${url}`)) },
    }),
  )
  onTestFinished(() => preview.close())
  await preview.ready
  return { preview, folder, readings }
}

/** Sends the path unchanged, while `fetch` would normalize it and set the host. */
function get(port: number, path: string, { host = 'localhost', method = 'GET' } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, method, headers: { host } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('responses', () => {
  test.each([
    ['/', 200, 'Hello'],
    ['/guides/start/', 200, 'Start'],
    ['/guides/start/index.html', 200, 'Start'],
    ['/guides/start?a=1', 302, ''],
    ['/images/a.png', 200, 'png'],
    ['/_assets/site.css', 200, 'body {}'],
    ['/sitemap-none.xml', 404, 'Page not found'],
    ['/404.json', 200, 'guides/start'],
    ['/old/', 200, '/guides/start'],
    ['/api-reference/list.openapi.json', 200, '"openapi"'],
    ['/_search/names.json', 200, 'guides/start'],
    ['/api.json', 200, '"openapi"'],
    ['/images/', 404, 'Page not found'],
    ['/images', 404, 'Page not found'],
    ['/.env', 404, 'Page not found'],
    ['/../secret.txt', 400, 'Invalid URL'],
    ['/%2e%2e/secret.txt', 400, 'Invalid URL'],
    ['/images/..%2f..%2fsecret.txt', 400, 'Invalid URL'],
    ['/images\\..\\secret.txt', 400, 'Invalid URL'],
    ['/a%00b', 400, 'Invalid URL'],
    ['/%ff', 400, 'Invalid URL'],
    ['/images/link.txt', 404, 'Page not found'],
    ['/_preview/none', 404, 'Not found'],
  ])('%s', async (path, status, text) => {
    const { preview } = await start(docs)
    const answer = await get(preview.port, path)
    expect([answer.status, answer.text.includes(text)]).toEqual([status, true])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('sandboxes files of the repository', async () => {
    const { preview } = await start(docs)
    for (const path of ['/evil.html', '/evil.js', '/images/logo.svg']) {
      const { status, headers } = await get(preview.port, path)
      if (status === 404) continue
      expect([path, headers['content-security-policy']]).toEqual([path, expect.stringContaining('sandbox')])
      expect(headers['content-type']).not.toMatch(/html|javascript/)
    }
  })

  test('rejects other hostnames and methods that change something', async () => {
    const { preview } = await start(docs)
    expect((await get(preview.port, '/', { host: 'docs.example.com' })).status).toBe(403)
    expect((await get(preview.port, '/', { method: 'POST' })).status).toBe(405)
    expect((await get(preview.port, '/', { method: 'HEAD' })).text).toBe('')
  })

  test.each([
    ['localhost:3000', true],
    ['127.0.0.1:3000', true],
    ['[::1]:3000', true],
    ['192.168.1.20', true],
    ['docs.localhost', true],
    ['docs.internal:3000', true],
    ['example.com', false],
    ['localhost.example.com', false],
    ['127.0.0.1.example.com:3000', false],
    ['', false],
    [undefined, false],
  ])('host %s', (header, expected) => {
    expect(isAllowedHost(header, 'docs.internal')).toBe(expected)
  })
})

test('uses the next port if the port is in use', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const taken = (other.address() as AddressInfo).port // It listens to a port.
  const { preview } = await start(docs, taken)
  expect(preview.port).toBeGreaterThan(taken)
})

test('names the command that makes a missing docs.json', async () => {
  const { preview } = await start({ 'images/a.png': 'png', 'openapi.yaml': 'openapi: 3.1.1\n' })
  const { status, text } = await get(preview.port, '/')
  expect(status).toBe(500)
  expect(text).toContain('Cannot show the site')
  expect(text).toContain('openapi-pages init')
})

test('reports each settled change, except in directories of Git and npm', async () => {
  const { folder, readings } = await start(docs)
  writeFileSync(join(folder, 'index.mdx'), 'Changed\n')
  await expect.poll(() => readings.at(-1)?.changed).toEqual(['index.mdx'])
  const { mkdirSync, rmSync } = await import('node:fs')
  mkdirSync(join(folder, 'node_modules/x'), { recursive: true })
  mkdirSync(join(folder, 'new/inner'), { recursive: true })
  writeFileSync(join(folder, 'new/inner/page.mdx'), 'Inner\n')
  await expect.poll(() => readings.at(-1)?.reading.source?.context.plan.pageByRoute.has('new/inner/page')).toBe(true)
  writeFileSync(join(folder, 'new/inner/page.mdx'), '---\ntitle: Again\n---\n')
  await expect.poll(() => readings.at(-1)?.reading.source?.context.plan.pageByRoute.get('new/inner/page')?.title).toBe('Again')
  rmSync(join(folder, 'new'), { recursive: true })
  await expect.poll(() => readings.at(-1)?.reading.source?.context.plan.pageByRoute.has('new/inner/page')).toBe(false)
  expect(readings.flatMap(({ changed }) => changed).filter((path) => path.includes('node_modules'))).toEqual([])
})
