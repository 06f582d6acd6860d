import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readOwn } from '../../text/json/json-values.ts'
import { LoadingNote, useLazyModule } from '../controls/loading.tsx'
import { IconButton, TextWithCode } from '../controls/pieces.tsx'
import { say, textLanguage } from '../controls/playground-messages.ts'
import {
  formatSize,
  formatTime,
  maxTreeText,
  type ResponseTab,
  responseTabs,
  toStatusText,
} from '../controls/response-pieces.tsx'
import type { HttpRequest } from '../request/http-request.ts'
import type { ReceivedResponse, Sent } from '../send/sent.ts'
import { JsonTree } from './json-tree.tsx'
import { parseTree } from './parse-tree.ts'

interface ResponseViewProps {
  /** Absent before anything was sent. */
  readonly sent: Sent | undefined
  /** Whether the form now describes another request. */
  readonly isOutdated: boolean
  readonly onSend: () => void
  readonly onRelay: (request: HttpRequest) => void
}

const getFailure = () => import('./failure-view.tsx')

/** The outcome of a request: its state, announced to screen readers, and the response. */
export function ResponseView({ sent, isOutdated, onSend, onRelay }: ResponseViewProps) {
  const part = useLazyModule(getFailure, sent?.failure !== undefined)
  const { FailureView, explainFailure } = part.module ?? {}
  const explained = sent?.failure && explainFailure?.(sent.failure, sent.request, new URL(location.href))
  const section = useRef<HTMLElement>(null)
  // The focus stays on the button.
  useEffect(() => {
    if (sent) section.current?.scrollIntoView()
  }, [sent?.startedAt])
  return (
    <section class={sent ? 'code res sent' : 'code res'} ref={section} aria-label={say('Response')}>
      <p class="vh" role="status">
        {sent && toSentence(sent, explained?.title)}
      </p>
      {!sent && <ExampleResponse />}
      {sent && <ResponseHead sent={sent} />}
      {isOutdated && <p class="fail outdated">{say('The form has changed since this request was sent.')}</p>}
      {sent?.isRelayed && (
        <p class="fail">
          <TextWithCode text={say('Sent through `{host}`', location.host)} />
        </p>
      )}
      {sent?.failure &&
        (explained && FailureView ? (
          <FailureView failure={sent.failure} explained={explained} request={sent.request} onSend={onSend} onRelay={onRelay} />
        ) : (
          <LoadingNote what={say('The request failed. The error details')} part={part} />
        ))}
      {sent?.response && <ResponseTabs key={sent.startedAt} response={sent.response} isWhole={sent.state !== 'reading'} />}
    </section>
  )
}

