import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { packPackages } from '../../scripts/pack.ts'
import { findFreePort } from '../../scripts/simulate-image.ts'
import { askSite } from '../app/support/sites.ts'
import { projectFolder } from '../support/action-harness.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { toInstallationEvent } from '../support/fake-github/payloads.ts'
import { writeQuickNpm } from '../support/quick-npm.ts'
import { readBlocks } from '../support/read-blocks.ts'
import { readTree } from '../support/read-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// A newcomer who hosts the app: the commands of docs/start-platform-team.md as printed, with the package made here and a fake GitHub.

const page = 'docs/start-platform-team.md'
const baseUrl = 'https://pages.example.com'

test('a newcomer hosts the app with the documentation alone', { timeout: 300_000 }, async () => {
  const home = makeTemporaryFolder()
  const [programs, prefix] = [join(home, 'programs'), join(home, 'npm')]
  mkdirSync(programs)
  mkdirSync(join(prefix, 'lib'), { recursive: true })
  const tarball = packPackages(home).find(({ name }) => name === 'openapi-pages-app')?.tarball ?? ''
  const install = 'install --global openapi-pages-app'
  writeQuickNpm(programs, [`'${install}') PATH=\${PATH#*:} exec npm install --global --no-audit --no-fund '${tarball}' ;;`])
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  const isInherited = (name: string) =>
    /^(HOME|LANG|TE?MP(DIR)?|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_(registry|cache|userconfig))$/i.test(name)
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isInherited(name))),
    PATH: [programs, dirname(process.execPath), join(prefix, 'bin'), process.env['PATH']].join(delimiter),
    npm_config_prefix: prefix,
    npm_config_prefer_offline: 'true',
    GITHUB_URL: github.url,
    PORT: String(port),
    CHROMIUM_PATH: 'off',
  }
  const start = (block: string) => {
    const child = spawn('bash', ['-e', '-c', block], { cwd: home, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    const ended = once(child, 'close')
    const stop = async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
      await ended
    }
    onTestFinished(stop)
    return { stop, output: () => output }
  }
  const run = async (block: string) => {
    const child = spawn('bash', ['-e', '-c', block], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr, [code]] = await Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, 'close')])
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }
  const startedAt = performance.now()

  // 1. Install, start, and start again with a public URL.
  const [first = '', second = '', ...others] = readBlocks('1. Start the app', 'sh', page)
  expect(others).toEqual([])
  expect(first).toContain(`npm ${install}\n`)
  const unreachable = start(first)
  await expect.poll(unreachable.output, { timeout: 120_000 }).toContain('sites     ')
  await unreachable.stop()
  const app = start(second)
  await expect.poll(app.output, { timeout: 60_000 }).toContain('setup-url.txt')

  // 2. The setup page. The proxy forwards its hostname to the app.
  const [show = '', ...more] = readBlocks('2. Create the GitHub App', 'sh', page)
  expect(more).toEqual([])
  const setup = new URL((await run(show)).trim())
  expect(setup.origin).toBe(baseUrl)
  const open = (path: string, host = setup.host) => askSite(address, host, path, { headers: { Accept: 'text/html' } })
  const { text } = await open(setup.pathname + setup.search)
  const decode = (value = '') => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const state = new URL(decode(/<form method="post" action="([^"]+)"/.exec(text)?.[1])).searchParams.get('state')
  const manifest: { hook_attributes: { url: string } } = JSON.parse(decode(/name="manifest" value="([^"]+)"/.exec(text)?.[1]))
  const created = await open(`/setup/created?code=${github.confirmManifest(manifest)}&state=${state}`)
  expect([created.status, existsSync(join(home, 'data/setup-url.txt'))]).toEqual([200, false])
  expect(github.webhookUrl).toBe(`${baseUrl}/api/github/webhooks`)
  github.webhookUrl = `${address}/api/github/webhooks`

  // Install the app on a repository, whose default branch is checked at once.
  const repository = github.createRepository('acme/docs', { files: readTree(join(projectFolder, 'examples/petstore')) })
  if (!repository.installation) throw new Error('Not installed')
  await github.deliver('installation', toInstallationEvent(github, repository.installation, 'created'))
  const conclusions = () => repository.checkRuns.map(({ conclusion }) => conclusion)
  await expect.poll(conclusions, { timeout: 60_000 }).toEqual(['success'])

  // 3. Push.
  await repository.push({ files: { 'new.mdx': '---\ntitle: New page\n---\n' } })
  await expect.poll(conclusions, { timeout: 60_000 }).toEqual(['success', 'success'])
  const site = await open('/new/', 'acme-docs.sites.example.com')
  expect([site.status, site.text]).toEqual([200, expect.stringContaining('<title>New page')])
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`Newcomer: from the installation of the app to the hosted site in ${seconds} s`)

  // 4. A backup, while the app runs.
  const [backUp = ''] = readBlocks('4. Before others use it', 'sh', page)
  expect(await run(backUp)).toBe('Backed up openapi-pages.sqlite, github-app.json, link.key to backups/first\n')
  expect(readFileSync(join(home, 'backups/first/github-app.json'), 'utf8')).toBe(
    readFileSync(join(home, 'data/github-app.json'), 'utf8'),
  )
  github.assertNoUnexpectedRequests()
})
