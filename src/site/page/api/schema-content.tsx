import type { ComponentChildren } from 'preact'
import type { Label } from '../../../openapi/types.ts'
import type { AllowedUrl } from '../../../text/plain/paths.ts'
import { fillMessage, formatMessage } from '../../messages/format-message.ts'
import type { Message, Messages } from '../../messages/messages.ts'
import { isListType, toTypeText, toTypeWords } from '../../reference/type-words.ts'
import type {
  ChoiceView,
  ExampleView,
  OtherKeyView,
  PropertyView,
  SchemaFact,
  SchemaView,
  TypePart,
} from '../../reference/types.ts'
import { toBreakable } from '../breakable.tsx'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import { toElementId } from '../element-ids.ts'
import { extraId, toForeignFieldId } from '../field-anchors.ts'
import { Icon } from '../icons/page-icons.tsx'
import { showLabels } from '../shell/marks.tsx'
import { toHref } from '../site-context.ts'
import { type ApiContext, findPageHref } from './api-context.ts'
import { RowFilter, Switch } from './part.tsx'
import { Facts, hasFacts, ParameterExamples, withExamples } from './schema-facts.tsx'
import { translateLabel } from './schema-words.ts'

export interface SchemaContentProps {
  readonly schema: SchemaView
  readonly api: ApiContext
  /** The element ID of the schema's owner, used as a prefix for nested IDs. */
  readonly id: string
  /** The number of rows that contain it. Deeper levels are collapsed. */
  readonly depth: number
  /** The ID of the element of its owner. By default, `id`. */
  readonly start?: string
  /** The element IDs of the enclosing schemas, by name. */
  readonly around?: Around
}

/** See `SchemaContentProps`. */
export type Around = ReadonlyMap<string, string>

const nothingAround: Around = new Map()

/** The content below a row: properties, items and choices. Empty for plain types. */
export function SchemaContent({ schema, api, id, depth, start = id, around = nothingAround }: SchemaContentProps) {
  const shown = unwrapLists(schema)
  if (shown.cut && schema.bases.length === 0) return <CutContent schema={shown} api={api} around={around} />
  const inner = shown.target && !around.has(shown.target.name) ? new Map([...around, [shown.target.name, start]]) : around
  const { choices } = shown
  const bases = shown === schema ? schema.bases : [...schema.bases, ...shown.bases]
  const isOnly = shown.isClosed && depth === 0
  const { messages } = api.site
  return (
    <>
      {bases.length > 0 && (
        <p class="facts">
          <span>
            {messages.reference.allOf} <Names names={bases.map(({ name }) => name)} api={api} />
          </span>
        </p>
      )}
      {shown.cut && <CutContent schema={shown} api={api} around={around} />}
      <Rows schema={shown} api={api} id={id} depth={depth} around={inner} />
      {isOnly && <p class="facts">{messages.reference.noMoreProperties}</p>}
      {choices.map((choice, index) => (
        <Choice
          choice={choice}
          api={api}
          id={choices.length === 1 ? id : toElementId(id, index + 1)}
          start={start}
          depth={depth}
          around={inner}
        />
      ))}
    </>
  )
}

function Names({ names, api }: { readonly names: readonly string[]; readonly api: ApiContext }) {
  return (
    <>
      {names.map((name, index) => (
        <>
          {index > 0 && ', '}
          {showType([{ kind: 'schema', target: { name } }], api)}
        </>
      ))}
    </>
  )
}

function Rows({ schema, api, id, depth, around = nothingAround }: SchemaContentProps) {
  const rows = rowsOf(schema, api.site.messages)
  const closed = <p class="facts">{api.site.messages.reference.noMoreProperties}</p>
  if (rows.length === 0) return schema.isClosed && depth > 0 ? closed : null
  const requiredCount = rows.filter(({ required }) => required).length
  const list = (
    <>
      {rows.length > maxUnfiltered && (
        <RowFilter messages={api.site.messages} hasRequired={requiredCount > 0 && requiredCount < rows.length} />
      )}
      <ul class="props">
        {rows.map((row) => (
          <PropertyRow api={api} id={toElementId(id, row.word ?? row.name)} depth={depth + 1} around={around} {...row} />
        ))}
      </ul>
    </>
  )
  const content = (
    <>
      {list}
      {depth > 0 && schema.isClosed && closed}
    </>
  )
  const [only] = rows
  const isPlain = rows.length === 1 && only && !hasContent(only.schema) && (only.schema.description ?? '').length <= maxPlain
  if (depth === 0 || isPlain) return content
  return (
    <details class="nest">
      <RowsSummary count={rows.length} messages={api.site.messages} />
      {content}
    </details>
  )
}

/** A single row with a longer description is worth opening. */
const maxPlain = 80

/** More rows have a filter. */
const maxUnfiltered = 15

