import { readInstallation } from '../../github/installations.ts'
import { type RunContext, requireGitHubApp } from './run-context.ts'

const keptMs = 300_000
type Permissions = Readonly<Record<string, string>>
const known = new WeakMap<RunContext['store'], Map<number, { readonly permissions: Permissions; readonly until: number }>>()

/**
 * Whether an installation has granted to write what the manifest does not ask for. Asked anew every five minutes.
 *
 * @throws {GitHubError}
 */
export async function mayWriteOn(
  context: RunContext,
  installationId: number,
  permission: 'contents' | 'deployments',
): Promise<boolean> {
  const ofStore = known.get(context.store) ?? new Map()
  known.set(context.store, ofStore)
  const kept = ofStore.get(installationId)
  const nowMs = context.now().getTime()
  // A clock that was set back makes nothing last longer.
  if (kept && kept.until > nowMs && nowMs >= kept.until - keptMs) return kept.permissions[permission] === 'write'
  const { permissions } = await readInstallation(requireGitHubApp(context).client, installationId)
  ofStore.set(installationId, { permissions, until: nowMs + keptMs })
  return permissions[permission] === 'write'
}
