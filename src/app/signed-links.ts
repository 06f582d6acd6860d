import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FilesError } from '../errors.ts'
import { type ScreenshotTheme, screenshotThemes } from '../store/stored-sites.ts'

export const linkKeyFileName = 'link.key'

/**
 * The key that signs links to pages, made on first need and kept in the data folder for the owner alone (mode 0600).
 *
 * Without the file every link on GitHub is dead, so it belongs into the backup.
 *
 * @throws {FilesError} when the file cannot be read or written, or is not a key.
 */
export function readLinkKey(dataDir: string): Buffer {
  const path = join(dataDir, linkKeyFileName)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // A full disk leaves an empty file behind, which the next start would take for a damaged key.
      if (code === 'ENOSPC') rmSync(path, { force: true })
      if (code !== 'EEXIST') throw error
    }
    const text = readFileSync(path, 'utf8').trim()
    if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex')
  } catch (cause) {
    if (statSync(dataDir, { throwIfNoEntry: false })?.isFile())
      throw new FilesError(`Cannot use ${dataDir} as the data folder: it is a file`, {
        path: dataDir,
        hint: 'set DATA_DIR to a folder, or to one that can be made',
        cause,
      })
    throw new FilesError(`Cannot use ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      path,
      hint:
        cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
          ? 'free space on the disk'
          : 'let the user of the process own the data folder',
      cause,
    })
  }
  throw new FilesError(`Cannot read ${path}: expected 64 hexadecimal digits`, {
    path,
    hint: 'restore it from a backup, or remove it: links of earlier checks stop to work',
  })
}

/** How long a link of a check stays good. Checks and comments on GitHub never end, so this is long. */
export const linkLifetimeMs = 180 * 24 * 3600 * 1000

/**
 * The address of the page of a record, good for whoever has it until `linkLifetimeMs` from `now`.
 *
 * Equal within a day, so that a comment or check that is written again is equal too.
 */
export function toSignedLink(key: Buffer, baseUrl: string, statusId: string, now: Date): string {
  const day = 24 * 3600
  const expires = Math.ceil((now.getTime() + linkLifetimeMs) / 1000 / day) * day
  return `${baseUrl}/updates/${encodeURIComponent(statusId)}?expires=${expires}&signature=${signUpdate(key, statusId, expires)}`
}

/** Whether a link was made with this key for this record and has not expired. Takes the same time for every wrong signature. */
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
 * The address of a picture, good for whoever has it for as long as there is the picture: GitHub shows it to those who can read the pull request,
 * and it shows less than the signed link of the record beside it.
 */
export function toPictureLink(key: Buffer, baseUrl: string, statusId: string, theme: ScreenshotTheme): string {
  return `${baseUrl}${picturePath}${encodeURIComponent(statusId)}/${theme}-${signPicture(key, statusId, theme)}.png`
}

export const picturePath = '/pictures/'

/** Which picture a name was made for with this key; takes the same time for every wrong signature. */
export function readPictureName(key: Buffer, statusId: string, name: string): ScreenshotTheme | undefined {
  const [, word, signature = ''] = /^(\w+)-([\w-]{43})\.png$/.exec(name) ?? []
  const theme = screenshotThemes.find((one) => one === word)
  return theme && equalSecrets(signature, signPicture(key, statusId, theme)) ? theme : undefined
}

function signPicture(key: Buffer, statusId: string, theme: ScreenshotTheme): string {
  return createHmac('sha256', key).update(`openapi-pages:picture:${statusId}:${theme}`).digest('base64url')
}

/** Compares two secrets in constant time. */
export function equalSecrets(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
