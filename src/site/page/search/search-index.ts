import { getOrMake, onceFor } from '../../../text/plain/lists.ts'
import { findMessages } from '../../messages/messages.ts'
import { findPageLanguage } from '../../plan/page-language.ts'
import type { SiteFile } from '../../plan/types.ts'
import { packIndex, toHeadingId } from '../../search/packed-index.ts'
import { isTextWord, splitCompound } from '../../search/search-words.ts'
import { renderApiReference } from '../api/api-reference.tsx'
import { printPage } from '../markdown/page-markdown.ts'
import { isSearchable } from '../page-listing.ts'
import { planSearchScopes } from '../search-scopes.ts'
import { readContent, type SiteSource } from '../site-context.ts'
import { type SearchEntry, toSearchEntry } from './search-entry.ts'

/** The directory of the index in the built site. */
export const searchFolder = '_search'

/** The letters of pages that are no operations, webhooks or schemas, by category. */
const letters = { guides: 'p', reference: 'r', schemas: 'r', changelog: 'c' } as const

/** The most sections per text file. */
const sectionsPerFile = 4_000

/**
 * Creates the search index of a scope, see `planSearchScopes`. `names.json` has the title, path and description of every page, `parameters.json` has other names and all words of the pages,
 * `text-0.json` and following files have the text. Browsers load them when the search opens, `names.json` first. The output is deterministic.
 */
export function renderSearchIndex(entries: readonly SearchEntry[], scope = 0): readonly SiteFile[] {
  const folder = scope === 0 ? searchFolder : `${searchFolder}/${scope}`
  const parts: string[][] = []
  const partIndex = new Map<string, number>()
  const toPart = (part: readonly string[]) => getOrMake(partIndex, JSON.stringify(part), () => parts.push([...part]) - 1)
  const boosts = entries.flatMap(({ boost }, page) => (boost === undefined || boost === 1 ? [] : [[page, boost] as const]))
  // `src/site/search/find-hits.ts` has the value of each field.
  const names = {
    parts,
    routes: toColumn(entries.map(({ route }) => route)),
    kinds: entries.map(({ kind, category }) => (kind === 'page' ? letters[category] : kind.charAt(0))).join(''),
    titles: toColumn(entries.map(({ title }) => title)),
    methods: toColumn(entries.map(({ method }) => method ?? '')),
    details: toColumn(entries.map(({ path }) => path ?? '')),
    operationIds: toColumn(entries.map(({ operationId }) => operationId ?? '')),
    partOf: entries.map(({ part }) => toPart(part)),
    hasParameters: entries.some((entry) => entry.names.length > 0 || entry.words),
    ...(boosts.length > 0 && { boosts: Object.fromEntries(boosts) }),
  }
  const index = packIndex(entries.map(toNameFields), (word, field) => field !== 2 || isTextWord(word))
  const lists = entries.map((entry) => entry.names.join(' '))
  const parameters = {
    names: toColumn(lists),
    index: packIndex(
      entries.map(({ words = '' }, page) => [lists[page] ?? '', words]),
      (word, field) => field === 0 || isTextWord(word),
    ),
  }
  const sections = entries.flatMap(({ sections: list }, page) => list.map((section) => ({ page, ...section })))
  const texts: SiteFile[] = []
  for (let start = 0; start < sections.length; start += sectionsPerFile) {
    const some = sections.slice(start, start + sectionsPerFile)
    const index = packIndex(
      some.map(({ heading, text }) => [heading, text]),
      isTextWord,
    )
    const list = some.map(({ page, id, heading, text }) => {
      return [page, id === toHeadingId(heading) ? 0 : id, heading, text] as const
    })
    texts.push({
      path: `${folder}/text-${texts.length}.json`,
      content: JSON.stringify({ sections: list, index }),
    })
  }
  return [
    { path: `${folder}/names.json`, content: JSON.stringify({ ...names, texts: texts.length, index }) },
    ...(names.hasParameters ? [{ path: `${folder}/parameters.json`, content: JSON.stringify(parameters) }] : []),
    ...texts,
  ]
}

/** A line for each page. */
function toColumn(values: readonly string[]): string {
  return values.map((value) => value.replaceAll('\n', ' ')).join('\n')
}

function toNameFields({ kind, title, method, path, operationId, about }: SearchEntry): readonly string[] {
  const isPath = kind === 'operation' || kind === 'webhook'
  // "push webhook" and "user schema" name the kind of page, which counts less than a word of a title.
  const kindName = kind === 'webhook' || kind === 'schema' ? kind : ''
  // Whole `operationId`s have their own column, which is smaller.
  const idWords = splitCompound(operationId ?? '').join(' ')
  return [title, isPath ? `${method ?? ''} ${path ?? ''} ${idWords}` : '', `${about} ${kindName}`]
}

const searchFiles = onceFor((_: SiteSource) => new Map<number, readonly SiteFile[]>())

/** A search file for the local preview. The first request for a scope creates its index. `undefined` if there is no file with this path. */
export function findSearchFile(path: string, source: SiteSource): SiteFile | undefined {
  if (!path.startsWith(`${searchFolder}/`)) return undefined
  const scope = Number(/^\d{1,6}(?=\/)/.exec(path.slice(searchFolder.length + 1))?.[0] ?? 0)
  return getOrMake(searchFiles(source), scope, () => listSearchFiles(scope, source)).find((file) => file.path === path)
}

function listSearchFiles(scope: number, source: SiteSource): readonly SiteFile[] {
  const { context } = source
  const { count, scopesOf } = planSearchScopes(context.plan)
  if (scope >= count) return []
  const entries = context.plan.pages.flatMap((page) => {
    if (!isSearchable(page, context.plan.settings) || !scopesOf(page).includes(scope)) return []
    const content = readContent(page, source)
    const messages = findMessages(findPageLanguage(page, context.plan.settings))
    const article = renderApiReference(page, { ...source, context: { ...context, messages } }, content)
    const text = printPage(page, { nodes: content.nodes, lead: page.description, reference: article }, context)
    return toSearchEntry(page, { nodes: content.nodes, article, text }, source) ?? []
  })
  return renderSearchIndex(entries, scope)
}
