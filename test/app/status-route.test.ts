import { describe, expect, onTestFinished, test } from 'vitest'
import { addProject, addToken, addUpdate, startTestApp } from './support/test-app.ts'

describe('GET /v1/project/update-status/{statusId}', () => {
  test('answers the record', async () => {
    const app = await startTestApp(onTestFinished)
    const project = await addProject(app.store)
    const token = await addToken(app.store, { scope: 'read', projectId: project.id })
    const update = await addUpdate(app.store, project)
    const answer = await app.api(`/v1/project/update-status/${update._id}`, { token: token.text })
    expect(answer.body).toEqual(update)
  })
})
