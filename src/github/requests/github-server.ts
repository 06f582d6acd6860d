const day = 24 * 3_600_000

/** Settings that differ between github.com and a GitHub Enterprise Server. */
interface GitHubServer {
  /** The REST API, without a final `/`. */
  readonly apiUrl: string
  /** Issuer of the OIDC tokens of workflows. Source: "OpenID Connect", "Configuring the OIDC trust with the cloud". */
  readonly workflowTokenIssuer: string
  /** How long GitHub keeps a webhook delivery and can redeliver it. Source: "Redelivering webhooks". */
  readonly deliveryRetentionMs: number
}

/** Distinguishes github.com from a GitHub Enterprise Server by its web URL, without a final `/`. */
export function toGitHubServer(githubUrl: string): GitHubServer {
  if (githubUrl === 'https://github.com') {
    return {
      apiUrl: 'https://api.github.com',
      workflowTokenIssuer: 'https://token.actions.githubusercontent.com',
      deliveryRetentionMs: 3 * day,
    }
  }
  return {
    apiUrl: `${githubUrl}/api/v3`,
    workflowTokenIssuer: `${githubUrl}/_services/token`,
    deliveryRetentionMs: 7 * day,
  }
}
