import { escapeHtml, unescapeHtml } from './html.ts'

/** The element IDs in the HTML of a page, and the names of `<a name>`, which are targets of fragments too. */
export function listIds(html: string): string[] {
  const ids = Array.from(html.matchAll(/ id="([^"]*)"|<a name="([^"]*)"/g), ([, id = '', name]) => unescapeHtml(name ?? id))
  // Substrings would keep the whole page in memory, so copy them.
  return JSON.parse(JSON.stringify(ids))
}

/** Returns a unique ID, with a number if `wanted` is taken, and adds it to `taken`. */
export function claimId(wanted: string, taken: Set<string>): string {
  let claimed = wanted
  for (let number = 2; taken.has(claimed); number++) claimed = `${wanted}-${number}`
  taken.add(claimed)
  return claimed
}

/**
 * Delimiters of placeholders in the HTML of a page: control characters that no text has. They are in Latin-1, because one character above it makes
 * V8 keep the whole page with two bytes for each character.
 */
const open = '\x81'
const close = '\x8d'

/**
 * Assigns the element IDs of descriptions, such as heading IDs. Descriptions are rendered independently of a page, so their IDs can collide. They are
 * assigned after the page is rendered, so that the page's own elements keep their IDs.
 */
interface DeferredIds {
  /** Returns a placeholder for an ID. */
  readonly defer: (id: string) => string
  /** Returns a placeholder for an additional ID, which is omitted if another element has it. */
  readonly deferExtra: (id: string) => string
  /** Replaces all placeholders with unique IDs. */
  readonly settle: (html: string) => string
}

export function deferIds(): DeferredIds {
  const held: string[] = []
  const extra: string[] = []
  return {
    defer: (id) => `${open}${held.push(id) - 1}${close}`,
    deferExtra: (id) => `${open}+${extra.push(id) - 1}${close}`,
    settle(html) {
      if (held.length + extra.length === 0) return html
      const taken = new Set(listIds(html))
      const given = held.map((id) => escapeHtml(claimId(id, taken)))
      const settled = html.replace(/\x81(\d+)\x8d/g, (written, index: string) => given[Number(index)] ?? written)
      return settled.replace(/ id="\x81\+(\d+)\x8d"/g, (_written, index: string) => {
        const id = extra[Number(index)] ?? ''
        if (id === '' || taken.has(id)) return ''
        taken.add(id)
        return ` id="${escapeHtml(id)}"`
      })
    },
  }
}

/** Creates an element ID from the names of an element and its ancestors. */
export function toElementId(...steps: readonly (string | number)[]): string {
  return steps
    .map((step) =>
      String(step)
        .trim()
        .replace(/[^\p{L}\p{N}_.~$-]+/gu, '-'),
    )
    .filter((step) => step !== '')
    .join('-')
}

/** The element ID of a division on the page index. */
export function toDivisionId(label: string): string {
  return `part-${label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')}`
}
