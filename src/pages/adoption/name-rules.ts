import { slug } from '../page-path.ts'
import { pageTitle } from '../render-page.ts'
import type { PageSubject } from '../types.ts'
import { lastStep } from './text-sources.ts'
import { toWords } from './words.ts'

type Rule = (subject: PageSubject) => string | undefined

/** How a file can be named after its operation, without extension; ties go to the first. The names are what a report says. */
export const nameRules: { readonly [name: string]: Rule } = {
  summary: ({ summary }) => summary && slug(summary),
  'words of the summary': ({ summary }) => summary && toWords(summary).join('-'),
  'words of the summary with _': ({ summary }) => summary && toWords(summary).join('_'),
  'summary without articles': ({ summary }) => summary && withoutArticles(toWords(summary)).join('-'),
  operationId: ({ operationId }) => operationId,
  'operationId in lower case': ({ operationId }) => operationId?.toLowerCase(),
  'words of the operationId': ({ operationId }) => operationId && toWords(operationId).join('-'),
  'words of the operationId with _': ({ operationId }) => operationId && toWords(operationId).join('_'),
  'method and path': ({ binding }) =>
    binding.kind === 'operation' ? `${binding.method.toLowerCase()}-${slug(binding.pathTemplate)}` : nameOf(binding),
  'words of method and path': ({ binding }) =>
    binding.kind === 'operation' ? [binding.method.toLowerCase(), ...toWords(binding.pathTemplate)].join('-') : nameOf(binding),
  'words of method and path with _': ({ binding }) =>
    binding.kind === 'operation' ? [binding.method.toLowerCase(), ...toWords(binding.pathTemplate)].join('_') : nameOf(binding),
  'words of the path': ({ binding }) =>
    binding.kind === 'operation' ? toWords(binding.pathTemplate).join('-') : nameOf(binding),
  'end of the path': ({ binding }) => (binding.kind === 'operation' ? lastStep(binding.pathTemplate) : nameOf(binding)),
  'words of the end of the path': ({ binding }) =>
    binding.kind === 'operation' ? toWords(lastStep(binding.pathTemplate) ?? '').join('-') : nameOf(binding),
  method: ({ binding }) => (binding.kind === 'operation' ? binding.method.toLowerCase() : undefined),
  'title that is made of method and path': (subject) => toWords(pageTitle({ ...subject, summary: undefined })).join('-'),
}

/** How a folder can be named after a tag; the last is for one folder for all. */
export const folderRules: { readonly [name: string]: (tag: string) => string } = {
  tag: (tag) => slug(tag),
  'words of the tag': (tag) => toWords(tag).join('-'),
  'words of the tag with _': (tag) => toWords(tag).join('_'),
  'tag as it is': (tag) => tag,
  'tag without blanks': (tag) => toWords(tag).join(''),
}

function nameOf(binding: PageSubject['binding']): string | undefined {
  return 'name' in binding ? slug(binding.name) : undefined
}

function withoutArticles(words: readonly string[]): string[] {
  return words.filter((word) => word !== 'a' && word !== 'an' && word !== 'the')
}
