import { expect, test } from 'vitest'
import { connectApp, docsConfig, validDocument } from '../support/connected-app.ts'
import { addToken } from '../support/test-app.ts'

test('runs an update that was triggered through the API, with a check', async () => {
  const { github, app, idle, store } = await connectApp()
  const repository = github.createRepository('acme/api', { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
  const { sha } = await repository.push({ files: { a: 'a' } })
  const [pushed] = await idle()
  const { text } = await addToken(store, { scope: 'write', projectId: pushed?.update.projectId ?? '' })
  const answer = await fetch(`${app.address}/v1/project/update/${pushed?.update.projectId}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${text}` },
  })
  expect(answer.status).toBe(202)
  const { statusId } = await answer.json()
  const [, triggered] = await idle()
  expect(triggered?.update).toMatchObject({ _id: statusId, status: 'success', source: 'api', commit: { sha } })
  expect(repository.checkRuns[1]).toMatchObject({ externalId: statusId, conclusion: 'success' })
})
