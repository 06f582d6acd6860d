import { expect, test } from 'vitest'
import { toGitHubServer } from '../../../src/github/requests/github-client.ts'

const day = 24 * 3_600_000

test('uses separate hosts of github.com for the API and the workflow tokens', () => {
  expect(toGitHubServer('https://github.com')).toEqual({
    apiUrl: 'https://api.github.com',
    workflowTokenIssuer: 'https://token.actions.githubusercontent.com',
    deliveryRetentionMs: 3 * day,
  })
})

test('uses the URL of an Enterprise Server for both, and its longer retention of deliveries', () => {
  expect(toGitHubServer('https://github.example.com')).toEqual({
    apiUrl: 'https://github.example.com/api/v3',
    workflowTokenIssuer: 'https://github.example.com/_services/token',
    deliveryRetentionMs: 7 * day,
  })
})
