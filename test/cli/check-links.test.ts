import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const docs = {
  name: 'Pets',
  theme: 'mint',
  colors: { primary: '#2548C4' },
  navigation: { pages: ['index', 'guides/pets'] },
  redirects: [
    { source: '/old', destination: '/guides/pets' },
    { source: '/older', destination: '/nowhere' },
    { source: '/a', destination: '/b' },
    { source: '/b', destination: '/a' },
  ],
}
const index = `---
title: Start
---

import Note from '/snippets/note.mdx'

## Get started

[relative](guides/pets) [absolute](/guides/pets#feed-pets) [own](#get-started) [moved](/old) [file](/logo.png)
[broken](/guides/pet) [fragment](/guides/pets#feed-pet) [own](#get-startd) ![image](/logos.png)
<a href="/gone">HTML</a> <Note />

\`\`\`md
[in code](/code)
\`\`\`
`
const folder = () =>
  makeTemporaryFolder({
    'docs.json': JSON.stringify(docs, null, 2),
    'index.mdx': index,
    'guides/pets.mdx': '---\ntitle: Pets\n---\n\n## Feed pets\n\nWords. [up](../index)\n',
    'snippets/note.mdx': '[in a snippet](/snippet-link)\n',
    'logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  })

test('reports broken links, anchors, images and redirects of all pages with --links', async () => {
  const { exitCode, stdout } = await runInFolder(folder(), ['check', '.', '--links', '--format', 'unix'])
  const found = stdout.trim().split('\n')
  expect(exitCode).toBe(0)
  expect(found).toEqual([
    expect.stringMatching(/^docs\.json:\d+:\d+: Unexpected redirect from `\/a`: it redirects to itself/),
    expect.stringMatching(/^docs\.json:\d+:\d+: Unexpected redirect from `\/b`: it redirects to itself/),
    expect.stringMatching(/^docs\.json:\d+:\d+: Unexpected link to `\/nowhere`: .*\[warning\/link-unresolved\]$/),
    'index.mdx:10:10: Unexpected link to `/guides/pet`: the site has no page with this path. Did you mean `/guides/pets`? [warning/link-unresolved]',
    'index.mdx:10:34: Unexpected link to `/guides/pets#feed-pet`: the page has no element with the ID `feed-pet`. Did you mean `#feed-pets`? [warning/fragment-unresolved]',
    'index.mdx:10:63: Unexpected link to `#get-startd`: the page has no element with the ID `get-startd`. Did you mean `#get-started`? [warning/fragment-unresolved]',
    'index.mdx:10:85: Cannot find the file `/logos.png`. Did you mean `/logo.png`? [warning/asset-missing]',
    'index.mdx:11:10: Unexpected link to `/gone`: the site has no page with this path [warning/link-unresolved]',
    'snippets/note.mdx:1:16: Unexpected link to `/snippet-link`: the site has no page with this path [warning/link-unresolved]',
  ])
})

test('checks no links of pages without --links', async () => {
  const { stdout } = await runInFolder(folder(), ['check', '.', '--format', 'unix'])
  expect(stdout).not.toMatch(/link-unresolved|fragment-unresolved|asset-missing/)
})
