import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A rule of the app that is broken in every process of a history, so that it is known that the simulation notices it. */
interface Sabotage {
  /** Below `src`. */
  readonly file: string
  /** A text that occurs once in the file, and what replaces it. */
  readonly find: string
  readonly replace: string
}

const jobs = 'app/jobs/run-update-job.ts'
const reports = 'app/github-events/report/report-run.ts'
const feedback = 'app/github-events/report/commit-feedback.ts'
const settling = 'app/github-events/reconcile/settle-repository.ts'
const handlers = 'app/github-events/webhooks/handlers.ts'
const attempts = 'store/queue/job-attempts.ts'
const builds = 'store/sites/site-builds.ts'

export const sabotages = {
  'publishes outside of the transaction of its record': {
    file: 'app/publish/build-run-site.ts',
    find: 'if (buildId === undefined || !(await store.sites.addFiles(buildId, files))) return',
    replace:
      'if (buildId !== undefined && (await store.sites.addFiles(buildId, files))) await store.sites.publish(project.id, sha, "early"); else return',
  },
  'leaves the check of an overtaken update open': {
    file: reports,
    find: 'if (checkRunId === undefined || details.checkConcludedAt !== undefined) return',
    replace: 'if (details.overtaken || checkRunId === undefined || details.checkConcludedAt !== undefined) return',
  },
  'loses the webhooks of new pull requests': {
    file: handlers,
    find: "'pull_request.opened': planPullRequest,",
    replace: "'pull_request.opened': planNothing,",
  },
  'believes GitHub when it refuses something': {
    file: attempts,
    find: 'if (!keep && errors >= limits.maxRunErrors)',
    replace: 'if (isRefused || (!keep && errors >= limits.maxRunErrors))',
  },
  'ignores webhooks that say that a repository is private': {
    file: 'app/github-events/webhooks/plan.ts',
    find: "repository.private && isKnown && !isPrivate ? [{ kind: 'tighten', repositoryId: repository.id }] : []",
    replace: '[]',
  },
  'keeps the projects of removed repositories': {
    file: settling,
    find: "await context.store.projects.apply([{ kind: 'delete-repository', repositoryId }])",
    replace: 'await undefined',
  },
  'publishes only the first site': {
    file: builds,
    find: 'if (mayPublish) {',
    replace: 'if (mayPublish && !site) {',
  },
  'publishes old commits': {
    file: jobs,
    find: "position.isOvertaken ? 'never' : mayPublish",
    replace: 'mayPublish',
  },
  'does not look for lost webhooks': {
    file: 'app/github-events/webhooks/catch-up.ts',
    find: 'await redeliver(client, entry.delivery)',
    replace: 'await undefined',
  },
  'creates a check without looking for its own': {
    file: feedback,
    find: 'await takeOverCheckRun(client, toName(project), check, isKnown)',
    replace: 'await (void isKnown)',
  },
  'looks for checks without a lock': {
    file: feedback,
    find: 'await runExclusively(store, `checks of ',
    replace: 'await (async (_name: string, work: () => Promise<number | undefined>) => await work())(`checks of ',
  },
  'reports no record that the queue ended': {
    file: 'store/queue/jobs.ts',
    find: "kind: 'report', state: 'waiting', available_at: availableAt, errors: 0, losses: 0 }",
    replace: "kind: 'report', state: 'waiting', available_at: '9999', errors: 0, losses: 0 }",
  },
} as const satisfies Readonly<Record<string, Sabotage>>

export type SabotageName = keyof typeof sabotages

/** The source of a file of the app with a sabotage. @throws {Error} if the place of the sabotage is not in the file. */
function sabotageSource(name: SabotageName): { readonly url: string; readonly source: string } {
  const { file, find, replace } = sabotages[name]
  const { href } = new URL(`../../../src/${file}`, import.meta.url)
  const parts = readFileSync(fileURLToPath(href), 'utf8').split(find)
  if (parts.length !== 2) throw new Error(`The sabotage that "${name}" expects this text once in src/${file}:\n${find}`)
  return { url: href, source: parts.join(replace) }
}

/** Breaks a rule in this process. Its file must not have been imported. */
export function applySabotage(name: SabotageName): void {
  const { url: sabotaged, source } = sabotageSource(name)
  registerHooks({
    load: (url, context, next) =>
      url === sabotaged ? { format: 'module-typescript', source, shortCircuit: true } : next(url, context),
  })
}
