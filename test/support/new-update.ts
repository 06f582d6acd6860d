import { type QueuedUpdate, queueUpdate } from '../../src/status/update-record.ts'

/** A queued record as a push creates it, for tests that do not depend on its content. */
export function newUpdate(values: Partial<QueuedUpdate> & { readonly sha?: string; readonly ref?: string } = {}): QueuedUpdate {
  const { sha = 'a'.repeat(40), ref = 'refs/heads/main', ...fields } = values
  const update = queueUpdate({
    id: '019aa000-0000-7000-8000-000000000001',
    projectId: `prj_${'0'.repeat(24)}`,
    subdomain: 'acme-api',
    createdAt: '2026-11-20T07:15:03.120Z',
    author: 'octocat',
    commit: { sha, ref, message: 'docs: describe pets', filesChanged: { added: [], modified: ['openapi.yaml'], removed: [] } },
    source: 'github-app-installation',
  })
  return { ...update, ...fields }
}
