import type { Payload } from './payload.ts'
import type { Plan, PlanContext } from './plan.ts'

/** A person took back that the app may act for them: they are signed out everywhere. */
export async function planAuthorizationEnd(
  _context: PlanContext,
  { sender }: Payload<'github_app_authorization.revoked'>,
): Promise<Plan> {
  return { endSessionsOf: [sender.id] }
}
