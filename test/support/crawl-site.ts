import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decodeEntities } from './read-shown-page.ts'
import { readTree } from './read-tree.ts'

/** Problems with the links of a built site; empty if every link, asset and fragment exists and every ID is unique. */
export function crawlSite(folder: string, base: string): string[] {
  const faults: string[] = []
  const idsByFile = new Map<string, Set<string>>()
  const pages = Object.keys(readTree(folder)).filter((path) => path.endsWith('.html'))
  const idsOf = (path: string) => {
    const known = idsByFile.get(path)
    if (known) return known
    const all = Array.from(readFileSync(join(folder, path), 'utf8').matchAll(/\sid="([^"]*)"/g), ([, id = '']) =>
      decodeEntities(id),
    )
    const ids = new Set(all)
    const twice = all.filter((id, index) => all.indexOf(id) !== index)
    if (twice.length > 0) faults.push(`${path}: duplicate ids:  ${[...new Set(twice)].join(', ')}`)
    idsByFile.set(path, ids)
    return ids
  }
  for (const page of pages) {
    idsOf(page)
    // The text of code has attributes that are no links.
    const withoutText = (code: string) => code.replace(/>[^<]*</g, '><')
    const html = readFileSync(join(folder, page), 'utf8').replace(/<(code|pre)\b[^>]*>.*?<\/\1>/gs, withoutText)
    for (const [, written = ''] of html.matchAll(/\s(?:href|src|poster|action|data-copy-from|data-nearest)="([^"]*)"/g)) {
      const href = decodeEntities(written)
      if (/^[a-z][a-z0-9+.-]*:/i.test(href)) continue
      const [path = '', fragment] = href.split('#')
      const target = path === '' ? page : toFile(folder, path, base)
      if (target === undefined) faults.push(`${page}: ${href} is broken`)
      else if (fragment !== undefined && fragment !== '' && !idsOf(target).has(decodeURIComponent(fragment))) {
        faults.push(`${page}: no element has the id of ${href}`)
      }
    }
  }
  return [...new Set(faults)].sort()
}

function toFile(folder: string, path: string, base: string): string | undefined {
  if (!path.startsWith(base)) return undefined
  const inside = decodeURIComponent(path.slice(base.length).replace(/\?.*$/, ''))
  const file = inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside
  return statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() ? file : undefined
}
