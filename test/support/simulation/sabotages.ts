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
const comments = 'github/repositories/pull-requests.ts'

export const sabotages = {
  'publishes outside of the transaction of its record': {
    file: 'app/publish/build-run-site.ts',
    find: 'if (buildId === undefined || !(await addFiles(context, buildId, site))) return',
    replace:
      'if (buildId !== undefined && (await addFiles(context, buildId, site))) await store.sites.publish(project.id, sha, "early"); else return',
  },
  'leaves the check of an overtaken update open': {
    file: reports,
    find: 'if (check) await conclude(',
    replace: 'if (check && !details.overtaken) await conclude(',
  },
  'loses the webhooks of new pull requests': {
    file: handlers,
    find: "'pull_request.opened': planPullRequest,",
    replace: "'pull_request.opened': async () => noWork,",
  },
  'believes GitHub when it refuses something': {
    file: attempts,
    find: 'const errors = job.errors + 1',
    replace: `const errors = job.errors + 1
      if (refusal !== undefined && !isServerTrouble(refusal)) {
        await transaction.deleteFrom('jobs').where('id', '=', job.id).execute()
        return { kind: 'lease-lost' }
      }`,
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
  'writes a check without its lock': {
    file: reports,
    find: '`check ',
    replace: 'Math.random() + `check ',
  },
  'writes a comment without its lock': {
    file: feedback,
    find: '`comment ',
    replace: 'Math.random() + `comment ',
  },
  'deploys older commits after newer ones': {
    file: feedback,
    find: 'if (!isOutdated) await',
    replace: 'if (!isOutdated || isProduction) await',
  },
  'reports no record that the queue ended': {
    file: 'store/queue/wanted.ts',
    find: "{ ...noLease, state: 'waiting', available_at: toTime(0) }",
    replace: "{ ...noLease, state: 'waiting', available_at: '9999' }",
  },
  'takes a push back to an old commit for the push before it': {
    file: 'store/queue/accept-updates.ts',
    find: 'return stored?.details.pushedAt === pushedAt ? same.update_id : undefined',
    replace: 'return stored ? same.update_id : undefined',
  },
  'concludes no check without a result': {
    file: reports,
    find: 'if (check) await conclude(',
    replace: 'if (check && feedback) await conclude(',
  },
  'does not read the visibility in a run': {
    file: jobs,
    find: 'const known = await refreshProject(context, job.project)',
    replace: 'const known = await (void refreshProject, job.project)',
  },
  'does not see in a comparison that a repository is private': {
    file: settling,
    find: 'if (project.private !== info.private) {',
    replace: 'if (project.private && !info.private) {',
  },
  'compares only the default branch': {
    file: settling,
    find: '...commits.keys(), ...openRefs])) {',
    replace: '...[...commits.keys()].slice(0, 0)])) {',
  },
  'replaces a good site by a commit with errors': {
    file: jobs,
    find: "'always' : 'until-success'",
    replace: "'always' : 'always'",
  },
  'makes every check green': {
    file: reports,
    find: 'const conclusion = details.checkConclusion ?? update.status',
    replace: "const conclusion = (void details.checkConclusion, 'success' as const)",
  },
  'makes every commit status green': {
    file: feedback,
    find: "return checkConclusion === 'failure' ? 'failure' : 'success'",
    replace: "return checkConclusion === 'failure' ? 'success' : 'success'",
  },
  'keeps the first comment': {
    file: comments,
    find: 'if (own?.marker.digest === wanted.digest)',
    replace: 'if (own)',
  },
  'comments only on pull requests that were open when the update ran': {
    file: handlers,
    find: 'comments.push({',
    replace: 'void ({',
  },
  'shows one annotation': {
    file: reports,
    find: 'listAnnotations(feedback).slice(0, annotationLimit)',
    replace: 'listAnnotations(feedback).slice(0, 1)',
  },
  'shows the summary of the record as the title': {
    file: reports,
    find: '? renderCheckTitle(shownFeedback)',
    replace: '? (renderCheckTitle(shownFeedback), update.summary)',
  },
  'accepts a delivery twice': {
    file: 'store/queue/accept-work.ts',
    find: 'const isRepeated = delivery !== undefined && !inserted.delete(delivery.id)',
    replace: 'const isRepeated = delivery !== undefined && !inserted.delete(delivery.id) && false',
  },
  'forgets the jobs of ended workers': {
    file: attempts,
    find: ".where('lease_until', '<=', now)\n    .orderBy",
    replace: ".where('lease_until', '<=', '')\n    .orderBy",
  },
  'gives up what the server itself cannot do': {
    file: attempts,
    find: 'const errors = job.errors + 1',
    replace: `const errors = job.errors + 1
      if (isServerTrouble(refusal) && errors > 2) {
        await transaction.deleteFrom('jobs').where('id', '=', job.id).execute()
        return { kind: 'lease-lost' }
      }`,
  },
  'waits an hour after a refusal': {
    file: attempts,
    find: 'Math.max(retryAfterMs, Math.min(Math.round(waitMs), longestMs))',
    replace: 'Math.max(retryAfterMs, refusal ? longestMs : Math.min(Math.round(waitMs), longestMs))',
  },
  'ignores new names of repositories': {
    file: handlers,
    find: "'repository.renamed': planRepositoryChange,",
    replace: "'repository.renamed': async () => noWork,",
  },
} as const satisfies Readonly<Record<string, Sabotage>>

export type SabotageName = keyof typeof sabotages

/** A file of the app with other code. */
export interface ChangedSource {
  readonly url: string
  readonly source: string
}

/** The source of a file of the app with a sabotage. @throws {Error} if the place of the sabotage is not in the file. */
export function sabotageSource(name: SabotageName): ChangedSource {
  const { file, find, replace } = sabotages[name]
  const { href } = new URL(`../../../src/${file}`, import.meta.url)
  const parts = readFileSync(fileURLToPath(href), 'utf8').split(find)
  if (parts.length !== 2) throw new Error(`The sabotage that "${name}" expects this text once in src/${file}:\n${find}`)
  return { url: href, source: parts.join(replace) }
}

/** Breaks a rule in this process. The file must not have been imported. */
export function changeSource({ url: changed, source }: ChangedSource): void {
  registerHooks({
    load: (url, context, next) =>
      url === changed ? { format: 'module-typescript', source, shortCircuit: true } : next(url, context),
  })
}
