import type { Context, Probot } from 'probot'

/** An event with its action, as Probot names it. */
export type EventName = Parameters<Probot['on']>[0] extends infer Names
  ? Extract<Names extends readonly (infer Name)[] ? Name : Names, string>
  : never

/** What GitHub sends for an event, in the types of `@octokit/webhooks`. The signature vouches for the sender, not for its age. */
export type Payload<Name extends EventName> = Context<Name>['payload']

/** A repository as every payload has it. */
export interface PayloadRepository {
  readonly id: number
  readonly name: string
  readonly owner: { readonly login: string } | null
  readonly private: boolean
  readonly default_branch: string
}
