import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { explainFailure, formatSize, formatTime } from '../send/explain-failure.ts'
import type { Answer, Sent } from '../send/sent.ts'
import { CopyButton } from './copy-button.tsx'
import { download } from './download.ts'
import { JsonTree } from './json-tree.tsx'
import { parseTree } from './parse-tree.ts'
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
      {sent?.answer && <Parts key={sent.startedAt} answer={sent.answer} isWhole={sent.state !== 'reading'} />}
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
          <pre>
            <code>{header}</code>
          </pre>
        </div>
      )}
      {hints.length > 0 && <CopyButton text={curl}>Copy as curl</CopyButton>}
    </div>
  )
}

const parts = ['Body', 'Headers', 'Raw'] as const

function Parts({ answer, isWhole }: { readonly answer: Answer; readonly isWhole: boolean }) {
  const [part, setPart] = useState<(typeof parts)[number]>('Body')
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
        {parts
          .filter((one) => hasRaw || one !== 'Raw')
          .map((one) => (
            <label>
              <input type="radio" name="part" checked={part === one} onChange={() => setPart(one)} /> {one}
            </label>
          ))}
      </fieldset>
      <section>
        {part === 'Headers' && <Headers answer={answer} />}
        {part === 'Raw' && <Text answer={answer} />}
        {part === 'Body' && <Body answer={answer} isWhole={isWhole} />}
      </section>
    </div>
  )
}

function Headers({ answer: { headers } }: { readonly answer: Answer }) {
  return (
    <>
      <dl class="heads">
        {headers.map(({ name, value }) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <p class="fail">
        The browser lets this page read {headers.length === 1 ? 'this header' : `these ${headers.length}`}; there may be more,
        which the server does not expose to pages.
      </p>
    </>
  )
}

function Body({ answer, isWhole }: { readonly answer: Answer; readonly isWhole: boolean }) {
  const { reading, text, size, isCut, itemCount } = answer
  const root = useMemo(
    () => (reading === 'json' && isWhole && !isCut ? parseTree(text) : undefined),
    [reading, isWhole, isCut, text],
  )
  if (size === 0) return <p class="fail">{isWhole ? 'The answer has no content.' : 'Nothing has come yet.'}</p>
  if (root) return <JsonTree root={root} source={text} />
  if (reading === 'image' && answer.body) return <Picture answer={answer} body={answer.body} />
  if (reading === 'image' || reading === 'binary') {
    return (
      <p class="fail">
        <Words
          text={`${formatSize(size)} of \`${answer.mediaType ?? 'no stated type'}\`, which is not shown here. Download it to open it.`}
        />
      </p>
    )
  }
  if ((reading === 'events' || reading === 'lines') && itemCount > 0) return <Items answer={answer} />
  return (
    <>
      {reading === 'json' && isWhole && (
        <p class="fail">{isCut ? 'Too large to be shown as a tree.' : 'This is not valid JSON; it is shown as text.'}</p>
      )}
      <Text answer={answer} />
    </>
  )
}

/** Characters of text that are laid out. */
const maxShown = 200_000

function Text({ answer: { text, isCut, size } }: { readonly answer: Answer }) {
  const isShort = text.length <= maxShown && !isCut
  return (
    <>
      {!isShort && <p class="fail">The beginning of {formatSize(size)}. The download has all of it.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <pre tabIndex={0} role="group" aria-label="Response as text">
        <code>{text.slice(0, maxShown)}</code>
      </pre>
      {isShort && text !== '' && (
        <div class="tools">
          <CopyButton text={() => text}>Copy</CopyButton>
        </div>
      )}
    </>
  )
}

function Items({ answer: { items, itemCount, reading } }: { readonly answer: Answer }) {
  const word = reading === 'events' ? 'event' : 'line'
  return (
    <>
      <p class="fail">
        {itemCount} {itemCount === 1 ? word : `${word}s`}
        {items.length < itemCount ? `, the last ${items.length} are shown` : ''}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <ol class="heads" tabIndex={0} aria-label={`${word}s`}>
        {items.map(({ number, event, id, data }) => (
          <li key={number}>
            <span class="muted">
              {number}
              {event !== undefined && ` ${event}`}
              {id !== undefined && ` #${id}`}
            </span>{' '}
            {data.slice(0, 10_000)}
          </li>
        ))}
      </ol>
    </>
  )
}

/** Only types of `chooseReading`; the address lasts as long as the picture is shown. */
function Picture({ answer: { mediaType = '' }, body }: { readonly answer: Answer; readonly body: Blob }) {
  const image = useRef<HTMLImageElement>(null)
  const [said, say] = useState('')
  useEffect(() => {
    const url = URL.createObjectURL(body.slice(0, body.size, mediaType))
    if (image.current) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [body, mediaType])
  return (
    <figure class="picture">
      <img
        ref={image}
        alt="Response"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => say(`${naturalWidth} × ${naturalHeight} pixels`)}
        onError={() => say('The browser cannot show this picture. Download it to open it.')}
      />
      <figcaption>{said}</figcaption>
    </figure>
  )
}
