import type { Browser } from 'playwright-core'

/** How two images differ. */
export interface ImageDifference {
  /** A clause. */
  readonly reason: string
  /** A PNG: the expected image in gray, with different pixels in red. Missing if the sizes differ. */
  readonly picture?: Buffer
}

/** Pixels are different if red, green or blue differs by more than this, of 255. */
const maxColorDifference = 8
/**
 * This many different pixels are allowed. The encoding spreads each difference: a button in its hover color changes over 4,000 pixels, and
 * letters that the browser draws differently on a busy machine change up to 1,600.
 */
const maxPixels = 2_500

/**
 * Compares two images that were encoded in the same way, so that equal pages have equal bytes. The browser decodes them.
 *
 * @returns `undefined` if the images look equal.
 */
export async function compareImages(browser: Browser, actual: Buffer, expected: Buffer): Promise<ImageDifference | undefined> {
  if (actual.equals(expected)) return undefined
  const page = await browser.newPage()
  try {
    const images = JSON.stringify([actual, expected].map((image) => `data:image/webp;base64,${image.toString('base64')}`))
    // The result of the script below.
    const found = (await page.evaluate(`(${script})(${images}, ${maxColorDifference}, ${maxPixels})`)) as Comparison
    if (typeof found === 'string') return { reason: found }
    if (found.count <= maxPixels) return undefined
    const { count, left, top, right, bottom } = found
    const place = `${count} pixels differ, in the area from (${left}, ${top}) to (${right}, ${bottom})`
    return { reason: place, picture: Buffer.from(found.picture, 'base64') }
  } finally {
    await page.close()
  }
}

type Comparison =
  | string
  | {
      readonly count: number
      readonly left: number
      readonly top: number
      readonly right: number
      readonly bottom: number
      /** A PNG in Base64; empty if few enough pixels differ. */
      readonly picture: string
    }

const script = `async (images, maxColorDifference, maxPixels) => {
  const read = async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob())
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context.drawImage(bitmap, 0, 0)
    return context.getImageData(0, 0, bitmap.width, bitmap.height)
  }
  const [actual, expected] = await Promise.all(images.map(read))
  const { width, height } = expected
  if (actual.width !== width || actual.height !== height) {
    return 'the size is ' + actual.width + ' × ' + actual.height + ' px, expected ' + width + ' × ' + height + ' px'
  }
  const before = expected.data
  const after = actual.data
  const isDifferent = (at) =>
    Math.abs(after[at] - before[at]) > maxColorDifference ||
    Math.abs(after[at + 1] - before[at + 1]) > maxColorDifference ||
    Math.abs(after[at + 2] - before[at + 2]) > maxColorDifference
  const area = { count: 0, left: width, top: height, right: 0, bottom: 0 }
  const picture = new ImageData(width, height)
  for (let at = 0; at < before.length; at += 4) {
    const gray = 192 + (0.3 * before[at] + 0.59 * before[at + 1] + 0.11 * before[at + 2]) / 4
    picture.data[at] = picture.data[at + 1] = picture.data[at + 2] = gray
    picture.data[at + 3] = 255
    if (!isDifferent(at)) continue
    picture.data[at] = 230
    picture.data[at + 1] = picture.data[at + 2] = 0
    const x = (at / 4) % width
    const y = Math.floor(at / 4 / width)
    area.count += 1
    area.left = Math.min(area.left, x)
    area.top = Math.min(area.top, y)
    area.right = Math.max(area.right, x)
    area.bottom = Math.max(area.bottom, y)
  }
  if (area.count <= maxPixels) return { ...area, picture: '' }
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d').putImageData(picture, 0, 0)
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return { ...area, picture: btoa(text) }
}`
