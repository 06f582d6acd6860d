import { createHmac } from 'node:crypto'
import { equalSecrets } from '../equal-secrets.ts'

/** The parameter of an address that lets in whoever has it. */
export const linkParameter = 'openapi-pages-link'

/** What a link is for: one host of one project, until a time. */
interface LinkGoal {
  readonly host: string
  readonly projectId: string
  /** Seconds since 1970. */
  readonly expires: number
}

/** The address of a site that lets in whoever has it. */
export function toSiteLink(
  key: Buffer,
  { site, projectId, until }: { readonly site: string; readonly projectId: string; readonly until: Date },
): string {
  const url = new URL(site)
  const goal = { host: url.host, projectId, expires: Math.floor(until.getTime() / 1000) }
  url.searchParams.set(linkParameter, toLinkWord(key, goal))
  return url.href
}

/** The word that lets in, for the address and for the cookie that takes its place: `1795000000.GtG…`. */
function toLinkWord(key: Buffer, goal: LinkGoal): string {
  return `${goal.expires}.${sign(key, goal)}`
}

/** Until when a word lets in, in seconds since 1970; `undefined` for one that does not. Takes the same time for every wrong signature. */
export function readLinkWord(
  key: Buffer,
  word: string,
  { host, projectId, now }: { host: string; projectId: string; now: Date },
): number | undefined {
  const [, seconds = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(word) ?? []
  const expires = Number(seconds)
  const isGood = equalSecrets(signature, sign(key, { host, projectId, expires }))
  return isGood && expires * 1000 > now.getTime() ? expires : undefined
}

function sign(key: Buffer, { host, projectId, expires }: LinkGoal): string {
  return createHmac('sha256', key).update(`openapi-pages:site:${projectId}:${host}:${expires}`).digest('base64url')
}
