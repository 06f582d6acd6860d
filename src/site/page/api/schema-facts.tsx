import type { ComponentChildren } from 'preact'
import { toJsonText } from '../../../playground/request/read-operation.ts'
import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import { onlyValueOf } from '../../reference/schema-outline.ts'
import type { ExampleView, SchemaFact, SchemaView } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import type { ApiContext } from './api-context.ts'
import { DocumentLink, Terms } from './part.tsx'
import { toFactWords, translateLabel } from './schema-words.ts'

/** The most `enum` values in one line. Longer lists, and values with descriptions, are shown as a list. */
const inlineLimit = 12
/** The most examples in one line. */
const maxExamples = 3
/** Longer values are collapsed. */
const maxLength = 120

interface FactsProps {
  readonly schema: SchemaView
  readonly api: ApiContext
  /** The start of the line. */
  readonly lead?: ComponentChildren
}

/** Whether `Facts` shows anything. */
export function hasFacts({ facts, enum: values, externalDocs }: SchemaView): boolean {
  return facts.length + values.length + externalDocs.length > 0
}

/** Constraints, default, examples and allowed values. */
export function Facts({ schema, api, lead }: FactsProps) {
  const { enum: values, externalDocs } = schema
  if (lead === undefined && !hasFacts(schema)) return null
  // The only value is also the default and the example.
  const only = onlyValueOf(schema)
  const facts = schema.facts.filter((fact) => fact.kind !== 'value' || fact.label === 'Always' || fact.value !== only)
  const isList = values.length > inlineLimit || values.some(({ description }) => description !== undefined)
  const isLong = (fact: SchemaFact) => fact.kind === 'value' && fact.value.length > maxLength
  const isExample = (fact: SchemaFact) => fact.kind === 'value' && fact.label === 'Example'
  const short = facts.filter((fact) => !isLong(fact))
  const more = short.filter(isExample).slice(maxExamples)
  const { messages } = api.site
  const line = more.length === 0 ? short : short.filter((fact) => !more.includes(fact))
  return (
    <>
      {(lead !== undefined || line.length > 0 || (values.length > 0 && !isList)) && (
        <ul class="facts">
          {lead !== undefined && <li>{lead}</li>}
          {!isList && values.length > 0 && (
            <li>
              {values.length === 1 ? messages.schema.words.Always : messages.schema.words['One of']}{' '}
              {values.map(({ value }, index) => (
                <>
                  {index > 0 && ' '}
                  <code>{showEmpty(value)}</code>
                </>
              ))}
            </li>
          )}
          {line.map((fact) => showFact(fact, messages))}
        </ul>
      )}
      {more.length > 0 && (
        <details class="nest">
          <NestSummary
            label={formatMessage(messages.reference.moreExamples, { count: more.length }, messages.language)}
            hidden={messages.reference.hiddenExamples}
            messages={messages}
          />
          <ul class="facts">{more.map((fact) => showFact(fact, messages))}</ul>
        </details>
      )}
      {facts.map((fact) => fact.kind === 'value' && isLong(fact) && <LongFact fact={fact} messages={messages} />)}
      {isList && <ValueList schema={schema} api={api} />}
      {externalDocs.length > 0 && <ExternalDocs docs={externalDocs} />}
    </>
  )
}

function showFact(fact: SchemaFact, messages: Messages) {
  if (fact.kind !== 'value') return <li>{toFactWords(fact, messages)}</li>
  return (
    <li>
      {translateLabel(fact, messages)} <code>{showEmpty(fact.value)}</code>
    </li>
  )
}

interface LongFactProps {
  readonly fact: Extract<SchemaFact, { readonly kind: 'value' }>
  readonly messages: Messages
}

function LongFact({ fact, messages }: LongFactProps) {
  const word = translateLabel(fact, messages)
  // German nouns start with a capital letter in sentences, too.
  const name = messages.language === 'en' ? word.toLowerCase() : word
  return (
    <details class="nest">
      <NestSummary label={name} hidden={name} messages={messages} />
      <pre class="long">{fact.value}</pre>
    </details>
  )
}

/** Links to external documentation. */
export function ExternalDocs({ docs }: { readonly docs: SchemaView['externalDocs'] }) {
  return (
    <>
      {docs.map(({ url, description }) => (
        <p class="p-desc">
          <DocumentLink url={url}>{description ?? url}</DocumentLink>
        </p>
      ))}
    </>
  )
}

function ValueList({ schema: { enum: values }, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const terms = values.map(({ value, description }) => ({
    name: showEmpty(value),
    text: <Description text={description} api={api} class="" />,
  }))
  const list = <Terms terms={terms} />
  if (values.length <= inlineLimit) return list
  const { messages } = api.site
  const { valueCount, valueWord } = messages.reference
  return (
    <details class="nest">
      <NestSummary
        label={formatMessage(valueCount, { count: values.length }, messages.language)}
        hidden={valueWord}
        messages={messages}
      />
      {list}
    </details>
  )
}

/** Makes an empty string visible. */
function showEmpty(value: string): string {
  return value === '' ? '""' : value
}

/** The schema, with the plain examples of its parameter or header. */
export function withExamples(schema: SchemaView, examples: readonly ExampleView[]): SchemaView {
  if (examples.length === 0) return schema
  const added = examples
    .filter((example) => !hasExampleWords(example) && example.value !== undefined)
    .map(({ value }) => ({ kind: 'value' as const, label: 'Example', value: toJsonText(value) }))
    .filter(({ value }) => schema.facts.every((fact) => fact.kind !== 'value' || fact.value !== value))
    // Examples of different cases can have the same value.
    .filter(({ value }, index, all) => all.findIndex((one) => one.value === value) === index)
  return added.length === 0 ? schema : { ...schema, facts: [...schema.facts, ...added] }
}

/** Whether an example has more to show than its value. */
export function hasExampleWords({ summary, description, externalValue }: ExampleView): boolean {
  return summary !== undefined || description !== undefined || externalValue !== undefined
}

/** The examples of a parameter or header that have words. */
export function ParameterExamples({ examples, api }: { readonly examples: readonly ExampleView[]; readonly api: ApiContext }) {
  const terms = examples.filter(hasExampleWords).map(({ value, summary, description, externalValue }) => ({
    name: value === undefined ? externalValue : showEmpty(toJsonText(value)),
    text: (
      <>
        {summary}
        <Description text={description} api={api} class="" />
      </>
    ),
  }))
  return <Terms terms={terms} />
}