/** What the section shows before anything was sent: the example response that is selected on the page. */
function ExampleResponse() {
  const [example, setExample] = useState(readExample)
  useEffect(() => {
    const update = () => setExample(readExample())
    document.addEventListener('change', update)
    return () => document.removeEventListener('change', update)
  }, [])
  const note = <p class="fail muted">{say('Send the request to see the response here.')}</p>
  if (!example) return note
  return (
    <>
      {note}
      <p class="meta">{example.label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
      <pre tabIndex={0} role="group" aria-label={example.label}>
        <code dangerouslySetInnerHTML={{ __html: example.html }} />
      </pre>
    </>
  )
}

function readExample(): { readonly label: string; readonly html: string } | undefined {
  const label = document.querySelector('#samples input[name=response]:checked')?.closest('label')
  const panels = label?.closest('.tabs')?.querySelectorAll(':scope > div') ?? []
  const code =
    label && panels[[...(label.parentElement?.querySelectorAll('label') ?? [])].indexOf(label)]?.querySelector('pre code')
  // Rendered by the build.
  return code ? { label: code.parentElement?.ariaLabel ?? '', html: code.innerHTML } : undefined
}

/** The sentence for screen readers. It changes with the state and not with every chunk. */
function toSentence({ state, response, failure }: Sent, title = ''): string {
  if (state === 'waiting') return say('Sending')
  if (failure) return title
  if (!response) return ''
  if (state === 'reading') return say('Response {status}, loading', String(response.status))
  const { status, time, size } = response
  return say('Response {status}, {time}, {size}', `${status} ${toStatusText(response)}`, formatTime(time.whole), formatSize(size))
}

/** Another function than for the content, so that each has its own message if the script cannot be loaded. */
const getDownload = () => getOtherResponses()

function ResponseHead({ sent }: { readonly sent: Sent }) {
  const { state, response, startedAt, request } = sent
  const downloads = useLazyModule(getDownload, false)
  const isRunning = state === 'waiting' || state === 'reading'
  const kind = readOwn({ 2: 'ok', 3: 'run', 4: 'warn' }, String(response?.status).charAt(0)) ?? 'bad'
  return (
    <div class="meta">
      <span class="facts">
        {response ? (
          <>
            <span class={`st ${kind}`}>
              <span class="num">{response.status}</span> {toStatusText(response)}
            </span>
            <span class="num" title={say('Headers after {time}', formatTime(response.time.head))}>
              {formatTime(response.time.whole)}
            </span>
            <span class="num">{formatSize(response.size)}</span>
          </>
        ) : (
          isRunning && <span>{say('Sending…')}</span>
        )}
        <span class="num">{new Date(startedAt).toLocaleTimeString(textLanguage)}</span>
      </span>
      <span>
        <FullWidthButton />
        {!isRunning && response?.body && response.size > 0 && (
          <button type="button" class="btn quiet" onClick={async () => (await downloads.load())?.download(response, request.url)}>
            {say('Download')}
          </button>
        )}
      </span>
      {downloads.isMissing && <LoadingNote what={say('The download')} part={downloads} />}
    </div>
  )
}

/** The button that hides the form, so that the response has the full width. */
function FullWidthButton() {
  const [isFull, setFull] = useState(() => findDialog()?.classList.contains('full') === true)
  useEffect(() => {
    findDialog()?.classList.toggle('full', isFull)
  }, [isFull])
  return (
    <IconButton
      icon={isFull ? 'shrink' : 'widen'}
      class="btn quiet icon widen"
      label={say('Full width')}
      title={isFull ? say('Show the form') : say('Full width')}
      aria-pressed={isFull}
      onClick={() => setFull(!isFull)}
    />
  )
}

const findDialog = () => document.querySelector('dialog.play')

const getOtherResponses = () => import('./other-responses.tsx')

/** A response as tabs: formatted body, headers and raw text. */
function ResponseTabs({ response, isWhole }: { readonly response: ReceivedResponse; readonly isWhole: boolean }) {
  const [part, setPart] = useState<ResponseTab>('Body')
  const hasRaw = response.reading === 'json' || response.reading === 'events' || response.reading === 'lines'
  return (
    <div class="tabs parts">
      {response.redirectedTo && (
        <p class="fail">
          <TextWithCode text={say('Redirected to `{url}`', response.redirectedTo)} />
        </p>
      )}
      <fieldset>
        <legend class="vh">{say('Parts of the response')}</legend>
        {responseTabs
          .filter((one) => hasRaw || one !== 'Raw')
          .map((one) => (
            <label>
              <input type="radio" name="part" checked={part === one} onChange={() => setPart(one)} /> {say(one)}
            </label>
          ))}
      </fieldset>
      <section>
        <Content part={part} response={response} isWhole={isWhole} />
      </section>
    </div>
  )
}

/** The content of a tab. The JSON viewer is part of this script; the other viewers are loaded on demand. */
function Content(props: { readonly part: ResponseTab; readonly response: ReceivedResponse; readonly isWhole: boolean }) {
  const { part, response, isWhole } = props
  const { reading, text, size, isCut } = response
  const root = useMemo(
    () => (reading === 'json' && isWhole && !isCut && text.length <= maxTreeText ? parseTree(text) : undefined),
    [reading, isWhole, isCut, text],
  )
  const isShown = part === 'Body' && (size === 0 || root !== undefined)
  const others = useLazyModule(getOtherResponses, !isShown)
  if (isShown && size === 0) return <p class="fail">{isWhole ? say('The response has no body.') : say('Waiting for data…')}</p>
  if (isShown && root) return <JsonTree root={root} source={text} />
  return others.module ? (
    <others.module.OtherResponse {...props} />
  ) : (
    <LoadingNote what={say('The response viewer')} part={others} />
  )
}

/** Limits of the history: the number of finished requests, and the total size of their responses. */
const maxKeptRequests = 10
const maxKeptBytes = 20_000_000

interface PreviousResponsesProps {
  /** The latest request. */
  readonly sent: Sent | undefined
  /** Receives the request to show; `undefined` for the latest one. */
  readonly onShow: (sent: Sent | undefined) => void
  readonly shown: Sent | undefined
}

/** A menu of recent responses, kept in memory. Hidden until there are two. */
export function PreviousResponses({ sent, shown, onShow }: PreviousResponsesProps) {
  const [keptRequests, setKeptRequests] = useState<readonly Sent[]>([])
  const hasEnded = sent?.state === 'done' || sent?.state === 'failed'
  // Switch to the new request.
  useEffect(() => onShow(undefined), [sent?.startedAt])
  useEffect(() => {
    if (sent && hasEnded)
      setKeptRequests((before) => limit([sent, ...before.filter(({ startedAt }) => startedAt !== sent.startedAt)]))
  }, [hasEnded && sent])
  if (keptRequests.length < 2) return null
  return (
    <select
      class="in"
      dir="ltr"
      aria-label={say('Previous responses')}
      value={String(shown ? keptRequests.indexOf(shown) : hasEnded ? 0 : -1)}
      onChange={({ currentTarget: { value } }) => onShow(keptRequests[Number(value)])}
    >
      {!hasEnded && <option value="-1">{say('Current')}</option>}
      {keptRequests.map(({ startedAt, request, response }, index) => (
        <option value={String(index)}>
          {new Date(startedAt).toLocaleTimeString(textLanguage)} {response?.status ?? say('failed')}{' '}
          {request.url.replace(/^\w+:\/\/[^/]*/, '').split('?', 1)}
        </option>
      ))}
    </select>
  )
}

function limit(all: readonly Sent[]): readonly Sent[] {
  let bytes = 0
  return all.slice(0, maxKeptRequests).filter(({ response }, index) => {
    bytes += response?.size ?? 0
    return index === 0 || bytes <= maxKeptBytes
  })
}
