import { useEffect, useMemo, useState } from 'preact/hooks'
import { PartNote, usePart } from '../loading.tsx'
import { Words } from '../pieces.tsx'
import type { Answer, Sent } from '../send/sent.ts'
import { type AnswerPart, answerParts, formatSize, formatTime, toStatusText } from './answer-pieces.tsx'
import { JsonTree } from './json-tree.tsx'
import { parseTree } from './parse-tree.ts'

interface AnswerViewProps {
  /** Absent before anything was sent. */
  readonly sent: Sent | undefined
  readonly onStop: () => void
}

const getFailure = () => import('./failure-view.tsx')

/** The outcome of a request: its state, also for screen readers, and the content of the response. */
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

/** The sentence for screen readers. It changes with the state, not with every chunk. */
function toSentence({ state, answer, failure }: Sent, title = ''): string {
  if (state === 'waiting') return 'Sending'
  if (failure) return title
  if (!answer) return ''
  if (state === 'reading') return `Answer ${answer.status}, reading`
  return `Answer ${answer.status} ${toStatusText(answer)}, ${formatTime(answer.time.whole)}, ${formatSize(answer.size)}`
}

const getDownload = () => import('./other-answers.tsx')

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

const getOtherAnswers = () => import('./other-answers.tsx')

/** A response as tabs: formatted body, headers and raw text. */
function AnswerParts({ answer, isWhole }: { readonly answer: Answer; readonly isWhole: boolean }) {
  const [part, setPart] = useState<AnswerPart>('Body')
  const hasRaw = answer.reading === 'json' || answer.reading === 'events' || answer.reading === 'lines'
  return (
    <div class="tabs parts">
      {answer.redirectedTo && (
        <p class="fail">
          <Words text={`Redirected to \`${answer.redirectedTo}\``} />
        </p>
      )}
      <fieldset>
        <legend class="vh">Parts of the response</legend>
        {answerParts
          .filter((one) => hasRaw || one !== 'Raw')
          .map((one) => (
            <label>
              <input type="radio" name="part" checked={part === one} onChange={() => setPart(one)} /> {one}
            </label>
          ))}
      </fieldset>
      <section>
        <Content part={part} answer={answer} isWhole={isWhole} />
      </section>
    </div>
  )
}

/** The viewer for JSON is part of this script; the others are loaded on demand. */
function Content(props: { readonly part: AnswerPart; readonly answer: Answer; readonly isWhole: boolean }) {
  const { part, answer, isWhole } = props
  const { reading, text, size, isCut } = answer
  const root = useMemo(
    () => (reading === 'json' && isWhole && !isCut ? parseTree(text) : undefined),
    [reading, isWhole, isCut, text],
  )
  const isShown = part === 'Body' && (size === 0 || root !== undefined)
  const others = usePart(getOtherAnswers, !isShown)
  if (isShown && size === 0) return <p class="fail">{isWhole ? 'The answer has no content.' : 'Nothing has come yet.'}</p>
  if (isShown && root) return <JsonTree root={root} source={text} />
  return others.module ? <others.module.OtherAnswer {...props} /> : <PartNote what="What shows this answer" part={others} />
}

/** Limits for finished requests that are kept: their number, and the total size of the responses. */
const most = 10
const mostBytes = 20_000_000

interface EarlierAnswersProps {
  /** The latest request. */
  readonly sent: Sent | undefined
  /** Receives the request to show, `undefined` for the latest one. */
  readonly onShow: (sent: Sent | undefined) => void
  readonly shown: Sent | undefined
}

/** A menu of recent responses, kept in memory only, to compare the effect of different values. Hidden until there are two. */
export function EarlierAnswers({ sent, shown, onShow }: EarlierAnswersProps) {
  const [kept, setKept] = useState<readonly Sent[]>([])
  const hasEnded = sent?.state === 'done' || sent?.state === 'failed'
  // Switch to the new request.
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
