import type { Label } from '../../../openapi/types.ts'
import { toOneLine } from '../../../text/plain/escape-text.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import type {
  ChoiceView,
  EnumValue,
  ExternalDocsView,
  SchemaFact,
  SchemaPart,
  SchemaTarget,
  SchemaView,
} from '../../reference/types.ts'
import { findTitle, isListRow } from '../api/schema-content.tsx'

/** The URLs of the Markdown of other pages; `undefined` for those without a page. */
export interface MarkdownLinks {
  readonly schema: (target: SchemaTarget) => string | undefined
  readonly part: (part: SchemaPart) => string | undefined
  /** By `GET /path` or `operationId`. */
  readonly operation: (target: string) => string | undefined
}

/** What a row says besides its schema. */
export interface RowDetails {
  readonly required?: boolean
  readonly deprecated?: boolean
  /** In addition to those of the schema. */
  readonly labels?: readonly Label[]
  readonly description?: string | undefined
  readonly notes?: readonly string[]
  readonly facts?: readonly SchemaFact[]
}

/** Renders a property, parameter or header as a list item, with its nested rows. */
export function renderRow(name: string, schema: SchemaView, details: RowDetails, links: MarkdownLinks, depth = 0): string {
  const { required = false, deprecated = false, labels: more = [], description, notes = [], facts = [] } = details
  const marks = [
    renderType(schema, links),
    renderTitle(schema, [name]),
    ...notes,
    required && 'required',
    (deprecated || schema.deprecated) && 'deprecated',
    schema.readOnly && 'read-only',
    schema.writeOnly && 'write-only',
    schema.cut?.kind === 'recursive' && 'recursive',
    ...toLabelTexts({ labels: [...schema.labels, ...more] }),
  ]
  const labels = marks.filter((mark) => typeof mark === 'string' && mark !== '').join(', ')
  // The page of a named schema has its words.
  const isRepeated = schema.description === description || (schema.isPlainReference && description !== undefined)
  const texts =
    description === undefined ? schema.description : joinWords([description, isRepeated ? undefined : schema.description])
  const shown = facts.length === 0 ? schema : { ...schema, facts: [...facts, ...schema.facts] }
  return item(`${codeSpan(name)} (${labels})`, [texts, ...renderWords(shown)], renderInside(schema, links, depth + 1), depth)
}

/** The rows of a schema: its properties, and those of its items and choices. */
export function renderInside(schema: SchemaView, links: MarkdownLinks, depth: number): string {
  if (schema.cut) return ''
  const { properties, otherKeys, items, prefixItems, choices, conditions, bases, isClosed } = schema
  const rows = [
    ...(bases.length > 0
      ? [item(`All of ${bases.map((base) => linkTo(base.name, links.schema(base))).join(', ')}`, [], '', depth)]
      : []),
    ...properties.map(({ name, required, schema: one }) => renderRow(name, one, { required }, links, depth)),
    ...otherKeys.map(({ label, pattern, schema: one }) =>
      renderRow(label, one, { notes: pattern === undefined ? [] : [`keys match ${codeSpan(pattern)}`] }, links, depth),
    ),
    ...prefixItems.map((one, index) => renderRow(`[${index}]`, one, {}, links, depth)),
    // Next to other rows, the items are one more.
    ...(items ? [isListRow(schema) ? renderItems(items, links, depth) : renderRow('items', items, {}, links, depth)] : []),
    ...choices.map((choice) => renderChoice(choice, links, depth)),
    ...conditions.map(({ label, schema: one }) => renderRow(label, one, {}, links, depth)),
    ...(isClosed ? [item('No additional properties', [], '', depth)] : []),
  ]
  return rows.filter((row) => row !== '').join('\n')
}

/** The items of a list: their rows, after a line with what the list says about them. */
function renderItems(items: SchemaView, links: MarkdownLinks, depth: number): string {
  const inside = renderInside(items, links, items.properties.length > 0 || items.choices.length > 0 ? depth : depth + 1)
  // The page of a named schema has its words.
  const words = items.isPlainReference ? [] : [items.description, ...renderWords(items)].filter((text) => text?.trim())
  const title = renderTitle(items, [])
  const marks = items.isPlainReference
    ? []
    : [
        title,
        items.deprecated && 'deprecated',
        items.readOnly && 'read-only',
        items.writeOnly && 'write-only',
        ...toLabelTexts(items),
      ]
  const labels = marks.filter(Boolean).join(', ')
  if (words.length === 0 && labels === '') return inside
  const line = item(`Each item${labels === '' ? '' : ` (${labels})`}`, words, '', depth)
  return inside === '' ? line : `${line}\n${inside}`
}

function renderChoice({ kind, discriminator, options }: ChoiceView, links: MarkdownLinks, depth: number): string {
  const by = discriminator === undefined ? '' : `, by ${codeSpan(discriminator)}`
  const rows = options.map(({ label, schema }) => {
    const type = renderType(schema, links)
    const title = renderTitle(schema, [label])
    const name = escapeMarkdown(label)
    const marks = [
      type === name ? '' : type,
      title,
      schema.deprecated && 'deprecated',
      schema.readOnly && 'read-only',
      schema.writeOnly && 'write-only',
      schema.cut?.kind === 'recursive' && 'recursive',
      ...toLabelTexts(schema),
    ].filter((mark) => typeof mark === 'string' && mark !== '')
    const head = marks.length === 0 ? name : `${name} (${marks.join(', ')})`
    return item(head, [schema.description, ...renderWords(schema)], renderInside(schema, links, depth + 2), depth + 1)
  })
  return [item(`${kind === 'oneOf' ? 'One of' : 'Any of'}${by}:`, [], '', depth), ...rows].join('\n')
}

