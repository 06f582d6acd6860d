const stoppingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits until the process is asked to stop. A second signal stops it at once, as if nobody had waited. */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of stoppingSignals) process.off(signal, stop)
      resolve()
    }
    for (const signal of stoppingSignals) process.on(signal, stop)
  })
}
