import { useEffect, useRef, useState } from 'preact/hooks'
import { LoadingNote, useLazyModule } from '../controls/loading.tsx'
import { TextWithCode } from '../controls/pieces.tsx'
import { say, sayCount } from '../controls/playground-messages.ts'
import { CopyButton, formatSize, formatTime, maxTreeText, type ResponseTab } from '../controls/response-pieces.tsx'
import { toFileName } from '../send/response-content.ts'
import type { ReceivedResponse } from '../send/sent.ts'

interface OtherResponseProps {
  readonly part: ResponseTab
  readonly response: ReceivedResponse
  readonly isWhole: boolean
}

/** Every view except the JSON tree: headers, timing, text, events, images, players and bytes. */
export function OtherResponse({ part, response, isWhole }: OtherResponseProps) {
  const { reading, size, isCut, itemCount, text } = response
  if (part === 'Headers') return <Headers response={response} />
  if (part === 'Raw') return <Text response={response} isWhole={isWhole} />
  if (part === 'Timing') return <Timing response={response} />
  if (reading !== 'json' && reading !== 'text' && reading !== 'events' && reading !== 'lines') {
    const { body } = response
    if (!body) return <p class="fail">{say('{size} received…', formatSize(size))}</p>
    if (reading === 'image') return <ImagePreview response={response} body={body} />
    if (reading === 'audio' || reading === 'video') return <Player response={response} body={body} />
    return reading === 'pdf' ? <PdfLink body={body} /> : <Bytes response={response} body={body} />
  }
  if ((reading === 'events' || reading === 'lines') && itemCount > 0) return <Items response={response} />
  return (
    <>
      {reading === 'json' && isWhole && !isCut && text.length <= maxTreeText && (
        <p class="fail">{say('The response is not valid JSON, so it is shown as text.')}</p>
      )}
      <Text response={response} isWhole={isWhole} isJson={reading === 'json'} />
    </>
  )
}

function Headers({ response: { headers } }: { readonly response: ReceivedResponse }) {
  return (
    <>
      <dl class="heads">
        {headers.map(({ name, value }) => (
          <>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </>
        ))}
      </dl>
      <p class="fail">
        {say('There may be more headers. The browser hides those that the server does not expose to this page.')}
      </p>
    </>
  )
}

/** The most characters of text that are rendered without the viewer for long text. */
const maxShown = 200_000

const getLongTextView = () => import('./long-text-view.tsx')

interface TextProps {
  readonly response: ReceivedResponse
  readonly isWhole: boolean
  /** Whether to format JSON. */
  readonly isJson?: boolean
}

function Text({ response: { text, isCut, size }, isWhole, isJson = false }: TextProps) {
  const isShort = text.length <= maxShown && !isCut
  const isLong = isWhole && !isCut && !isShort
  const viewer = useLazyModule(getLongTextView, isLong)
  if (isLong) {
    return viewer.module ? (
      <viewer.module.LongTextView text={text} isJson={isJson} />
    ) : (
      <LoadingNote what={say('The viewer for long text')} part={viewer} />
    )
  }
  return (
    <>
      {!isShort && (
        <p class="fail">{say('Only the beginning is shown. Download the response to see all {size}.', formatSize(size))}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
      <pre class="wrap" tabIndex={0} role="group" aria-label={say('Response as text')}>
        <code>{text.slice(0, maxShown)}</code>
      </pre>
      {isShort && text !== '' && (
        <div class="tools">
          <CopyButton text={() => text}>{say('Copy')}</CopyButton>
        </div>
      )}
    </>
  )
}

/** How long the request took, and the sizes of its bodies. */
function Timing({ response: { time, size, requestSize } }: { readonly response: ReceivedResponse }) {
  const facts = [
    [say('Until the headers'), formatTime(time.head)],
    [say('Reading the body'), formatTime(time.whole - time.head)],
    [say('Total'), formatTime(time.whole)],
    [say('Request body'), formatSize(requestSize)],
    [say('Response body'), formatSize(size)],
  ]
  return (
    <>
      <dl class="heads">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <p class="fail">
        {say('Measured in the page, with the time for the CORS preflight. The response body is counted uncompressed.')}
      </p>
    </>
  )
}

/** Events or lines in their order. Follows the latest one unless the reader has scrolled up. */
function Items({ response: { items, itemCount, reading } }: { readonly response: ReceivedResponse }) {
  const isEvents = reading === 'events'
  const total = isEvents
    ? sayCount(itemCount, '{count} event', '{count} events')
    : sayCount(itemCount, '{count} line', '{count} lines')
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (isAtEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [itemCount])
  return (
    <>
      <p class="fail">{items.length < itemCount ? say('{items}, showing the last {count}', total, items.length) : total}</p>
      <ol
        ref={list}
        class="heads"
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
        tabIndex={0}
        aria-label={isEvents ? say('events') : say('lines')}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8
        }}
      >
        {items.map(({ number, event, id, data, after }) => (
          <li key={number}>
            <span class="muted">
              {number}
              {event !== undefined && ` ${event}`}
              {id !== undefined && ` #${id}`} {formatTime(after)}
            </span>{' '}
            {data.slice(0, 10_000)}
          </li>
        ))}
      </ol>
    </>
  )
}

