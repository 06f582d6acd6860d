import { useEffect, useRef, useState } from 'preact/hooks'
import { TextWithCode } from '../pieces.tsx'
import { toFileName } from '../send/response-content.ts'
import type { ReceivedResponse } from '../send/sent.ts'
import { CopyButton, formatSize, type ResponseTab } from './response-pieces.tsx'

interface OtherResponseProps {
  readonly part: ResponseTab
  readonly response: ReceivedResponse
  readonly isWhole: boolean
}

/** Every view except the JSON tree: headers, text, images, events, and a note for binary content. */
export function OtherResponse({ part, response, isWhole }: OtherResponseProps) {
  const { reading, size, isCut, itemCount } = response
  if (part === 'Headers') return <Headers response={response} />
  if (part === 'Raw') return <Text response={response} />
  if (reading === 'image' && response.body) return <ImagePreview response={response} body={response.body} />
  if (reading === 'image' || reading === 'binary') {
    return (
      <p class="fail">
        <TextWithCode
          text={`Cannot display ${response.mediaType ? `\`${response.mediaType}\`` : 'content of unknown type'} (${formatSize(size)}). Download the response to open it.`}
        />
      </p>
    )
  }
  if ((reading === 'events' || reading === 'lines') && itemCount > 0) return <Items response={response} />
  return (
    <>
      {reading === 'json' && isWhole && (
        <p class="fail">
          {isCut ? 'The response is too large to show as a tree.' : 'The response is not valid JSON, so it is shown as text.'}
        </p>
      )}
      <Text response={response} />
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
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <p class="fail">There may be more headers. The browser hides those that the server does not expose to this page.</p>
    </>
  )
}

/** The most characters of text that are rendered. */
const maxShown = 200_000

function Text({ response: { text, isCut, size } }: { readonly response: ReceivedResponse }) {
  const isShort = text.length <= maxShown && !isCut
  return (
    <>
      {!isShort && <p class="fail">Only the beginning is shown. Download the response to see all {formatSize(size)}.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
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

function Items({ response: { items, itemCount, reading } }: { readonly response: ReceivedResponse }) {
  const word = reading === 'events' ? 'event' : 'line'
  return (
    <>
      <p class="fail">
        {itemCount} {itemCount === 1 ? word : `${word}s`}
        {items.length < itemCount ? `, showing the last ${items.length}` : ''}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
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

/** An image. Its object URL is revoked when the image is no longer shown. */
function ImagePreview({ response: { mediaType = '' }, body }: { readonly response: ReceivedResponse; readonly body: Blob }) {
  const image = useRef<HTMLImageElement>(null)
  const [notice, setNotice] = useState('')
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
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setNotice(`${naturalWidth} × ${naturalHeight} pixels`)}
        onError={() => setNotice('The browser cannot display this image. Download it to open it.')}
      />
      <figcaption>{notice}</figcaption>
    </figure>
  )
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
