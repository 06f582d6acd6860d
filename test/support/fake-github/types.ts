/** The options of the fake. All have defaults. */
export interface FakeGitHubOptions {
  /** Where webhooks go; can be set later as `github.webhookUrl`. */
  readonly webhookUrl?: string
  readonly webhookSecret?: string
  /** Whether the app has a different key than the apps of other fakes. Default: false. */
  readonly hasOwnKey?: boolean
  /** The permissions of the registered app. Default for its installations. */
  readonly permissions?: Permissions
  readonly events?: readonly string[]
  /** Lifetime of an installation token. One hour on GitHub. */
  readonly tokenLifeMs?: number
  /** Hourly requests of one installation, as in the rate limit headers. 5,000 on GitHub. */
  readonly rateLimit?: number
  /** Delay of each response of the API in milliseconds. Default: 0. */
  readonly latencyMs?: number
}

export interface Permissions {
  readonly [permission: string]: 'read' | 'write'
}

/** The content of a path at a commit. `null` in a change removes it. */
export type FakeContent = string | Uint8Array | FakeEntry

/** An entry other than a plain file. */
interface FakeEntry {
  readonly content: string | Uint8Array
  readonly mode: '100644' | '100755' | '120000' | '160000'
}

export interface FakeChange {
  /** Default: `main`. Created from the tip of the default branch if it does not exist. */
  readonly branch?: string
  readonly files: { readonly [path: string]: FakeContent | null }
  readonly message?: string
  /** Login of the author. Default: `octocat`. */
  readonly author?: string
  /** Starts from this commit instead of the branch's tip: a force push, unless it is a descendant. */
  readonly parent?: string
  /** Made and signed by GitHub. */
  readonly isSigned?: boolean
  /** Only if the branch still exists. */
  readonly expected?: string
}

export interface FakePullRequest {
  readonly id: number
  readonly number: number
  title: string
  body: string | null
  /** Login. */
  readonly author: string
  base: string
  readonly head: string
  /** `owner/name` of the repository of the head, which differs from the base's for a fork. */
  readonly headRepository: string
  state: 'open' | 'closed'
  /** The author's relation to the repository. Default: `CONTRIBUTOR`. */
  authorAssociation: string
  readonly createdAt: string
  isDraft: boolean
  isMerged: boolean
  readonly labels: string[]
  readonly assignees: string[]
  readonly reviewers: string[]
  /** Slugs. */
  readonly teamReviewers: string[]
  /** Number of changes of title, body or state. */
  edits: number
  /** Its head when it was last read. */
  lastHeadSha?: string
  /** The commit of its base when it was last read. */
  lastBaseSha?: string
}

/** One run of a workflow. */
export interface FakeWorkflowRun {
  readonly id: number
  /** The file name of the workflow. */
  readonly workflow: string
  readonly number: number
  readonly branch: string
  readonly sha: string
  status: 'queued' | 'in_progress' | 'completed' | 'pending' | 'waiting' | 'requested'
  conclusion: string | null
}

export interface FakeAnnotation {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly start_column: number | null
  readonly end_column: number | null
  readonly annotation_level: 'notice' | 'warning' | 'failure'
  readonly message: string
  readonly title: string | null
  readonly raw_details: string | null
}

export interface FakeCheckRun {
  readonly id: number
  readonly suiteId: number
  /** Another app. Default: the app of this GitHub. */
  readonly appId?: number
  name: string
  readonly headSha: string
  externalId: string
  detailsUrl: string | null
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: string | null
  startedAt: string | null
  completedAt: string | null
  output: { title: string | null; summary: string | null; text: string | null }
  readonly annotations: FakeAnnotation[]
  actions: readonly { readonly label: string; readonly description: string; readonly identifier: string }[]
}

export interface FakeCommitStatus {
  readonly id: number
  readonly sha: string
  readonly state: string
  readonly context: string
  readonly description: string | null
  readonly targetUrl: string | null
  readonly createdAt: string
}

