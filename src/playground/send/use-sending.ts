import { useEffect, useRef, useState } from 'preact/hooks'
import { hasCredentials } from '../authentication/use-credentials.ts'
import type { PlaygroundOperation, PlaygroundSettings, PlaygroundValues } from '../types.ts'
import type { OutputPart } from '../use-output.ts'
import type { Sent } from './sent.ts'

export interface Sending {
  /** The last request that was sent, with what has come of it. */
  readonly sent: Sent | undefined
  readonly isRunning: boolean
  /** The last try, a new object each time; absent before the first. */
  readonly tried: SendingTry | undefined
  readonly send: () => void
  readonly stop: () => void
  /** Takes back what was told of the last try. */
  readonly forget: () => void
}

/** That somebody wanted to send, and whether it was held back: its address would have been wrong. */
export interface SendingTry {
  readonly isHeld: boolean
}

/** Sends what is filled in, once `load` has what sends. One request at a time: a new one stops the one before, and so does the end of the dialog. */
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
    // Pressed again, or closed, before it was there.
    if (signal.aborted || !loaded) return
    const isHeld = loaded.sendValues(operation, values, loaded.others, {
      withCookies,
      hasCredentials: hasCredentials(operation.security, values.credentials),
      signal,
      // What comes of a request that another one has taken the place of is not shown.
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
