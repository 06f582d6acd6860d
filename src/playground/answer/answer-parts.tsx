import { useMemo, useState } from 'preact/hooks'
import { formatSize } from '../send/explain-failure.ts'
import type { Answer } from '../send/sent.ts'
import { CopyButton } from './copy-button.tsx'
import { JsonTree } from './json-tree.tsx'
import { parseTree } from './parse-tree.ts'
import { Picture } from './picture.tsx'
import { Words } from './words.tsx'

const parts = ['Body', 'Headers', 'Raw'] as const

/** What came: its content in the form that fits it, its headers, and its text as it is. */
export function AnswerParts({ answer, isWhole }: { readonly answer: Answer; readonly isWhole: boolean }) {
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
