import { expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { readRecordings } from '../../../src/docs/read/read-recordings.ts'
import { runUpdate } from '../../../src/docs/update/run-update.ts'
import type { Files } from '../../../src/files/files.ts'
import { checkLinks } from '../../../src/site/make/links/scan-links.ts'
import type { Exchange } from '../../../src/traffic/exchange.ts'
import type { KeptRecordings } from '../../../src/traffic/read-recording.ts'
import { toAccess } from '../../support/memory-tree.ts'
import { recordings } from '../../support/recordings.ts'

/** Files with stamps, of which each full read is counted. */
function openTree(tree: { readonly [path: string]: string }) {
  const contents = new Map(Object.entries(tree))
  const reads: string[] = []
  const open = (): Files => {
    const { files } = toAccess(Object.fromEntries(contents))
    return {
      ...files,
      read: async (path, limitBytes) => {
        if (limitBytes !== 1) reads.push(path)
        return await files.read(path, limitBytes)
      },
      stateOf: (path) => ({ sizeBytes: contents.get(path)?.length ?? 0, stamp: contents.get(path) }),
    }
  }
  return { contents, open, takeReads: () => reads.splice(0) }
}

test('reads recordings again only if they changed, and passes on the same exchanges', async () => {
  const { 'vcr.yml': vcr = '', 'browser.har': har = '' } = recordings
  const { contents, open, takeReads } = openTree({ 'tests/vcr.yml': vcr, 'tests/browser.har': har, 'tests/other.json': '{}' })
  const kept: KeptRecordings = new Map()
  const read = async () => {
    const exchanges: Exchange[] = []
    const result = await readRecordings(['tests'], open(), (one) => exchanges.push(one), { dateOf: () => undefined, kept })
    return { exchanges, ...result }
  }
  const first = await read()
  expect([first.exchanges.length, first.read, first.others]).toEqual([2, 2, ['tests/other.json']])
  expect(takeReads()).toEqual(['tests/browser.har', 'tests/other.json', 'tests/vcr.yml'])
  expect(await read()).toEqual(first)
  expect(takeReads()).toEqual([])
  contents.set('tests/vcr.yml', vcr.replace('/v1/orders', '/v2/orders'))
  expect((await read()).exchanges.map(({ request }) => request.url)).toEqual([
    'https://api.example.com/v1/orders',
    'https://api.example.com/v2/orders',
  ])
  expect(takeReads()).toEqual(['tests/vcr.yml'])
})

test('a failure of Git is said, and is not the same as no date', async () => {
  const tree = {
    'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n',
    'openapi-pages.config.yaml': 'traffic: {recordings: [a.har]}',
    'a.har': recordings['browser.har'] ?? '',
  }
  const unknown = { kind: 'unknown', reason: 'Cannot read the dates of files: it is damaged', hint: 'Repair it' } as const
  const check = async (answer: typeof unknown | { readonly kind: 'known'; readonly value: Map<string, string> }) => {
    const git = { findDates: async () => answer, findLineDate: async () => ({ kind: 'known', value: undefined }) as const }
    const { diagnostics } = await runCheck({ entries: ['openapi.yaml'] }, { ...toAccess(tree), git })
    return diagnostics
      .filter(({ code }) => code === 'traffic-unreadable')
      .map(({ severity, message, hint }) => [severity, message, hint])
  }
  expect(await check({ kind: 'known', value: new Map() })).toEqual([])
  expect(await check(unknown)).toEqual([
    ['warning', 'Cannot compare the dates of recordings with Git: Cannot read the dates of files: it is damaged', 'Repair it'],
  ])
})

test.each(['check', 'update'])('reads recordings once in `%s`, although its site is checked too', async (command) => {
  const { 'browser.har': har = '' } = recordings
  const { open, takeReads } = openTree({
    'docs.json': JSON.stringify({ name: 'T', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } }),
    'openapi.yaml':
      "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: A}}}}}\n",
    'openapi-pages.config.yaml': 'traffic: {recordings: [tests]}\n',
    'tests/browser.har': har,
  })
  const access = { ...toAccess({}), files: open() }
  if (command === 'check') await runCheck({ entries: [''], checkLinks }, access)
  else await runUpdate({ root: '', documents: [], directory: 'api' }, access, {}, {}, checkLinks)
  expect(takeReads().filter((path) => path === 'tests/browser.har')).toEqual(['tests/browser.har'])
})
