import { createHmac } from 'node:crypto'
import { type PictureTheme, pictureThemes } from '../../store/stored-sites.ts'
import { equalSecrets } from '../equal-secrets.ts'

/**
 * The address of a picture, good for whoever has it for as long as there is the picture: GitHub shows it to those who can read the pull request,
 * and it shows less than the signed link of the record beside it.
 */
export function toPictureLink(key: Buffer, baseUrl: string, statusId: string, theme: PictureTheme): string {
  return `${baseUrl}${picturePath}${encodeURIComponent(statusId)}/${theme}-${sign(key, statusId, theme)}.png`
}

export const picturePath = '/pictures/'

/** Which picture a name was made for with this key; takes the same time for every wrong signature. */
export function readPictureName(key: Buffer, statusId: string, name: string): PictureTheme | undefined {
  const [, word, signature = ''] = /^(\w+)-([\w-]{43})\.png$/.exec(name) ?? []
  const theme = pictureThemes.find((one) => one === word)
  return theme && equalSecrets(signature, sign(key, statusId, theme)) ? theme : undefined
}

function sign(key: Buffer, statusId: string, theme: PictureTheme): string {
  return createHmac('sha256', key).update(`openapi-pages:picture:${statusId}:${theme}`).digest('base64url')
}
