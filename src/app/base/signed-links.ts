import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { joinOwned, type OwnPath } from '../../files/boundary.ts'
import { readRealFile } from '../../files/disk-files.ts'
import { createFile, disk } from '../../files/disk-writes.ts'
import { type ScreenshotTheme, screenshotThemes } from '../../store/sites/stored-sites.ts'
import { codeOf, FilesError } from '../../text/errors.ts'
import { encodeUrlPart } from '../../text/plain/paths.ts'

export const linkKeyFileName = 'link.key'

/**
 * Reads the key that signs links to pages. It is created on first use in the data directory, readable only by its owner (mode 0600).
 *
 * Losing the file breaks all links on GitHub, so backups include it.
 *
 * @throws {FilesError} if the file does not contain a key. A system error if it cannot be read or written.
 */
export function readLinkKey(dataDir: OwnPath): Buffer {
  const path = joinOwned(dataDir, linkKeyFileName)
  try {
    createFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  } catch (error) {
    const code = codeOf(error)
    // A full disk leaves an empty file behind, which would be a damaged key at the next start.
    if (code === 'ENOSPC') disk.rmSync(path, { force: true })
    if (code !== 'EEXIST') throw error
  }
  const key = parseLinkKey(readRealFile(path)?.toString().trim() ?? '')
  if (key) return key
  throw new FilesError(`Cannot read ${path}: expected 64 hexadecimal digits`, {
    path,
    hint: 'Restore it from a backup. If you remove it instead, links in earlier checks and comments stop working',
  })
}

/** Parses a stored key; `undefined` if it is damaged. */
export function parseLinkKey(text: string): Buffer | undefined {
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

/** The lifetime of links in checks and comments. It is long, because checks and comments stay on GitHub. */
export const linkLifetimeMs = 180 * 24 * 3600 * 1000

/**
 * The link to the page of a record. Anyone with the link can open the page until `linkLifetimeMs` from `now`.
 *
 * The link is the same within a day, so that writing a comment or check again does not change it.
 */
export function toSignedLink(key: Buffer, baseUrl: string, statusId: string, now: Date): string {
  const day = 24 * 3600
  const expires = Math.ceil((now.getTime() + linkLifetimeMs) / 1000 / day) * day
  return `${baseUrl}/updates/${encodeUrlPart(statusId)}?expires=${expires}&signature=${signUpdate(key, statusId, expires)}`
}

/** Whether a link is valid for this key and record, and has not expired. Compares signatures in constant time. */
export function isSignedLink(
  key: Buffer,
  { statusId, expires, signature }: { statusId: string; expires?: string; signature?: string },
  now: Date,
): boolean {
  const seconds = /^\d{1,12}$/.test(expires ?? '') ? Number(expires) : 0
  return equalSecrets(signature ?? '', signUpdate(key, statusId, seconds)) && seconds * 1000 > now.getTime()
}

function signUpdate(key: Buffer, statusId: string, expires: number): string {
  return createHmac('sha256', key).update(`openapi-pages:update:${statusId}:${expires}`).digest('base64url')
}

/**
 * The link to a screenshot. Anyone with the link can open it while the screenshot exists. GitHub shows it to everyone who can read the pull
 * request. It reveals less than the signed link of the record next to it.
 */
export function toPictureLink(key: Buffer, baseUrl: string, statusId: string, name: ScreenshotTheme): string {
  return `${baseUrl}${picturePath}${encodeUrlPart(statusId)}/${name}-${signPicture(key, statusId, name)}.png`
}

export const picturePath = '/pictures/'

/** Verifies the signed file name of a screenshot and returns its name. Compares signatures in constant time. */
export function readPictureName(key: Buffer, statusId: string, fileName: string): ScreenshotTheme | undefined {
  const [, name = '', signature = ''] = /^(\w+)-([\w-]{43})\.png$/.exec(fileName) ?? []
  return isScreenshotTheme(name) && equalSecrets(signature, signPicture(key, statusId, name)) ? name : undefined
}

function isScreenshotTheme(name: string): name is ScreenshotTheme {
  return screenshotThemes.some((theme) => theme === name)
}

function signPicture(key: Buffer, statusId: string, name: ScreenshotTheme): string {
  return createHmac('sha256', key).update(`openapi-pages:picture:${statusId}:${name}`).digest('base64url')
}

/** Compares two secrets in constant time. */
export function equalSecrets(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
