import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { baseName } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { settingSupport } from './key-support.ts'
import { divisionLists } from './read-divisions.ts'
import type { Division, DivisionKind, DocsConfig } from './types.ts'

/**
 * Reports keys in a `docs.json` that hosts ignore. Most are typos or in the wrong place. The keys are not removed.
 */
export function checkConfigKeys({ source, value, divisions }: DocsConfig): Finding[] {
  const file = source.path
  const name = baseName(file)
  const known: readonly string[] = docsConfigKeys
  const atTop = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('x-'))
  return [
    ...atTop.map((key) => {
      const belongs = readOwn(docsConfigEquivalents, key)
      return toFinding(file, '', key, `\`${name}\``, belongs ? `Use ${belongs}` : didYouMean(suggest(key, known)))
    }),
    ...docsConfigKeys.flatMap((key) => checkBelow(value[key], [key], { file, pointer: pointerChild('', key) })),
    ...divisions.flatMap((division) => checkDivision(division, file)),
  ]
}

/** The paths of all keys of `docs.json`, without those of `navigation`. */
const keyPaths: readonly (readonly string[])[] = settingSupport.map(({ key }) => key.replaceAll('[]', '.[]').split('.'))

/** Reports unknown keys below a key, such as `footer.notice`. */
function checkBelow(value: unknown, path: readonly string[], place: { file: string; pointer: string }): Finding[] {
  const inside = keyPaths.filter((one) => one.length > path.length && path.every((step, index) => one[index] === step))
  const names = new Set(inside.map((one) => one[path.length] ?? ''))
  if (names.size === 0 || names.has('*')) return []
  const at = (key: string | number) => ({ ...place, pointer: pointerChild(place.pointer, key) })
  // The reader of `openapi` reports its unknown keys.
  if (path.join('.') === 'api.openapi') return []
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown, index) => checkBelow(element, [...path, '[]'], at(index)))
  }
  if (!isObject(value)) return []
  const where = `\`${path.join('.').replaceAll('.[]', '')}\``
  return Object.keys(value).flatMap((key) => {
    if (names.has(key)) return checkBelow(value[key], [...path, key], at(key))
    if (key === '$ref' || key.startsWith('x-')) return []
    const belongs = readOwn(docsConfigEquivalents, [...path, key].join('.'))
    return toFinding(place.file, place.pointer, key, where, belongs ? `Use ${belongs}` : didYouMean(suggest(key, names)))
  })
}

/** Maps keys of a `mint.json` to their place in a `docs.json`. */
const docsConfigEquivalents: { readonly [key: string]: string | undefined } = {
  tabs: '`tabs` inside `navigation`',
  anchors: '`anchors` inside `navigation`',
  versions: '`versions` inside `navigation`',
  openapi: '`openapi` inside `api`',
  topbarLinks: '`links` inside `navbar`',
  topbarCtaButton: '`primary` inside `navbar`',
  footerSocials: '`socials` inside `footer`',
  modeToggle: '`appearance`',
  analytics: '`integrations`',
  font: '`fonts`',
  'api.baseUrl': '`server` inside `api.mdx`',
  'api.auth': '`auth` inside `api.mdx`',
}

function checkDivision({ kind, keys, pointer }: Division, file: string): Finding[] {
  const known = divisionKeys(kind)
  return keys.flatMap((key) => {
    if (known.includes(key) || key.startsWith('x-')) return []
    // Hosts ignore this list, but here its pages count as listed.
    const hint =
      Object.hasOwn(divisionLists, key) && kind === 'group' ? 'List nested groups in `pages`' : didYouMean(suggest(key, known))
    return toFinding(file, pointer, key, kind === 'navigation' ? '`navigation`' : `this \`${kind}\``, hint)
  })
}

function toFinding(file: string, pointer: string, key: string, where: string, hint: string | undefined): Finding {
  return {
    code: 'docs-config-key',
    message: `Unexpected key \`${key}\` in ${where}: hosts ignore it`,
    file,
    pointer: pointerChild(pointer, key),
    on: 'key',
    ...(hint === undefined ? {} : { hint }),
  }
}

/** Top-level keys of a `docs.json`. Source: Mintlify's settings reference, November 2026. */
export const docsConfigKeys = [
  ...[
    '$schema',
    '$ref',
    'theme',
    'name',
    'description',
    'colors',
    'navigation',
    'public',
    'logo',
    'favicon',
    'api',
    'appearance',
  ],
  ...[
    'background',
    'navbar',
    'footer',
    'search',
    'seo',
    'fonts',
    'icons',
    'styling',
    'redirects',
    'integrations',
    'banner',
    'errors',
  ],
  ...['contextual', 'thumbnails', 'interaction', 'metadata', 'variables', 'markdown', 'variations'],
] as const

/** Keys that only some kinds of division have, without label and child lists. */
const ownKeys: { readonly [Kind in DivisionKind]: readonly string[] } = {
  navigation: ['global'],
  tab: ['icon', 'iconType', 'searchable', 'align', 'version'],
  anchor: ['icon', 'iconType', 'color', 'version'],
  dropdown: ['icon', 'iconType', 'color', 'description'],
  product: ['name', 'icon', 'iconType', 'color', 'description'],
  version: ['default', 'tag'],
  language: ['default', 'banner', 'footer', 'navbar'],
  item: ['icon', 'iconType', 'description'],
  group: ['icon', 'iconType', 'root', 'tag', 'expanded', 'public', 'searchable', 'boost', 'version'],
}

/** The lists of divisions and pages that each kind can contain. */
export const childKeys: { readonly [Kind in DivisionKind]: readonly string[] } = {
  navigation: ['products', 'languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'groups', 'pages'],
  tab: ['languages', 'versions', 'dropdowns', 'anchors', 'products', 'groups', 'pages', 'menu'],
  anchor: ['languages', 'versions', 'dropdowns', 'tabs', 'products', 'groups', 'pages'],
  dropdown: ['languages', 'versions', 'tabs', 'anchors', 'products', 'groups', 'pages'],
  product: ['languages', 'versions', 'tabs', 'anchors', 'dropdowns', 'groups', 'pages', 'menu'],
  version: ['languages', 'tabs', 'dropdowns', 'anchors', 'products', 'groups', 'pages'],
  language: ['versions', 'tabs', 'dropdowns', 'anchors', 'products', 'groups', 'pages'],
  item: ['languages', 'versions', 'dropdowns', 'anchors', 'products', 'tabs', 'groups', 'pages'],
  group: ['pages'],
}

/** Returns every key that a division of this kind can have. Source: Mintlify's schema of `docs.json`, November 2026. */
export function divisionKeys(kind: DivisionKind): readonly string[] {
  const label = kind === 'navigation' ? [] : [kind]
  const all = ['$ref', 'hidden', 'directory', 'openapi', 'asyncapi', 'graphql', 'sdk']
  const shared = kind === 'navigation' ? [] : kind === 'group' ? [] : ['href', 'global']
  return [...new Set([...label, ...all, ...shared, ...ownKeys[kind], ...childKeys[kind]])]
}
