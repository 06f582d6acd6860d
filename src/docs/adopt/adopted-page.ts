import { readText } from '../../text/json/json-values.ts'
import { formatTarget } from '../navigation/docs-config.ts'
import { rewriteBinding } from '../navigation/read-divisions.ts'
import { pageTitle } from '../pages/generated-page.ts'
import type { LockedPage } from '../pages/lock-file.ts'
import { editFrontmatterValue, parsePageFrontmatter, readPageBinding } from '../pages/page-bindings.ts'
import { type PageSubject, toSchemaTarget } from '../pages/subjects.ts'

/**
 * Updates an adopted page: texts that follow the description get their current value, and the binding gets the current name of
 * the operation. Everything else is preserved byte for byte, as are pages with their own content and pages that are bound to
 * something else than recorded.
 */
export function editAdoptedPage(
  text: string,
  subject: PageSubject,
  { operation, adopted, keep }: Pick<LockedPage, 'operation' | 'adopted' | 'keep'>,
): string {
  if (!isBoundTo(text, operation)) return text
  let edited = rebindAdopted(text, operation, subject.target)
  const values = parsePageFrontmatter(text)?.values ?? {}
  for (const [key, source] of Object.entries(keep ? {} : (adopted ?? {}))) {
    const now = textFrom(source, subject)
    const written = readText(values, key)
    if (now === undefined || written === undefined || written.trim() === now) continue
    edited = editFrontmatterValue(edited, key, now) ?? edited
  }
  return edited
}

/** Changes the operation in the binding of a page, keeping its spelling, if the page is still bound to the former operation. */
export function rebindAdopted(text: string, former: string, target: string): string {
  if (former === target || !isBoundTo(text, former)) return text
  const written = readText(parsePageFrontmatter(text)?.values, 'openapi')
  return (written === undefined ? undefined : editFrontmatterValue(text, 'openapi', rewriteBinding(written, target))) ?? text
}

/** Whether a page is bound to an operation, webhook or schema; see `LockedPage.operation`. */
export function isBoundTo(text: string, operation: string): boolean {
  const reading = readPageBinding(text)
  if (reading.kind !== 'bound') return false
  const { binding } = reading
  const bound = binding.kind === 'schema' ? toSchemaTarget(binding.name) : formatTarget(binding)
  return withoutSlash(bound) === withoutSlash(operation)
}

function withoutSlash(target: string): string {
  return target.replace(/(.)\/$/, '$1')
}

/** Sources of frontmatter texts, by their name in the lock file. The first match wins. */
export const textSources = {
  summary: ({ summary }) => summary?.trim(),
  description: ({ description }) => description?.trim(),
  'first-line': ({ description }) => description?.trim().split(/\r?\n/)[0]?.trim(),
  title: (subject) => pageTitle(subject),
  'summary-words': ({ summary }) => summary && toTitleCase(toPlainWords(summary)),
  'summary-sentence': ({ summary }) => summary && toSentenceCase(toPlainWords(summary)),
  'operation-id': ({ operationId }) => operationId,
  'operation-id-words': ({ operationId }) => operationId && toTitleCase(toWords(operationId)),
  'operation-id-sentence': ({ operationId }) => operationId && toSentenceCase(toWords(operationId)),
  'path-end': ({ binding }) => (binding.kind === 'operation' ? lastStep(binding.pathTemplate) : undefined),
} as const satisfies { readonly [name: string]: (subject: PageSubject) => string | undefined }

export type TextSource = keyof typeof textSources

/** Returns the text of a source for an operation, if any. Unknown names come from a later release and yield `undefined`. */
function textFrom(source: string, subject: PageSubject): string | undefined {
  const found = listTextSources().find((name) => name === source)
  return found && (textSources[found](subject) || undefined)
}

/** Finds the first source that yields the text for an operation. */
export function findTextSource(text: string, subject: PageSubject): TextSource | undefined {
  const written = text.trim()
  return listTextSources().find((name) => written !== '' && textSources[name](subject) === written)
}

export function listTextSources(): TextSource[] {
  return Object.keys(textSources) as TextSource[] // `Object.keys` loses the key type.
}

/** Returns the last path segment that is not a parameter. */
export function lastStep(pathTemplate: string): string | undefined {
  return pathTemplate
    .split('/')
    .filter((step) => step !== '' && !step.startsWith('{'))
    .at(-1)
}

function toPlainWords(text: string): string[] {
  return text.trim().split(/\s+/)
}

function toTitleCase(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

function toSentenceCase(words: readonly string[]): string {
  const text = words.map((word) => (word === word.toUpperCase() ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Splits a name into lowercase words: `orderID`, `order_id` and `Order ID` have two each. */
export function toWords(text: string): string[] {
  return text
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
}
