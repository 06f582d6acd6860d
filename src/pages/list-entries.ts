import type { Division, DocsConfig } from '../docs/types.ts'
import { parentPointer, valueAtPointer } from '../text/json-pointer.ts'
import { isWithin } from './declare-divisions.ts'

/** Where the entry of a page stands in `docs.json`. */
export interface Listing {
  /** Pointer of the list. */
  readonly array: string
  readonly index: number
}

/** The entries of pages as an update finds and changes them. */
export interface Entries {
  /** By page path without extension; of the entries that stay. */
  readonly listings: Map<string, Listing[]>
  /** Entries that go away, by the pointer of their list. */
  readonly removed: Map<string, Set<number>>
  /** Entries that get another path, by the pointer of their list and their index. */
  readonly replaced: Map<string, Map<number, string>>
  /** New entries, by the pointer of their list and the index that they go before. */
  readonly inserted: Map<string, Map<number, string[]>>
}

/** Lists the entries of pages in all divisions. */
export function listEntries({ divisions }: DocsConfig): Entries {
  const listings = new Map<string, Listing[]>()
  for (const { entries } of divisions) {
    for (const entry of entries) {
      if (entry.kind !== 'page') continue
      const index = Number(entry.pointer.slice(entry.pointer.lastIndexOf('/') + 1))
      const listing = { array: parentPointer(entry.pointer), index }
      const known = listings.get(entry.path)
      if (known) known.push(listing)
      else listings.set(entry.path, [listing])
    }
  }
  return { listings, removed: new Map(), replaced: new Map(), inserted: new Map() }
}

/** Takes away entries of a page; returns how many those are. */
export function removeEntries({ listings, removed }: Entries, path: string, isMeant: (listing: Listing) => boolean): number {
  const found = listings.get(path) ?? []
  const going = found.filter(isMeant)
  for (const { array, index } of going) {
    const indexes = removed.get(array)
    if (indexes) indexes.add(index)
    else removed.set(array, new Set([index]))
  }
  const staying = found.filter((listing) => !going.includes(listing))
  if (staying.length > 0) listings.set(path, staying)
  else listings.delete(path)
  return going.length
}

/** Lets the entries of a page name another path. */
export function moveEntries({ listings, replaced }: Entries, from: string, to: string): void {
  const found = listings.get(from)
  if (!found) return
  listings.delete(from)
  listings.set(to, [...(listings.get(to) ?? []), ...found])
  for (const { array, index } of found) setAt(replaced, array, index, to)
}

/** Puts the entry of a page before the one that stands at a place now. */
export function insertEntry({ inserted }: Entries, { array, index }: Listing, path: string): void {
  const values = inserted.get(array)?.get(index)
  if (values) values.push(path)
  else setAt(inserted, array, index, [path])
}

/** Sets a value of a mapping of lists and indexes. */
export function setAt<Value>(map: Map<string, Map<number, Value>>, array: string, index: number, value: Value): void {
  const inArray = map.get(array)
  if (inArray) inArray.set(index, value)
  else map.set(array, new Map([[index, value]]))
}

/** How many elements a list of `docs.json` has. */
export function lengthOf({ value }: DocsConfig, array: string): number {
  const list = valueAtPointer(value, array)
  return Array.isArray(list) ? list.length : 0
}

/** What the entries of one division are planned with. */
export interface DivisionState {
  readonly docsConfig: DocsConfig
  readonly byPointer: ReadonlyMap<string, Division>
  readonly entries: Entries
  readonly division: Division
  readonly home: Home
}

/** The list of a division that takes groups. */
export interface Home {
  readonly array: string
  readonly key: 'groups' | 'pages'
  readonly exists: boolean
}

/** The path of a page as its entry has it. */
export function toEntry(path: string): string {
  return path.replace(/\.mdx?$/, '')
}

/** The entry of a page in a division, else the first one anywhere. */
export function findListing({ entries, division }: DivisionState, path: string): Listing | undefined {
  const found = entries.listings.get(toEntry(path))
  return found?.find(({ array }) => isWithin(array, division.pointer)) ?? found?.[0]
}
