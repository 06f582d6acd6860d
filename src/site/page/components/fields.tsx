import type { MdxElement } from '../../../script/values/values.ts'
import { extraId, toKebabCase } from '../field-anchors.ts'
import { type ComponentProps, readFlag, readText, readTexts, toClassName } from './component-props.tsx'
import { NestSummary } from './nest-summary.tsx'

const locations = ['path', 'query', 'body', 'header', 'cookie'] as const

/** Consecutive `<ParamField>` or `<ResponseField>` elements, shown like the properties of an API page. */
export function Fields({ element, context, show }: ComponentProps) {
  return (
    <ul class="props">
      {element.children.map((field) => field.kind === 'element' && <Field field={field} context={context} show={show} />)}
    </ul>
  )
}

/** `<ParamField path|query|body|header type required deprecated default placeholder pre post>`, `<ResponseField name …>`. */
function Field({ field, context, show }: Pick<ComponentProps, 'context' | 'show'> & { readonly field: MdxElement }) {
  const { props, children } = field
  const location = locations.find((one) => readText(props, one) !== undefined)
  const name = readText(props, ...locations, 'name') ?? ''
  const id = readText(props, 'id')
  const [first, second] = toForeignIds(field).filter((one) => one !== id)
  const {
    reference: texts,
    schema: { words },
  } = context.messages
  const type = [readText(props, 'type'), location && words[location]].filter((part) => part !== undefined).join(' · ')
  const facts = [
    { label: words.Default, value: readText(props, 'default', 'initialValue') },
    { label: words.Example, value: readText(props, 'placeholder') },
  ].filter(({ value }) => value !== undefined)
  const isDeprecated = readFlag(props, 'deprecated')
  const toTags = (key: string) => readTexts(props, key).map((word) => <span class="tag">{word}</span>)
  return (
    <li id={id} class={toClassName(props, isDeprecated && 'is-dep')}>
      <p class="p-head" {...extraId(first, context)}>
        {toTags('pre')}
        {id === undefined ? (
          <span class="p-name">{name}</span>
        ) : (
          <a href={`#${id}`} {...extraId(second, context)}>
            <span class="vh">{context.messages.guide.linkTo} </span>
            {name}
          </a>
        )}{' '}
        {type !== '' && <i>{type}</i>}
        {readFlag(props, 'required') && <em>{texts.required}</em>}
        {readFlag(props, 'optional') && <i>{texts.optional}</i>}
        {isDeprecated && <span class="tag dep">{texts.deprecated}</span>}
        {toTags('post')}
      </p>
      {children.length > 0 && <div class="p-desc">{show(field.children)}</div>}
      {facts.length > 0 && (
        <ul class="facts">
          {facts.map(({ label, value }) => (
            <li>
              {label} <code>{value}</code>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** The IDs that Mintlify gives to a field: `param-base-url`, and on API pages `body-base-url`, `parameter-…` or `response-…`. */
export function toForeignIds({ name, props }: MdxElement): readonly string[] {
  const kebab = toKebabCase(readText(props, ...locations, 'name') ?? '')
  if (kebab === '') return []
  const location = locations.find((one) => readText(props, one) !== undefined)
  const place = name === 'ResponseField' ? 'response' : location === 'body' ? 'body' : 'parameter'
  return [`param-${kebab}`, `${place}-${kebab}`]
}

/** `<Expandable title defaultOpen>`: the nested fields of a field. */
export function Expandable({ element, context, show }: ComponentProps) {
  const { props } = element
  const title = readText(props, 'title') ?? context.messages.guide.childAttributes
  return (
    <details class="nest" open={readFlag(props, 'defaultOpen')}>
      <NestSummary label={title} hidden={title} messages={context.messages} />
      {show(element.children)}
    </details>
  )
}
