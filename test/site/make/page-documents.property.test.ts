import { expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { runAdopt, runStatus } from '../../../src/docs/update/docs-status.ts'
import { readSite } from '../../../src/site/make/read-site.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { siteAssets } from './assets/site-assets.ts'

// Which document a page means is one rule for check, status, adopt and a site.

const documentPaths = ['openapi.json', 'en/openapi.json', 'de/openapi.json', 'en/archive/openapi.json', 'specs/pets.json']
const pagePaths = ['a.mdx', 'en/a.mdx', 'en/guides/b.mdx', 'de/a.mdx', 'en/archive/c.mdx']
const operations = ['/pets', '/stores']
const files = [undefined, undefined, undefined, 'openapi.json', 'openapi', 'pets', '../openapi.json', 'en/openapi.json']

interface Place {
  /** The operations of each document, and its title. */
  readonly documents: readonly { readonly path: string; readonly has: readonly string[]; readonly title: string }[]
  readonly pages: readonly { readonly path: string; readonly file: string | undefined; readonly operation: string }[]
  /** The documents that `docs.json` names for all, and for each language. */
  readonly named: { readonly api: string | undefined; readonly en: string | undefined; readonly de: string | undefined }
}

const place: fc.Arbitrary<Place> = fc.record({
  documents: fc.uniqueArray(
    fc.record({
      path: fc.constantFrom(...documentPaths),
      has: fc.subarray(operations, { minLength: 1 }),
      title: fc.constantFrom('Pets', 'Pets', 'Others'),
    }),
    { selector: ({ path }) => path, minLength: 1 },
  ),
  pages: fc.uniqueArray(
    fc.record({
      path: fc.constantFrom(...pagePaths),
      file: fc.constantFrom(...files),
      operation: fc.constantFrom(...operations, '/gone'),
    }),
    { selector: ({ path }) => path, minLength: 1 },
  ),
  named: fc.record({
    api: fc.constantFrom(undefined, ...documentPaths),
    en: fc.constantFrom(undefined, ...documentPaths),
    de: fc.constantFrom(undefined, ...documentPaths),
  }),
})

const isOf = (language: string, path: string) => path.startsWith(`${language}/`)
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

function toTree({ documents, pages, named }: Place): Tree {
  const exists = (path: string | undefined) => documents.some((document) => document.path === path)
  const languages = (['en', 'de'] as const).map((language) => ({
    language,
    groups: [
      {
        group: language,
        ...(exists(named[language]) && { openapi: named[language] }),
        pages: pages.flatMap(({ path }) => (isOf(language, path) ? path.replace('.mdx', '') : [])),
      },
    ],
  }))
  const responses = { 200: { description: 'Fine' } }
  return {
    'docs.json': JSON.stringify({ ...(exists(named.api) && { api: { openapi: named.api } }), navigation: { languages } }),
    ...Object.fromEntries(
      documents.map(({ path, has, title }) => {
        const paths = Object.fromEntries(has.map((template) => [template, { get: { responses } }]))
        return [path, JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths })]
      }),
    ),
    ...Object.fromEntries(
      pages.map(({ path, file, operation }) => {
        const binding = `${file === undefined ? '' : `${file} `}GET ${operation}`
        return [path, `---\ntitle: ${path}\nopenapi: ${binding}\n---\n\nBy hand.\n`]
      }),
    ),
  }
}

/** What each of them says that each page shows. A check says only whether it is known. */
async function readAnswers(tree: Tree, paths: readonly string[]) {
  const { diagnostics } = await runCheck({ entries: [''] }, toAccess(tree))
  const faulty = new Set(diagnostics.flatMap(({ code, file }) => (code.startsWith('binding-') ? file : [])))
  const { table } = await runStatus({ root: '' }, toAccess(tree))
  const { divisions } = await runAdopt({ root: '' }, toAccess(tree))
  const settings = { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false }
  const plan = (await readSite(settings, toAccess(tree))).source?.context.plan
  return paths.map((path) => {
    const row = table.find(({ page, state }) => page === path && state !== 'error')
    const area = divisions.find(({ pages }) => pages.some((page) => page.path === path))
    const operation = area?.pages.find((page) => page.path === path)?.operation
    const subject = plan?.pages.find((page) => page.path === path)?.subject
    return {
      path,
      check: !faulty.has(path),
      status: row ? `${row.document} ${row.operation}` : undefined,
      adopt: area && `${area.source} ${operation}`,
      site: subject?.kind === 'operation' ? `${subject.source} ${subject.target}` : undefined,
    }
  })
}

/** The rule for a binding without a file, as the contract has it. */
function findDocument({ documents, named }: Place, page: string, operation: string): string | undefined {
  const language = (['en', 'de'] as const).find((one) => isOf(one, page))
  const ofBranch = documents.filter(({ path }) => language !== undefined && path === named[language])
  const inDocs = documents.filter(({ path }) => Object.values(named).includes(path))
  const isAbove = (above: string, path: string) => path.startsWith(folderOf(above))
  const isCopy = ({ path, title }: Place['documents'][number]) =>
    !inDocs.some((one) => one.path === path) &&
    !isAbove(path, page) &&
    documents.some((one) => {
      const isSame = one.title === title && path.endsWith(one.path.slice(folderOf(one.path).length))
      return isSame && folderOf(one.path) !== folderOf(path) && isAbove(one.path, path)
    })
  for (const set of [ofBranch, inDocs, documents.filter((document) => !isCopy(document))]) {
    const having = set.filter(({ has }) => has.includes(operation)).map(({ path }) => path)
    const around = having.filter((path) => isAbove(path, page)).sort((a, b) => folderOf(b).length - folderOf(a).length)
    const isTied = around.length > 1 && folderOf(around[0] ?? '') === folderOf(around[1] ?? '')
    if (having.length > 0) return having.length === 1 ? having[0] : isTied ? undefined : around[0]
  }
  return undefined
}

test('a page means the same document in a check, the table, an adoption and a site', async () => {
  await fc.assert(
    fc.asyncProperty(place, async (given) => {
      const answers = await readAnswers(
        toTree(given),
        given.pages.map(({ path }) => path),
      )
      for (const { path, check, status, adopt, site } of answers) {
        expect({ path, check, adopt, site }).toEqual({ path, check: status !== undefined, adopt: status, site: status })
        const page = given.pages.find((one) => one.path === path)
        if (page?.file !== undefined || !page) continue
        const document = findDocument(given, path, page.operation)
        expect({ path, status }).toEqual({ path, status: document && `${document} GET ${page.operation}` })
      }
    }),
    { numRuns: propertyRuns(40) },
  )
})
