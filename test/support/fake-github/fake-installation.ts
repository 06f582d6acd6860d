import type { FakeRepository } from './fake-repository.ts'
import type { Permissions } from './types.ts'

/** The app installed on one account. */
export interface FakeInstallation {
  readonly id: number
  /** Login of the account. */
  readonly account: string
  permissions: Permissions
  /** Who acts with its tokens; the bot of the app unless named. */
  readonly actor?: string
  suspended: boolean
  /** Taken away by the account: every token of it is refused from then on. */
  deleted: boolean
  readonly repositories: FakeRepository[]
  /** Requests since `resetAt`, for the rate limit headers. */
  used: number
  /** Milliseconds since 1970. */
  resetAt: number
}
