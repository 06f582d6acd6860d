import { createHmac, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { type Agent, request } from 'node:http'
import { webhookPath } from '../src/app/setup/manifest.ts'
import { toExample } from '../test/support/fake-github/payloads.ts'

/** The webhook secret of all servers that receive these pushes. */
export const webhookSecret = 'a-secret-of-the-benchmark'

/** A signed webhook. */
export interface Push {
  readonly body: string
  readonly signature: string
}

/** A push of one commit to one of 100 repositories, about 7 KB like GitHub's payload. */
export function toPush(index: number): Push {
  const example = toExample('push')
  const sha = randomBytes(20).toString('hex')
  const number = index % 100
  const repository = example['repository'] as object // The example is a real push payload.
  const body = JSON.stringify({
    ...example,
    // The app cancels waiting pushes beyond 50 per branch, which this benchmark does not measure.
    ref: `refs/heads/topic-${index % 1_500}`,
    before: randomBytes(20).toString('hex'),
    after: sha,
    created: false,
    deleted: false,
    forced: false,
    installation: { id: 1 + number },
    repository: {
      ...repository,
      id: 10_000 + number,
      name: `docs-${number}`,
      owner: { login: 'acme' },
      private: false,
      default_branch: 'main',
    },
    commits: [{ id: sha, message: 'docs: change', added: ['a.mdx'], modified: ['openapi.yaml'], removed: [] }],
    head_commit: { id: sha, message: 'docs: change', author: { name: 'Pat', username: 'pat' } },
  })
  return { body, signature: `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}` }
}

/** Sends a push. @throws {Error} if the response is not 202. */
export function post(origin: string, agent: Agent, { body, signature }: Push): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(`${origin}${webhookPath}`, {
      agent,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'X-GitHub-Event': 'push',
        'X-GitHub-Delivery': randomUUID(),
        'X-Hub-Signature-256': signature,
      },
    })
    sending.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 202) resolve()
        else reject(new Error(`Unexpected status ${response.statusCode}, expected 202`))
      })
    })
    sending.end(body)
  })
}

/** Settings of an app that receives these pushes, without a GitHub server. */
export function toWebhookEnvironment(dataDir: string): NodeJS.ProcessEnv {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    GITHUB_URL: 'http://127.0.0.1:60999',
    GITHUB_APP_ID: '1',
    GITHUB_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    GITHUB_WEBHOOK_SECRET: webhookSecret,
  }
}
