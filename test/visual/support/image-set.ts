import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { isRewriting } from '../../support/expect-tree.ts'
import { compareImages, type ImageDifference } from './compare-images.ts'

/** The looks of each page: every width has an image in both themes. */
export const widths = [390, 820, 1440] as const
/** For pages that have another layout on a small laptop. */
export const allWidths = [390, 820, 1024, 1440] as const
export type Width = (typeof allWidths)[number]
const themes = ['light', 'dark'] as const

/** The quality of the images, from 0 to 100. Text stays readable, and an image of 1440 × 900 px has about 20 kB. */
const quality = 30
const heights = { 390: 844, 820: 1180, 1024: 768, 1440: 900 } as const

/** @param height In CSS pixels. Default: that of a usual screen of this width. */
export const toViewport = (width: Width, height: number = heights[width]) => ({ width, height })

const retakeCommand = 'npx vitest run test/visual -u=all'

interface ImageSetOptions {
  readonly browser: Browser
  /** The folder of the expected images. */
  readonly folder: string
  /** Where images that differ are written. The system's temporary folder, because the folder of the test run is removed. */
  readonly reportFolder: string
  /** How long a page may take until it looks as expected. */
  readonly patienceMs: number
  /** Whether the expected images are replaced. Called in tests only. */
  readonly isUpdating: () => boolean
}

/** The expected images in a folder, `<page>-<width>-<theme>.webp`. */
export class ImageSet {
  readonly #options: ImageSetOptions
  readonly #taken = new Set<string>()

  constructor(name: string, browser: Browser, options: Partial<ImageSetOptions> = {}) {
    this.#options = {
      browser,
      folder: join(import.meta.dirname, '../../fixtures/visual/images', name),
      reportFolder: join(dirname(dirname(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? '')), 'openapi-pages-images', name),
      patienceMs: 4_000,
      isUpdating: isRewriting,
      ...options,
    }
    rmSync(this.#options.reportFolder, { recursive: true, force: true })
  }

  /**
   * Takes an image of the page in both themes and compares each with the expected image.
   *
   * @param options.height Of the viewport in CSS pixels. Default: that of a usual screen of this width.
   * @returns A message for each image that differs.
   */
  async check(
    page: Page,
    name: string,
    width: Width,
    { height }: { readonly height?: number | undefined } = {},
  ): Promise<string[]> {
    const messages: string[] = []
    await page.setViewportSize(toViewport(width, height))
    // What is below the pointer would look different.
    await page.mouse.move(0, 0)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      const message = await this.#checkImage(page, `${name}-${width}-${theme}`, theme)
      if (message !== undefined) messages.push(message)
    }
    return messages
  }

  /** Lists expected images that no test has taken, and removes them in an update. */
  finish(): string[] {
    const { folder, isUpdating } = this.#options
    const unused = existsSync(folder) ? readdirSync(folder).filter((file) => !this.#taken.has(file)) : []
    if (!isUpdating()) return unused.map((file) => `${file}: no test takes this image. Remove it with \`${retakeCommand}\``)
    for (const file of unused) rmSync(join(folder, file))
    return []
  }

  async #checkImage(page: Page, name: string, theme: (typeof themes)[number]): Promise<string | undefined> {
    const { browser, folder } = this.#options
    const isUpdating = this.#options.isUpdating()
    const path = join(folder, `${name}.webp`)
    this.#taken.add(`${name}.webp`)
    const expected = existsSync(path) ? readFileSync(path) : undefined
    if (!expected && !isUpdating) return `${name}: no expected image. Take it with \`${retakeCommand}\`, and look at it`
    const giveUpAt = performance.now() + this.#options.patienceMs
    let actual = await takeImage(page)
    let difference = expected && (await compareImages(browser, actual, expected))
    // A page may still load. It has settled when it looks as expected, or when two images are equal.
    for (let before = actual, isSettled = false; expected ? difference : !isSettled; before = actual) {
      if (performance.now() > giveUpAt) break
      await new Promise((resolve) => setTimeout(resolve, 200))
      if (!isUpdating) await drawAgain(page, theme)
      actual = await takeImage(page)
      isSettled = actual.equals(before)
      if (isSettled && isUpdating) break
      if (expected && !isSettled) difference = await compareImages(browser, actual, expected)
    }
    if (isUpdating) {
      if (!expected || difference) write(path, actual)
      return undefined
    }
    return expected && difference && this.#report(name, actual, expected, difference)
  }

  #report(name: string, actual: Buffer, expected: Buffer, { reason, picture }: ImageDifference): string {
    const { reportFolder } = this.#options
    const place = join(reportFolder, name)
    write(`${place}-actual.webp`, actual)
    write(`${place}-expected.webp`, expected)
    if (picture) write(`${place}-difference.png`, picture)
    return (
      `${name}: ${reason}. See ${place}-{actual,expected,difference}.*. If the change is intended, ` +
      `or the version of the browser has changed, run \`${retakeCommand}\` and look at the changed images`
    )
  }
}

/** The browser keeps what it has drawn. On a busy machine, it can draw the edges of letters in another way, which lossy images spread. */
async function drawAgain(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme === 'light' ? 'dark' : 'light', reducedMotion: 'reduce' })
  await takeImage(page)
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/** Takes a WebP image of the viewport. The same page results in the same bytes. */
async function takeImage(page: Page): Promise<Buffer> {
  await page.evaluate(`(async () => {
    // A caret blinks.
    document.documentElement.style.caretColor = 'transparent'
    await document.fonts.ready
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })()`)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await session.detach()
  return Buffer.from(data, 'base64')
}

function write(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
