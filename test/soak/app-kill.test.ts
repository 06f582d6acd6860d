import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { groupBy } from '../../src/text/plain/lists.ts'
import { brokenDocument, docsConfig, validDocument } from '../app/support/connected-app.ts'
import { type AppProcess, startAppProcess } from '../support/app-process.ts'
import { expectSettled, readStore, untilDelivered, untilIdle } from '../support/app-scenario.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { toPullRequestEvent } from '../support/fake-github/payloads.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom } from '../support/random.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const kills = runsOr(3, 100)

test(`loses no acknowledged delivery and reports nothing twice when killed ${kills} times under load`, async () => {
  const random = createRandom(seed)
  const github = await startFakeGitHub({ rateLimit: 1_000_000 })
  onTestFinished(() => github.close())
  const dataDir = makeTemporaryFolder()
  const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
  const repositories = ['acme/api', 'acme/sdk', 'globex/pets'].map((name) => github.createRepository(name, { files }))
  for (const repository of repositories) {
    repository.commit({ files: { 'a.mdx': 'a' }, branch: 'topic' })
    repository.openPullRequest({ head: 'topic' })
  }
  const acknowledged: string[] = []
  let sent = 0
  let isLoading = true

  /** One change of one repository, delivered as GitHub does. */
  const change = async () => {
    const repository = repositories[Math.floor(random() * repositories.length)]
    if (!repository) return
    const content = random() < 0.5 ? brokenDocument : validDocument
    const branch = random() < 0.5 ? 'main' : 'topic'
    const push = repository.commit({ files: { 'openapi.yaml': `${content}# ${sent++}\n` }, branch })
    const { status } = await github.deliver('push', repository.pushPayload(push))
    if (status >= 200 && status < 300) acknowledged.push(push.after)
    const [pull] = repository.pullRequests
    if (branch !== 'topic' || !pull) return
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, push.before))
  }
  const load = (async () => {
    while (isLoading) {
      await change()
      await sleep(400 + random() * 800)
    }
  })()

  let app: AppProcess | undefined
  onTestFinished(() => void app?.child.kill('SIGKILL'))
  for (let kill = 1; kill <= kills; kill++) {
    app = await startAppProcess(github, dataDir)
    await sleep(random() * 3_000)
    app.child.kill('SIGKILL')
    expect(await app.ended).toBe('SIGKILL')
    await sleep(random() * 100)
  }
  isLoading = false
  await load
  const open = (await readStore(dataDir)).updates.filter(({ update }) => update.endedAt === undefined).length
  app = await startAppProcess(github, dataDir)
  // The number of missed deliveries and the delay of redeliveries depend on the machine.
  await untilDelivered(github, dataDir)
  await github.settled()
  await app.untilCompared()
  const { updates } = await untilIdle(dataDir)
  expectSettled(github, repositories, updates, acknowledged)
  const ended = groupBy(updates, ({ update }) => `${update.status} ${update.summary.split(':', 1)[0]}`)
  const lost = updates.filter(({ update }) => update.summary.includes('was lost'))
  const counts = [...ended].map(([summary, list]) => `${list.length} ${summary}`).join(', ')
  console.log(
    `seed ${seed}: ${kills} kills, ${sent} pushes, ${acknowledged.length} acknowledged at once, ${updates.length} records (${counts}; ` +
      `${lost.length} given up as lost), ${open} open at the last kill`,
  )
  // An idle app stops immediately.
  app.child.kill('SIGTERM')
  expect(await app.ended).toBe(0)
})