/** How many rows readers can open. */
export function RowsSummary({ count, messages }: { readonly count: number; readonly messages: Messages }) {
  const { reference: texts, language } = messages
  const show = (message: Message) => (count === 0 ? texts.details : formatMessage(message, { count }, language))
  return <NestSummary label={show(texts.attributes)} hidden={show(texts.hiddenAttributes)} messages={messages} />
}

/** The item schema of a list, however nested. The row already shows that it is a list. */
function unwrapLists(schema: SchemaView): SchemaView {
  let shown = schema
  for (let depth = 0; shown.items && isListRow(shown) && depth < maxLists; depth++) shown = shown.items
  return shown
}

/** The most lists in lists that are shown in one row. */
const maxLists = 5

/** Whether the row of a schema says that it is a list, and the schema has nothing below its row but the items. */
function isListRow({ type, items, properties, choices, prefixItems, conditions, otherKeys }: SchemaView): boolean {
  const count = properties.length + choices.length + prefixItems.length + conditions.length + otherKeys.length
  return items !== undefined && count === 0 && isListType(type)
}

interface Row extends Pick<PropertyView, 'name' | 'required' | 'schema'>, Partial<Pick<PropertyView, 'place'>> {
  /** The English word that is translated as its name, for the element ID, which is the same in every language. */
  readonly word?: string
  /** Shown after the type, such as `· query`. */
  readonly note?: string | undefined
}

/** The rows of a schema: properties, additional keys, tuple items and conditions. */
function rowsOf(schema: SchemaView, messages: Messages): Row[] {
  const toRow = (label: string, one: SchemaView, note?: string, key?: string): Row => {
    const name = translateLabel(key === undefined ? { label } : { label, key }, messages)
    return { name, word: key === undefined ? label : `${label} \`${key}\``, required: false, schema: one, note }
  }
  const { keysMatch, more } = messages.reference
  return [
    ...schema.properties,
    ...schema.otherKeys
      .filter((other, index, all) => schema.properties.length > 0 || needsRow(other, index, all))
      .map(({ label, pattern, schema: one }) =>
        toRow(label, one, pattern === undefined ? undefined : formatMessage(keysMatch, { pattern }, messages.language)),
      ),
    ...schema.prefixItems.map((one, index) => toRow(`[${index}]`, one)),
    // Next to other rows, the items are one more.
    ...(schema.items && !isListRow(schema) ? [toRow('items', schema.items)] : []),
    ...schema.conditions.map(({ label, key, schema: one, left }) =>
      toRow(label, one, left === undefined ? undefined : formatMessage(more, { count: left }, messages.language), key),
    ),
  ]
}

/** Whether additional keys need a row. The type of a map already shows plain value types. */
function needsRow({ schema, pattern }: OtherKeyView, _: number, all: readonly OtherKeyView[]): boolean {
  return hasWords(schema) || hasRows(schema) || pattern !== undefined || all.length > 1
}

function hasWords(schema: SchemaView): boolean {
  const { title, description, facts, enum: values, externalDocs } = schema
  return (
    title !== undefined || description !== undefined || facts.length + values.length + externalDocs.length > 0 || hasMarks(schema)
  )
}

function hasRows({ properties, choices, items, cut, conditions, otherKeys, prefixItems }: SchemaView): boolean {
  return (
    properties.length + choices.length + conditions.length + otherKeys.length + prefixItems.length > 0 ||
    items !== undefined ||
    cut !== undefined
  )
}

/** Whether there is anything below the row of a schema. */
function hasContent(schema: SchemaView): boolean {
  return hasRows(schema) || schema.bases.length > 0 || schema.isClosed
}

/** A link to the page with the content of a schema. When readers open it, the script of the page shows the content here. */
function CutContent({
  schema: { cut, target },
  api,
  around = nothingAround,
}: Pick<SchemaContentProps, 'schema' | 'api' | 'around'>) {
  const { messages } = api.site
  const texts = messages.reference
  const route = cut?.kind === 'part' ? api.routes.findPart(cut.part) : target && api.routes.routeOf('schema', target.name)
  const href = route === undefined ? undefined : toHref(api.site.hosting, route)
  const name = target?.name ?? (cut?.kind === 'part' ? cut.part.names.at(-1) : undefined) ?? texts.enclosingSchema
  if (!cut || cut.kind === 'recursive') {
    const start = around.get(target?.name ?? '')
    const place = start === undefined ? href : (`#${start}` as AllowedUrl)
    return (
      <p class="facts">
        <span>
          <Icon name="redo" />{' '}
          {fillMessage(texts.recursive, (part) =>
            part !== 'name' ? undefined : place === undefined ? name : <a href={place}>{name}</a>,
          )}
        </span>
      </p>
    )
  }
  return (
    <details class="nest lazy">
      <RowsSummary count={cut.count} messages={messages} />
      <p class="facts">{href === undefined ? name : <a href={href}>{name}</a>}</p>
    </details>
  )
}

