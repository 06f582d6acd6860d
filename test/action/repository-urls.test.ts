import { expect, test } from 'vitest'
import { makeGitRemote } from '../support/git-remote.ts'
import { runInProcess } from '../support/github-remote.ts'
import { serve } from '../support/serve.ts'
import { tinyDocument } from '../support/tiny-docs.ts'

test('fetches no URLs of the runner or its network, from docs.json or an input', async () => {
  const asked: string[] = []
  const origin = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.end(tinyDocument('A secret'))
  })
  const urls = [origin, origin.replace('http:', 'https:'), origin.replace('http://127.0.0.1', 'https://localhost')]
  for (const url of urls) {
    const navigation = { tabs: [{ tab: 'API', openapi: `${url}/a` }] }
    const checkout = makeGitRemote({ 'docs.json': JSON.stringify({ name: 'Zoo', navigation }) }).checkOut()
    const access = { environment: {}, token: () => 'none' }
    const report = await runInProcess(access, checkout, { documents: [`${url}/b`] })
    const refused = report.update?.diagnostics.filter(({ code }) => code === 'url-refused') ?? []
    expect(refused.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${url}/a`),
      expect.stringContaining(`${url}/b`),
    ])
  }
  expect(asked).toEqual([])
})
