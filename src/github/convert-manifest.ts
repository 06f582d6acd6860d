import { Octokit } from '@octokit/rest'
import { callGitHub } from './call-github.ts'

/** The keys of an app that a person has just created with one click. Secret, all but the first two. */
export interface NewApp {
  readonly id: number
  readonly slug: string
  readonly htmlUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookSecret: string
  /** PEM. */
  readonly privateKey: string
}

/**
 * Exchanges the code that GitHub sends the browser back with for the keys of the new app. It can be done once, within an hour.
 *
 * @throws {GitHubError} `not-found` where the code was used or is too old.
 */
export async function convertManifest(code: string, options: { readonly apiUrl?: string } = {}): Promise<NewApp> {
  const quiet = () => undefined
  const client = new Octokit({
    userAgent: 'openapi-pages',
    // Octokit logs the address of what failed, and the code is in it.
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...(options.apiUrl === undefined ? {} : { baseUrl: options.apiUrl.replace(/\/$/, '') }),
  })
  const { data } = await callGitHub({ operation: 'create app from manifest', on: 'GitHub' }, () =>
    client.rest.apps.createFromManifest({ code, request: { signal: AbortSignal.timeout(30_000) } }),
  )
  return {
    id: data.id,
    slug: data.slug ?? '',
    htmlUrl: data.html_url,
    clientId: data.client_id,
    clientSecret: data.client_secret,
    webhookSecret: data.webhook_secret ?? '',
    privateKey: data.pem,
  }
}