export interface FakeDeployment {
  readonly id: number
  readonly sha: string
  readonly ref: string
  readonly environment: string
  readonly isProduction: boolean
  readonly isTransient: boolean
  readonly payload: unknown
  readonly createdAt: string
  readonly statuses: {
    readonly id: number
    readonly state: string
    readonly description: string
    readonly logUrl: string
    readonly createdAt: string
  }[]
}

export interface FakeComment {
  readonly id: number
  readonly issueNumber: number
  /** Login; `name[bot]` for an app. */
  readonly author: string
  readonly authorAssociation: string
  body: string
  readonly createdAt: string
  updatedAt: string
  /** Number of changes of the body. */
  edits: number
}

/** One request, in order of arrival. */
export interface LoggedRequest {
  readonly method: string
  /** Path with query, as sent. */
  readonly url: string
  /** `POST /repos/{owner}/{repo}/check-runs`, or `undefined` if the fake does not know the route. */
  readonly route: string | undefined
  readonly headers: { readonly [name: string]: string }
  /** Parsed JSON, else the text, else `undefined`. */
  readonly body: unknown
  /** Milliseconds since 1970. */
  readonly at: number
  /** The installation of the token. */
  installationId: number | undefined
  /** The status of the response; 0 if the connection was cut. */
  status: number
  /** The parsed response; absent for an archive. */
  answer: unknown
}

/** A failure requested by the test. Applies to the next matching requests, then ends. */
export interface InjectedFailure {
  /** `POST /repos/{owner}/{repo}/check-runs`, as in GitHub's description. */
  readonly route: string
  /** Whether it hits a request with this body. Default: every request. */
  readonly when?: (body: unknown) => boolean
  /** Number of requests that it hits. Default: 1. `Infinity` for all. */
  readonly times?: number
  /** Number of matching requests before it. Default: 0. */
  readonly after?: number
  readonly status?: number
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  /** Called before the request is handled, to simulate a concurrent change. */
  readonly meanwhile?: () => unknown
  /** Waits before the response, or before the cut. */
  readonly delayMs?: number
  /**
   * Cuts the connection: `before` the request is handled, or `after`, so that the caller cannot know. `during` sends half of the
   * response first.
   */
  readonly cut?: 'before' | 'after' | 'during'
}

/** The response of a webhook's receiver. */
export interface DeliveryResult {
  /** The number in the list of deliveries. */
  readonly id: number
  /** `X-GitHub-Delivery`. */
  readonly guid: string
  /** 0 if the receiver was unreachable. */
  readonly status: number
  readonly body: string
  readonly durationMs: number
}

export interface DeliverOptions {
  /** Sent under the same ID, as a redelivery. */
  readonly guid?: string
  /** Signs with a secret other than the app's. */
  readonly secret?: string
  /** Sent instead of a valid signature. `null` sends none. */
  readonly signature?: string | null
  /** Records the delivery as failed without sending it, as if the receiver was unreachable. */
  readonly lost?: boolean
  /** The reported time of the delivery. Default: now. */
  readonly deliveredAt?: string
}

export interface RecordedDelivery {
  readonly id: number
  readonly guid: string
  readonly event: string
  readonly action: string | null
  readonly redelivery: boolean
  readonly deliveredAt: string
  readonly statusCode: number
  readonly status: string
  readonly durationSeconds: number
  readonly installationId: number | null
  readonly repositoryId: number | null
  readonly payload: object
  readonly requestHeaders: { readonly [name: string]: string }
  readonly responseHeaders: { readonly [name: string]: string }
  readonly responseBody: string
}

/** Claims of a workflow's OIDC token to override. */
export interface OidcOptions {
  readonly claims?: { readonly [claim: string]: unknown }
  readonly audience?: string
  readonly issuer?: string
  /** Seconds from now, negative for an expired token. Default: 300. */
  readonly expiresInSeconds?: number
  /** Signs with a key that the issuer does not publish. */
  readonly foreignKey?: boolean
}
