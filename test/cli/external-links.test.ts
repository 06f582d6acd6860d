import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkExternalLinks, type ExternalCheckOptions } from '../../src/cli/open/check-external-links.ts'
import type { LinkState } from '../../src/cli/open/request-link.ts'
import { listExamples } from '../diagnostics/documented-diagnostics.ts'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

async function startDocs() {
  const requests: string[] = []
  const origin = await serve(({ method, url = '' }, response) => {
    requests.push(`${method} ${url}`)
    response.writeHead(url.startsWith('/gone') ? 404 : url === '/private' ? 403 : 200).end()
  })
  const folder = makeTemporaryFolder({
    'docs.json': JSON.stringify({
      name: 'Pets',
      navigation: { pages: ['index'] },
      navbar: { links: [{ label: 'Blog', href: `${origin}/gone-blog` }] },
      footer: { socials: { github: `${origin}/github` } },
    }),
    'index.mdx': `---
title: Start
---

[found](${origin}/found#part) [again](${origin}/found)
[gone](${origin}/gone) [private](${origin}/private)
[skipped](https://example.com/x) [mail](mailto:a@acme.com) <a href="https://{tenant}.acme.com">no URL</a>

\`\`\`md
[in code](${origin}/gone-code)
\`\`\`
`,
  })
  const env = { XDG_CACHE_HOME: join(folder, '.cache') }
  const check = (...options: string[]) => runInFolder(folder, ['check', '.', '--format', 'unix', ...options], { env })
  return { origin, requests, check }
}

test('opens links to other sites only with --external, and remembers those that it found', async () => {
  const { origin, requests, check } = await startDocs()
  await check('--allow-http')
  expect(requests).toEqual([])
  const { stdout, stderr, exitCode } = await check('--external', '--allow-http')
  expect([exitCode, stdout.trim().split('\n')]).toEqual([
    0,
    [
      `docs.json:1:91: Cannot open the link to \`${origin}/gone-blog\`: 404 Not Found [warning/link-external]`,
      `index.mdx:6:8: Cannot open the link to \`${origin}/gone\`: 404 Not Found [warning/link-external]`,
    ],
  ])
  expect(stderr).toContain(`1 external link could not be checked, such as ${origin}/private (403 Forbidden)`)
  const all = ['GET /gone', 'GET /gone-blog', 'GET /private', 'HEAD /gone', 'HEAD /gone-blog', 'HEAD /private']
  expect(requests.sort()).toEqual([...all, 'HEAD /found', 'HEAD /github'].sort())
  requests.length = 0
  await check('--external', '--allow-http')
  expect(requests.sort()).toEqual(all)
})

test.each(listExamples('external'))('$code: the $verdict example', async ({ code, verdict, text }) => {
  const origin = await serve(({ url = '' }, response) => {
    response.writeHead(url === '/oas/v3.1.1' ? 200 : 404).end()
  })
  const page = text.replace('https://spec.openapis.org', origin)
  expect(page).not.toBe(text)
  const docs = JSON.stringify({ name: 'Pets', navigation: { pages: ['index'] } })
  const folder = makeTemporaryFolder({ 'docs.json': docs, 'index.mdx': page })
  const env = { XDG_CACHE_HOME: join(folder, '.cache') }
  const args = ['check', '.', '--external', '--allow-http', '--format', 'json']
  const { diagnostics } = JSON.parse((await runInFolder(folder, args, { env })).stdout)
  expect(diagnostics.map((diagnostic: { code: string }) => diagnostic.code)).toEqual(verdict === 'wrong' ? [code] : [])
})

test('contacts no private address without --allow-http', async () => {
  const { origin, requests, check } = await startDocs()
  const { stderr } = await check('--external')
  expect(stderr).toContain(`5 external links could not be checked, such as ${origin}/found (the host has no public IP address)`)
  expect(requests).toEqual([])
})

test('refuses --external with --no-links', async () => {
  const { check } = await startDocs()
  expect(await check('--external', '--no-links')).toMatchObject({ exitCode: 2 })
})

describe('checking many links', () => {
  const place = { file: 'index.mdx', pointer: '' }
  const found: LinkState = { kind: 'found', reason: '' }
  const unresolved: LinkState = { kind: 'missing', reason: 'the host name cannot be resolved', isUnresolved: true }
  const run = (urls: readonly string[], request: (url: string) => Promise<LinkState>, more: Partial<ExternalCheckOptions> = {}) =>
    checkExternalLinks(
      urls.map((url) => ({ url, place })),
      { request, found: {}, now: 1_000_000_000, ...more },
    )

  test('sends at most two requests to a host and sixteen in total at the same time', async () => {
    const urls = Array.from({ length: 30 }, (_, host) => Array.from({ length: 6 }, (_, path) => `https://h${host}.com/${path}`))
    const running = new Map<string, number>()
    let most = 0
    let mostPerHost = 0
    await run(urls.flat(), async (url) => {
      const { host } = new URL(url)
      running.set(host, (running.get(host) ?? 0) + 1)
      mostPerHost = Math.max(mostPerHost, running.get(host) ?? 0)
      most = Math.max(
        most,
        [...running.values()].reduce((sum, count) => sum + count),
      )
      await new Promise((resolve) => setImmediate(resolve))
      running.set(host, (running.get(host) ?? 0) - 1)
      return found
    })
    expect([most, mostPerHost]).toEqual([16, 2])
  })

  test('reports names that cannot be resolved, unless this machine resolves no name', async () => {
    const offline = await run(['https://a.com/', 'https://b.com/'], () => Promise.resolve(unresolved))
    expect([offline.findings.length, offline.note]).toEqual([
      0,
      '2 external links could not be checked, such as https://a.com/ (the host name cannot be resolved)',
    ])
    const online = await run(['https://a.com/', 'https://b.com/'], (url) =>
      Promise.resolve(url.includes('a.com') ? found : unresolved),
    )
    expect(online.findings.map(({ message }) => message)).toEqual([
      'Cannot open the link to `https://b.com/`: the host name cannot be resolved',
    ])
  })

  test('opens at most 5,000 links', async () => {
    let requests = 0
    const urls = Array.from({ length: 5_010 }, (_, index) => `https://h${index}.com/`)
    const { note } = await run(urls, () => {
      requests++
      return Promise.resolve(found)
    })
    expect([requests, note]).toEqual([
      5_000,
      '10 external links could not be checked, such as https://h5000.com/ (more than 5000 links)',
    ])
  })

  test('opens a link again after a day', async () => {
    const day = 24 * 60 * 60_000
    const asked: string[] = []
    const request = (url: string) => {
      asked.push(url)
      return Promise.resolve(found)
    }
    const result = await run(['https://old.com/', 'https://new.com/'], request, {
      found: { 'https://old.com/': 1_000_000_000 - day, 'https://new.com/': 999_999_999 },
    })
    expect([asked, result.found]).toEqual([
      ['https://old.com/'],
      { 'https://new.com/': 999_999_999, 'https://old.com/': 1_000_000_000 },
    ])
  })
})
