import { createHash } from 'node:crypto'
import { liveScript, themeScript } from './page-scripts.ts'
import { stylesheet } from './stylesheet.ts'

interface Asset {
  readonly type: string
  readonly text: string
  /** In the address, so that the file can be kept for ever and never is the wrong one. */
  readonly hash: string
}

const iconPicture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 22 22"><rect width="22" height="22" rx="6" fill="#2548c4"/>' +
  '<path d="M8 5.5 5 11l3 5.5M14 5.5l3 5.5-3 5.5M11.9 8l-1.8 6" fill="none" stroke="#fff" stroke-width="1.75" stroke-linecap="round"/></svg>'

/** Every file that a page loads. */
export const assets = {
  'pages.css': toAsset('text/css; charset=utf-8', stylesheet),
  'theme.js': toAsset('text/javascript; charset=utf-8', themeScript),
  'live.js': toAsset('text/javascript; charset=utf-8', liveScript),
  'icon.svg': toAsset('image/svg+xml', iconPicture),
} as const

export type AssetName = keyof typeof assets

/** Where a page finds a file: `/assets/3f2a91c0/pages.css`. */
export function assetPath(name: AssetName): string {
  return `/assets/${assets[name].hash}/${name}`
}

function toAsset(type: string, text: string): Asset {
  return { type, text, hash: createHash('sha256').update(text).digest('hex').slice(0, 12) }
}
