import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { createFetchDocument } from '../../../src/files/fetch-document.ts'
import { serve } from '../../support/serve.ts'
import { withLimits } from '../../support/with-limits.ts'
import { type ConnectOptions, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

async function connect(options: ConnectOptions = {}) {
  const connected = await connectApp({ ...options, checkProcesses: true })
  const repository = connected.github.createRepository('acme/api', { files })
  return { ...connected, repository }
}

interface Entry {
  readonly name: string
  readonly content?: string
  readonly type?: tar.Header['type']
  readonly linkname?: string
}

/** Creates a tarball with these entries. */
async function pack(entries: readonly Entry[]): Promise<Uint8Array> {
  const archive = tar.pack()
  for (const { name, content = '', type = 'file', linkname } of entries) {
    archive.entry({ name, type, ...(linkname === undefined ? {} : { linkname }) }, content)
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer) // A pack without an encoding yields buffers.
  return gzipSync(Buffer.concat(chunks))
}

describe('archives', () => {
  test('cannot write or read outside their folder with links, paths or devices', async () => {
    const { github, idle, repository, dataDir } = await connect()
    const push = repository.commit({ files: { a: 'a' } })
    const secret = join(dataDir, 'link.key')
    expect(existsSync(secret)).toBe(true)
    repository.tarballs.set(
      push.after,
      await pack([
        { name: 'acme-api-1/', type: 'directory' },
        { name: 'acme-api-1/docs.json', content: docsConfig },
        { name: 'acme-api-1/openapi.yaml', type: 'symlink', linkname: secret },
        { name: 'acme-api-1/deep', type: 'symlink', linkname: '../../..' },
        { name: 'acme-api-1/../../../../tmp/openapi-pages-was-here', content: 'evil' },
        { name: '/tmp/openapi-pages-was-here', content: 'evil' },
        { name: 'acme-api-1/hard', type: 'link', linkname: secret },
        { name: 'acme-api-1/device', type: 'character-device' },
        { name: 'acme-api-1/.git/hooks/post-checkout', content: 'evil' },
      ]),
    )
    await github.deliver('push', repository.pushPayload(push))
    const [stored] = await idle()
    expect(existsSync('/tmp/openapi-pages-was-here')).toBe(false)
    expect(stored?.update.status).toBe('failure')
    const logs = stored?.update.logs.join('\n') ?? ''
    expect(logs).toContain('its path points outside the archive')
    expect(logs).toContain('its path is absolute')
    expect(logs).toContain('its path contains `.git`')
    expect(logs).toMatch(/openapi\.yaml.*outside/)
    expect(readdirSync(join(dataDir, 'runs'))).toEqual([])
  })

  test('fail the run with the reason if they are decompression bombs', async () => {
    const { github, idle, repository } = await connect()
    const push = repository.commit({ files: { a: 'a' } })
    const blanks = ' '.repeat(64 * 1024 * 1024)
    repository.tarballs.set(push.after, await pack([{ name: 'acme-api-1/openapi.yaml', content: blanks }]))
    await github.deliver('push', repository.pushPayload(push))
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(stored?.update.summary).toMatch(/^Failed: Cannot read the archive: /)
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }])
    await repository.push({ files: { b: 'b' } })
    expect((await idle()).at(-1)?.update.status).toBe('success')
  })

  test('fail the run if they are not archives', async () => {
    const { github, idle, repository } = await connect()
    const push = repository.commit({ files: { a: 'a' } })
    repository.tarballs.set(push.after, Buffer.from('<html>'))
    await github.deliver('push', repository.pushPayload(push))
    const [stored] = await idle()
    expect(stored?.update.summary).toMatch(/^Failed: Cannot read the archive: /)
  })
})

