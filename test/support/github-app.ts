import { GitHubApp } from '../../src/github/apps/github-app.ts'
import type { RequestPace } from '../../src/github/requests/github-client.ts'
import type { FakeGitHub } from './fake-github/fake-github.ts'
import type { FakeRepository } from './fake-github/fake-repository.ts'

/** The shortest waits. The rules are the same. */
export const fastPace: Partial<RequestPace> = { spacingMs: 0, retryDelayMs: 5, secondaryLimitDelayMs: 20, longestWaitMs: 2_000 }

/** The app of a fake GitHub, authenticated with its real key. */
export function createGitHubApp(github: FakeGitHub, pace: Partial<RequestPace> = {}): GitHubApp {
  return new GitHubApp({
    appId: github.app.id,
    privateKey: github.app.privateKey,
    apiUrl: github.url,
    pace: { ...fastPace, ...pace },
  })
}

/** The check that the app creates for the newest commit of `main`. */
export const toWantedCheck = (repository: FakeRepository, externalId = 'status-1') => ({
  name: 'openapi-pages',
  headSha: repository.tipOf('main'),
  externalId,
  detailsUrl: `https://docs.example.com/updates/${externalId}`,
})
