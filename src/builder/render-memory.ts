import { createHash } from 'node:crypto'
import { diagnosticCodes } from '../diagnostic/codes.ts'
import type { Finding } from '../diagnostic/diagnostic.ts'
import type { SearchEntry } from '../site/search/search-entry.ts'
import { isObject } from '../text/is-object.ts'

/** What is remembered of a page that was rendered: all but its bytes, which stand in the output. */
export interface RememberedPage {
  readonly key: string
  /** Of the texts of `uses`. */
  readonly texts: string
  readonly uses: readonly string[]
  readonly links: readonly string[]
  readonly findings: readonly Finding[]
  readonly search: SearchEntry | undefined
  /** The addresses of its parts; absent where they are many. */
  readonly ids?: readonly string[]
  /** Its HTML first, then what stands beside it. */
  readonly files: readonly RememberedFile[]
}

export interface RememberedFile {
  readonly path: string
  readonly hash: string
  /** What tells that the file was not written since; for the next build, which then need not read it. */
  readonly stamp?: string | undefined
}

/** Pages by their routes. */
export type RenderMemory = ReadonlyMap<string, RememberedPage>

/** The memory with the stamps of files as they stand now. */
export function stampMemory(memory: RenderMemory, stampOf: (path: string) => string | undefined): RenderMemory {
  const stamped = [...memory].map(([route, page]) => {
    const files = page.files.map(({ path, hash }) => ({ path, hash, stamp: stampOf(path) }))
    return [route, { ...page, files }] as const
  })
  return new Map(stamped)
}

/** The memory as a text with a checksum, which `parseRenderMemory` reads. */
export function formatRenderMemory(memory: RenderMemory): string {
  const body = JSON.stringify([...memory])
  return `${checksum(body)}\n${body}\n`
}

/** Reads a memory; empty where the text is damaged, or of another form: then all is rendered. */
export function parseRenderMemory(text: string): Map<string, RememberedPage> {
  const [sum = '', body = ''] = text.split('\n', 2)
  if (checksum(body) !== sum) return new Map()
  const value: unknown = JSON.parse(body)
  const entries = Array.isArray(value) ? value.filter(isEntry) : []
  return new Map(entries)
}

function isEntry(entry: unknown): entry is [string, RememberedPage] {
  const [route, page] = Array.isArray(entry) ? entry : []
  if (typeof route !== 'string' || !isObject(page)) return false
  const { key, texts, uses, links, findings, search, ids, files } = page
  const isList = (list: unknown, isGood: (one: unknown) => boolean) => Array.isArray(list) && list.every(isGood)
  const isText = (one: unknown) => typeof one === 'string'
  const isFile = (one: unknown) =>
    isObject(one) && isText(one['path']) && isText(one['hash']) && (one['stamp'] === undefined || isText(one['stamp']))
  const isSearch = (one: unknown) => isObject(one) && ['names', 'part', 'sections'].every((name) => Array.isArray(one[name]))
  const isFinding = (one: unknown) =>
    isObject(one) &&
    isText(one['code']) &&
    Object.hasOwn(diagnosticCodes, String(one['code'])) &&
    isText(one['message']) &&
    isText(one['file']) &&
    isText(one['pointer'])
  return (
    isText(key) &&
    isText(texts) &&
    isList(uses, isText) &&
    isList(links, isText) &&
    isList(findings, isFinding) &&
    (search === undefined || isSearch(search)) &&
    (ids === undefined || isList(ids, isText)) &&
    isList(files, isFile)
  )
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}
