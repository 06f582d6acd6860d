import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { hasCredentials } from './authentication/kept-credentials.ts'
import { type LazyModule, useLazyModule } from './controls/loading.tsx'
import type { PlaygroundSettings, PlaygroundValues } from './controls/types.ts'
import { secret } from './form/remember-values.ts'
import type { HttpRequest } from './request/http-request.ts'
import { type DescribedOperation, needsOtherBodies } from './request/read-operation.ts'
import type { OtherBodies } from './request/request-body.ts'
import type { SendAttempt, Sending, Sent } from './send/sent.ts'

/** Sends the form with the script from `load`. Sending again or closing the dialog stops the previous request. */
export function useSending(
  operation: DescribedOperation,
  values: PlaygroundValues,
  { withCookies, slice }: PlaygroundSettings,
  load: OutputPart['load'],
): Sending {
  const [sent, setSent] = useState<Sent>()
  const [lastAttempt, setLastAttempt] = useState<SendAttempt>()
  const current = useRef<AbortController>(undefined)
  const stop = () => current.current?.abort()
  useEffect(() => stop, [])
  const start = async (relayed?: HttpRequest) => {
    stop()
    const controller = new AbortController()
    current.current = controller
    const { signal } = controller
    const loaded = await load()
    // The reader sent again or closed the dialog while the script was loading.
    if (signal.aborted || !loaded) return
    const options = {
      withCookies,
      hasCredentials:
        hasCredentials(operation.security, values.credentials) ||
        values.extras.some(({ in: location, name, isOn }) => isOn && location === 'header' && secret.test(name)),
      signal,
      // Ignore the response of a request that was replaced.
      onChange: (next: Sent) => {
        if (controller === current.current) setSent(next)
      },
    }
    if (relayed) void loaded.sendRequest({ ...options, request: relayed, slice })
    else setLastAttempt({ isBlocked: loaded.sendValues(operation, values, loaded.others, options) })
  }
  return {
    sent,
    isRunning: sent?.state === 'waiting' || sent?.state === 'reading',
    lastAttempt,
    send: () => start(),
    relay: start,
    stop,
    forget: () => setLastAttempt(undefined),
  }
}

type OutputModule = typeof import('./answer/output.tsx')

type OutputPart = LazyModule<OutputModule & { readonly others: OtherBodies | undefined }>

/** Loads the output panel, and the writers for other bodies if the operation needs them. */
export function useOutput(operation: DescribedOperation, isWanted: boolean): OutputPart {
  const get = useMemo(
    () => async () => {
      const [output, others] = await Promise.all([
        import('./answer/output.tsx'),
        needsOtherBodies(operation) ? import('./request/request-body.ts') : undefined,
      ])
      return { ...output, others }
    },
    [operation],
  )
  return useLazyModule(get, isWanted)
}
