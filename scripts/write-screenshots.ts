import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page, type Route } from 'playwright-core'
import { readConfig } from '../src/app/base/config/app-config.ts'
import { createLog } from '../src/app/base/telemetry/create-log.ts'
import { toAppSettings, toSignInSettings } from '../test/support/fake-github/app-settings.ts'
import { startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import { toPullRequestEvent } from '../test/support/fake-github/payloads.ts'
import { findBrowser } from './browser.ts'
import { petstore, root, runCli } from './example-run.ts'
import { makeReports } from './github-reports.ts'
import './jsx-loader.ts'

// Takes the screenshots in docs/images with a real browser: of a page and its playground, of the app with a fake GitHub, and of what the
// Action's bundle reports. Needs the build (`node scripts/build.ts`). As root, set CHROMIUM_SANDBOX=off.
// Usage: `node scripts/write-screenshots.ts [site] [hosting] [reports]`. Without a name, takes all.
const kinds = { site: takeSite, hosting: takeHosting, reports: takeReports }
const asked = process.argv.slice(2)
/** Keeps the pages fast to load. */
const maxBytes = 200_000

const { appParts, startApp } = await import('../src/app/start/start-app.ts')
const executablePath = await findBrowser()
const hasSandbox = process.env['CHROMIUM_SANDBOX'] !== 'off'
const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-screenshots-'))
const browser = await chromium.launch({ executablePath, chromiumSandbox: hasSandbox })
try {
  mkdirSync(join(root, 'docs/images'), { recursive: true })
  for (const [name, take] of Object.entries(kinds)) if (asked.length === 0 || asked.includes(name)) await take()
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

async function save(page: Page, name: string, options?: Parameters<Page['screenshot']>[0]): Promise<void> {
  const path = join(root, `docs/images/${name}.png`)
  await page.screenshot({ ...options, path })
  const { size } = statSync(path)
  if (size > maxBytes) throw new Error(`Unexpected size of ${path}: ${size} bytes, expected at most ${maxBytes}`)
  console.log(`${path}: ${size} bytes`)
}

/** A page of the petstore's site and its playground, in both themes. The API's response is fake. */
async function takeSite(): Promise<void> {
  runCli(root, 'build', petstore, '-o', join(folder, 'site'))
  // No request reaches this host: each one is answered from the folder. Every other host is the API, which accepts the request.
  const origin = 'http://site.invalid'
  const answer = (request: Route) => {
    const { origin: asked, pathname } = new URL(request.request().url())
    if (asked === origin)
      return request.fulfill({ path: join(folder, 'site', pathname.endsWith('/') ? `${pathname}index.html` : pathname) })
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    const sent: unknown = request.request().postDataJSON()
    const pet = { id: 'pet_7Qx2', ...(typeof sent === 'object' ? sent : {}), createdAt: '2026-01-31T09:30:00Z' }
    return request.fulfill({ status: 201, json: pet, headers })
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    await page.route('**/*', answer)
    await page.goto(`${origin}/api-reference/pets/add-a-pet/`, { waitUntil: 'load' })
    await save(page, `site-${colorScheme}`)
    await page.getByRole('button', { name: 'Try it' }).click()
    const dialog = page.getByRole('dialog')
    const example = dialog.getByRole('button', { name: 'Use an example' })
    const menu = dialog.getByLabel('Use an example')
    await example.or(menu).first().waitFor()
    if ((await example.count()) > 0) await example.click()
    else await menu.selectOption({ index: 1 })
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('201', { exact: true }).waitFor()
    await save(page, `playground-${colorScheme}`)
    await page.close()
  }
}

/** The app builds the site of the petstore twice, and takes screenshots of its pages. */
async function takeHosting(): Promise<void> {
  const example = ['docs.json', 'openapi.yaml', 'index.mdx', 'guides/adopt-a-pet.mdx']
  const files = Object.fromEntries(example.map((path) => [path, readFileSync(join(petstore, path), 'utf8')]))
  const github = await startFakeGitHub()
  const repository = github.createRepository('acme/petstore', { files })
  repository.collaborators.set('octocat', 'admin')
  const config = await readConfig({
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    CHROMIUM_PATH: executablePath,
    CHROMIUM_SANDBOX: hasSandbox ? 'on' : 'off',
    ...toAppSettings(github),
    ...toSignInSettings(github),
  })
  const log = createLog({ level: 'warn', format: 'text', write: (line) => void process.stderr.write(line) })
  const app = await startApp({ config, log, parts: appParts, pace: { spacingMs: 0 } })
  github.webhookUrl = `${app.address}/api/github/webhooks`
  /** Waits until the queue is empty. */
  const idle = async () => {
    for (;;) {
      const { waiting, leased } = await app.context.store.queue.stats()
      if (waiting + leased === 0) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const push = async (changed: Record<string, string>, branch: string, message: string) => {
    const made = repository.commit({ files: changed, branch, message, author: 'pat' })
    await github.deliver('push', repository.pushPayload(made))
    await idle()
    return made
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const draw = async (name: string, url: string, colorScheme: 'light' | 'dark' = 'light') => {
    await page.emulateMedia({ colorScheme })
    // The dashboard streams events, so its network is never idle.
    await page.goto(url, { waitUntil: 'load' })
    await page.evaluate("Promise.all([...document.images].map((one) => { one.loading = 'eager'; return one.decode() }))")
    await save(page, `hosting-${name}`)
  }
  try {
    await push({ 'guides/adopt-a-pet.mdx': `${files['guides/adopt-a-pet.mdx']}\nQuestions? Ask us.\n` }, 'main', 'Add a contact')
    const text = (files['openapi.yaml'] ?? '').replace('summary: List pets', 'summary: List all pets')
    const made = await push({ 'openapi.yaml': text }, 'list-all-pets', 'Clarify that all pets are listed')
    const pull = repository.openPullRequest({ head: 'list-all-pets', title: 'Clarify that all pets are listed' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull, made.before))
    await idle()

    const base = app.context.urls.base()
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
    await page.close()
    await app.stop()
    await github.close()
  }
}

/** The reports of the Action for 1 and 50 problems, and for a push. */
async function takeReports(): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 900, height: 100 } })
  for await (const [name, html] of makeReports(folder)) {
    await page.setContent(html)
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    // Shows the part of a long report that is visible without much scrolling.
    await save(page, name, { fullPage: true, clip: { x: 0, y: 0, width: 900, height: Math.min(height, 700) } })
  }
  await page.close()
}
