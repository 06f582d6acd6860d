import { expect } from 'vitest'
import { type ActionReport, explainFailure } from '../../src/action/report/summary.ts'
import { type GitHubRemote, makeGitHubRemote } from './github-remote.ts'
import { tinyDocs } from './tiny-docs.ts'

export const graphql = 'POST /graphql'

/** A repository with one operation and no page yet, on a fake GitHub. */
export const makePets = () => makeGitHubRemote(tinyDocs(['List pets']))

/** The page of that operation. */
export const page = 'api-reference/list-pets.mdx'
/** The head branch of a pull request for `main`. */
export const head = 'openapi-pages/main'
/** Makes a branch accept only pull requests. */
export const protectedByRule = { kind: 'ruleset', reason: 'Changes must be made through a pull request.' } as const

export function expectNoFailure(report: ActionReport): void {
  expect(report.failures.map((failure) => explainFailure(failure))).toEqual([])
}

export const branchesOf = ({ repository }: GitHubRemote) => [...repository.branches].map(([name]) => name).sort()
export const writesOf = ({ github }: GitHubRemote) => github.requests.filter(({ method }) => method !== 'GET').length
export const readsOf = ({ github }: GitHubRemote) => github.requests.filter(({ method }) => method === 'GET').length
export const messageOf = (at: GitHubRemote, branch = 'main') => at.remote.message(branch)
export const pagesIn = (at: GitHubRemote, branch = 'main') => at.remote.list(branch).filter((path) => path.endsWith('.mdx'))
