import { toCodeSamples } from '../../reference/to-code-samples.ts'
import { toSampleRequest } from '../../reference/to-sample-request.ts'
import type { ExampleView, OperationView, SchemaPageView } from '../../reference/types.ts'
import { type CodeTab, CodeTabs } from '../code/code-tabs.tsx'
import type { ApiContext } from './api-context.ts'
import { StatusMark } from './status-mark.tsx'

/** What stands beside an operation: the request in several languages, and what comes back. */
export function Samples({ operation, api }: { readonly operation: OperationView; readonly api: ApiContext }) {
  const requests = operation.kind === 'operation' ? requestTabs(operation, api) : payloadTabs(operation)
  const responses = responseTabs(operation)
  return (
    <aside class="aside" id="samples" aria-label="Samples">
      {requests.length > 0 && (
        <CodeTabs
          legend={operation.kind === 'operation' ? 'Sample' : 'Payload'}
          name="sample"
          tabs={requests}
          {...(operation.kind === 'operation' && { sync: 'lang' })}
        />
      )}
      {responses.length > 0 && <CodeTabs legend="Example response" name="response" tabs={responses} />}
    </aside>
  )
}

function requestTabs(operation: OperationView, api: ApiContext): CodeTab[] {
  const { examples } = api.site.plan.settings.api
  const request = toSampleRequest(operation, examples.defaults)
  return toCodeSamples(operation, request).map(({ label, source, language }) => ({ label, code: source, language }))
}

function payloadTabs({ requestBody }: OperationView): CodeTab[] {
  return (requestBody?.content ?? []).flatMap(({ mediaType, examples }) =>
    examples.flatMap((example) => toTab(example, mediaType, example.name || mediaType)),
  )
}

function responseTabs({ responses }: OperationView): CodeTab[] {
  return responses.flatMap(({ statusCode, content }) => {
    const [first] = content
    const [example, ...more] = first?.examples ?? []
    if (!first || !example) return []
    const tabs = [toTab(example, first.mediaType, statusCode, <StatusMark statusCode={statusCode} />)]
    // Several examples of one response are told apart by their names.
    if (more.length > 0 && example.name !== '') {
      return [example, ...more].slice(0, 5).flatMap((one) =>
        toTab(
          one,
          first.mediaType,
          `${statusCode} ${one.name}`,
          <>
            <StatusMark statusCode={statusCode} /> {one.summary ?? one.name}
          </>,
        ),
      )
    }
    return tabs.flat()
  })
}

function toTab({ text, externalValue }: ExampleView, mediaType: string, label: string, mark?: CodeTab['mark']): CodeTab[] {
  const code = text ?? externalValue
  if (code === undefined) return []
  const language = /json/i.test(mediaType)
    ? 'json'
    : /xml/i.test(mediaType)
      ? 'xml'
      : /html/i.test(mediaType)
        ? 'html'
        : undefined
  return [{ label, code, language, ...(mark !== undefined && { mark }) }]
}

/** What stands beside a schema: its examples. */
export function SchemaSamples({ view: { examples } }: { readonly view: SchemaPageView }) {
  const tabs = examples.flatMap((example) => toTab(example, 'application/json', example.name || 'Example'))
  return tabs.length === 0 ? null : (
    <aside class="aside" id="samples" aria-label="Examples">
      <CodeTabs legend="Example" name="example" tabs={tabs} />
    </aside>
  )
}
