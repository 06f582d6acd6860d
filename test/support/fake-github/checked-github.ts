import { onTestFinished } from 'vitest'
import { type FakeGitHub, startFakeGitHub } from './fake-github.ts'
import type { FakeGitHubOptions } from './types.ts'

/** Starts a fake GitHub until the running test ends, which fails if anything unexpected was asked of it. */
export async function startCheckedGitHub(options?: FakeGitHubOptions): Promise<FakeGitHub> {
  const github = await startFakeGitHub(options)
  onTestFinished(async () => {
    await github.close()
    github.assertNoUnexpectedRequests()
  })
  return github
}
