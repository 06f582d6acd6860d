import { isObject } from '../../text/is-object.ts'
import type { Credentials } from '../credentials.ts'

export type ManifestConversion =
  | { readonly kind: 'converted'; readonly credentials: Credentials }
  /** A sentence for the person at the page; never a part of GitHub's answer. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Exchanges the code that GitHub sent back for the keys of the new app. A code is good once, for an hour.
 *
 * The only call to GitHub that is made without being signed in, hence not by the room `github`.
 */
export async function convertManifestCode(githubApiUrl: string, code: string): Promise<ManifestConversion> {
  let response: Response
  let body: unknown
  try {
    response = await fetch(`${githubApiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, {
      method: 'POST',
      headers: { Accept: 'application/vnd.github+json', 'User-Agent': 'openapi-pages', 'X-GitHub-Api-Version': '2022-11-28' },
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
    })
    body = await response.json()
  } catch {
    return { kind: 'failed', reason: `${githubApiUrl} did not answer. Check that this server can reach it, then start again` }
  }
  if (response.status === 404 || response.status === 422) {
    return { kind: 'failed', reason: 'GitHub does not know the code: it is good once and for an hour. Start again' }
  }
  if (!response.ok || !isObject(body)) return { kind: 'failed', reason: `GitHub answered ${response.status}. Start again` }
  const { id, pem, webhook_secret: webhookSecret, html_url: appUrl } = body
  if (typeof id !== 'number' || typeof pem !== 'string' || typeof webhookSecret !== 'string') {
    return { kind: 'failed', reason: 'GitHub answered without the keys of the app. Remove the app on GitHub and start again' }
  }
  return {
    kind: 'converted',
    credentials: { appId: id, privateKey: pem, webhookSecret, ...(typeof appUrl === 'string' && { appUrl }) },
  }
}