/** A choice between schemas, as tabs. The name of the radio group is unique on the page. */
function Choice({ choice, api, id, ...inside }: Omit<SchemaContentProps, 'schema'> & { readonly choice: ChoiceView }) {
  const { kind, discriminator, options, left } = choice
  const { messages } = api.site
  const { reference: texts, language } = messages
  const label = kind === 'oneOf' ? texts.oneOf : texts.anyOf
  const [only] = options
  const group = api.claim(`${id}-choice`)
  if (options.length === 1 && only)
    return (
      <>
        <SchemaWords schema={only.schema} api={api} />
        <SchemaContent schema={only.schema} api={api} id={id} {...inside} />
      </>
    )
  return (
    <div class="choice">
      <Switch
        messages={messages}
        legend={
          discriminator === undefined ? label : formatMessage(texts.choiceBy, { choice: label, name: discriminator }, language)
        }
        group={group}
        options={options.map(({ label, schema }, index) => {
          const own = toElementId(id, label === '' ? index : label)
          const foreign = extraId(api.hasForeignIds ? toOptionId(id, index) : undefined, api.site)
          // The URL of a page with this variant.
          const isLinked = hasContent(schema)
          const name = schema.target?.name
          return {
            label,
            note: name !== undefined && toPlain(name) !== toPlain(label) ? name : undefined,
            attributes: isLinked ? { id: api.claim(own) } : foreign,
            content: (
              <>
                {isLinked && foreign.id !== undefined && <span {...foreign} />}
                <SchemaWords schema={schema} api={api} label={label} />
                <SchemaContent schema={schema} api={api} id={own} {...inside} depth={0} />
              </>
            ),
          }
        })}
      />
      {left > 0 && <p>{formatMessage(texts.more, { count: left }, language)}</p>}
    </div>
  )
}

interface SchemaWordsProps {
  readonly schema: SchemaView
  readonly api: ApiContext
  /** Before the type. */
  readonly lead?: string
  /** The label of an option. A type that is its label is not repeated. */
  readonly label?: string
  /** Whether the type says more than what follows. */
  readonly saysMore?: boolean
}

/** The type, description and constraints of a schema that is not a row: a body, or an option of a choice. */
export function SchemaWords({ schema, api, lead = '', label, saysMore = true }: SchemaWordsProps) {
  const hasLink = schema.type.some(({ kind }) => kind === 'schema')
  const isName = toTypeText(schema) === label && (!hasLink || schema.type.length === 1)
  const isSaid = isName ? !hasLink : !saysMore
  return (
    <>
      {(!isSaid || lead !== '' || findTitle(schema, [label]) !== undefined || hasMarks(schema)) && (
        <p class={isName ? 'p-type' : 'p-desc'}>
          {lead}
          {showType(schema.type, api)}
          {showTitle(schema, [label])}
          <SchemaMarks schema={schema} messages={api.site.messages} />
        </p>
      )}
      <Description text={schema.description} api={api} />
      <Facts schema={schema} api={api} />
      <ItemWords schema={schema} api={api} />
    </>
  )
}

type Marks = Pick<SchemaView, 'readOnly' | 'writeOnly' | 'deprecated' | 'labels'>

function hasMarks({ readOnly, writeOnly, deprecated, labels }: Marks): boolean {
  return readOnly || writeOnly || deprecated || labels.length > 0
}

/** The marks of a schema that is not a row. */
export function SchemaMarks({ schema, messages }: { readonly schema: Marks; readonly messages: Messages }) {
  const { readOnly, writeOnly, deprecated, labels } = schema
  const texts = messages.reference
  return (
    <>
      {showLabels(labels, 'before')}
      {readOnly && <span class="tag">{texts.readOnly}</span>}
      {writeOnly && <span class="tag">{texts.writeOnly}</span>}
      {deprecated && <DeprecatedMark messages={messages} />}
      {showLabels(labels, 'after')}
    </>
  )
}

/** The depth of response rows that also have the IDs of other tools. In deeper rows, they would add much to large pages. */
const maxForeignDepth = 2

/** The ID that Mintlify gives to an option of `oneOf` or `anyOf`, such as `body-metadata-one-of-0`. */
function toOptionId(id: string, index: number): string | undefined {
  const foreign = toForeignFieldId(id) ?? (/^body(?:-|$)/.test(id) ? id : undefined)
  return foreign && `${foreign}-one-of-${index}`
}

/** `id` is the element ID. */
interface PropertyRowProps extends Row, Pick<SchemaContentProps, 'api' | 'id' | 'depth' | 'around'> {
  readonly deprecated?: boolean
  /** In addition to those of the schema. */
  readonly labels?: readonly Label[]
  /** The description of the parameter or header. */
  readonly description?: string | undefined
  /** Examples of the parameter or header. */
  readonly examples?: readonly ExampleView[]
  /** More facts, before those of the schema. */
  readonly facts?: readonly SchemaFact[]
}

