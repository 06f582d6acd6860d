/** Whether a name fits a pattern, in which `*` stands for any characters. Takes time linear in both, whatever they are. */
export function fitsName(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, from)
    if (found === -1 || found + part.length > name.length - last.length) return false
    from = found + part.length
  }
  return true
}
