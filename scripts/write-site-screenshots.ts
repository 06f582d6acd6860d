import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page, type Route } from 'playwright-core'
import { findBrowser } from './browser.ts'

// Takes docs/images/{site,playground}-{light,dark}.png: screenshots of a page and its playground, from the site that
// `openapi-pages build` creates for the petstore. The API's response is fake. Needs the built command line (`node
// scripts/build.ts cli`).
const root = join(import.meta.dirname, '..')
const route = 'api-reference/pets/add-a-pet'
/** Keeps the README fast to load. */
const maxBytes = 200_000
/** A host that no request reaches: each one is answered from the folder. */
const origin = 'http://site.invalid'

const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-site-'))
try {
  build()
  const browser = await chromium.launch({ executablePath: await findBrowser() })
  try {
    mkdirSync(join(root, 'docs/images'), { recursive: true })
    for (const theme of ['light', 'dark'] as const) {
      await draw(`site-${theme}`, theme, async () => {})
      await draw(`playground-${theme}`, theme, fillIn)
    }
  } finally {
    await browser.close()
  }

  async function draw(name: string, theme: 'light' | 'dark', use: (page: Page) => Promise<void>): Promise<void> {
    const path = join(root, `docs/images/${name}.png`)
    const page = await browser.newPage({ colorScheme: theme, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    await page.route('**/*', answer)
    await page.goto(`${origin}/${route}/`, { waitUntil: 'load' })
    await use(page)
    await page.screenshot({ path })
    await page.close()
    const { size } = statSync(path)
    if (size > maxBytes) throw new Error(`Unexpected size of ${path}: ${size} bytes, expected at most ${maxBytes}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function build(): void {
  const args = [
    join(root, 'bin/openapi-pages.cjs'),
    'build',
    join(root, 'examples/petstore'),
    '-o',
    join(folder, 'site'),
    '--quiet',
  ]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot build the site of the petstore: ${stderr}`)
}

function toFile(path: string): string | undefined {
  const file = join(folder, 'site', path.endsWith('/') ? `${path}index.html` : path)
  return existsSync(file) ? file : undefined
}

/** Serves the site from its folder. Every other host is the API, which accepts the request. */
function answer(request: Route): Promise<void> {
  const url = new URL(request.request().url())
  if (url.origin !== origin) {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    const sent: unknown = request.request().postDataJSON()
    const pet = { id: 'pet_7Qx2', ...(typeof sent === 'object' ? sent : {}), createdAt: '2026-01-31T09:30:00Z' }
    return request.fulfill({ status: 201, json: pet, headers })
  }
  const file = toFile(url.pathname)
  return file === undefined ? request.abort() : request.fulfill({ path: file })
}

/** Fills in the example and sends it, as a reader would. */
async function fillIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  const example = dialog.getByRole('button', { name: 'Use an example' })
  const menu = dialog.getByLabel('Use an example')
  await example.or(menu).waitFor()
  if ((await example.count()) > 0) await example.click()
  else await menu.selectOption({ index: 1 })
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText('201', { exact: true }).waitFor()
}
