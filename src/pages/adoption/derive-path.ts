import { parentPath } from '../../source/relative-path.ts'
import { slug, toPagePath, toSafeName } from '../page-path.ts'
import { pageTitle } from '../render-page.ts'
import type { PageSubject } from '../types.ts'
import { lastStep, toWords } from './adopted-page.ts'
import { mostCommon, type Sibling } from './siblings.ts'

/**
 * The path, without extension, that a new page gets among pages that somebody made.
 *
 * The folder is that of the pages with the same tag; for a new tag it is named after the tag as those of the other tags are, else it is the one
 * that most pages are in. The file is named after the operation in the way that most of them are.
 */
export function derivePath(subject: PageSubject, siblings: readonly Sibling[]): string {
  const folder = deriveFolder(subject, siblings)
  const rule = findNameRule(siblings, subject.tag)
  const name = rule === undefined ? '' : toSafeName((nameRules[rule]?.(subject) ?? '').replaceAll('/', '-'))
  const usual = toPagePath({ ...subject, tag: undefined }, '')
  return [folder, name || usual].filter(Boolean).join('/')
}

/** How most pages are named, with more weight for those of a tag; `undefined` where less than a third follow one rule. */
export function findNameRule(siblings: readonly Sibling[], tag?: string): string | undefined {
  let best: { readonly rule: string; readonly score: number; readonly matches: number } | undefined
  for (const [rule, nameOf] of Object.entries(nameRules)) {
    const matching = siblings.filter(({ path, subject }) => nameOf(subject) === fileName(path))
    const score = matching.length + 3 * matching.filter(({ subject }) => subject.tag === tag).length
    if (score > (best?.score ?? 0)) best = { rule, score, matches: matching.length }
  }
  return best && best.matches * 3 >= siblings.length ? best.rule : undefined
}

/** How folders are named after tags, and the folder that they are in; `undefined` where most are not. */
export function findFolderRule(siblings: readonly Sibling[]): { readonly rule: string; readonly base: string } | undefined {
  let best: { readonly rule: string; readonly base: string; readonly tags: number } | undefined
  for (const [rule, nameOf] of Object.entries(folderRules)) {
    const matching = siblings.filter(
      ({ path, subject: { tag } }) => tag !== undefined && lastName(parentPath(path)) === nameOf(tag),
    )
    const base = mostCommon(matching, ({ path }) => parentPath(parentPath(path)))
    const tags = new Set(matching.map(({ subject }) => subject.tag)).size
    if (base && matching.length * 2 >= siblings.length && tags > (best?.tags ?? 0)) best = { rule, base: base.value, tags }
  }
  return best
}

function deriveFolder({ tag }: PageSubject, siblings: readonly Sibling[]): string {
  const same = siblings.filter(({ subject }) => subject.tag === tag)
  const ofTag = mostCommon(same, ({ path }) => parentPath(path))
  if (ofTag) return ofTag.value
  const named = tag === undefined ? undefined : findFolderRule(siblings)
  if (named && tag !== undefined) {
    const name = toSafeName(folderRules[named.rule]?.(tag) ?? '')
    return [named.base, name].filter(Boolean).join('/')
  }
  return mostCommon(siblings, ({ path }) => parentPath(path))?.value ?? ''
}

function fileName(path: string): string {
  return lastName(path).replace(/\.mdx?$/i, '')
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

type Rule = (subject: PageSubject) => string | undefined

/** How a file can be named after its operation, without extension; ties go to the first. The names are what a report says. */
const nameRules: { readonly [name: string]: Rule } = {
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
const folderRules: { readonly [name: string]: (tag: string) => string } = {
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
