import { imageSize } from 'image-size'
import type { Files } from '../../files/files.ts'
import { decodePercent, joinPath } from '../../source/relative-path.ts'
import type { ImageSize } from '../render/site-context.ts'

/** An image has its size near the start, after the metadata of the camera. */
const looksAtBytes = 512 * 1024
/** Of all images together: they are read once more to be copied. */
const limitBytes = 100 * 1024 * 1024
/** Bounded, as a text may have a megabyte without a space. */
const imageName = /[^/\\\s"'`()<>{}[\]|=:;,]{1,200}\.(?:avif|bmp|gif|jpe?g|png|svg|webp)(?![a-z0-9])/gi

/**
 * Reads how large the images are that texts name, in pixels as they are shown, by their paths relative to the docs root. What cannot be
 * read as an image has no size.
 *
 * @param paths files of the docs root, relative to it.
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
  let left = limitBytes
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
    const { width, height, orientation = 1 } = imageSize(bytes.subarray(0, looksAtBytes))
    // From 5 on the camera lay on its side.
    const [across, down] = orientation >= 5 ? [height, width] : [width, height]
    const isSize = [across, down].every((side) => Number.isFinite(side) && Math.round(side) > 0)
    return isSize ? { width: Math.round(across), height: Math.round(down) } : undefined
  } catch {
    return undefined
  }
}
