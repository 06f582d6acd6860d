import { readOwn } from '../../text/json/json-values.ts'
import { baseName, parentPath } from '../../text/plain/paths.ts'
import { pageTitle, slug, toPagePath, toSafeName, withoutPageExtension } from '../pages/generated-page.ts'
import type { PageSubject } from '../pages/subjects.ts'
import { mostCommon, type Sibling } from './adopted-operations.ts'
import { lastStep, toWords } from './adopted-page.ts'

/**
 * Returns the path, without extension, for a new page next to adopted pages.
 *
 * The directory is that of pages with the same tag. For a new tag, it follows the naming of other tags, or else is the most
 * common directory. The file name follows the most common naming rule.
 */
export function derivePath(subject: PageSubject, siblings: readonly Sibling[]): string {
  const folder = deriveFolder(subject, siblings)
  const rule = findNameRule(siblings, subject.tag)
  const name = rule === undefined ? '' : toSafeName((readOwn(nameRules, rule)?.(subject) ?? '').replaceAll('/', '-'))
  const usual = toPagePath({ ...subject, tag: undefined }, '')
  return [folder, name || usual].filter(Boolean).join('/')
}

/**
 * Finds the most common naming rule, with more weight for pages of the same tag. Returns `undefined` if less than a third of the
 * pages follow one rule.
 */
export function findNameRule(siblings: readonly Sibling[], tag?: string): string | undefined {
  let best: { readonly rule: string; readonly score: number; readonly matches: number } | undefined
  for (const [rule, nameOf] of Object.entries(nameRules)) {
    const matching = siblings.filter(({ path, subject }) => nameOf(subject) === withoutPageExtension(baseName(path)))
    const score = matching.length + 3 * matching.filter(({ subject }) => subject.tag === tag).length
    if (score > (best?.score ?? 0)) best = { rule, score, matches: matching.length }
  }
  return best && best.matches * 3 >= siblings.length ? best.rule : undefined
}

/** Finds how directories are named after tags, and their parent directory. Returns `undefined` if most pages follow no rule. */
export function findFolderRule(siblings: readonly Sibling[]): { readonly rule: string; readonly base: string } | undefined {
  let best: { readonly rule: string; readonly base: string; readonly tags: number } | undefined
  for (const [rule, nameOf] of Object.entries(folderRules)) {
    const matching = siblings.filter(
      ({ path, subject: { tag } }) => tag !== undefined && baseName(parentPath(path)) === nameOf(tag),
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
    const name = toSafeName(readOwn(folderRules, named.rule)?.(tag) ?? '')
    return [named.base, name].filter(Boolean).join('/')
  }
  return mostCommon(siblings, ({ path }) => parentPath(path))?.value ?? ''
}

type Rule = (subject: PageSubject) => string | undefined

/** Rules for naming a file after its operation, without extension. The first wins a tie. The names appear in reports. */
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
  'title from method and path': (subject) => toWords(pageTitle({ ...subject, summary: undefined })).join('-'),
}

/** Rules for naming a directory after a tag. The last one means a single directory for all tags. */
const folderRules: { readonly [name: string]: (tag: string) => string } = {
  tag: (tag) => slug(tag),
  'words of the tag': (tag) => toWords(tag).join('-'),
  'words of the tag with _': (tag) => toWords(tag).join('_'),
  'unchanged tag': (tag) => tag,
  'tag without spaces': (tag) => toWords(tag).join(''),
}

function nameOf(binding: PageSubject['binding']): string | undefined {
  return 'name' in binding ? slug(binding.name) : undefined
}

function withoutArticles(words: readonly string[]): string[] {
  return words.filter((word) => word !== 'a' && word !== 'an' && word !== 'the')
}
