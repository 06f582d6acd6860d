import type { ComponentChildren } from 'preact'
import type { DescribedOperation } from '../../../playground/request/read-operation.ts'
import { findSampleLanguage } from '../../../playground/samples/sample-languages.ts'
import { type AllowedUrl, isAllowedUrl } from '../../../text/plain/paths.ts'
import { listSampleBodies, makeSampleRequest, maxBodies, type SampleBody, toCodeSamples } from '../../reference/code-samples.ts'
import type { ExampleView, OperationView, ResponseView } from '../../reference/types.ts'
import { type CodeTab, CodeTabs, renderSample } from '../code/code-block.tsx'
import { Icon } from '../icons/page-icons.tsx'
import { StatusMark } from '../shell/marks.tsx'
import { SamplesColumn } from '../shell/page-frame.tsx'
import type { SiteContext } from '../site-context.ts'
import type { ApiContext } from './api-context.ts'

interface SamplesProps {
  /** An operation, or all methods of a webhook. */
  readonly operations: readonly OperationView[]
  /** What is sent; absent for webhooks. */
  readonly described: DescribedOperation | undefined
  readonly api: Pick<ApiContext, 'site'>
}

/** Whether operations have anything to show next to the text. Operations always have a request sample; webhooks need an example payload. */
export function hasSamples([first, ...more]: readonly OperationView[]): boolean {
  return first !== undefined && (first.kind === 'operation' || payloadTabs([first, ...more]).length > 0)
}

/** The samples next to an operation: the request in several languages and the responses, or the payload of a webhook. */
export function Samples({ operations, described, api }: SamplesProps) {
  const [first] = operations
  if (!first) return null
  const isWebhook = described === undefined
  const requests = described ? requestTabs(first, described, api) : payloadTabs(operations)
  const responses = isWebhook ? [] : responseTabs(first)
  if (requests.length === 0 && responses.length === 0) return null
  const bodies = described ? listSampleBodies(described) : []
  // Request and response examples with the same name belong together.
  const name = bodies[0]?.example?.name
  const named = responses.findIndex(({ example }) => name !== undefined && example === name)
  const chosen = Math.max(0, named)
  const canChoose = described && bodies.length > 1 && requests.some(({ sample }) => sample !== undefined)
  const texts = api.site.messages.reference
  const isTall = requests.length > 0 && (responses[0]?.code.split('\n').length ?? 0) > tallLines
  return (
    <SamplesColumn context={api.site} label={texts.samples} {...(isTall && { class: 'tall' })}>
      {requests.length > 0 && (
        <CodeTabs
          context={api.site}
          legend={isWebhook ? texts.payload : texts.sample}
          name="sample"
          tabs={requests}
          {...(!isWebhook && { sync: 'lang' })}
          {...(canChoose && { head: <BodyChoice operation={first} described={described} bodies={bodies} api={api} /> })}
        />
      )}
      {responses.length > 0 && (
        <CodeTabs context={api.site} legend={texts.exampleResponse} name="response" tabs={responses} chosen={chosen} />
      )}
    </SamplesColumn>
  )
}

/** The request of an operation in several languages. */
export function RequestSamples({
  operation,
  described,
  api,
  head,
}: {
  readonly operation: OperationView
  readonly described: DescribedOperation
  readonly api: SamplesProps['api']
  readonly head: ComponentChildren
}) {
  const legend = api.site.messages.reference.sample
  const tabs = requestTabs(operation, described, api)
  return <CodeTabs context={api.site} legend={legend} name="sample" tabs={tabs} sync="lang" head={head} />
}

/** A response sample with more lines gets its space at once, so that it does not move while it loads. */
const tallLines = 20

/** The examples whose values `Samples` shows. */
export function listShownExamples(operations: readonly OperationView[], { site }: SamplesProps['api']): ReadonlySet<ExampleView> {
  const [first] = operations
  if (first?.kind !== 'operation') {
    const payloads = operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
    return new Set(payloads.flatMap(({ examples }) => examples.slice(0, maxExamples)))
  }
  const responses = first.responses.flatMap(({ content }) => listResponseExamples(content))
  const isGenerated = first.codeSamples.length === 0 && site.plan.settings.api.examples.autogenerate
  const bodies = (first.requestBody?.content ?? []).flatMap(({ mediaType, examples }) =>
    examples.map((example) => ({ mediaType, example })),
  )
  const shown = isGenerated ? bodies.slice(0, maxBodies).filter(({ mediaType }) => /json/i.test(mediaType)) : []
  return new Set([...responses, ...shown.map(({ example }) => example)])
}

/** The HTML and the Markdown of a page show the same samples. */
const knownTabs = new WeakMap<DescribedOperation, CodeTab[]>()

/** The samples of an operation with one of its bodies, by default the first. */
export function requestTabs(
  operation: OperationView,
  described: DescribedOperation,
  api: SamplesProps['api'],
  body?: SampleBody,
): CodeTab[] {
  const known = body === undefined ? knownTabs.get(described) : undefined
  if (known) return known
  const { examples } = api.site.plan.settings.api
  const request = makeSampleRequest(described, examples.defaults, body)
  const tabs = toCodeSamples(operation, request, examples).map(({ label, source, language }, index) => {
    const isWritten = index < operation.codeSamples.length
    const sample = isWritten ? undefined : findSampleLanguage(label)
    // The URL in its first line is often longer than the column.
    return { label, code: source, language, isWritten, sample, isWrapped: sample === 'bash' }
  })
  if (body === undefined) knownTabs.set(described, tabs)
  return tabs
}

