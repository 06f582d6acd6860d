import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEditorProject } from '../../src/cli/editors/editor-project.ts'
import { openLocalDocs } from '../../src/cli/editors/local-docs.ts'
import { createLocalTools } from '../../src/cli/editors/local-tools.ts'
import { openWorkspace } from '../../src/cli/open/workspace.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { check } from '../../src/index.ts'
import { createPageTools } from '../../src/site/agents/site-tools.ts'
import { createSourcePages } from '../../src/site/agents/source-pages.ts'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

/** A service of this machine. Its responses are valid documents with a secret. */
async function startService() {
  const asked: string[] = []
  const origin = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(tinyDocument('A secret'))
  })
  return { asked, origin }
}

/** A docs directory that names a URL in every way. */
function makeDocs(url: string) {
  const tabs = [
    { tab: 'A', openapi: `${url}/a` },
    { tab: 'B', openapi: { source: `${url}/b`, directory: 'b' } },
    { tab: 'C', openapi: [`${url}/c`, 'openapi.json'] },
    { tab: 'F', openapi: { source: 'openapi.json', directory: 'f', overlays: [`${url}/named-overlay`] } },
    { tab: 'D', pages: ['start', { group: 'E', openapi: `${url}/e`, pages: ['GET /a-secret'] }, `${url}/f GET /a-secret`] },
  ]
  const document = JSON.parse(tinyDocument('List pets'))
  document.paths['/more'] = { $ref: `${url}/reference` }
  document.components = { examples: { one: { externalValue: `${url}/value` } } }
  return makeTemporaryFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'openapi-pages.config.yaml': `overlays: [${url}/overlay]\n`,
    'docs.json': JSON.stringify({ name: 'Zoo', logo: `${url}/logo.png`, navigation: { tabs }, api: { openapi: `${url}/api` } }),
    'openapi.json': JSON.stringify(document),
    'start.mdx': `---\ntitle: Start\nopenapi: ${url}/page GET /a-secret\n---\n\n![Remote](${url}/image.png)\n`,
  })
}

/** Commands that read a docs directory, with the exit code for a URL that is refused. */
const commandLines: readonly { readonly argv: readonly string[]; readonly exitCode?: number }[] = [
  { argv: ['check', '.'], exitCode: 2 },
  { argv: ['check', '.', '--format', 'json'], exitCode: 2 },
  { argv: ['update', '.'], exitCode: 2 },
  { argv: ['update', '.', '--check'], exitCode: 2 },
  { argv: ['ci', '.'], exitCode: 2 },
  { argv: ['build', '.', '-o', 'OUT'], exitCode: 2 },
  { argv: ['status', '.'] },
  { argv: ['adopt', '.', '--dry-run'] },
  { argv: ['init', '--dry-run'] },
  { argv: ['doctor', '.', '--network'] },
  { argv: ['openapi-file', 'openapi.json', '-o', 'api'] },
  { argv: ['bundle', 'openapi.json'] },
  { argv: ['changes', 'openapi.json', 'openapi.json'] },
]

describe('URLs in files of a repository', () => {
  test.each(commandLines)('$argv sends no request to a service of this machine', async ({ argv, exitCode }) => {
    const { asked, origin } = await startService()
    const out = join(makeTemporaryFolder(), 'site')
    const secure = origin.replace('http:', 'https:')
    for (const url of [origin, origin.replace('127.0.0.1', 'localhost'), secure, secure.replace('127.0.0.1', 'localhost')]) {
      const folder = makeDocs(url)
      const args = argv.map((word) => (word === 'OUT' ? out : word))
      const run = await runInFolder(folder, args, { env: { XDG_CACHE_HOME: makeTemporaryFolder() } })
      expect(asked).toEqual([])
      expect(run.stdout + run.stderr).not.toMatch(/a secret/i)
      if (exitCode !== undefined) {
        expect([run.exitCode, run.stdout + run.stderr]).toEqual([
          exitCode,
          expect.stringMatching(/only `?https:`? is allowed|`?(?:127\.0\.0\.1|localhost)`? has no public IP address/),
        ])
      }
    }
  })

  test.each(['--allow-http', '--local-schema'])('%s allows them', async (option) => {
    const { asked, origin } = await startService()
    const folder = makeTemporaryFolder({
      'docs.json': JSON.stringify({ name: 'Zoo', navigation: { tabs: [{ tab: 'A', openapi: `${origin}/a` }] } }),
    })
    expect(await runInFolder(folder, ['check', '.', option])).toMatchObject({ exitCode: 0 })
    expect(asked).toEqual(['GET /a'])
  })

  test('a URL on the command line is fetched, also if docs.json names it too', async () => {
    const { asked, origin } = await startService()
    const folder = makeTemporaryFolder({
      'docs.json': JSON.stringify({ name: 'Zoo', navigation: { tabs: [{ tab: 'A', openapi: `${origin}/other` }] } }),
    })
    expect(await runInFolder(folder, ['check', `${origin}/a`])).toMatchObject({ exitCode: 0 })
    expect(await runInFolder(folder, ['changes', `${origin}/a`, `${origin}/b`])).toMatchObject({ exitCode: 0 })
    expect(asked).toEqual(['GET /a', 'GET /a', 'GET /b'])
    const both = await runInFolder(folder, ['check', '.', `${origin}/a`])
    expect([both.exitCode, asked]).toEqual([2, ['GET /a', 'GET /a', 'GET /b', 'GET /a']])
  })

  test('the function `check` fetches the URL of its entry, and others only with `allowHttp`', async () => {
    const { asked, origin } = await startService()
    const folder = makeTemporaryFolder({
      'docs.json': JSON.stringify({ name: 'Zoo', navigation: { tabs: [{ tab: 'B', openapi: `${origin}/b` }] } }),
    })
    expect((await check(`${origin}/a`, { workingDirectory: folder })).valid).toBe(true)
    expect(asked).toEqual(['GET /a'])
    const { diagnostics } = await check('.', { workingDirectory: folder })
    expect(diagnostics.find(({ code }) => code === 'url-refused')?.hint).toContain('To allow it, pass `--allow-http`')
    expect(asked).toEqual(['GET /a'])
    await check('.', { workingDirectory: folder, allowHttp: true })
    expect(asked).toEqual(['GET /a', 'GET /b'])
  })
})