/** A row: name with a permalink, type and marks, then the description, the constraints and the nested schema. */
export function PropertyRow(props: PropertyRowProps) {
  const { api, name, required, note, depth, description, facts = [], examples = [], around = nothingAround } = props
  const { schema } = props
  const { messages } = api.site
  const id = api.claim(props.id)
  if (props.place) api.site.notes?.onRow?.(id, props.place)
  const isDeprecated = props.deprecated === true || schema.deprecated
  const labels = [...(props.labels ?? []), ...schema.labels]
  const isNear = depth <= maxForeignDepth || !id.startsWith('r')
  const foreign = api.hasForeignIds && isNear && !api.site.notes?.hasIds?.() ? toForeignFieldId(id) : undefined
  // The page of a named schema has its words.
  const words = schema.isPlainReference && description !== undefined ? undefined : schema.description
  const shown = withExamples(facts.length === 0 ? schema : { ...schema, facts: [...facts, ...schema.facts] }, examples)
  const side = schema.readOnly ? 'ro' : schema.writeOnly ? 'wo' : undefined
  return (
    <li id={id} class={[isDeprecated && 'is-dep', side].filter(Boolean).join(' ') || undefined}>
      <p class="p-head" {...extraId(foreign, api.site)}>
        {showLabels(labels, 'before')}
        <a href={`#${id}`}>{name}</a>{' '}
        <i>
          {showType(schema.type, api)}
          {showTitle(schema, [name])}
          {note !== undefined && ` · ${note}`}
        </i>
        {required && <em>{messages.reference.required}</em>}
        {schema.readOnly && <span class="tag">{messages.reference.readOnly}</span>}
        {schema.writeOnly && <span class="tag">{messages.reference.writeOnly}</span>}
        {isDeprecated && <DeprecatedMark messages={messages} />}
        {showLabels(labels, 'after')}
      </p>
      {description !== undefined && <Description text={description} api={api} />}
      {words !== undefined && words !== description && <Description text={words} api={api} />}
      {hasFacts(shown) && <Facts schema={shown} api={api} />}
      {examples.length > 0 && <ParameterExamples examples={examples} api={api} />}
      {schema.items && <ItemWords schema={schema} api={api} />}
      {hasContent(schema) && <SchemaContent schema={schema} api={api} id={id} depth={depth} around={around} />}
    </li>
  )
}

/** What a list says about its items. Their properties and choices are the content of the row, and those of named schemas are on their page. */
export function ItemWords({ schema, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const { messages } = api.site
  const lists: SchemaView[] = []
  for (let list = schema; list.items && isListRow(list) && lists.length < maxLists; list = list.items) lists.push(list.items)
  const described = lists.filter((item) => hasWords(item) && !item.isPlainReference)
  return (
    <>
      {described.map((item, index) => {
        const lead = (
          <>
            {index === 0 ? messages.reference.eachItem : messages.reference.eachInnerItem}
            {showTitle(item, [])}
            <SchemaMarks schema={item} messages={messages} />
          </>
        )
        const hasText = item.description !== undefined
        return (
          <>
            {hasText && <p class="facts">{lead}</p>}
            <Description text={item.description} api={api} />
            <Facts schema={item} api={api} lead={hasText ? undefined : lead} />
          </>
        )
      })}
    </>
  )
}

/** The title of a schema after its type, unless it repeats one of the names that the page already shows. */
function showTitle(schema: SchemaView, names: readonly (string | undefined)[]): string {
  const title = findTitle(schema, names)
  return title === undefined ? '' : ` · ${title}`
}

/** The title of a schema, if it says more than the names, the description, and the page of a named schema. */
export function findTitle(
  { title, target, description, isPlainReference }: Pick<SchemaView, 'title' | 'target' | 'description' | 'isPlainReference'>,
  names: readonly (string | undefined)[],
): string | undefined {
  if (title === undefined || isPlainReference) return undefined
  const plain = toPlain(title)
  return [target?.name, description, ...names].some((name) => name !== undefined && toPlain(name) === plain) ? undefined : title
}

function toPlain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function DeprecatedMark({ messages: { reference } }: { readonly messages: Messages }) {
  return <span class="tag dep">{reference.deprecated}</span>
}

/** A type, with links to the pages of named schemas. */
export function showType(type: readonly TypePart[], api: ApiContext): ComponentChildren {
  return type.map((part) => {
    const href = part.kind === 'schema' ? findPageHref(api, 'schema', part.target.name) : undefined
    const text = toBreakable(toTypeWords(part, api.site.messages))
    return href === undefined ? text : <a href={href}>{text}</a>
  })
}