interface BodyChoiceProps {
  readonly operation: OperationView
  readonly described: DescribedOperation
  readonly bodies: readonly SampleBody[]
  readonly api: SamplesProps['api']
}

/**
 * The menu of the bodies that generated samples can show, with the code of all but the first. The page's script shows it when the
 * reader selects a body here, or a media type in the text, with the response example of the same name.
 */
export function BodyChoice({ operation, described, bodies, api }: BodyChoiceProps) {
  return (
    <header class="needs-js">
      <span class="has-pick">
        <select class="pick" aria-label={api.site.messages.reference.sampleBody} data-bodies="" autocomplete="off">
          {bodies.map((body) => (
            <option data-media={body.content.mediaType} data-example={body.example?.name || undefined}>
              {nameBody(body, bodies)}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
      {bodies.slice(1).map((body) => (
        <template>
          {requestTabs(operation, described, api, body).map(
            ({ label, code, sample }) =>
              sample && <code data-label={label} dangerouslySetInnerHTML={{ __html: renderSample(code, sample) }} />,
          )}
        </template>
      ))}
    </header>
  )
}

/** The name of an example, and its media type if there are several. */
export function nameBody({ content: { mediaType }, example }: SampleBody, bodies: readonly SampleBody[]): string {
  const hasMediaTypes = new Set(bodies.map(({ content }) => content)).size > 1
  const name = example?.summary ?? example?.name ?? ''
  return [...(name === '' ? [] : [name]), ...(hasMediaTypes || name === '' ? [mediaType] : [])].join(' · ')
}

/** Tabs for webhook payloads. Labels contain the method if there are several, and the example name or media type. */
function payloadTabs(operations: readonly OperationView[]): CodeTab[] {
  return operations.flatMap(({ method, requestBody }) =>
    (requestBody?.content ?? []).flatMap(({ mediaType, examples }) =>
      examples
        .slice(0, maxExamples)
        .flatMap((example) =>
          toTab(
            example,
            mediaType,
            [operations.length > 1 ? method : '', example.summary ?? (example.name || mediaType)].join(' ').trim(),
          ),
        ),
    ),
  )
}

/** The most examples of one body or response that are shown. */
const maxExamples = 5

/** The examples of the responses. */
function responseTabs({ responses }: OperationView): CodeTab[] {
  return responses.flatMap(({ statusCode, content }) => {
    const examples = listResponseExamples(content)
    const mediaType = content[0]?.mediaType ?? ''
    const [only] = examples
    if (examples.length === 1 && only) return toTab(only, mediaType, statusCode, <StatusMark statusCode={statusCode} />)
    return examples.flatMap((one) =>
      toTab(
        one,
        mediaType,
        `${statusCode} ${one.name}`,
        <>
          <StatusMark statusCode={statusCode} /> {one.summary ?? one.name}
        </>,
      ),
    )
  })
}

/** The examples of a response with a sample: of its first media type, several only if they have names. */
function listResponseExamples([first]: ResponseView['content']): readonly ExampleView[] {
  const examples = first?.examples ?? []
  return examples.slice(0, examples[0]?.name === '' ? 1 : maxExamples)
}

function toTab(example: ExampleView, mediaType: string, label: string, mark?: CodeTab['mark']): CodeTab[] {
  const { name, text, externalValue } = example
  const audio = findAudioUrl(example, mediaType)
  const code = audio ?? text ?? externalValue
  if (code === undefined) return []
  const language = ['json', 'xml', 'html'].find((one) => mediaType.toLowerCase().includes(one))
  return [
    {
      label,
      code,
      language,
      ...(mark !== undefined && { mark }),
      ...(name !== '' && { example: name }),
      ...(audio !== undefined && { audio }),
    },
  ]
}

/** The URL of a recording that an example of audio content has in place of its bytes. The policy of the page allows only `https`. */
export function findAudioUrl({ value, externalValue }: ExampleView, mediaType: string): AllowedUrl | undefined {
  if (!/^audio\//i.test(mediaType)) return undefined
  const url = typeof value === 'string' ? value.trim() : externalValue
  return url !== undefined && /^https:\/\//i.test(url) && URL.canParse(url) && isAllowedUrl(url, 'media') ? url : undefined
}

/** The examples next to a schema. */
export function SchemaSamples({ examples, site }: { readonly examples: readonly ExampleView[]; readonly site: SiteContext }) {
  const texts = site.messages.reference
  const tabs = examples.flatMap((example) => toTab(example, 'application/json', example.name || texts.example))
  return tabs.length === 0 ? null : (
    <SamplesColumn context={site} label={texts.examples}>
      <CodeTabs context={site} legend={texts.example} name="example" tabs={tabs} />
    </SamplesColumn>
  )
}