describe('servers for editors and agents', () => {
  const output = { write: () => {}, isTerminal: false, columns: undefined }
  const silent = { step() {}, clear() {} }
  const toContext = (folder: string) => {
    return {
      workingDirectory: toOwnPath(folder),
      env: {},
      readStdin: async () => new Uint8Array(),
      stdout: output,
      stderr: output,
    }
  }
  const toDocs = (url: string) => {
    const navigation = {
      tabs: [
        { tab: 'A', openapi: `${url}/a` },
        { tab: 'B', openapi: 'openapi.json' },
      ],
    }
    return makeTemporaryFolder({
      'docs.json': JSON.stringify({ name: 'Zoo', navigation }),
      'openapi.json': tinyDocument('List pets'),
    })
  }
  const checkInEditor = async (folder: string, options: { allowHttp: boolean; network: boolean }) => {
    const project = createEditorProject(() => openWorkspace(toOwnPath(folder), options, toContext(folder), silent).access)
    const { diagnostics } = await project.check(new Map([['openapi.json', tinyDocument('List pets')]]), () => true)
    return diagnostics.filter(({ code }) => code.startsWith('url-'))
  }
  const checkAsAgent = async (folder: string, options: { allowHttp: boolean; network: boolean }) => {
    const docs = openLocalDocs(folder, { boundary: toOwnPath(folder), ...options }, toContext(folder))
    const tools = [...createPageTools(createSourcePages(docs.readPages)), ...createLocalTools(docs)]
    const call = async (name: string, args: unknown) => await tools.find((tool) => tool.name === name)?.run(args)
    await call('list_operations', {})
    await call('search', { query: 'pets' })
    await call('changes', { base: '.', revision: '.' })
    return await call('check', { severity: 'info' })
  }

  test('fetch nothing by default, and say so without an error', async () => {
    const { asked, origin } = await startService()
    for (const url of [origin, 'https://example.invalid']) {
      const folder = toDocs(url)
      expect(await checkInEditor(folder, { allowHttp: false, network: false })).toMatchObject([
        {
          code: 'url-refused',
          severity: 'info',
          file: 'docs.json',
          message: `Cannot read \`${url}/a\`: this server fetches no URLs of the repository`,
          hint: expect.stringContaining('To allow it, run the command with `--network`'),
        },
      ])
      expect(await checkAsAgent(folder, { allowHttp: false, network: false })).toMatch(
        /^(?!.*error)[\s\S]*docs\.json:1:\d+ info url-refused/,
      )
    }
    expect(asked).toEqual([])
  })

  test('with --network, fetch https URLs of public addresses only', async () => {
    const { asked, origin } = await startService()
    const folder = toDocs(origin)
    expect(await checkInEditor(folder, { allowHttp: false, network: true })).toMatchObject([
      { code: 'url-refused', severity: 'error' },
    ])
    expect(await checkAsAgent(folder, { allowHttp: false, network: true })).toContain('error url-refused')
    expect(asked).toEqual([])
  })

  test('with --allow-http, fetch any URL', async () => {
    const { asked, origin } = await startService()
    const folder = toDocs(origin)
    expect(await checkInEditor(folder, { allowHttp: true, network: false })).toEqual([])
    expect(asked).toEqual(['GET /a'])
  })
})
