import { Session } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { hashContent } from '../../../src/files/output-folder.ts'
import { buildSite } from '../../../src/site/make/build-site.ts'
import { emptyMemory } from '../../../src/site/make/render-memory.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { siteAssets } from './assets/site-assets.ts'

/** Functions that read a whole document. A build calls each once. */
const wholeDocument = [
  'createReference',
  'createReferenceKeys',
  'hashSources',
  'listFiles',
  'planDocuments',
  'readConnections',
  'readParts',
  'surveySchemas',
]

test.each(['$ref', '$anchor'])('reads a whole document once, however many pages it has, in a schema with %s', async (key) => {
  const isLocal = key === '$ref'
  const part = isLocal ? { $ref: '#/components/schemas/Part' } : { $anchor: 'part', type: 'string' }
  const response = { 200: { description: 'ok', content: { 'application/json': { schema: part } } } }
  const paths = Array.from({ length: 12 }, (_, index) => [
    `/pets/${index}`,
    { get: { summary: `Pet ${index}`, responses: response } },
  ])
  const components = { schemas: { Part: { type: 'string' } } }
  const api = { openapi: '3.1.1', info: { title: 'Pets', version: '1' }, paths: Object.fromEntries(paths), components }
  const docs = { name: 'Pets', navigation: { openapi: 'openapi.json' } }
  const folder = makeTemporaryFolder({ 'docs.json': JSON.stringify(docs), 'openapi.json': JSON.stringify(api) })
  const counts = await countCalls(() => build(folder))
  const expected = wholeDocument.filter((name) => name !== 'hashSources' || !isLocal)
  expect(wholeDocument.filter((name) => (counts.get(name) ?? 0) > 0)).toEqual(expected)
  // V8 counts a call twice if it starts to optimize the function during the call.
  expect(wholeDocument.filter((name) => (counts.get(name) ?? 0) > 2)).toEqual([])
  // The counts are those of this build: each page is rendered.
  expect(counts.get('renderSitePage')).toBeGreaterThan(12)
})

async function build(folder: string): Promise<void> {
  await buildSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false },
    { files: openDiskFiles(toOwnPath(folder)), fetchDocument: (url) => Promise.reject(new Error(url)) },
    ({ content }) => hashContent(content),
    { stamp: 'one', memory: emptyMemory, keep: () => false, read: () => undefined },
  )
}

/** Runs a step, and returns how often it called each function of `src`, by name. */
async function countCalls(step: () => Promise<void>): Promise<Map<string, number>> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await step()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const functions = result.filter(({ url }) => url.includes('/src/')).flatMap((script) => script.functions)
    const counts = new Map<string, number>()
    for (const { functionName, ranges } of functions)
      counts.set(functionName, (counts.get(functionName) ?? 0) + (ranges[0]?.count ?? 0))
    return counts
  } finally {
    session.disconnect()
  }
}
