import { expect, test } from 'vitest'
import { toGitHubServer } from '../../src/github/github-server.ts'

const day = 24 * 3_600_000

test('github.com has hosts for its API and for the tokens of workflows', () => {
  expect(toGitHubServer('https://github.com')).toEqual({
    apiUrl: 'https://api.github.com',
    workflowTokenIssuer: 'https://token.actions.githubusercontent.com',
    deliveryRetentionMs: 3 * day,
  })
})

test('an Enterprise Server has both below its own URL, and keeps deliveries for longer', () => {
  expect(toGitHubServer('https://github.example.com')).toEqual({
    apiUrl: 'https://github.example.com/api/v3',
    workflowTokenIssuer: 'https://github.example.com/_services/token',
    deliveryRetentionMs: 7 * day,
  })
})
