import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

// Draws docs/images/site-light.png and site-dark.png, the pictures of a page in the README, from the site that `openapi-pages build` makes of the
// petstore. Needs the built command line (`node scripts/build.ts cli`) and a Chromium, whose path CHROMIUM_PATH tells.
const root = join(import.meta.dirname, '..')
const route = 'api-reference/pets/add-a-pet'
/** So that a README stays quick to load. */
const maxBytes = 200_000
/** A host that no request leaves for: each is answered from the folder. */
const origin = 'http://site.invalid'

const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-site-'))
try {
  build()
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' })
  try {
    mkdirSync(join(root, 'docs/images'), { recursive: true })
    for (const theme of ['light', 'dark'] as const) await draw(theme)
  } finally {
    await browser.close()
  }

  async function draw(theme: 'light' | 'dark'): Promise<void> {
    const path = join(root, `docs/images/site-${theme}.png`)
    const page = await browser.newPage({ colorScheme: theme, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    await page.route('**/*', (request) => {
      const file = toFile(new URL(request.request().url()).pathname)
      return file === undefined ? request.abort() : request.fulfill({ path: file })
    })
    await page.goto(`${origin}/${route}/`, { waitUntil: 'load' })
    await page.screenshot({ path })
    await page.close()
    const { size } = statSync(path)
    if (size > maxBytes) throw new Error(`Unexpected size of ${path}: ${size} bytes, expected ${maxBytes} at most`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function build(): void {
  const args = [
    join(root, 'bin/openapi-pages.js'),
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
