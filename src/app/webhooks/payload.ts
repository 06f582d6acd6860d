import type { Context, Probot } from 'probot'
import type { ProjectFacts } from '../../store/types.ts'

/** An event with its action, as Probot names it. */
export type EventName = Parameters<Probot['on']>[0] extends infer Names
  ? Extract<Names extends readonly (infer Name)[] ? Name : Names, string>
  : never

/** What GitHub sends for an event, in the types of `@octokit/webhooks`. The signature vouches for it. */
export type Payload<Name extends EventName> = Context<Name>['payload']

/** A repository as every payload has it. */
export interface PayloadRepository {
  readonly id: number
  readonly name: string
  readonly owner: { readonly login: string } | null
  readonly private: boolean
  readonly default_branch: string
}

/** What a payload says of its repository, for the project of `root`. */
export function toFacts(
  { repository, installation }: { repository: PayloadRepository; installation?: { readonly id: number } | undefined },
  root: string,
): ProjectFacts {
  return {
    ...(installation === undefined ? {} : { installationId: installation.id }),
    repositoryId: repository.id,
    owner: repository.owner?.login ?? '',
    repo: repository.name,
    root,
    hasDocsConfig: false,
    defaultBranch: repository.default_branch,
    private: repository.private,
  }
}
