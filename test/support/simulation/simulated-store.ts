import type { Store } from '../../../src/store/store.ts'
import { StoreError } from '../../../src/text/errors.ts'
import type { Scheduler } from './scheduler.ts'

/** Not asynchronous, or made of other calls. */
const direct = new Set(['newId', 'locks', 'connections', 'close', 'statuses.readVersion'])

/** Calls that create no due job. */
const quiet = /^(?:queue\.(?:recover|stats|heartbeat)|notes\.|deliveries\.|\w+\.(?:find|list|read))/

/** What the processes of a history know about the queue. */
export interface QueueKnowledge {
  changes: number
  /** The number of changes when the queue was seen empty, and when it was last asked. */
  emptyAt: number
  askedAt: number
}

/** The connections of a process to its store, while they are disturbed. */
export interface StoreTrouble {
  untilMs: number
  /** The part of the calls that fails. */
  rate: number
  /** Whether such calls get no response for a minute, instead of an error at once. */
  isHanging: boolean
}

/** After this time, the system notices that a connection is dead. */
const hangMs = 60_000

/** A store whose calls wait for the scheduler. */
export function toSimulatedStore(store: Store, scheduler: Scheduler, known: QueueKnowledge, trouble: StoreTrouble): Store {
  const fail = () => Promise.reject(new StoreError('Cannot use the store: the connection was lost'))
  const call = async <Value>(label: string, work: () => Promise<Value>): Promise<Value> => {
    const { untilMs, rate } = trouble
    const isDisturbed = untilMs > scheduler.time.nowMs && Math.random() < rate
    if (!isDisturbed) return await scheduler.call({ label }, work)
    const { isHanging } = trouble
    return await scheduler.call({ label: `${label} ${isHanging ? 'hangs' : 'fails'}`, delayMs: isHanging ? hangMs : 0 }, fail)
  }
  const wrapFunction =
    (label: string, owner: object, work: (...values: readonly unknown[]) => Promise<unknown>) =>
    (...values: readonly unknown[]) =>
      call(label, async () => {
        try {
          return await work.apply(owner, [...values])
        } finally {
          // Not before the commit: a claim may see what was before it.
          if (!quiet.test(label)) known.changes += 1
        }
      })
  const wrap = (owner: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(owner).map(([name, value]) => {
        const label = `${prefix}${name}`
        if (direct.has(label)) return [name, value]
        if (typeof value === 'function') return [name, wrapFunction(label, owner, value)]
        return [name, typeof value === 'object' && value !== null ? wrap(value, `${label}.`) : value]
      }),
    )
  const wrapped = wrap(store, '') as unknown as Store // The same methods.
  return {
    ...wrapped,
    queue: {
      ...wrapped.queue,
      // Most claims find nothing. Without a change since then, an empty queue is still empty.
      claim: (options) =>
        call('queue.claim', async () => {
          const { changes } = known
          if (known.emptyAt === changes) return undefined
          const job = await store.queue.claim(options)
          if (job) known.changes += 1
          else if (known.askedAt !== changes) {
            known.askedAt = changes
            const { waiting, leased, refused, delayed } = await store.queue.stats()
            if (waiting + leased + refused + delayed === 0) known.emptyAt = changes
          }
          return job
        }),
    },
    sites: {
      ...wrapped.sites,
      async *readBody(...parameters) {
        const parts: Uint8Array[] = []
        await call('sites.readBody', async () => {
          for await (const part of store.sites.readBody(...parameters)) parts.push(part)
        })
        yield* parts
      },
    },
  }
}
