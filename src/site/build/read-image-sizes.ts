import { imageSize } from 'image-size'
import type { Files } from '../../files/files.ts'
import { decodePercent, joinPath } from '../../source/relative-path.ts'
import type { ImageSize } from '../render/site-context.ts'

/** Images have their size near the start of the file, after any camera metadata. */
const maxSearchedBytes = 512 * 1024
/** Limit for all images together, since each is read again for copying. */
const maxTotalBytes = 100 * 1024 * 1024
/** The length is bounded because a text can have a megabyte without spaces. */
const imageName = /[^/\\\s"'`()<>{}[\]|=:;,]{1,200}\.(?:avif|bmp|gif|jpe?g|png|svg|webp)(?![a-z0-9])/gi

/**
 * Reads the display size in pixels of images named in texts, by path relative to the docs directory. Files that are not valid
 * images have no size.
 *
 * @param paths files of the docs directory, relative to it.
 */
export async function readImageSizes(
  root: string,
  paths: Iterable<string>,
  texts: Iterable<string>,
  files: Files,
): Promise<Map<string, ImageSize>> {
  const named = new Set<string>()
  for (const text of texts) for (const [name] of text.matchAll(imageName)) named.add(toName(name))
  const sizes = new Map<string, ImageSize>()
  let left = maxTotalBytes
  for (const path of named.size === 0 ? [] : [...paths].sort()) {
    if (!named.has(toName(path)) || left <= 0) continue
    const result = await files.read(joinPath(root, path))
    if (result.kind !== 'file') continue
    left -= result.bytes.length
    const size = readSize(result.bytes)
    if (size) sizes.set(path, size)
  }
  return sizes
}

function toName(path: string): string {
  return decodePercent(path.slice(path.lastIndexOf('/') + 1))
}

function readSize(bytes: Uint8Array): ImageSize | undefined {
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
