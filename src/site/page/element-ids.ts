import { escapeHtml, unescapeHtml } from '../../text/plain/escape-text.ts'
import { onceFor } from '../../text/plain/lists.ts'

/** The element IDs in the HTML of a page, and the names of `<a name>`, which are targets of fragments too. */
export function listIds(html: string): string[] {
  const ids = Array.from(html.matchAll(/ id="([^"]*)"|<a name="([^"]*)"/g), ([, id = '', name]) => unescapeHtml(name ?? id))
  // Substrings would keep the whole page in memory, so copy them.
  return JSON.parse(JSON.stringify(ids))
}

/** Returns a unique ID, with a number if `wanted` is taken, and adds it to `taken`. */
export function claimId(wanted: string, taken: Set<string>): string {
  if (!taken.has(wanted)) {
    taken.add(wanted)
    return wanted
  }
  const numbers = numbersIn(taken)
  let number = numbers.get(wanted) ?? 2
  while (taken.has(`${wanted}-${number}`)) number++
  numbers.set(wanted, number + 1)
  taken.add(`${wanted}-${number}`)
  return `${wanted}-${number}`
}

/** The first number that may be free for an ID. Without it, many elements of one name would take quadratic time. */
const numbersIn = onceFor((_: ReadonlySet<string>) => new Map<string, number>())

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
export interface DeferredIds {
  /** Returns a placeholder for an ID. */
  readonly deferId: (id: string) => string
  /** Returns a placeholder for an additional ID, which is omitted if another element has it. */
  readonly deferExtraId: (id: string) => string
  /** Whether the page has its IDs, so that what reads its elements again needs none. */
  readonly hasIds: () => boolean
  /** Replaces all placeholders in the body of a page with unique IDs, and puts it between its head and its end. */
  readonly settle: (body: string, around: PageEnds) => string
}

/** The HTML before and after the body of a page. */
interface PageEnds {
  readonly start: string
  readonly end: string
}

export function deferIds(): DeferredIds {
  const held: string[] = []
  const extra: string[] = []
  let isSettled = false
  return {
    hasIds: () => isSettled,
    deferId: (id) => `${open}${held.push(id) - 1}${close}`,
    deferExtraId: (id) => `${open}+${extra.push(id) - 1}${close}`,
    settle(body, { start, end: pageEnd }) {
      isSettled = true
      if (held.length + extra.length === 0) return start + body + pageEnd
      const taken = new Set([body, pageEnd].flatMap((html) => [...listValues(html, idStart), ...listValues(html, '<a name="')]))
      const given = new Map(held.map((id, index) => [String(index), escapeHtml(claimId(id, taken))]))
      // Pages are large: each copy of one, or a regular expression that replaces, takes a notable part of rendering it.
      const [first = '', ...pieces] = body.split(open)
      const parts = [start, first]
      for (const piece of pieces) {
        const end = piece.indexOf(close)
        const name = piece.slice(0, Math.max(0, end))
        const rest = piece.slice(end + 1)
        const before = parts.at(-1) ?? ''
        const id = given.get(name)
        const other = name.startsWith('+') && before.endsWith(idStart) ? extra[Number(name)] : undefined
        if (id !== undefined) parts.push(id, rest)
        else if (other === undefined) parts.push(open + piece)
        else if (other === '' || taken.has(other)) parts.splice(-1, 1, before.slice(0, -idStart.length), rest.slice(1))
        else {
          taken.add(other)
          parts.push(escapeHtml(other), rest)
        }
      }
      parts.push(pageEnd)
      return parts.join('')
    },
  }
}

const idStart = ' id="'

/** The values of attributes that start like this. Splitting a page, or a regular expression, takes longer. */
export function listValues(html: string, start: string): string[] {
  const values: string[] = []
  for (let at = html.indexOf(start); at !== -1; at = html.indexOf(start, at)) {
    at += start.length
    values.push(unescapeHtml(html.slice(at, html.indexOf('"', at))))
  }
  return values
}

/** Creates an element ID from the names of an element and its ancestors. */
export function toElementId(...steps: readonly (string | number)[]): string {
  return steps
    .map((step) => {
      const name = String(step)
      return /^[\w.~$-]*$/.test(name) ? name : name.trim().replace(/[^\p{L}\p{N}_.~$-]+/gu, '-')
    })
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
