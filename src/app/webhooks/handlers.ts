import type { EventName, Payload } from './payload.ts'
import { noWork, type Plan, type PlanContext } from './plan.ts'
import { planAuthorizationEnd } from './plan-authorization.ts'
import { planCheckAction, planCheckRerun, planSuiteRerun } from './plan-check.ts'
import { planMergeGroup } from './plan-merge-group.ts'
import { planPullRequest } from './plan-pull-request.ts'
import { planPush } from './plan-push.ts'
import { planArrival, planDeparture, planInstallationChange, planRepositoryChange } from './plan-repository.ts'

/** Plans what one event is to change. Reads the store alone. */
export type Handler<Name extends EventName> = (context: PlanContext, payload: Payload<Name>) => Promise<Plan>

/** A new grant changes nothing that is stored: what the app may do is asked when it is needed. */
const remember = async (): Promise<Plan> => noWork

const table = {
  push: planPush,
  'pull_request.opened': planPullRequest,
  'pull_request.reopened': planPullRequest,
  'pull_request.synchronize': planPullRequest,
  'check_run.rerequested': planCheckRerun,
  'check_run.requested_action': planCheckAction,
  'check_suite.rerequested': planSuiteRerun,
  'merge_group.checks_requested': planMergeGroup,
  'github_app_authorization.revoked': planAuthorizationEnd,
  'installation.created': planArrival,
  'installation.deleted': planInstallationChange,
  'installation.new_permissions_accepted': remember,
  'installation.suspend': planInstallationChange,
  'installation.unsuspend': planInstallationChange,
  'installation_repositories.added': planArrival,
  'installation_repositories.removed': planDeparture,
  'repository.deleted': planRepositoryChange,
  'repository.edited': planRepositoryChange,
  'repository.privatized': planRepositoryChange,
  'repository.publicized': planRepositoryChange,
  'repository.renamed': planRepositoryChange,
  'repository.transferred': planRepositoryChange,
  ping: remember,
} as const

export type HandledName = keyof typeof table

/** Every event that is acted on, with its action. Others are answered and forgotten. */
export const handlers: { readonly [Name in HandledName]: Handler<Name> } = table

/** Names for `probot.on`. */
export const handledNames = Object.keys(handlers) as HandledName[] // The keys of a closed literal.
