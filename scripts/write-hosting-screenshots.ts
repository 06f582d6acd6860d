import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { readConfig } from '../src/app/config/app-config.ts'
import { createLog } from '../src/app/telemetry/create-log.ts'
import { toAppSettings, toSignInSettings } from '../test/support/fake-github/app-settings.ts'
import { startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import { toPullRequestEvent } from '../test/support/fake-github/payloads.ts'
import { findBrowser } from './browser.ts'
import './jsx-loader.ts'

// Takes the screenshots docs/images/hosting-*.png. The app, with a fake GitHub and real Chromium, builds the site of
// examples/petstore twice and takes screenshots of its pages. Needs the build (`node scripts/build.ts cli`). As root, set
// CHROMIUM_SANDBOX=off.
const root = join(import.meta.dirname, '..')
const maxBytes = 150_000
const example = ['docs.json', 'openapi.yaml', 'index.mdx', 'guides/adopt-a-pet.mdx']
const { appParts, startApp } = await import('../src/app/start-app.ts')
const executablePath = await findBrowser()

const github = await startFakeGitHub()
const files = Object.fromEntries(example.map((path) => [path, readFileSync(join(root, 'examples/petstore', path), 'utf8')]))
const repository = github.createRepository('acme/petstore', { files })
repository.collaborators.set('octocat', 'admin')
const dataDir = mkdtempSync(join(tmpdir(), 'openapi-pages-hosting-'))
const config = await readConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  CHROMIUM_PATH: executablePath,
  ...(process.env['CHROMIUM_SANDBOX'] ? { CHROMIUM_SANDBOX: process.env['CHROMIUM_SANDBOX'] } : {}),
  ...toAppSettings(github),
  ...toSignInSettings(github),
})
const log = createLog({ level: 'warn', format: 'text', write: (line) => void process.stderr.write(line) })
const app = await startApp({ config, log, parts: appParts, pace: { spacingMs: 0 } })
github.webhookUrl = `${app.address}/api/github/webhooks`
const browser = await chromium.launch({ executablePath, chromiumSandbox: config.chromiumSandbox === 'on' })
try {
  await push({ 'guides/adopt-a-pet.mdx': `${files['guides/adopt-a-pet.mdx']}\nQuestions? Ask us.\n` }, 'main', 'Add a contact')
  const text = (files['openapi.yaml'] ?? '').replace('summary: List pets', 'summary: List all pets')
  const made = await push({ 'openapi.yaml': text }, 'list-all-pets', 'Clarify that all pets are listed')
  const pull = repository.openPullRequest({ head: 'list-all-pets', title: 'Clarify that all pets are listed' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull, made.before))
  await idle()

  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const base = app.context.baseUrl()
  const draw = async (name: string, url: string, colorScheme: 'light' | 'dark' = 'light') => {
    const path = join(root, `docs/images/hosting-${name}.png`)
    await page.emulateMedia({ colorScheme })
    // The dashboard streams events, so its network is never idle.
    await page.goto(url, { waitUntil: 'load' })
    await page.evaluate("Promise.all([...document.images].map((one) => { one.loading = 'eager'; return one.decode() }))")
    await page.screenshot({ path })
    const { size } = statSync(path)
    if (size > maxBytes) throw new Error(`Unexpected size of ${path}: ${size} bytes, expected at most ${maxBytes}`)
    console.log(`${path}: ${size} bytes`)
  }
  await draw('site', base.replace('localhost', 'acme-petstore.localhost'))
  github.signedInAs = 'octocat'
  await page.goto(`${base}/`)
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
  await page.waitForURL(`${base}/projects`)
  const [project] = await app.context.store.projects.list()
  await draw('dashboard-light', `${base}/projects/${project?.id}`)
  await draw('dashboard-dark', `${base}/projects/${project?.id}`, 'dark')
  const newest = await app.context.store.statuses.list(project?.id ?? '', { limit: 1 })
  await page.setViewportSize({ width: 1280, height: 1000 })
  await draw('update', `${base}/projects/${project?.id}/updates/${newest?.updates[0]?.update._id}`)
} finally {
  await browser.close()
  await app.stop()
  await github.close()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
}

async function push(changed: Record<string, string>, branch: string, message: string) {
  const made = repository.commit({ files: changed, branch, message, author: 'pat' })
  await github.deliver('push', repository.pushPayload(made))
  await idle()
  return made
}

/** Waits until the queue is empty. */
async function idle(): Promise<void> {
  for (;;) {
    const { waiting, leased } = await app.context.store.queue.stats()
    if (waiting + leased === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
