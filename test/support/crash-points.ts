import type { Store } from '../../src/store/store.ts'

/**
 * Points at which a test can end the app as a power cut would: before and after it writes to its store or sends a request to
 * GitHub. A crash between two points has the same effect as one at the first.
 */
export type CrashPoint =
  | 'webhook.received'
  | 'webhook.accepted'
  | 'job.claimed'
  | 'check.created'
  | 'check.remembered'
  | 'run.started'
  | 'run.archived'
  | 'run.checked'
  | 'site.built'
  | 'site.stored'
  | 'site.staged'
  | 'run.finished'
  | 'pictures.begun'
  | 'pictures.taken'
  | 'pictures.stored'
  | 'report.concluded'
  | 'report.commented'
  | 'commit-status.remembered'
  | 'commit-status.set'
  | 'deployment.set'
  | 'job.completed'

/** Called at each point before the app continues. */
type Reach = (point: CrashPoint) => void

/**
 * Reads `run.finished`, or `run.finished:3` for the third time it gets there, and ends this process at that point, without any clean-up.
 *
 * Nothing of this is in the app itself: only `run-app.ts` wraps its store and `fetch`.
 */
export function createReach(fault: string): Reach {
  const [wanted, count = '1'] = fault.split(':')
  let left = Number(count)
  return (point) => {
    if (point === wanted && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
}

/** A store that tells at which point of its work the app is. */
export function withCrashPoints(store: Store, reach: Reach): Store {
  const { queue, statuses, sites } = store
  return {
    ...store,
    accept: (input) =>
      around(input.delivery && 'webhook.received', () => store.accept(input), input.delivery && 'webhook.accepted'),
    queue: {
      ...queue,
      async claim(options) {
        const job = await queue.claim(options)
        if (job) reach('job.claimed')
        return job
      },
      save: (lease, update) => {
        const isStart = update.summary === 'Reading the files of the commit.'
        return around(undefined, () => queue.save(lease, update), isStart && 'run.started')
      },
      finish: (...finished) => around('run.checked', () => queue.finish(...finished), 'run.finished'),
      complete: (lease) => around(undefined, () => queue.complete(lease), 'job.completed'),
    },
    statuses: {
      ...statuses,
      addDetails(statusId, details) {
        const add = () => statuses.addDetails(statusId, details)
        if (details.checkRunId !== undefined) return around('check.created', add, 'check.remembered')
        if (details.pictures === 'begun') return around(undefined, add, 'pictures.begun')
        if (details.pictures === 'taken') return around(undefined, add, 'pictures.stored')
        return add()
      },
    },
    sites: {
      ...sites,
      findMissing: (hashes) => around('site.built', () => sites.findMissing(hashes)),
      stage: (site) => around('site.stored', () => sites.stage(site)),
      addFiles: (of, files) => around(undefined, () => sites.addFiles(of, files), 'site.staged'),
      addScreenshots: (statusId, pictures) => around('pictures.taken', () => sites.addScreenshots(statusId, pictures)),
    },
  }

  async function around<Value>(
    before: CrashPoint | false | undefined,
    work: () => Promise<Value>,
    after?: CrashPoint | false,
  ): Promise<Value> {
    if (before) reach(before)
    const value = await work()
    if (after) reach(after)
    return value
  }
}

/** What the app asks of GitHub and does not write down afterwards. */
const requests: readonly { readonly request: RegExp; readonly before?: CrashPoint; readonly after?: CrashPoint }[] = [
  { request: /^GET .*\/tarball\//, after: 'run.archived' },
  { request: /^(?:POST|PATCH) .*\/issues\/.*comments/, after: 'report.commented' },
  { request: /^PATCH .*\/check-runs\/\d+$/, after: 'report.concluded' },
  { request: /^POST .*\/statuses\/[0-9a-f]{40}$/, before: 'commit-status.remembered', after: 'commit-status.set' },
  { request: /^POST .*\/deployments\/\d+\/statuses$/, after: 'deployment.set' },
]

/** The same for requests to GitHub. Octokit calls whatever `fetch` there is. */
export function toFetchWithCrashPoints(fetch: typeof globalThis.fetch, reach: Reach): typeof globalThis.fetch {
  return async (input, init) => {
    const request = `${init?.method ?? 'GET'} ${String(input)}`
    const known = requests.find((one) => one.request.test(request))
    if (known?.before) reach(known.before)
    const response = await fetch(input, init)
    if (known?.after) reach(known.after)
    return response
  }
}
