import { isAllowedUrl } from '../../mdx/allowed-url.ts'
import type { SchemaView } from '../../reference/types.ts'
import type { ApiContext } from './api-context.ts'
import { Description } from './description.tsx'

/** Choices of `enum` that stand in one line; more, or ones with words of their own, are a list. */
const inlineLimit = 12

/** Limits, default, examples, and the values that are allowed. */
export function Facts({ schema, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const { facts, enum: values, externalDocs } = schema
  const isList = values.length > inlineLimit || values.some(({ description }) => description !== undefined)
  const hasLine = facts.length > 0 || (values.length > 0 && !isList)
  return (
    <>
      {hasLine && (
        <ul class="facts">
          {values.length > 0 && !isList && (
            <li>
              {values.length === 1 ? 'Always ' : 'One of '}
              {values.map(({ value }, index) => (
                <>
                  {index > 0 && ' '}
                  <code>{value === '' ? '""' : value}</code>
                </>
              ))}
            </li>
          )}
          {facts.map((fact) => (
            <li>
              {fact.kind === 'words' ? (
                fact.text
              ) : (
                <>
                  {fact.label} <code>{fact.value === '' ? '""' : fact.value}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {isList && <EnumList schema={schema} api={api} />}
      {externalDocs && (
        <p class="p-desc">
          <a href={isAllowedUrl(externalDocs.url, 'link') ? externalDocs.url : '#'}>
            {externalDocs.description ?? externalDocs.url}
          </a>
        </p>
      )}
    </>
  )
}

function EnumList({ schema: { enum: values }, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const list = (
    <dl class="enum">
      {values.map(({ value, description }) => (
        <>
          <dt>
            <code>{value === '' ? '""' : value}</code>
          </dt>
          <dd>{description !== undefined && <Description text={description} api={api} class="" />}</dd>
        </>
      ))}
    </dl>
  )
  if (values.length <= inlineLimit) return list
  return (
    <details class="nest">
      <summary>
        <span class="more">Show {values.length} values</span>
        <span class="less">Hide values</span>
      </summary>
      {list}
    </details>
  )
}
