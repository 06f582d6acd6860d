import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInFolder } from '../../cli/run-in-folder.ts'
import { readTree } from '../../support/read-tree.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const page = (title: string, text = '') => `---\ntitle: ${title}\n---\n${text}\n`
const api = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {/a: {get: {responses: {"200": {description: ok}}}}}\n'
const outer = {
  name: 'Outer',
  navigation: {
    languages: [
      { language: 'en', groups: [{ group: 'A', pages: ['index'] }] },
      { language: 'ja', groups: [{ group: 'B', root: 'ja/start', pages: ['ja/index', 'ja/guide'] }] },
    ],
  },
  api: { openapi: 'openapi.yaml' },
}
const files = {
  'docs.json': JSON.stringify(outer),
  'openapi.yaml': api,
  'index.mdx': page('Home', '[guide](/ja/guide)'),
  'ja/docs.json': '{"name": "Inner", "navigation": {"pages": ["index", "inner"]}}',
  'ja/index.mdx': page('Japanese', '[guide](./guide) ![image](./image.png)'),
  'ja/guide.md': page('Guide', 'a quokka'),
  'ja/start.mdx': page('Start'),
  'ja/inner.mdx': '---\ntitle: Inner\nopenapi: GET /nothing\n---\n',
  'ja/image.png': 'image',
}

test('a page that the outer navigation names belongs to the outer site', async () => {
  const folder = makeTemporaryFolder(files)
  expect(await runInFolder(folder, ['check', '.'])).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('warning') })
  const { exitCode, stdout } = await runInFolder(folder, ['build', '.', '-o', 'site'])
  expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('warning')])
  const site = Object.keys(readTree(join(folder, 'site')))
  expect(site).toEqual(expect.arrayContaining(['ja.md', 'ja/guide.md', 'ja/start.md', 'ja/image.png']))
  // The others belong to the inner site.
  expect(site.filter((path) => path.includes('inner'))).toEqual([])
  const searched = site
    .filter((path) => path.startsWith('_search/'))
    .map((path) => readFileSync(join(folder, 'site', path), 'utf8'))
  expect(searched.join('\n')).toContain('quokka')
})

test('check and update report a wrong binding of such a page', async () => {
  const bound = { ...files, 'ja/guide.md': '---\nopenapi: GET /missing\n---\n' }
  const folder = makeTemporaryFolder(bound)
  for (const command of [
    ['check', '.'],
    ['update', '--dry-run'],
  ]) {
    const { stdout } = await runInFolder(folder, command)
    expect(stdout).toContain('ja/guide.md')
    expect(stdout).not.toContain('ja/inner.mdx')
  }
})
