import { useEffect, useRef, useState } from 'preact/hooks'
import { Words } from '../pieces.tsx'
import { toFileName } from '../send/answer-content.ts'
import type { Answer } from '../send/sent.ts'
import { type AnswerPart, CopyButton, formatSize } from './answer-pieces.tsx'

interface OtherAnswerProps {
  readonly part: AnswerPart
  readonly answer: Answer
  readonly isWhole: boolean
}

/** Everything but a JSON tree: headers, text, images, events, and a note for binary content. */
export function OtherAnswer({ part, answer, isWhole }: OtherAnswerProps) {
  const { reading, size, isCut, itemCount } = answer
  if (part === 'Headers') return <Headers answer={answer} />
  if (part === 'Raw') return <Text answer={answer} />
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

/** Characters of text that are rendered. */
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

/** An image of a type that `chooseReading` allows. Its object URL is revoked when it is no longer shown. */
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

/** Offers the whole content as a download. Its type is binary, so that the browser never opens it as a page. */
export function download({ body, headers, mediaType }: Pick<Answer, 'body' | 'headers' | 'mediaType'>, url: string): void {
  if (!body) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(body)
  link.download = toFileName(headers.find(({ name }) => name === 'content-disposition')?.value, mediaType, url)
  link.click()
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
