import { reconcile } from '../../../../src/app/github-events/reconcile/reconcile.ts'
import type { ReconcileChange } from '../../../../src/app/github-events/reconcile/settle-repository.ts'
import { type ConnectedApp, type ConnectOptions, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'

export const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

/** An app with one updated repository. Later changes send no webhooks. */
export async function start(options: ConnectOptions = {}) {
  const connected = await connectApp(options)
  const repository = connected.github.createRepository('acme/api', { files })
  const { installation } = repository
  if (!installation) throw new Error('Not installed')
  await repository.push({ files: { 'a.mdx': 'a' } })
  await connected.idle()
  const [project] = await connected.store.projects.list()
  if (!project) throw new Error('No project')
  return { ...connected, repository, installation, project }
}

/** Compares with GitHub as at start. Returns the differences. */
export async function compare({ app }: ConnectedApp, options: { isDryRun?: boolean; isFull?: boolean } = {}) {
  const { store, log, now, config, github } = app.context
  if (!github.app) throw new Error('Not connected')
  const changes: ReconcileChange[] = []
  const report = (change: ReconcileChange) => void changes.push(change)
  const { isDryRun = false, isFull = true } = options
  const result = await reconcile({ store, log, now, config, app: github.app, isDryRun, report }, { isFull })
  return { ...result, changes: changes.map(({ kind, repository }) => `${kind} ${repository}`) }
}
