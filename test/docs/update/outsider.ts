import type { Tree } from '../../support/memory-tree.ts'

// Confirms that a green is true. It reads only documents, docs.json and pages, and shares no code with the program.

const isMethod = (key: string) => ['get', 'put', 'post', 'delete'].includes(key)
type Json = { readonly [key: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The visible operations of each document: `GET /pets`. */
function listOperations(tree: Tree): Map<string, string[]> {
  const documents = Object.entries(tree).filter(([path, text]) => path.endsWith('.json') && /^\{"openapi"/.test(text))
  return new Map(
    documents.map(([path, text]) => {
      const { paths } = JSON.parse(text) as { paths: { [path: string]: { [method: string]: Json } } }
      const shown = Object.entries(paths).flatMap(([template, item]) =>
        Object.entries(item).flatMap(([method, operation]) =>
          isMethod(method) && operation['x-hidden'] !== true ? `${method.toUpperCase()} ${template}` : [],
        ),
      )
      return [path, shown] as const
    }),
  )
}

/** All strings in `pages`, at any depth. */
function listEntries(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === 'string' ? item : listEntries(item)))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === 'openapi' ? [] : listEntries(inner)))
}

const bindingOf = (text = '') => /^openapi: "?(.*?)"?$/m.exec(text.split('\n---')[0] ?? '')?.[1]

/**
 * Lists what is wrong and what no line of the output says: an operation that a branch lists never or twice, and a bound page without its
 * operation. `said` has the lines of the output.
 */
export function findUnsaid(tree: Tree, said: readonly string[]): string[] {
  const operations = listOperations(tree)
  const { navigation } = JSON.parse(tree['docs.json'] ?? '') as { navigation: Json }
  const lists = ['languages', 'versions', 'products'].flatMap((key) => navigation[key] ?? []).flat()
  const isSaid = (...words: readonly string[]) => said.some((line) => words.every((word) => line.includes(word)))
  const faults = (lists.length === 0 ? [navigation] : lists).flatMap((branch) => {
    const shown = listEntries(branch).flatMap((entry) => ({ entry, binding: bindingOf(tree[`${entry}.mdx`]) ?? entry }))
    return [...operations].flatMap(([document, own]) => {
      const isHere = shown.some(({ binding }) => binding.startsWith(`${document} `)) || JSON.stringify(branch).includes(document)
      return (isHere && !isSaid(document, 'no longer referenced') ? own : []).flatMap((operation) => {
        const pages = shown.filter(({ binding }) => binding === `${document} ${operation}` || binding === operation)
        const isOnce = pages.length === 1 || (pages.length > 1 && pages.some(({ entry }) => entry.startsWith('manual-')))
        return isOnce || isSaid(document, operation) ? [] : `${document} ${operation} is listed ${pages.length} times`
      })
    })
  })
  const lost = Object.entries(tree).flatMap(([path, text]) => {
    const [, document = '', operation = ''] = /^(\S+\.json) (.*)$/.exec(bindingOf(text) ?? '') ?? []
    const isThere = !path.endsWith('.mdx') || document === '' || tree[document]?.includes(`"${operation.split(' ')[1]}"`)
    return isThere || isSaid(path) || isSaid(document, 'error') ? [] : `${path} shows ${operation}, which is gone`
  })
  return [...faults, ...lost]
}
