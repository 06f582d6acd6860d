import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { hasCredentials } from '../authentication/kept-credentials.ts'
import { type Part, usePart } from '../loading.tsx'
import type { OtherBodies } from '../other-bodies.ts'
import { needsOtherBodies } from '../read-operation.ts'
import type { PlaygroundOperation, PlaygroundSettings, PlaygroundValues } from '../types.ts'
import type { Sending, SendingTry, Sent } from './sent.ts'

/** Sends the form with the script from `load`. One request at a time: a new one, or closing the dialog, stops the previous one. */
export function useSending(
  operation: PlaygroundOperation,
  values: PlaygroundValues,
  { withCookies }: PlaygroundSettings,
  load: OutputPart['load'],
): Sending {
  const [sent, setSent] = useState<Sent>()
  const [tried, setTried] = useState<SendingTry>()
  const current = useRef<AbortController>(undefined)
  const stop = () => current.current?.abort()
  useEffect(() => stop, [])
  const send = async () => {
    stop()
    const controller = new AbortController()
    current.current = controller
    const { signal } = controller
    const loaded = await load()
    // Sent again or closed while the script was loading.
    if (signal.aborted || !loaded) return
    const isHeld = loaded.sendValues(operation, values, loaded.others, {
      withCookies,
      hasCredentials: hasCredentials(operation.security, values.credentials),
      signal,
      // Ignore the response of a request that was replaced.
      onChange: (next) => controller === current.current && setSent(next),
    })
    setTried({ isHeld })
  }
  return {
    sent,
    isRunning: sent?.state === 'waiting' || sent?.state === 'reading',
    tried,
    send,
    stop,
    forget: () => setTried(undefined),
  }
}

type OutputModule = typeof import('../output.tsx')

type OutputPart = Part<OutputModule & { readonly others: OtherBodies | undefined }>

/** Loads the output of the form, with everything that requests of the operation may need. */
export function useOutput(operation: PlaygroundOperation, isWanted: boolean): OutputPart {
  const get = useMemo(
    () => async () => {
      const [output, others] = await Promise.all([
        import('../output.tsx'),
        needsOtherBodies(operation) ? import('../other-bodies.ts') : undefined,
      ])
      return { ...output, others }
    },
    [operation],
  )
  return usePart(get, isWanted)
}
