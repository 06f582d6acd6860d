import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInFolder } from '../../cli/run-in-folder.ts'
import { readZip } from '../../support/read-zip.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { type ConnectOptions, connectApp, validDocument } from '../support/connected-app.ts'
import { addToken } from '../support/test-app.ts'

// Sites are built by `build/app`, as `npm run build` made it.

const navigation = {
  groups: [
    { group: 'Guides', pages: ['index', 'guide'] },
    { group: 'API', openapi: 'openapi.yaml' },
  ],
}
const files = {
  'docs.json': JSON.stringify({ name: 'Pets', navigation }),
  'openapi.yaml': validDocument,
  'index.mdx': '---\ntitle: Welcome\n---\n\n![A dot](/images/dot.png) [Guide](/guide)\n',
  'guide.mdx': '---\ntitle: Guide\n---\n\nHow to.\n',
  'hidden.mdx': '---\ntitle: Hidden\nhidden: true\n---\n\nSecret words.\n',
  'images/dot.png': 'a picture',
}
const env = { SITES_DOMAIN: 'sites.test' }

/** An app with a published site, which is private. */
async function connect(more: Readonly<Record<string, string>> = {}) {
  const connected = await connectApp({ env })
  const repository = connected.github.createRepository('acme/pets', { files: { ...files, ...more }, private: true })
  const { sha } = await repository.push({ files: { a: 'a' } })
  await connected.idle()
  return { ...connected, repository, sha, ...(await createExports(connected)) }
}

async function createExports({ app, store }: Pick<Awaited<ReturnType<typeof connectApp>>, 'app' | 'store'>) {
  const [project] = await store.projects.list()
  const id = project?.id ?? ''
  const { text: token } = await addToken(store, { scope: 'write', projectId: id })
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`${app.address}/v1/static-export/${id}/jobs${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
    })
    return Buffer.from(await response.arrayBuffer())
  }
  const askJob = async (path: string, method?: string): Promise<{ jobId: string; status: string; error?: string }> =>
    JSON.parse(String(await ask(path, method)))
  return { ask, askJob }
}

test('exports the published site with the files that the command writes', async () => {
  const { repository, store, sha, idle, ask, askJob, dataDir } = await connect()
  const { jobId } = await askJob('', 'POST')
  // A later commit of another branch is not part of it.
  repository.commit({ files: { 'guide.mdx': 'Later.' }, branch: 'topic' })
  await idle()
  expect(await askJob(`/${jobId}`)).toMatchObject({ status: 'completed', sha })
  const hosted = readZip(await ask(`/${jobId}/bundle`))
  const folder = makeTemporaryFolder(files)
  await runInFolder(folder, ['export'])
  const written = readZip(readFileSync(join(folder, 'export.zip')))
  expect([...hosted.keys()]).toEqual([...written.keys()])
  for (const [path, content] of hosted) expect([path, content.equals(written.get(path) ?? Buffer.alloc(0))]).toEqual([path, true])
  expect(String(hosted.get('guide/index.html'))).toContain('How to.')
  for (const content of hosted.values()) expect(content.includes('Secret words')).toBe(false)
  expect(readdirSync(join(dataDir, 'runs'))).toEqual([])
  expect((await store.usage.list())[0]?.cpuMs).toBeGreaterThan(0)
})

test('continues after a restart, and says why a site cannot be exported', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 110 }, (_, index) => [`pages/${index}.mdx`, `---\ntitle: Page ${index}\n---\n\nText.\n`]),
  )
  const more = { ...pages, 'docs.json': JSON.stringify({ name: 'Pets', navigation: { pages: Object.keys(pages) } }) }
  const first = await connect(more)
  const restart = async (options: ConnectOptions) => {
    const connected = await first.restart(options)
    return { ...connected, ...(await createExports(connected)) }
  }
  const stopped = await restart({ env, withoutRuns: true })
  const { jobId, status } = await stopped.askJob('', 'POST')
  expect(status).toBe('queued')
  await stopped.app.stop()
  const limited = await restart({ env: { ...env, SITE_MAX_FILES: '100' } })
  await limited.idle()
  expect(await limited.askJob(`/${jobId}`)).toMatchObject({ status: 'failed', error: 'the site has more than 100 files' })
  await limited.app.stop()

  const last = await restart({ env })
  first.repository.tarballs.set(first.sha, Buffer.from('<html>'))
  await last.askJob('', 'POST')
  await last.idle()
  expect(await last.askJob(`/${jobId}`)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^Cannot read the archive: /),
  })
  first.repository.tarballs.delete(first.sha)
  await last.askJob('', 'POST')
  await last.idle()
  expect(await last.askJob(`/${jobId}`)).toMatchObject({ jobId, status: 'completed' })
})
