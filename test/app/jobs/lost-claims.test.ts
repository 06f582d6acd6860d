import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { StoreError } from '../../../src/text/errors.ts'
import { connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

/** A store whose first answers to claims of jobs are lost, after the claims have succeeded. */
function loseClaims(store: Store, count: number): Store {
  let left = count
  const { queue } = store
  return {
    ...store,
    queue: {
      ...queue,
      async claim(options) {
        const job = await queue.claim(options)
        if (!job || left === 0) return job
        left -= 1
        throw new StoreError('Cannot use the store: Query read timeout')
      },
    },
  }
}

test('runs jobs whose claims lost their answers at once, and counts no loss', async () => {
  // More often than a job may be lost. No lease ends during the test.
  const app = await connectApp({ toWorkerStore: (store) => loseClaims(store, 8), times: { leaseMs: 600_000 } })
  const repository = app.github.createRepository('acme/api', {
    files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument },
  })
  const push = repository.commit({ files: { 'openapi.yaml': `${validDocument}# 1\n` } })
  await app.github.deliver('push', repository.pushPayload(push))
  const updates = await app.idle()
  expect(updates.map(({ update }) => update.status)).toEqual(['success'])
  expect(updates.flatMap(({ update }) => update.logs).filter((line) => line.includes('was lost'))).toEqual([])
})

test.for([
  [
    new StoreError('Cannot use the bucket: AccessDenied'),
    'storage',
    'the server cannot use its storage (tried again every minute)',
  ],
  [Object.assign(new Error('write'), { code: 'ENOSPC' }), 'system', 'the disk or the system of the server fails (ENOSPC)'],
  [new TypeError('x is not a function'), 'unexpected', 'the server has an unexpected error, which its log explains'],
] as const)('an outage of the server delays an update, and its check says so: %s', async ([error, kind, words], { expect }) => {
  let isDown = true
  const toWorkerStore = (store: Store): Store => {
    const save: Store['queue']['save'] = async (...saved) => {
      if (isDown) throw error
      return await store.queue.save(...saved)
    }
    return { ...store, queue: { ...store.queue, save } }
  }
  const app = await connectApp({ toWorkerStore })
  const repository = app.github.createRepository('acme/api', {
    files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument },
  })
  await repository.push({ files: { 'a.md': 'x' } })
  await expect.poll(() => repository.checkRuns[0]?.output.title).toContain(words)
  expect(repository.checkRuns).toMatchObject([{ status: 'queued' }])
  await expect
    .poll(() => app.app.tools.metrics.registry.metrics())
    .toMatch(new RegExp(`^openapi_pages_delayed_jobs\\{reason="${kind}"\\} 1$`, 'm'))
  isDown = false
  expect((await app.idle()).map(({ update }) => update.status)).toEqual(['success'])
  await expect.poll(() => repository.checkRuns).toMatchObject([{ conclusion: 'success', output: { title: '1 document valid' } }])
})
