import proIcons from '../../../texts/icon-names.json' with { type: 'json' }
import { readOwn } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { suggest } from '../../text/plain/suggest.ts'

/** The icon sets, by the names of their Iconify packages. */
export const iconSetNames = ['lucide', 'tabler', 'fa7-solid', 'fa7-regular', 'fa7-brands'] as const
export type IconSetName = (typeof iconSetNames)[number]

export const iconLibraries = ['fontawesome', 'lucide', 'tabler'] as const
export type IconLibrary = (typeof iconLibraries)[number]

/** Icons by name. Reads a set only if a name is not in the sets before it. */
export interface IconSets {
  /** Returns the ID of the icon's symbol; `undefined` if no set has the name. */
  readonly find: (name: string, library: IconLibrary) => string | undefined
  /** Returns the `<symbol>` with an ID that `find` returned; `''` for another one. */
  readonly symbolOf: (id: string) => string
  /** Suggests similar names, those of the library first. */
  readonly suggest: (name: string, library: IconLibrary) => readonly string[]
}

/** For checks without the icon sets: any name can be an icon. */
export const anyIcon: IconSets = { find: (name) => name, symbolOf: () => '', suggest: () => [] }

const sets = {
  lucide: { prefix: 'l', side: 24 },
  tabler: { prefix: 'tb', side: 24 },
  'fa7-solid': { prefix: 'fas', side: 640 },
  'fa7-regular': { prefix: 'far', side: 640 },
  'fa7-brands': { prefix: 'fab', side: 640 },
} as const satisfies Readonly<Record<IconSetName, { readonly prefix: string; readonly side: number }>>

/**
 * Creates a lookup of icons.
 *
 * @param readSet returns a set as text: a line `name⇥body` for each icon, and `name⇥=name` for each alias. It is called once per set.
 */
export function createIconSets(readSet: (set: IconSetName) => string): IconSets {
  const bodies = new Map<IconSetName, ReadonlyMap<string, string>>()
  const bodiesOf = (set: IconSetName) => getOrMake(bodies, set, () => readLines(readSet(set)))
  const bodyOf = (set: IconSetName, name: string) => bodiesOf(set).get(name)
  /** The name in the set, after aliases. */
  const nameIn = (set: IconSetName, name: string): string | undefined => {
    const body = bodyOf(set, name)
    if (body === undefined) return set === 'tabler' && !name.startsWith('brand-') ? nameIn(set, `brand-${name}`) : undefined
    return body.startsWith('=') ? body.slice(1) : name
  }
  const search = (written: string, library: IconLibrary): string | undefined => {
    const { name, style, own } = parseIconName(written)
    if (name === undefined) return undefined
    const [first, ...others] = listSets(own ?? library, style)
    const proIcon = readOwn(proIcons, name)
    const tries: readonly (readonly [IconSetName, string | undefined])[] = [
      ...(first ?? []).map((set) => [set, name] as const),
      // Prefer the style of the library for a name of another one.
      ['lucide', first?.includes('lucide') ? proIcon : undefined],
      ...others.flat().map((set) => [set, name] as const),
      ['lucide', proIcon],
    ]
    for (const [set, candidate] of tries) {
      const found = candidate === undefined ? undefined : nameIn(set, candidate)
      if (found !== undefined) return `${sets[set].prefix}-${found}`
    }
    return undefined
  }
  const found = new Map<string, string | undefined>()
  return {
    find(written, library) {
      const key = `${library} ${written}`
      if (!found.has(key)) found.set(key, search(written, library))
      return found.get(key)
    },
    symbolOf(id) {
      for (const set of iconSetNames) {
        const { prefix, side } = sets[set]
        if (!id.startsWith(`${prefix}-`)) continue
        const body = bodyOf(set, id.slice(prefix.length + 1))
        // Icons name their own strokes. Without `stroke`, filled icons would inherit the stroke of the built-in icons.
        if (body !== undefined) return `<symbol id="${id}" viewBox="0 0 ${side} ${side}" stroke="none">${body}</symbol>`
      }
      return ''
    },
    suggest(written, library) {
      const { name, style, own } = parseIconName(written)
      if (name === undefined) return []
      const near = listSets(own ?? library, style)
        .flat()
        .flatMap(
          (set) =>
            suggest(
              name,
              [...bodiesOf(set).keys()].filter((one) => one.startsWith(name.charAt(0))),
              maxTypos,
            ) ?? [],
        )
      return [...new Set(near)].slice(0, 3)
    },
  }
}