interface BodyProps {
  readonly response: ReceivedResponse
  readonly body: Blob
}

/** An object URL of the body, revoked when the body is no longer shown. */
function useObjectUrl(body: Blob, mediaType: string): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const created = URL.createObjectURL(body.slice(0, body.size, mediaType))
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [body, mediaType])
  return url
}

function ImagePreview({ response: { mediaType = '' }, body }: BodyProps) {
  const url = useObjectUrl(body, mediaType)
  const [notice, setNotice] = useState('')
  return (
    <figure class="picture">
      <img
        src={url}
        alt={say('Response')}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setNotice(say('{width} × {height} pixels', naturalWidth, naturalHeight))
        }
        onError={() => setNotice(say('The browser cannot display this image. Download it to open it.'))}
      />
      <figcaption>{notice}</figcaption>
    </figure>
  )
}

function Player({ response: { mediaType = '', reading }, body }: BodyProps) {
  const url = useObjectUrl(body, mediaType)
  const [notice, setNotice] = useState('')
  const onError = () => setNotice(say('The browser cannot play this. Download it to open it.'))
  return (
    <figure class="picture">
      {reading === 'audio' ? (
        // biome-ignore lint/a11y/useMediaCaption: responses have no captions
        <audio src={url} controls aria-label={say('Response')} onError={onError} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: responses have no captions
        <video src={url} controls aria-label={say('Response')} onError={onError} />
      )}
      <figcaption>{notice}</figcaption>
    </figure>
  )
}

/** A link to the browser's PDF viewer, if it has one. The content is always opened as PDF, so it cannot run scripts of this site. */
function PdfLink({ body }: Pick<BodyProps, 'body'>) {
  const url = useObjectUrl(body, 'application/pdf')
  return (
    <p class="fail">
      {say('PDF document, {size}.', formatSize(body.size))}{' '}
      {!navigator.pdfViewerEnabled && say('This browser cannot display PDF files. Download it to open it.')}
      {navigator.pdfViewerEnabled && url !== undefined && (
        <a href={url} target="_blank" rel="noopener">
          {say('Open in a new tab')}
        </a>
      )}
    </p>
  )
}

/** The first bytes of binary content that are shown. */
const maxBytes = 256

/** The beginning of binary content as hexadecimal numbers and text. */
function Bytes({ response: { mediaType }, body }: BodyProps) {
  const [bytes, setBytes] = useState(new Uint8Array())
  useEffect(() => {
    let isShown = true
    void body
      .slice(0, maxBytes)
      .arrayBuffer()
      .then((buffer) => isShown && setBytes(new Uint8Array(buffer)))
    return () => {
      isShown = false
    }
  }, [body])
  const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, index) => bytes.slice(index * 16, index * 16 + 16))
  return (
    <>
      <p class="fail">
        <TextWithCode
          text={
            (mediaType
              ? say('Cannot display `{type}` ({size}). Download the response to open it.', mediaType, formatSize(body.size))
              : say(
                  'Cannot display content of unknown type ({size}). Download the response to open it.',
                  formatSize(body.size),
                )) + (body.size > maxBytes ? ` ${say('The first {count} bytes:', maxBytes)}` : '')
          }
        />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
      <pre tabIndex={0} role="group" aria-label={say('Bytes')}>
        <code>{rows.map(toHexRow).join('\n')}</code>
      </pre>
    </>
  )
}

function toHexRow(bytes: Uint8Array, index: number): string {
  const numbers = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ')
  const text = Array.from(bytes, (byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
  return `${(index * 16).toString(16).padStart(4, '0')}  ${numbers.padEnd(47)}  ${text}`
}

/** Downloads the whole content as binary data, so that the browser never opens it as a page. */
export function download(
  { body, headers, mediaType }: Pick<ReceivedResponse, 'body' | 'headers' | 'mediaType'>,
  url: string,
): void {
  if (!body) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(body)
  link.download = toFileName(headers.find(({ name }) => name === 'content-disposition')?.value, mediaType, url)
  link.click()
  // By then, the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
