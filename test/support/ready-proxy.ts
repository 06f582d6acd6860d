import { request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { serve } from './serve.ts'

/** A proxy in front of several processes of the app, as a load balancer is. */
interface ReadyProxy {
  readonly url: string
  /** Sends requests to a process once `/readyz` succeeds. */
  add(address: string): Promise<void>
  /** Sends no more requests to a process. */
  remove(address: string): void
}

/** Starts a proxy that takes turns among the processes that are ready, and repeats nothing. It stops after the test. */
export async function startReadyProxy(): Promise<ReadyProxy> {
  const known = new Map<string, { isReady: boolean }>()
  let turn = 0
  let isOpen = true
  const check = async () => {
    await Promise.all(
      [...known].map(async ([address, process]) => {
        process.isReady = await fetch(`${address}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      }),
    )
  }
  const checks = (async () => {
    for (; isOpen; await sleep(200)) await check()
  })()
  onTestFinished(async () => {
    isOpen = false
    await checks
  })
  const url = await serve((request, response) => {
    const ready = [...known].filter(([, { isReady }]) => isReady).map(([address]) => address)
    const address = ready[turn++ % Math.max(1, ready.length)]
    if (address === undefined) {
      response.writeHead(503).end('no process is ready')
      return
    }
    const { method, headers } = request
    const options = { method, headers, agent: false as const }
    const forwarded = send(new URL(request.url ?? '/', address), options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', (error) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end(String(error))
    })
    request.pipe(forwarded)
  })
  return {
    url,
    async add(address) {
      known.set(address, { isReady: false })
      await check()
    },
    remove: (address) => void known.delete(address),
  }
}
