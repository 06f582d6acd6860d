import { readInstallation } from '../../github/installations.ts'
import { type RunContext, requireGitHubApp } from './run-context.ts'

const keptMs = 300_000
const known = new WeakMap<RunContext['store'], Map<number, { readonly mayCommit: boolean; readonly until: number }>>()

/**
 * Whether an installation has granted `contents: write`, which the manifest does not ask for. Asked anew every five minutes.
 *
 * @throws {GitHubError}
 */
export async function mayCommit(context: RunContext, installationId: number): Promise<boolean> {
  const ofStore = known.get(context.store) ?? new Map()
  known.set(context.store, ofStore)
  const kept = ofStore.get(installationId)
  const nowMs = context.now().getTime()
  if (kept && kept.until > nowMs) return kept.mayCommit
  const { permissions } = await readInstallation(requireGitHubApp(context).client, installationId)
  const granted = permissions['contents'] === 'write'
  ofStore.set(installationId, { mayCommit: granted, until: nowMs + keptMs })
  return granted
}
