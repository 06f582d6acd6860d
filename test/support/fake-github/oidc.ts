import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { exportJWK, type JWK, SignJWT } from 'jose'
import type { FakeRepository } from './fake-repository.ts'
import type { OidcOptions } from './types.ts'

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

let pairs: { readonly own: KeyPair; readonly foreign: KeyPair } | undefined

/** Created on first use, because that takes time. The issuers of a process share them. */
function keyPairs(): { readonly own: KeyPair; readonly foreign: KeyPair } {
  const make = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  pairs ??= { own: make(), foreign: make() }
  return pairs
}

/** An issuer of workflow tokens, like `token.actions.githubusercontent.com`. */
export class OidcIssuer {
  readonly issuer: string
  readonly #keyId = randomUUID()

  constructor(issuer: string) {
    this.issuer = issuer
  }

  async keys(): Promise<{ keys: JWK[] }> {
    return { keys: [{ ...(await exportJWK(keyPairs().own.publicKey)), kid: this.#keyId, alg: 'RS256', use: 'sig' }] }
  }

  configuration(): object {
    return {
      issuer: this.issuer,
      jwks_uri: `${this.issuer}/.well-known/jwks`,
      subject_types_supported: ['public', 'pairwise'],
      response_types_supported: ['id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid'],
    }
  }

  /** A token as a job of this repository gets it from `core.getIDToken(audience)`. */
  async sign(repository: FakeRepository, sha: string, options: OidcOptions = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const ref = `refs/heads/${repository.defaultBranch}`
    const claims = {
      jti: randomUUID(),
      sub: `repo:${repository.fullName}:ref:${ref}`,
      ref,
      sha,
      repository: repository.fullName,
      repository_id: String(repository.id),
      repository_owner: repository.owner,
      repository_visibility: repository.private ? 'private' : 'public',
      run_id: '1234567890',
      run_number: '10',
      run_attempt: '1',
      actor: 'octocat',
      workflow: 'docs',
      event_name: 'push',
      ref_type: 'branch',
      job_workflow_ref: `${repository.fullName}/.github/workflows/docs.yml@${ref}`,
      runner_environment: 'github-hosted',
      ...options.claims,
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: this.#keyId })
      .setIssuer(options.issuer ?? this.issuer)
      .setAudience(options.audience ?? 'openapi-pages')
      .setIssuedAt(now - 10)
      .setNotBefore(now - 10)
      .setExpirationTime(now + (options.expiresInSeconds ?? 300))
      .sign(options.foreignKey ? keyPairs().foreign.privateKey : keyPairs().own.privateKey)
  }
}
