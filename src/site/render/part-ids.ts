import { escapeHtml, unescapeHtml } from './html.ts'

/** The addresses of the parts of a page, as its HTML has them. */
export function listIds(html: string): string[] {
  const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id = '']) => unescapeHtml(id))
  // Copied, so that the list does not keep the whole page in memory.
  return JSON.parse(JSON.stringify(ids))
}

/** Gives an address that is not taken: this one, else with a number. It is taken then. */
export function claimId(wanted: string, taken: Set<string>): string {
  let claimed = wanted
  for (let number = 2; taken.has(claimed); number++) claimed = `${wanted}-${number}`
  taken.add(claimed)
  return claimed
}

/** Where the number of a held address stands in the HTML of a page: characters that no text may have. */
const open = '\uFDD2'
const close = '\uFDD3'

/**
 * The addresses that texts of a description have, such as those of their headings. Each text was written as if it stood alone, and the same one
 * stands on many pages, so that theirs are given last, when the page is whole: what is the page's own keeps its address.
 */
interface HeldIds {
  /** Stands for the address until `settle`. */
  readonly hold: (id: string) => string
  /** The page with all addresses, none of them twice. */
  readonly settle: (html: string) => string
}

export function holdIds(): HeldIds {
  const held: string[] = []
  return {
    hold: (id) => `${open}${held.push(id) - 1}${close}`,
    settle(html) {
      if (held.length === 0) return html
      const taken = new Set(listIds(html))
      const given = held.map((id) => escapeHtml(claimId(id, taken)))
      return html.replace(/\uFDD2(\d+)\uFDD3/g, (written, index: string) => given[Number(index)] ?? written)
    },
  }
}

/** The address of a part of a page: what is around it, then its own name, without what an address cannot have. */
export function toAnchor(...steps: readonly (string | number)[]): string {
  return steps
    .map((step) =>
      String(step)
        .trim()
        .replace(/[^\p{L}\p{N}_.~$-]+/gu, '-'),
    )
    .filter((step) => step !== '')
    .join('-')
}

/** The address, on the page of all pages, of a part by its label. */
export function toPartId(label: string): string {
  return `part-${label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')}`
}
