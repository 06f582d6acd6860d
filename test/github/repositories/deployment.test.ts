import { expect, test } from 'vitest'
import { appPermissions } from '../../../src/app/base/manifest.ts'
import { setDeployment } from '../../../src/github/repositories/check-runs.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import { createGitHubApp } from '../../support/github-app.ts'

test('a record has one deployment, although its environment changed between two attempts', async () => {
  const github = await startCheckedGitHub({ permissions: { ...appPermissions, deployments: 'write' } })
  const repository = github.createRepository('acme/api')
  const client = createGitHubApp(github).installation(repository.installation?.id ?? 0)
  const deployment = {
    sha: repository.tipOf('main'),
    environment: 'docs (production)',
    isProduction: true,
    externalId: 'status-1',
    state: 'success',
    description: 'Valid: 1 document, 1 operation.',
    logUrl: 'https://docs.example.com/updates/status-1',
  } as const
  const name = { owner: 'acme', repo: 'api' }
  const write = (later: object) => setDeployment(client, name, { ...deployment, ...later })
  await write({})
  await write({ environment: 'docs (preview)', isProduction: false })
  expect(repository.deployments).toMatchObject([{ environment: 'docs (production)', statuses: [{ state: 'success' }] }])
  await write({ externalId: 'status-2' })
  expect(repository.deployments).toHaveLength(2)
})
