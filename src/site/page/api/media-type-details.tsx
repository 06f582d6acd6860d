import { toJsonText } from '../../../playground/request/read-operation.ts'
import { fillMessage, formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { EncodingView, ExampleView, MediaTypeView } from '../../reference/types.ts'
import { AudioPlayer } from '../code/code-block.tsx'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import { toElementId } from '../element-ids.ts'
import type { ApiContext } from './api-context.ts'
import { findAudioUrl } from './samples.tsx'
import { PropertyRow } from './schema-content.tsx'
import { hasExampleWords } from './schema-facts.tsx'

interface EncodingsProps {
  readonly encoding: readonly EncodingView[]
  readonly api: ApiContext
  readonly id: string
}

/** How the properties of a form are sent. */
export function Encodings({ encoding, api, id }: EncodingsProps) {
  if (encoding.length === 0) return null
  const { messages } = api.site
  const texts = messages.reference
  return (
    <>
      <ul class="facts">
        {encoding.map((one) => (
          <li>
            {fillMessage(texts.sentAs, (name) =>
              name === 'name' ? <code>{one.property}</code> : name === 'how' ? describeEncoding(one, messages) : undefined,
            )}
          </li>
        ))}
      </ul>
      {encoding.map(
        ({ property, headers }) =>
          headers.length > 0 && (
            <>
              <p class="facts">
                <span>{fillMessage(texts.headersOf, (name) => (name === 'name' ? <code>{property}</code> : undefined))}</span>
              </p>
              <ul class="props">
                {headers.map((header) => (
                  <PropertyRow api={api} id={toElementId(id, property, 'header', header.name)} depth={1} {...header} />
                ))}
              </ul>
            </>
          ),
      )}
    </>
  )
}

/** An Encoding Object in words. */
function describeEncoding(
  { contentType, serialization }: Pick<EncodingView, 'contentType' | 'serialization'>,
  { reference: texts }: Messages,
): string {
  const words = [
    contentType,
    serialization?.style,
    serialization && (serialization.explode ? texts.onePerItem : texts.oneForAll),
    serialization?.allowReserved ? texts.reservedNotEncoded : undefined,
  ]
  return words.filter((word) => word !== undefined).join(', ') || texts.typeDefault
}

export interface MoreExamplesProps {
  readonly mediaType: MediaTypeView
  /** The examples that the samples of the page show, with their values. */
  readonly shown: ReadonlySet<ExampleView>
  readonly api: ApiContext
}

/** The words of the examples, and the examples that the samples of the page do not show. */
export function MoreExamples({ mediaType: { mediaType, examples }, shown, api }: MoreExamplesProps) {
  const listed = examples.filter((example) => !example.isSampled && (hasExampleWords(example) || !shown.has(example)))
  if (listed.length === 0) return null
  const { messages } = api.site
  const count = listed.length
  const { exampleCount, exampleWord, example: exampleName } = messages.reference
  return (
    <details class="nest">
      <NestSummary
        label={formatMessage(exampleCount, { count }, messages.language)}
        hidden={formatMessage(exampleWord, { count }, messages.language)}
        messages={messages}
      />
      <ul class="props">
        {listed.map((example) => (
          <li>
            <p class="p-head">
              {example.name !== '' && <span class="p-name">{example.name}</span>} {example.summary}
            </p>
            <Description text={example.description} api={api} />
            {!shown.has(example) && <ExamplePlayer example={example} mediaType={mediaType} label={exampleName} />}
            {example.externalValue !== undefined && <p class="facts">{example.externalValue}</p>}
            {!shown.has(example) && example.value !== undefined && (
              <pre class="long">{example.text ?? toJsonText(example.value)}</pre>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

interface ExamplePlayerProps {
  readonly example: ExampleView
  readonly mediaType: string
  readonly label: string
}

function ExamplePlayer({ example, mediaType, label }: ExamplePlayerProps) {
  const url = findAudioUrl(example, mediaType)
  const named = [label, example.summary ?? example.name].filter((word) => word !== '').join(': ')
  return url === undefined ? null : <AudioPlayer url={url} label={named} />
}
