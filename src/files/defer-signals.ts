const stoppingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that must not be cut in the middle. A signal to stop that comes meanwhile takes effect right after.
 *
 * The work is synchronous: no handler of ours or of others can run before it has ended.
 */
export async function deferSignals(work: () => void): Promise<void> {
  let received: NodeJS.Signals | undefined
  const remember = (signal: NodeJS.Signals) => {
    received ??= signal
  }
  for (const signal of stoppingSignals) process.on(signal, remember)
  try {
    work()
  } finally {
    // Node hands over a signal only when the event loop turns; without the turn it would be lost with its handler.
    await new Promise((resolve) => setImmediate(resolve))
    for (const signal of stoppingSignals) process.off(signal, remember)
    if (received) process.kill(process.pid, received)
  }
}
