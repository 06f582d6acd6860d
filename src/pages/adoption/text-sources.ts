import { pageTitle } from '../render-page.ts'
import type { PageSubject } from '../types.ts'
import { toWords } from './words.ts'

/** Where a text in frontmatter can come from, by the name that the lock file has for it. The first that fits counts. */
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

/** The text of a source on one operation; absent where the operation has none. A name that a later release wrote gives none. */
export function textFrom(source: string, subject: PageSubject): string | undefined {
  const found = listTextSources().find((name) => name === source)
  return found && (textSources[found](subject) || undefined)
}

/** The first source that gives a text for an operation. */
export function findTextSource(text: string, subject: PageSubject): TextSource | undefined {
  const written = text.trim()
  return listTextSources().find((name) => written !== '' && textSources[name](subject) === written)
}

export function listTextSources(): TextSource[] {
  return Object.keys(textSources) as TextSource[] // The keys of an object are those of its type.
}

/** The last step of a path that is no parameter. */
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
