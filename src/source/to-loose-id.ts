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

/** The normalized IDs that a fragment from another host can refer to, best first. */
export function listLooseIds(fragment: string): string[] {
  const whole = toLooseId(fragment)
  const [, prefix = '', rest = ''] = /^([a-z]+)[-_](.+)$/s.exec(fragment.replace(/-one-of-\d+/g, '')) ?? []
  const ours = Object.hasOwn(fieldPrefixes, prefix) ? [prefix, ...(fieldPrefixes[prefix] ?? [])] : []
  return [whole, ...ours.map((one) => toLooseId(one + rest))].filter((id) => id !== '')
}
