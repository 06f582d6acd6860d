import { explainFailure, formatSize, formatTime } from '../send/explain-failure.ts'
import type { Sent } from '../send/sent.ts'
import { AnswerParts } from './answer-parts.tsx'
import { CopyButton } from './copy-button.tsx'
import { download } from './download.ts'
import { toStatusText } from './status-text.ts'
import { Words } from './words.tsx'

interface AnswerViewProps {
  /** Absent before anything was sent. */
  readonly sent: Sent | undefined
  readonly onStop: () => void
  /** The request as a command, to be copied where the browser fails. */
  readonly curl: () => string
}

/** What came of the request: its state for everybody, also those who only hear it, and the content in the form that fits it. */
export function AnswerView({ sent, onStop, curl }: AnswerViewProps) {
  return (
    <section class="code res" aria-label="Response">
      <p class="vh" role="status">
        {sent && toSentence(sent)}
      </p>
      {!sent && <p class="fail muted">The answer will be shown here.</p>}
      {sent && <Head sent={sent} onStop={onStop} />}
      {sent?.failure && <FailureView sent={sent} curl={curl} />}
      {sent?.answer && <AnswerParts key={sent.startedAt} answer={sent.answer} isWhole={sent.state !== 'reading'} />}
    </section>
  )
}

/** Said when the state changes, not with every piece that comes. */
function toSentence({ state, answer, failure, request }: Sent): string {
  if (state === 'waiting') return 'Sending'
  if (failure) return explainFailure(failure, request.url, new URL(location.href)).title
  if (!answer) return ''
  if (state === 'reading') return `Answer ${answer.status}, reading`
  return `Answer ${answer.status} ${toStatusText(answer)}, ${formatTime(answer.time.whole)}, ${formatSize(answer.size)}`
}

function Head({ sent, onStop }: { readonly sent: Sent; readonly onStop: () => void }) {
  const { state, answer, startedAt, request } = sent
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
        <button type="button" class="btn quiet" onClick={() => download(answer, request.url)}>
          Download
        </button>
      )}
    </div>
  )
}

function FailureView({ sent, curl }: { readonly sent: Sent; readonly curl: () => string }) {
  if (!sent.failure) return null
  const { title, text, hints, header } = explainFailure(sent.failure, sent.request.url, new URL(location.href))
  return (
    <div class="fail">
      <h3>{title}</h3>
      <p>
        <Words text={text} />
      </p>
      <ul>
        {hints.map((hint) => (
          <li>
            <Words text={hint} />
          </li>
        ))}
      </ul>
      {header && (
        <div class="code">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
          <pre tabIndex={0} role="group" aria-label="Header to add">
            <code>{header}</code>
          </pre>
        </div>
      )}
      {hints.length > 0 && <CopyButton text={curl}>Copy as curl</CopyButton>}
    </div>
  )
}
