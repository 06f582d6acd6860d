/** A normalized section ID for comparison across hosts, which treat punctuation, spaces and case differently. */
export function toLooseId(id: string): string {
  return id
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Prefixes that other hosts give to the IDs of parameters and properties, with ours. */
const fieldPrefixes: Readonly<Record<string, readonly string[]>> = {
  param: ['path', 'query', 'header', 'cookie', 'body', 'field'],
  parameter: ['path', 'query', 'header', 'cookie', 'param'],
  body: ['param'],
  response: ['r200', 'r201', 'r202', 'rdefault', 'field'],
}

/**
 * Finds the normalized ID that a fragment from another host refers to.
 *
 * @param has whether the page has an element with a normalized ID.
 */
export function findLooseId(fragment: string, has: (looseId: string) => boolean): string | undefined {
  // With `##name`, browsers stay at the top of the page.
  if (fragment.startsWith('#')) return undefined
  const found = listLooseIds(fragment).find(has)
  if (found !== undefined) return found
  // We number repeated headings as GitHub does: `twice`, `twice-1`. Others write `twice`, `twice-2`.
  const [, name = '', number = ''] = /^(.+)-(\d+)$/s.exec(fragment) ?? []
  const first = toLooseId(name)
  const repeated = `${first}${Number(number) - 1}`
  return Number(number) > 1 && first !== '' && has(first) && has(repeated) ? repeated : undefined
}

/** The normalized IDs that a fragment can refer to, best first. */
function listLooseIds(fragment: string): string[] {
  const whole = toLooseId(fragment)
  const [, prefix = '', rest = ''] = /^([a-z]+)[-_](.+)$/s.exec(fragment.replace(/-one-of-\d+/g, '')) ?? []
  const ours = Object.hasOwn(fieldPrefixes, prefix) ? [prefix, ...(fieldPrefixes[prefix] ?? [])] : []
  return [whole, ...ours.map((one) => toLooseId(one + rest))].filter((id) => id !== '')
}
