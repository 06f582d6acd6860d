import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { toGitHubServer } from '../../github/requests/github-client.ts'

/** Claims about a running workflow that GitHub has signed. */
export interface Workflow {
  readonly repositoryId: number
  readonly sha: string
  readonly ref: string
}

type WorkflowCheck =
  | { readonly kind: 'valid'; readonly workflow: Workflow }
  /** `reason` is for the log only and never sent to the caller. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The issuer's signing keys cannot be fetched. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export type WorkflowIdentity = ReturnType<typeof createWorkflowIdentity>

/** Audience that works with every server. */
const workflowAudience = 'openapi-pages'

interface WorkflowIdentityOptions {
  readonly githubUrl: string
  /** Custom issuer of an enterprise. Defaults to the issuer of github.com or of the server at `githubUrl`. */
  readonly issuer?: string | undefined
  /** Accepted audiences in addition to `openapi-pages`. */
  readonly audiences: () => readonly string[]
}

/**
 * Verifies OIDC tokens from `core.getIDToken('openapi-pages')`. Trusts one issuer.
 *
 * Caches the issuer's keys. A token with an unknown key ID triggers a new fetch at most every 30 seconds, so forged tokens cannot flood
 * the issuer.
 */
export function createWorkflowIdentity({ githubUrl, audiences, ...options }: WorkflowIdentityOptions) {
  const issuer = options.issuer ?? toGitHubServer(githubUrl).workflowTokenIssuer
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`), { timeoutDuration: 5000 })
  return {
    async check(token: string): Promise<WorkflowCheck> {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience: [workflowAudience, ...audiences()],
          algorithms: ['RS256'],
          requiredClaims: ['exp', 'iat', 'repository_id', 'sha', 'ref'],
          clockTolerance: 30,
        })
        const workflow = toWorkflow(payload)
        return workflow ? { kind: 'valid', workflow } : { kind: 'invalid', reason: 'unexpected type of a claim' }
      } catch (error) {
        return toFailure(error)
      }
    },
  }
}

function toWorkflow(claims: JWTPayload): Workflow | undefined {
  const { repository_id: id, sha, ref } = claims
  const repositoryId = typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : Number.NaN
  if (!(repositoryId > 0) || typeof sha !== 'string' || typeof ref !== 'string') return undefined
  return { repositoryId, sha, ref }
}

function toFailure(error: unknown): WorkflowCheck {
  if (error instanceof errors.JWKSTimeout) return { kind: 'unavailable', reason: 'the issuer did not respond in time' }
  if (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC') return { kind: 'invalid', reason: error.code }
  // Other errors mean that the issuer was unreachable or did not return JSON.
  return { kind: 'unavailable', reason: error instanceof Error ? error.message : String(error) }
}
