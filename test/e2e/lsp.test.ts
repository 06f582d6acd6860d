import { spawn } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import {
  CodeActionRequest,
  createMessageConnection,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { toOwnPath } from '../../src/files/boundary.ts'
import { plantInBareRepository, plantInConfig } from '../support/planted-clone.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const bin = join(import.meta.dirname, '../../bin/openapi-pages.cjs')

const document = `openapi: 3.1.0
info: {title: Zoo, version: "1"}
paths:
  /pets:
    get:
      operationId: listPets
      responses: {'200': {$ref: '#/components/responses/Pets'}}
components:
  responses:
    Pets: {description: Pets}
`
const files = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'docs/docs.json': '{"name": "Zoo", "navigation": {"pages": ["start"]}, "api": {"openapi": "openapi.yaml"}}\n',
  'docs/openapi.yaml': document,
  'docs/start.mdx': '---\ntitle: Start\nopenapi: GET /pets\n---\n',
}

/** Starts the server and opens the document. */
async function start(folder = makeTemporaryFolder(files)) {
  const child = spawn(process.execPath, [bin, 'lsp', '--stdio', `--clientProcessId=${process.pid}`], { cwd: folder })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  onTestFinished(async () => {
    connection.dispose()
    child.kill()
    await ended
  })
  const published: PublishDiagnosticsParams[] = []
  const waiting = new Set<() => void>()
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params)
    for (const check of waiting) check()
  })
  connection.listen()
  const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  })
  await connection.sendNotification(InitializedNotification.type, {})
  const toUri = (path: string) => pathToFileURL(join(folder, path)).href
  const open = async (path: keyof typeof files, languageId: string, text: string = files[path]) =>
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: toUri(path), languageId, version: 1, text },
    })
  /** Waits for diagnostics of a file that match. */
  const waitFor = async (path: string, matches: (found: PublishDiagnosticsParams) => boolean) =>
    await new Promise<PublishDiagnosticsParams>((resolve) => {
      const check = () => {
        const found = published.filter(({ uri }) => uri === toUri(path)).at(-1)
        if (!found || !matches(found)) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  return { folder, connection, capabilities, published, toUri, open, waitFor, ended, log: () => log }
}

test('an editor shows, explains and fixes problems of unsaved texts', async () => {
  const { connection, capabilities, toUri, open, waitFor, published, log } = await start()
  expect(capabilities).toMatchObject({ hoverProvider: true, codeActionProvider: {} })
  const uri = toUri('docs/openapi.yaml')
  await open('docs/openapi.yaml', 'yaml', document.replace('title', 'titel'))
  const { diagnostics, version } = await waitFor('docs/openapi.yaml', (found) => found.diagnostics.length > 0)
  expect([version, diagnostics]).toMatchObject([
    1,
    [{ source: 'openapi-pages', code: 'unknown-field', severity: 1, range: { start: { line: 1, character: 7 } } }],
  ])
  const at = { line: 1, character: 8 }
  const hover = await connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: at })
  expect(hover?.contents).toMatchObject({ kind: 'markdown', value: expect.stringContaining('[`unknown-field`](https://') })
  const actions = await connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range: { start: at, end: at },
    context: { diagnostics },
  })
  const range = { start: { line: 1, character: 7 }, end: { line: 1, character: 12 } }
  expect(actions).toMatchObject([{ title: 'Replace with title', edit: { changes: { [uri]: [{ range, newText: 'title' }] } } }])
  // Many changes at once are checked together, and the last one counts.
  const before = published.length
  for (const [index, newText] of ['t', 'ti', 'title'].entries()) {
    const end = { line: 1, character: [12, 8, 9][index] ?? 0 }
    await connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: index + 2 },
      contentChanges: [{ range: { start: { line: 1, character: 7 }, end }, text: newText }],
    })
  }
  await waitFor('docs/openapi.yaml', (found) => found.diagnostics.length === 0)
  expect(published.slice(before).filter((each) => each.uri === uri)).toHaveLength(1)
  expect(log()).toBe('')
})

test.each([
  ['its configuration', plantInConfig],
  ['an embedded repository', plantInBareRepository],
])('an editor that opens a repository runs no command from %s', async (_title, makeClone) => {
  const { folder, ran } = makeClone()
  const { open, waitFor } = await start(toOwnPath(folder))
  await open(
    'docs/docs.json',
    'json',
    '{"navigation": {"tabs": [{"tab": "API", "openapi": "openapi.json", "pages": ["GET /none"]}]}}',
  )
  await waitFor('docs/docs.json', (found) => found.diagnostics.length > 0)
  expect(ran()).toEqual([])
})

test('an editor shows what a changed function of a ruleset finds', async () => {
  const toFunction = (message: string) => `export default () => [{ message: '${message}' }]\n`
  const folder = makeTemporaryFolder({
    ...files,
    '.spectral.yaml': 'functions: [check]\nrules: { title: { given: $.info.title, then: { function: check } } }\n',
    'functions/check.js': toFunction('Too short'),
  })
  const { connection, open, waitFor, toUri } = await start(folder)
  await open('docs/openapi.yaml', 'yaml')
  const waitForMessage = (message: string) =>
    waitFor('docs/openapi.yaml', ({ diagnostics }) => diagnostics.some((each) => String(each.message).includes(message)))
  await waitForMessage('Too short')
  writeFileSync(join(folder, 'functions/check.js'), toFunction('Too long'))
  await connection.sendNotification(DidChangeWatchedFilesNotification.type, {
    changes: [{ uri: toUri('functions/check.js'), type: 2 }],
  })
  await waitForMessage('Too long')
})

test('an editor shows problems in a folder that it opened through a link', async () => {
  const link = join(makeTemporaryFolder(), 'link')
  symlinkSync(makeTemporaryFolder(files), link)
  const { toUri, open, waitFor } = await start(toOwnPath(link))
  await open('docs/start.mdx', 'mdx', files['docs/start.mdx'].replace('/pets', '/cats'))
  const { uri, diagnostics } = await waitFor('docs/start.mdx', (found) => found.diagnostics.length > 0)
  expect([uri, diagnostics]).toMatchObject([toUri('docs/start.mdx'), [{ code: 'binding-unresolved' }]])
})

test('an editor shows problems of a file that changes on disk, and ends the server', async () => {
  const { folder, connection, toUri, open, ended, waitFor } = await start()
  await open('docs/start.mdx', 'mdx')
  // A file that changes on disk is checked again.
  writeFileSync(join(folder, 'docs/docs.json'), files['docs/docs.json'].replace('"start"', '"start", "nothing"'))
  const changes = [{ uri: toUri('docs/docs.json'), type: 2 as const }]
  await connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes })
  const { diagnostics } = await waitFor('docs/docs.json', (found) => found.diagnostics.length > 0)
  expect(diagnostics[0]?.message).toContain('nothing')
  await connection.sendRequest(ShutdownRequest.type)
  await connection.sendNotification(ExitNotification.type)
  expect(await ended).toBe(0)
})
