import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDocumentCopies } from '../../../src/cli/open/document-copies.ts'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { createFetchDocument, formatAge } from '../../../src/files/fetch-document.ts'
import { serve } from '../../support/serve.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const cache = '.openapi-pages-cache'

/** Starts a server with a document, and a function that loads it with the copies in a folder. */
async function openServer(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const folder = makeTemporaryFolder({ 'docs/docs.json': '{}' })
  const requests: (string | undefined)[] = []
  let isOffline = false
  const origin = await serve((request, response) => {
    requests.push(request.headers['if-none-match'])
    if (isOffline) response.destroy()
    else respond(request, response)
  })
  const url = `${origin}/openapi.json`
  const load = async () => {
    const copies = openDocumentCopies(folder, 'docs', openDiskFiles(folder))
    const loaded = await createFetchDocument({ repositoryUrls: 'any', copies })(url)
    return loaded.kind === 'loaded' ? { text: Buffer.from(loaded.bytes).toString(), outdated: loaded.outdated } : loaded
  }
  const goOffline = () => {
    isOffline = true
  }
  return { folder, url, load, requests, goOffline }
}

const withTag = (request: IncomingMessage, response: ServerResponse) => {
  if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
  else response.writeHead(200, { etag: '"1"' }).end('{"openapi":"3.1.0"}')
}

test('revalidates a document and uses the copy without a network', async () => {
  const { load, requests, goOffline, folder } = await openServer(withTag)
  const document = { text: '{"openapi":"3.1.0"}', outdated: undefined }
  expect([await load(), await load()]).toEqual([document, document])
  expect(requests).toEqual([undefined, '"1"'])
  goOffline()
  expect(await load()).toEqual({
    ...document,
    outdated: { reason: 'the host closed the connection', age: expect.stringMatching(/^0 minutes old, from \d{4}-\d\d-\d\d$/) },
  })
  expect(readFileSync(join(folder, 'docs', cache, '.gitignore'), 'utf8')).toBe('*\n')
})

test.each([
  [503, true],
  [429, true],
  [404, false],
  [401, false],
])('after status %s, uses the copy: %s', async (status, isUsed) => {
  let current = 200
  const { load } = await openServer((_request, response) => response.writeHead(current).end('{}'))
  await load()
  current = status
  expect(await load()).toMatchObject(isUsed ? { text: '{}' } : { kind: 'failed', code: 'url-unreachable' })
})

test('does not send the validators of one URL to another', async () => {
  let target = '/a'
  const { load, requests } = await openServer((request, response) => {
    if (request.url === '/openapi.json') response.writeHead(302, { location: target }).end()
    else withTag(request, response)
  })
  await load()
  target = '/b'
  await load()
  expect(requests).toEqual([undefined, undefined, undefined, undefined])
  expect(await load()).toMatchObject({ text: '{"openapi":"3.1.0"}' })
  expect(requests.slice(4)).toEqual([undefined, '"1"'])
})

test.each<[string, (record: Record<string, unknown>) => unknown]>([
  ['another URL', (record) => ({ ...record, document: 'https://other.example/' })],
  ['another hash', (record) => ({ ...record, hash: 'x' })],
  ['another version', (record) => ({ ...record, version: 2 })],
  ['no time', ({ confirmedAt: _, ...record }) => record],
  ['a list', () => []],
  ['a line break in its tag', (record) => ({ ...record, etag: '"1"\r\nx: y' })],
])('ignores a record with %s', async (name, change) => {
  const { load, folder, requests } = await openServer(withTag)
  await load()
  const inside = join(folder, 'docs', cache)
  const path = join(inside, readdirSync(inside).find((one) => one.endsWith('.json')) ?? '')
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))))
  expect(await load()).toMatchObject({ text: '{"openapi":"3.1.0"}' })
  expect(requests).toEqual([undefined, undefined])
  expect(name).not.toBe('')
})

test('writes nothing through a link that leaves the docs directory', async () => {
  const outside = makeTemporaryFolder()
  const { load, folder } = await openServer(withTag)
  symlinkSync(outside, join(folder, 'docs', cache))
  expect(await load()).toMatchObject({ text: '{"openapi":"3.1.0"}' })
  expect(readdirSync(outside)).toEqual([])
})

test('works if the copy cannot be written', async () => {
  const { load, folder } = await openServer(withTag)
  writeFileSync(join(folder, 'docs', cache), 'a file')
  expect(await load()).toMatchObject({ text: '{"openapi":"3.1.0"}' })
})

test.each([
  [0, '0 minutes'],
  [60_000, '1 minute'],
  [7_200_000, '2 hours'],
  [3 * 86_400_000, '3 days'],
  [-5, '0 minutes'],
])('formats %s ms as %s', (milliseconds, text) => expect(formatAge(milliseconds)).toBe(text))
