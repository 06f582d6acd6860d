import { askApp } from './ask-app.ts'

/** The token of the running workflow, or why there is none. */
export type WorkflowToken =
  | { readonly kind: 'token'; readonly token: string }
  /** This is no workflow, or it has no `id-token: write`. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Asks GitHub for the OIDC token of the running workflow, good for one app alone: its audience is the app's address, so that nobody
 * who gets it, the app itself included, can use it elsewhere.
 *
 * Source: "OpenID Connect", "Requesting the JWT using environment variables". Not by `core.getIDToken`, which tries ten times
 * and knows no limit of time.
 */
export async function requestWorkflowToken(
  environment: { readonly [name: string]: string | undefined },
  audience: string,
  timeoutMs = 10_000,
): Promise<WorkflowToken> {
  const url = environment['ACTIONS_ID_TOKEN_REQUEST_URL']
  const requestToken = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']
  if (!url || !requestToken || !URL.canParse(url)) return { kind: 'absent' }
  const { origin, pathname, searchParams } = new URL(url)
  searchParams.set('audience', audience)
  const path = `${pathname}?${searchParams}`
  const answer = await askApp({ address: origin, path, token: requestToken, timeoutMs, proxyVariables: environment })
  if (answer.kind === 'none') return { kind: 'failed', reason: answer.reason }
  const token = answer.body?.['value']
  if (answer.status === 200 && typeof token === 'string' && token !== '') return { kind: 'token', token }
  return { kind: 'failed', reason: `GitHub answered ${answer.status}` }
}
