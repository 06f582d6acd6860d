import { imageSize } from 'image-size'
import { baseName, decodePercent } from '../../../text/plain/paths.ts'
import type { ImageSize } from '../../page/site-context.ts'

/** Images have their size near the start of the file, after any camera metadata. */
const maxSearchedBytes = 512 * 1024
const imageExtension = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)(?![a-z0-9])/gi
/** The length is bounded because a text can have a megabyte without spaces. */
const maxNameLength = 200
const betweenNames = /[/\\\s"'`()<>{}[\]|=:;,]/

/** Finds the images of a docs directory that texts name. `paths` are relative to the docs directory, and so are the results. Sorted. */
export function findNamedImages(paths: Iterable<string>, texts: Iterable<string>): string[] {
  const named = new Set<string>()
  for (const text of texts) {
    for (const { 0: extension, index } of text.matchAll(imageExtension)) {
      let start = index
      // Walking back from the extension is much faster than a regular expression that tries each character as the start of a name.
      while (start > 0 && index - start < maxNameLength && !betweenNames.test(text.charAt(start - 1))) start--
      if (start < index) named.add(toName(text.slice(start, index + extension.length)))
    }
  }
  return named.size === 0 ? [] : [...paths].filter((path) => named.has(toName(path))).sort()
}

function toName(path: string): string {
  return decodePercent(baseName(path))
}

/** Reads the display size of an image in pixels. `undefined` if the file is not a valid image. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes.subarray(0, maxSearchedBytes))
    // EXIF orientations from 5 on swap width and height.
    const [across, down] = orientation >= 5 ? [height, width] : [width, height]
    const isSize = [across, down].every((side) => Number.isFinite(side) && Math.round(side) > 0)
    return isSize ? { width: Math.round(across), height: Math.round(down) } : undefined
  } catch {
    return undefined
  }
}
