import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type ActionReport, explainFailure } from '../../src/action/report/summary.ts'
import { git } from '../support/git-remote.ts'
import { type GitHubRemote, makeGitHubRemote, runInProcess } from '../support/github-remote.ts'
import { fc, runsOr, seed } from '../support/properties.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'

/** Number of interleavings: 12, and 400 in the soak. The minimum is 200. */
const numRuns = runsOr(6, 400)
const head = 'openapi-pages/main'

/** The pushes of the person: another document, another file, or a change on the branch of the pull request. */
type Push = 'document' | 'file' | 'head'

const scenario = fc.record({
  mode: fc.constantFrom('commit', 'pull-request'),
  method: fc.constantFrom('api', 'git'),
  isProtected: fc.boolean(),
  /** Before each run starts. */
  waits: fc.tuple(fc.nat(60), fc.nat(60)),
  pushes: fc.array(fc.record({ what: fc.constantFrom<Push>('document', 'file', 'head'), waitMs: fc.nat(250) }), { maxLength: 3 }),
  /** A lost or slow response to the nth writing request. */
  fault: fc.option(fc.record({ kind: fc.constantFrom('cut', 'slow'), after: fc.nat(3) })),
})

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never

test(`ends with the right tree after two concurrent runs and a pushing person (seed ${seed})`, {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(fc.asyncProperty(scenario, play), { numRuns, endOnFailure: true })
})

async function play({ mode, method, isProtected, waits, pushes, fault }: Scenario): Promise<void> {
  const at = await makeGitHubRemote(tinyDocs(['List pets']))
  try {
    const tool = { mode, commitMethod: method, token: at.token() } as const
    if (isProtected && mode === 'commit' && method === 'api') {
      at.repository.rules.set('main', { kind: 'ruleset', reason: 'Changes must be made through a pull request.' })
    }
    if (fault) {
      const what = fault.kind === 'cut' ? { cut: 'after' as const } : { delayMs: 120 }
      at.github.fault({ route: 'POST /graphql', after: fault.after, ...what })
    }
    const checkouts = [at.checkOut(), at.checkOut()]
    const mine: { sha: string; isHead: boolean }[] = []
    const person = async () => {
      for (const [index, { what, waitMs }] of pushes.entries()) {
        await sleep(waitMs)
        const sha = pushAsPat(at, what, index)
        if (sha !== undefined) mine.push({ sha, isHead: what === 'head' })
      }
    }
    const runs = checkouts.map(async (checkout, index) => {
      await sleep(waits[index] ?? 0)
      return runInProcess(at, checkout, tool)
    })
    const reports = (await Promise.all([...runs, person()])).filter((report) => report !== undefined)
    // Every push starts a run. The last run completes the work of the earlier ones.
    const last = await runInProcess(at, at.checkOut(), tool)
    for (const report of [...reports, last]) expectNoFault(report)
    await check(at, last, mine)
  } finally {
    await at.github.close()
  }
}

/** A run may give up if everyone pushes at the same time. It must not fail for any other reason. */
function expectNoFault(report: ActionReport): void {
  const said = report.failures.map((failure) => explainFailure(failure).message)
  expect(said.filter((message) => !/moved 5 times/.test(message))).toEqual([])
}

function pushAsPat(at: GitHubRemote, what: Push, index: number): string | undefined {
  try {
    if (what === 'file') return at.remote.push({ [`guide-${index}.mdx`]: 'mine' })
    if (what === 'document') return at.remote.push({ 'openapi.json': tinyDocument('List pets', `List item ${index}`) })
    if (!at.repository.branches.has(head)) return undefined
    return at.remote.push({ [`note-${index}.md`]: 'mine' }, head)
  } catch {
    // Pat's own push may lose the race, too. Pat then makes another change.
    return undefined
  }
}

async function check(at: GitHubRemote, last: ActionReport, mine: readonly { sha: string; isHead: boolean }[]): Promise<void> {
  const branches = [...at.repository.branches].map(([name]) => name)
  const open = at.repository.pullRequests.filter(({ state }) => state === 'open')
  expect(open.length).toBeLessThanOrEqual(1)
  expect(branches.filter((name) => name !== 'main' && name !== head)).toEqual([])
  // No commit of the person is lost.
  for (const { sha, isHead } of mine) expect(isIn(at, sha, isHead ? head : 'main')).toBe(true)
  if (last.delivery?.operation === 'pull-request-kept') {
    expect(mine.some(({ isHead }) => isHead)).toBe(true)
    return
  }
  // The pages match the documents, on the target branch or after merging the proposed pull request.
  const proposed = last.delivery?.pullRequest !== undefined && last.delivery.operation !== 'pull-request-closed'
  expect(open.length).toBe(proposed ? 1 : 0)
  const checkout = at.remote.checkOut()
  if (proposed) mergeHead(checkout)
  const done = await runInProcess(at, checkout, { mode: 'check' })
  expect(done.update?.changes).toEqual([])
  expect(done.update?.pages.length).toBeGreaterThan(0)
}

function mergeHead(checkout: string): void {
  git(checkout, 'fetch', '--quiet', '--unshallow')
  git(checkout, 'fetch', '--quiet', 'origin', head)
  git(checkout, 'merge', '--quiet', '--no-edit', 'FETCH_HEAD')
}

function isIn(at: GitHubRemote, sha: string, branch: string): boolean {
  return git(at.remote.path, 'rev-list', branch).split('\n').includes(sha)
}