/** A list item: a head, texts and blocks, and nested items. */
export function item(head: string, texts: readonly (string | undefined)[], inside: string, depth: number): string {
  const indent = '  '.repeat(depth)
  const [first = '', ...more] = texts.flatMap((text) => (text?.trim() ? [text.trim()] : []))
  const isBlock = (text: string) => /^(?:`{3}|- )/.test(text)
  let line = first === '' ? head : isBlock(first) ? `${head}:\n${first}` : `${head}: ${first}`
  for (const text of more) line += isBlock(text) ? `\n${text}` : line.includes('\n') ? `\n\n${text}` : `. ${text}`
  const indented = line.replace(/\n/g, `\n${indent}  `)
  return `${indent}- ${indented}${inside === '' ? '' : `\n${inside}`}`
}

/** The constraints, values, examples and links of a schema: a sentence, and blocks for long values. */
export function renderWords({
  facts,
  enum: values,
  externalDocs,
}: Pick<SchemaView, 'facts' | 'enum' | 'externalDocs'>): string[] {
  const isBlock = (fact: SchemaFact) => fact.kind === 'value' && fact.value.includes('\n')
  const sentences = facts
    .filter((fact) => !isBlock(fact))
    .map((fact) => (fact.kind === 'words' ? fact.text : `${fact.label} ${codeSpan(fact.value)}`))
  const isPlain = values.every(({ description }) => description === undefined)
  if (values.length > 0 && isPlain) sentences.unshift(`One of ${values.map(({ value }) => codeSpan(value)).join(', ')}`)
  return [
    sentences.join('. '),
    ...(isPlain ? [] : [renderValues(values)]),
    ...facts.flatMap((fact) =>
      fact.kind === 'value' && isBlock(fact) ? [`- ${fact.label}:\n  ${codeBlock(fact.value, '').replace(/\n/g, '\n  ')}`] : [],
    ),
    ...externalDocs.map(renderExternalDocs),
  ].filter((text) => text !== '')
}

function renderValues(values: readonly EnumValue[]): string {
  return values.map(({ value, description }) => item(codeSpan(value), [description], '', 0)).join('\n')
}

export function renderExternalDocs({ url, description }: ExternalDocsView): string {
  if (description === undefined) return `See ${renderUrl(url)}`
  return isAllowedUrl(url, 'link')
    ? linkTo(description, toDestination(url))
    : `${escapeMarkdown(description)} (${renderUrl(url)})`
}

/** A URL of an OpenAPI document. One that could run a script is code. */
export function renderUrl(url: string): string {
  return isAllowedUrl(url, 'link') ? toDestination(url) : codeSpan(toOneLine(url))
}

/** Encodes the characters that could end the destination of a link. */
function toDestination(url: string): string {
  return url.replace(/[\s()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** The type of a schema in words, with links to the pages of named schemas. */
export function renderType({ type, cut }: SchemaView, links: MarkdownLinks): string {
  const words = type.map(({ text, target }) => (target ? linkTo(text, links.schema(target)) : escapeMarkdown(text))).join('')
  const url = cut?.kind === 'part' ? links.part(cut.part) : undefined
  return url === undefined ? words : `${words}, [fields](${url})`
}

/** The title of a schema, if it says more than these names; `''` if not. */
export function renderTitle(schema: SchemaView, names: readonly string[]): string {
  return escapeMarkdown(findTitle(schema, names) ?? '')
}

export function linkTo(text: string, url: string | undefined): string {
  return url === undefined ? escapeMarkdown(text) : `[${escapeMarkdown(text)}](${url})`
}

/** Different texts as paragraphs. */
export function joinWords(texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.flatMap((text) => (text?.trim() ? [text.trim()] : [])))].join('\n\n')
}

/** The labels of a schema or operation as Markdown. */
export function toLabelTexts({ labels }: { readonly labels: readonly Label[] }): string[] {
  return labels.map(({ text }) => escapeMarkdown(text))
}

/** Escapes plain text for one line, such as a title. Names in backticks stay code. */
export function escapeMarkdown(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const parts = line.split('`')
  const escapePart = (part: string) =>
    part
      .replace(/[\\`*[\]<>~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<!\S)#|&(?=#?\w+;)/gu, '\\$&')
      // GitHub makes a link of an address, with the escapes after it.
      .replace(/(?<=https?):(?=\/\/)|(?<=www)\./gi, '\\$&')
  const isPlain = parts.length % 2 === 0 || line.includes('``')
  const escaped = isPlain
    ? escapePart(line)
    : parts.map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapePart(part))).join('')
  // These would begin a list or a rule.
  return escaped.replace(/^( ?\d{0,9})([-+=]+|[.)])(?=\s|$)/, '$1\\$2')
}

/** A code span, with delimiters that are longer than any run of backticks in it. */
export function codeSpan(code: string): string {
  // A blank line would end it.
  const text = code.replace(/[\r\n]+/g, ' ')
  if (text !== '' && !text.startsWith(' ') && !text.includes('`')) return `\`${text}\``
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  if (text === '') return '`""`'
  return longest > 0 || text.startsWith(' ') ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

/** A fenced code block, with a fence that is longer than any in the text. */
export function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