describe('documents', () => {
  /** Many operations, each with its own schema. */
  const large = (count: number) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'a', version: '1' },
      paths: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `/p${index}`,
          {
            get: {
              tags: [`t${index % 50}`],
              responses: {
                200: {
                  description: 'a',
                  content: {
                    'application/json': {
                      schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
                    },
                  },
                },
              },
            },
          },
        ]),
      ),
    })

  /** Many operations in few bytes. */
  const many = (count: number) => {
    const operation = { get: { responses: { 200: { description: 'a' } } } }
    const paths = Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, operation]))
    return JSON.stringify({ openapi: '3.1.0', info: { title: 'a', version: '1' }, paths })
  }

  test('fail only their own update if they need too much memory', async () => {
    const { idle, repository } = await connect({ env: { RUN_MEMORY_MB: '64' } })
    await repository.push({ files: { 'openapi.yaml': large(120_000) } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({
      status: 'failure',
      summary: 'Failed: the check exceeded the memory limit of this server (RUN_MEMORY_MB=64).',
    })
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }])
    await repository.push({ files: { 'openapi.yaml': validDocument } })
    expect((await idle()).at(-1)?.update.status).toBe('success')
  })

  test('fail only their own update if they take too much time', async () => {
    const { idle, repository } = await connect({ env: { RUN_TIMEOUT_SECONDS: '3' } })
    await repository.push({ files: { 'openapi.yaml': many(200_000) } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    // On a busy machine, the time may expire before the archive is read.
    expect(stored?.update.summary).toMatch(
      /exceeded the (CPU )?time limit of this server \(RUN_TIMEOUT_SECONDS=3\)\.$|it took longer than 3000 ms\.$/,
    )
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }])
    await repository.push({ files: { 'openapi.yaml': validDocument } })
    expect((await idle()).at(-1)?.update.status).toBe('success')
  })

  test('produce a diagnostic for exponential alias expansion', async () => {
    const { idle, repository } = await connect()
    const levels = Array.from(
      { length: 12 },
      (_, index) =>
        `  l${index}: &l${index} [${Array(9)
          .fill(index === 0 ? 'a' : `*l${index - 1}`)
          .join(', ')}]`,
    )
    await repository.push({ files: { 'openapi.yaml': `openapi: 3.1.0\nx:\n${levels.join('\n')}\n` } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(stored?.update.summary).toMatch(/^Failed: \d+ errors? in openapi\.yaml/)
  })

  test('cannot forge log lines, Markdown or HTML', async () => {
    const { idle, repository, logLines } = await connect()
    const evil =
      '"x\\n::error::a\\u001b[31m {\\"level\\":\\"fatal\\"} @octocat #1 <img src=x onerror=alert(1)> [a](javascript:b) ` | "'
    await repository.push({
      files: { 'openapi.yaml': validDocument.replace('List pets', 'a').replace('tags: [Pets]', `${evil}: 1`) },
      message: 'a\n::error::b\u001b[31m',
    })
    const [stored] = await idle()
    const [run] = repository.checkRuns
    expect(stored?.update.status).toBe('failure')
    expect(stored?.update.summary).not.toMatch(/[\n\u001b]/)
    for (const line of stored?.update.logs ?? []) expect(line).not.toMatch(/[\n\r\u001b]|^::/)
    // In code, GitHub creates no mentions or links, and shows HTML as text.
    const outsideCode = run?.output.summary?.replace(/`[^`\n]*`/g, '')
    expect(outsideCode).not.toMatch(/@octocat|<img|\(javascript:/)
    for (const line of logLines.join('').trim().split('\n')) expect(JSON.parse(line)).not.toMatchObject({ level: 'fatal' })
  })
})

describe('URLs in a repository', () => {
  test.each([
    ['http://example.com/openapi.json', /only `https:`/],
    ['https://127.0.0.1/openapi.json', /no public IP address/],
    ['https://[::1]/openapi.json', /no public IP address/],
    ['https://localhost/openapi.json', /no public IP address/],
    ['https://2130706433/openapi.json', /no public IP address/],
    ['https://0x7f.1/openapi.json', /no public IP address/],
    ['https://user:password@example.com/openapi.json', /user name or password/],
    ['file:///etc/passwd', /`file:` is not supported/],
  ])('%s is refused', async (address, reason) => {
    const loaded = await createFetchDocument()(address, withLimits({ 'fetch-time': 5_000 }))
    expect(loaded).toMatchObject({ kind: 'failed', code: 'url-refused' })
    expect(loaded.kind === 'failed' && loaded.reason).toMatch(reason)
  })

  test('cannot reach the internal network of the app', async () => {
    const asked: string[] = []
    const origin = await serve((request, response) => {
      asked.push(request.url ?? '')
      response.end(validDocument)
    })
    const { idle, repository } = await connect()
    const config = docsConfig.replace('openapi.yaml', `${origin}/openapi.yaml`)
    await repository.push({ files: { 'docs.json': config } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(asked).toEqual([])
    expect(repository.checkRuns[0]?.annotations).toMatchObject([{ path: 'docs.json', title: 'url-refused' }])
  })
})
