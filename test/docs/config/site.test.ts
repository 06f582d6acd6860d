import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../app/support/test-app.ts'
import { crawlSite } from '../../support/crawl-site.ts'
import { documentedPages } from '../../support/documented-examples.ts'
import { runBin } from '../../support/run-bin.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

test('`docs/openapi.json` equals the response of `/v1/openapi.json`', async () => {
  const app = await startTestApp(onTestFinished, { env: { BASE_URL: 'https://pages.example.com' } })
  // To update it, run `npx vitest run test/docs/config/site.test.ts -u=all`.
  await expect(`${JSON.stringify(app.api.description, undefined, 2)}\n`).toMatchFileSnapshot(join(root, 'docs/openapi.json'))
})

test('links and images of this documentation work on GitHub too, which serves files', () => {
  const broken = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.mdx?$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, 'docs', path), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$|`[^`\n]*`/gm, '')
      const links = [...text.matchAll(/\]\(([^)\s]+)|\b(?:href|src|srcset)="([^"]+)"/g)].map(
        ([, link, attribute]) => link ?? attribute ?? '',
      )
      const local = links.filter((link) => !/^(?:https?:|mailto:|#)/.test(link)).map((link) => link.replace(/#.*/, ''))
      const exists = (link: string) => !link.startsWith('/') && existsSync(join(root, 'docs', path, '..', link))
      return local.filter((link) => !exists(link)).map((link) => `${path}: ${link}`)
    })
  expect(broken).toEqual([])
})

test('links of the documentation to files of this repository work', () => {
  const linked = documentedPages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const links = text.matchAll(/https:\/\/github\.com\/openapi-pages\/openapi-pages\/(?:blob|tree)\/main\/([^)\s#`"]+)/g)
    return Array.from(links, ([, path = '']) => ({ page, path }))
  })
  expect(linked.length).toBeGreaterThan(20)
  expect(linked.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('builds this documentation without problems or broken links', async () => {
  const site = join(makeTemporaryFolder(), 'site')
  const { code, stdout } = await runBin(['build', 'docs', '-o', site, '--base', '/openapi-pages/', '--format', 'json'], {
    cwd: root,
  })
  const { diagnostics, operations, pages } = JSON.parse(stdout)
  expect(diagnostics).toEqual([])
  // Includes a check that the navigation lists every page.
  expect(JSON.parse((await runBin(['check', 'docs', '--format', 'json'], { cwd: root })).stdout).diagnostics).toEqual([])
  expect(code).toBe(0)
  const calls = Object.values(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')).paths).flatMap((item) =>
    Object.keys(item ?? {}),
  )
  expect({ operations, isWhole: pages > operations + 10 }).toEqual({ operations: calls.length, isWhole: true })
  expect(crawlSite(site, '/openapi-pages/')).toEqual([])
})
