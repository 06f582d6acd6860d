import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createSingleDocumentDocs } from '../../../../src/cli/open/single-document.ts'
import { openDiskFiles } from '../../../../src/files/disk-files.ts'
import { readSite } from '../../../../src/site/make/read-site.ts'
import { findSearchFile } from '../../../../src/site/page/search/search-index.ts'
import { findInAll, openSiteIndex } from '../../../../src/site/search/find-hits.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { siteAssets } from '../../make/assets/site-assets.ts'

const fixtures = new URL('../../../fixtures/', import.meta.url)
const documents = { parcel: 'visual/docs/api/parcel.yaml', mail: 'site/search/mail.yaml' } as const

/** The search of the site of a document, and the name of a page in the queries: `POST /pets`, `webhook name`, `schema Name`. */
async function openSearch(name: keyof typeof documents) {
  const bytes = readFileSync(new URL(documents[name], fixtures))
  const folder = openDiskFiles(makeTemporaryFolder({ 'openapi.yaml': bytes.toString() }))
  const { files, madeFiles } = await createSingleDocumentDocs('openapi.yaml', bytes, folder, '')
  const { source } = await readSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: true, madeFiles },
    { files, fetchDocument: () => Promise.reject(new Error('no network')) },
  )
  if (!source) throw new Error('The site has no source')
  const index = await openSiteIndex(0, (path) => Promise.resolve(findSearchFile(path, source)?.content.toString()))
  if (!index) throw new Error('The site has no search index')
  const nameOf = (route: string) => {
    const subject = source.context.plan.pages.find((page) => page.route === route)?.subject
    if (subject?.kind === 'operation') return subject.target
    return subject && 'name' in subject ? `${subject.kind} ${subject.name}` : route
  }
  return { index, nameOf }
}

test('finds what readers look for: 36 of 40 first, 40 in the first three', async () => {
  const queries = parse(readFileSync(new URL('site/search/queries.yaml', fixtures), 'utf8')) as Record<
    keyof typeof documents,
    Record<string, string | string[]>
  > // Written with the test.
  const all = await Promise.all(
    (['parcel', 'mail'] as const).map(async (name) => {
      const { index, nameOf } = await openSearch(name)
      return Object.entries(queries[name]).map(([query, expected]) => {
        const found = findInAll([index], query, '', 10).map(({ route }) => nameOf(route))
        return { query, at: found.findIndex((hit) => [expected].flat().includes(hit)), found }
      })
    }),
  )
  const results = all.flat()
  const later = (least: number) => results.filter(({ at }) => at < 0 || at >= least)
  expect(results).toHaveLength(40)
  expect(later(3)).toEqual([])
  expect(later(1).length, JSON.stringify(later(1))).toBeLessThanOrEqual(4)
})
