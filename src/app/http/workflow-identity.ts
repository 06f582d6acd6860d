import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { toGitHubServer } from '../../github/github-server.ts'

/** What GitHub vouches for about a running workflow. */
export interface Workflow {
  readonly repositoryId: number
  /** `owner/name`; for logs only, names change hands. */
  readonly repository: string
  readonly sha: string
  readonly ref: string
  readonly actor: string
}

type WorkflowCheck =
  | { readonly kind: 'valid'; readonly workflow: Workflow }
  /** `reason` is for the log; the caller learns only that the token is not valid. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The keys of the issuer cannot be fetched now. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** Checks the OIDC token that a workflow gets by `core.getIDToken('openapi-pages')`. */
export interface WorkflowIdentity {
  check(token: string): Promise<WorkflowCheck>
}

/** The audience a workflow asks for when it names no address. */
export const workflowAudience = 'openapi-pages'

export interface WorkflowIdentityOptions {
  readonly githubUrl: string
  /** Where an enterprise has its own; else that of github.com or of the server at `githubUrl`. */
  readonly issuer?: string | undefined
  /** Accepted besides `openapi-pages`: the address of this server. */
  readonly audiences: () => readonly string[]
}

/**
 * Trusts one issuer.
 *
 * Keys are fetched on first need and kept; an unknown key id within 30 seconds of a fetch is refused without another one, so that
 * forged tokens cannot make us flood the issuer.
 */
export function createWorkflowIdentity({ githubUrl, audiences, ...options }: WorkflowIdentityOptions): WorkflowIdentity {
  const issuer = options.issuer ?? toGitHubServer(githubUrl).workflowTokenIssuer
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`), { timeoutDuration: 5000 })
  return {
    async check(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience: [workflowAudience, ...audiences()],
          algorithms: ['RS256'],
          requiredClaims: ['exp', 'iat', 'repository_id', 'sha', 'ref'],
          clockTolerance: 30,
        })
        const workflow = toWorkflow(payload)
        return workflow ? { kind: 'valid', workflow } : { kind: 'invalid', reason: 'claims of an unexpected form' }
      } catch (error) {
        return toFailure(error)
      }
    },
  }
}

function toWorkflow(claims: JWTPayload): Workflow | undefined {
  const { repository_id: id, repository, sha, ref, actor } = claims
  const repositoryId = typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : Number.NaN
  if (!(repositoryId > 0) || typeof sha !== 'string' || typeof ref !== 'string') return undefined
  return { repositoryId, repository: String(repository), sha, ref, actor: String(actor) }
}

function toFailure(error: unknown): WorkflowCheck {
  if (error instanceof errors.JWKSTimeout) return { kind: 'unavailable', reason: 'the issuer did not answer in time' }
  if (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC') return { kind: 'invalid', reason: error.code }
  // What is left is an answer of the issuer that is not 200 or not JSON (generic), or no connection at all.
  return { kind: 'unavailable', reason: error instanceof Error ? error.message : String(error) }
}
