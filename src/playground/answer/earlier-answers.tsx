import { useEffect, useState } from 'preact/hooks'
import type { Sent } from '../send/sent.ts'

/** Ended requests that are kept, and bytes of what they were answered with altogether. */
const most = 10
const mostBytes = 20_000_000

interface EarlierAnswersProps {
  /** The last request. */
  readonly sent: Sent | undefined
  /** Told which one is to be shown; absent for the last one. */
  readonly onShow: (sent: Sent | undefined) => void
  readonly shown: Sent | undefined
}

/** The choice among the last answers, in the memory of the page alone: to see what another value changed. Nothing before the second. */
export function EarlierAnswers({ sent, shown, onShow }: EarlierAnswersProps) {
  const [kept, setKept] = useState<readonly Sent[]>([])
  const hasEnded = sent?.state === 'done' || sent?.state === 'failed'
  // A new request is looked at itself.
  useEffect(() => onShow(undefined), [sent?.startedAt])
  useEffect(() => {
    if (sent && hasEnded) setKept((before) => limit([sent, ...before.filter(({ startedAt }) => startedAt !== sent.startedAt)]))
  }, [hasEnded && sent])
  if (kept.length < 2) return null
  return (
    <select
      class="in"
      aria-label="Earlier answers"
      value={String(shown ? kept.indexOf(shown) : hasEnded ? 0 : -1)}
      onChange={({ currentTarget: { value } }) => onShow(kept[Number(value)])}
    >
      {!hasEnded && <option value="-1">Now</option>}
      {kept.map(({ startedAt, request, answer }, index) => (
        <option value={String(index)}>
          {new Date(startedAt).toLocaleTimeString()} {answer?.status ?? 'failed'}{' '}
          {request.url.replace(/^\w+:\/\/[^/]*/, '').split('?', 1)}
        </option>
      ))}
    </select>
  )
}

function limit(all: readonly Sent[]): readonly Sent[] {
  let bytes = 0
  return all.slice(0, most).filter(({ answer }, index) => {
    bytes += answer?.size ?? 0
    return index === 0 || bytes <= mostBytes
  })
}
