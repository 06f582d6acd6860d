import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runInFolder } from '../../../cli/run-in-folder.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

// What Mintlify's checker (`mint broken-links --check-anchors`, package @mintlify/link-rot 3.0.1387) reports about the links of a page, and what we
// report. It was run on the same files.

const folder = join(import.meta.dirname, '../../../fixtures/site/links')
const rows: readonly { link: string; mint: 'accepts' | 'reports'; ours: string; why?: string }[] = parse(
  readFileSync(join(folder, 'mintlify-links.yaml'), 'utf8'),
)

const files = {
  'docs.json': JSON.stringify({
    name: 'Shop',
    theme: 'mint',
    colors: { primary: '#2548C4' },
    navigation: { pages: ['index', 'target', 'guides/first'] },
    redirects: [
      { source: '/old', destination: '/guides/first' },
      { source: '/old-directory', destination: '/guides/first' },
    ],
  }),
  'index.mdx': `---\ntitle: Start\n---\n\n${rows.map(({ link }) => `[x](<${link}>)`).join('\n\n')}\n`,
  'target.mdx': readFileSync(join(folder, 'target.mdx')),
  'guides/first.mdx': '---\ntitle: First\n---\n',
  'images/logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
}

test('reports the links that Mintlify reports, except those that work', async () => {
  const { stdout } = await runInFolder(makeTemporaryFolder(files), ['check', '.', '--format', 'unix'])
  const codes = new Map(
    Array.from(stdout.matchAll(/^index\.mdx:(\d+):.*\/([\w-]+)\]$/gm), ([, line, code]) => [Number(line), code]),
  )
  expect(rows.map(({ link }, index) => [link, codes.get(5 + 2 * index) ?? ''])).toEqual(
    rows.map(({ link, ours }) => [link, ours]),
  )
  // Whatever differs has a reason.
  expect(rows.filter(({ mint, ours, why }) => why === undefined && (mint === 'reports') !== (ours !== ''))).toEqual([])
})
