import { formatSize, formatTime } from '../send/format-amount.ts'
import type { Sent } from '../send/sent.ts'
import { PartNote, usePart } from '../use-part.tsx'
import { AnswerParts } from './answer-parts.tsx'
import { toStatusText } from './status-text.ts'

interface AnswerViewProps {
  /** Absent before anything was sent. */
  readonly sent: Sent | undefined
  readonly onStop: () => void
}

const getFailure = () => import('./failure-view.tsx')

/** What came of the request: its state for everybody, also those who only hear it, and the content in the form that fits it. */
export function AnswerView({ sent, onStop }: AnswerViewProps) {
  const part = usePart(getFailure, sent?.failure !== undefined)
  const { FailureView, explainFailure } = part.module ?? {}
  const explained = sent?.failure && explainFailure?.(sent.failure, sent.request.url, new URL(location.href))
  return (
    <section class="code res" aria-label="Response">
      <p class="vh" role="status">
        {sent && toSentence(sent, explained?.title)}
      </p>
      {!sent && <p class="fail muted">The answer will be shown here.</p>}
      {sent && <Head sent={sent} onStop={onStop} />}
      {sent?.failure &&
        (explained && FailureView ? (
          <FailureView explained={explained} request={sent.request} />
        ) : (
          <PartNote what="The request failed. The reason" part={part} />
        ))}
      {sent?.answer && <AnswerParts key={sent.startedAt} answer={sent.answer} isWhole={sent.state !== 'reading'} />}
    </section>
  )
}

/** Said when the state changes, not with every piece that comes. */
function toSentence({ state, answer, failure }: Sent, title = ''): string {
  if (state === 'waiting') return 'Sending'
  if (failure) return title
  if (!answer) return ''
  if (state === 'reading') return `Answer ${answer.status}, reading`
  return `Answer ${answer.status} ${toStatusText(answer)}, ${formatTime(answer.time.whole)}, ${formatSize(answer.size)}`
}

const getDownload = () => import('./download.ts')

function Head({ sent, onStop }: { readonly sent: Sent; readonly onStop: () => void }) {
  const { state, answer, startedAt, request } = sent
  const downloads = usePart(getDownload, false)
  const isRunning = state === 'waiting' || state === 'reading'
  const kind = { 2: 'ok', 3: 'run', 4: 'warn' }[String(answer?.status).charAt(0)] ?? 'bad'
  return (
    <div class="meta">
      {answer && (
        <span class={`st ${kind}`}>
          <span class="num">{answer.status}</span> {toStatusText(answer)}
        </span>
      )}
      {!answer && isRunning && <span>Sending …</span>}
      {answer && (
        <>
          <span class="num" title={`Head after ${formatTime(answer.time.head)}`}>
            {formatTime(answer.time.whole)}
          </span>
          <span class="num">{formatSize(answer.size)}</span>
        </>
      )}
      <span class="num">{new Date(startedAt).toLocaleTimeString()}</span>
      {isRunning && (
        <button type="button" class="btn" onClick={onStop}>
          Stop
        </button>
      )}
      {!isRunning && answer?.body && answer.size > 0 && (
        <button type="button" class="btn quiet" onClick={async () => (await downloads.load())?.download(answer, request.url)}>
          Download
        </button>
      )}
      {downloads.isMissing && <PartNote what="What downloads" part={downloads} />}
    </div>
  )
}
