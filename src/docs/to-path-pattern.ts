/**
 * Makes a matcher of paths relative to the boundary from a pattern relative to a folder: `*` stands for anything in one step, `**` for
 * any steps; a folder stands for all below it.
 */
export function toPathPattern(pattern: string, folder: string): RegExp {
  const trimmed = pattern
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/(?:\*\*\/)+/g, '**/')
  const source = trimmed.replace(/\*\*\/|\*\*|\*|[.+?^${}()|[\]\\]/g, (found) => {
    if (found === '**/') return '(?:[^/]*/)*'
    if (found === '**') return '.*'
    return found === '*' ? '[^/]*' : `\\${found}`
  })
  const prefix = folder === '' ? '' : `${folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`
  return new RegExp(`^${prefix}${source}(?:/.*)?$`, 's')
}