/** The most typos in a name that still gets a suggestion. */
const maxTypos = 3

function readLines(text: string): Map<string, string> {
  const bodies = new Map<string, string>()
  for (const line of text.split('\n')) {
    const end = line.indexOf('\t')
    if (end !== -1) bodies.set(line.slice(0, end), line.slice(end + 1))
  }
  return bodies
}

/** The sets in the order in which they are searched: those of the library, then those of each other library. */
function listSets(library: IconLibrary, style: string | undefined): (readonly IconSetName[])[] {
  const isOutlined = style !== undefined && /regular|light|thin/.test(style)
  const byLibrary: Readonly<Record<IconLibrary, readonly IconSetName[]>> = {
    fontawesome:
      style === 'brands'
        ? ['fa7-brands', 'fa7-solid', 'fa7-regular']
        : isOutlined
          ? ['fa7-regular', 'fa7-solid', 'fa7-brands']
          : ['fa7-solid', 'fa7-brands', 'fa7-regular'],
    lucide: ['lucide'],
    tabler: ['tabler'],
  }
  const others = (['lucide', 'tabler', 'fontawesome'] as const).filter((one) => one !== library)
  return [library, ...others].map((one) => byLibrary[one])
}

interface IconName {
  /** Absent if no icon can have this name. */
  readonly name: string | undefined
  /** A Font Awesome style such as `solid` or `brands`. */
  readonly style: string | undefined
  /** The library that the name itself selects, as in `lucide:rocket`. */
  readonly own: IconLibrary | undefined
}

const shortStyles: Readonly<Record<string, string>> = {
  s: 'solid',
  r: 'regular',
  l: 'light',
  t: 'thin',
  d: 'duotone',
  b: 'brands',
}

/** Adds `iconType`, the Font Awesome style, to the name of an icon. */
export function withStyle(name: string | undefined, style: unknown): string | undefined {
  const isName = name !== undefined && /^[\w-]+$/.test(name.trim())
  return isName && typeof style === 'string' && style.trim() !== '' ? `fa-${style.trim()} ${name.trim()}` : name
}

/** Parses `rocket`, `fa-rocket`, `fa-brands fa-github`, `fab fa-github` and `lucide:rocket`. */
function parseIconName(written: string): IconName {
  const [, prefix, rest = ''] = /^(?:(lucide|tabler|fontawesome):)?(.*)$/s.exec(written.trim().toLowerCase().slice(0, 200)) ?? []
  const words = rest.split(/\s+/)
  const last = words.pop() ?? ''
  const styleOf = (word: string) =>
    /^fa-?(solid|regular|light|thin|duotone|brands)$/.exec(word)?.[1] ??
    readOwn(shortStyles, /^fa([srltdb])$/.exec(word)?.[1] ?? '')
  const style = words.map(styleOf).find((one) => one !== undefined)
  const name = last.replace(/^fa-/, '')
  const isName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && words.every((word) => word.startsWith('fa'))
  return {
    name: isName ? name : undefined,
    style,
    own:
      iconLibraries.find((library) => library === prefix) ?? (style !== undefined && name !== last ? 'fontawesome' : undefined),
  }
}

/** Whether an icon is a path or URL instead of a name. */
export function isImagePath(icon: string): boolean {
  return /[/.]|^data:/.test(icon)
}
