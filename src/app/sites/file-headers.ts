import type { OutgoingHttpHeaders } from 'node:http'
import { toOwnContentType, toShownContentType } from '../../site/files/content-type.ts'
import { toAddress } from './read-path.ts'
import type { SiteRules } from './site-rules.ts'

/** A drawing, or what nobody knows, that is opened by itself: nothing in it may run or load. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/**
 * Headers of a file of a site.
 *
 * @param isPublic Whether everybody may read it.
 * @param isChosen Whether it stands for a page that was asked for as Markdown.
 */
export function toFileHeaders(path: string, rules: SiteRules, isPublic: boolean, isChosen: boolean): OutgoingHttpHeaders {
  const { 'Cache-Control': caching, ...own } = rules.headersOf(path)
  // Scripts are ours, and there alone; whatever else is called so runs nowhere.
  const isForeign = /\.m?js$/i.test(path) && !path.startsWith('_assets/')
  const type = isForeign ? undefined : (toShownContentType(path) ?? toKnown(toOwnContentType(path)))
  const isInert = type === undefined || path.toLowerCase().endsWith('.svg')
  return {
    ...own,
    ...(type === undefined ? { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment' } : {}),
    ...(type !== undefined && !own['Content-Type'] ? { 'Content-Type': type } : {}),
    ...(isInert ? { 'Content-Security-Policy': inertPolicy } : {}),
    'Cache-Control': toCaching(caching, isPublic),
    // At the address of a page some get its Markdown.
    ...(isChosen || /(?:^|\/)index\.html$/.test(path) ? { Vary: 'Accept' } : {}),
    ...(isChosen ? { 'Content-Location': toAddress(path) } : {}),
  }
}

function toKnown(type: string): string | undefined {
  return type === 'application/octet-stream' ? undefined : type
}

/** Pages are asked for again each time, which costs an empty answer; what is private stays out of caches that people share. */
export function toCaching(own: string | undefined, isPublic: boolean): string {
  if (own === undefined) return isPublic ? 'public, no-cache' : 'private, no-cache'
  return isPublic ? own : own.replace(/\bpublic\b/, 'private')
}
