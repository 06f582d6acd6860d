import table from '../../../texts/docs-keys.json' with { type: 'json' }
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { baseName } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { Division, DivisionKind, DocsConfig } from './docs-config.ts'
import { divisionLists } from './read-divisions.ts'

/**
 * What a site does with a key that Mintlify documents. `docs/migrating.md` lists all of them, and the build reports those that are `reported`. A test compares
 * the list with the keys of Mintlify's schema.
 */
export type KeySupport = {
  /**
   * The path of the key, such as `seo.metatags.*` or `redirects[].source`. `[]` means the elements of a list, `*` any key, and `navigation.*[]` any division. Keys below a reported key have no row.
   */
  readonly key: string
  /** The row is about these values only, and not about objects and lists. */
  readonly only?: readonly (string | boolean)[]
  /** The row is about all values but these, and not about objects and lists. */
  readonly except?: readonly (string | boolean)[]
} & (
  | { readonly state: 'used'; readonly note?: string }
  /** It has an effect, but another one. `note` says which. */
  | { readonly state: 'different'; readonly note: string }
  | {
      readonly state: 'reported'
      /** Why it has no effect. Follows "Cannot use `key`:". */
      readonly note: string
      /** What to do instead. */
      readonly hint: string
      /** For keys whose loss can publish too much. Default: info. */
      readonly severity?: 'warning'
    }
)

export type ReportedKey = Extract<KeySupport, { state: 'reported' }>

/** The entries of `contextual.options` without settings. */
export const contextualKinds = [
  ...(['copy', 'view', 'chatgpt', 'claude', 'perplexity', 'grok', 'aistudio'] as const),
  ...(['mcp', 'add-mcp', 'cursor', 'vscode', 'download-spec'] as const),
] as const

/** A key without any other field is used as on other hosts. */
function toRows(rows: readonly unknown[]): readonly KeySupport[] {
  return rows.map((row) => (typeof row === 'string' ? { key: row, state: 'used' } : (row as KeySupport))) // As `texts/schema.json` says.
}

/** Keys of `docs.json`, in the order of its reference. */
export const settingSupport = toRows(table.settings)

/** Keys of `navigation` and of its divisions. */
export const divisionSupport = toRows(table.divisions)

/** Keys of the frontmatter of pages. */
export const frontmatterSupport = toRows(table.frontmatter)

/**
 * Reports keys in a `docs.json` that hosts ignore. Most are typos or in the wrong place. The keys are not removed.
 */
export function checkConfigKeys({ source, value, divisions }: DocsConfig): Finding[] {
  const file = source.path
  const name = baseName(file)
  const atTop = Object.keys(value).filter((key) => !docsConfigKeys.includes(key) && !key.startsWith('x-'))
  return [
    ...atTop.map((key) => {
      const belongs = readOwn(docsConfigEquivalents, key)
      return toFinding(file, '', key, `\`${name}\``, belongs ? `Use ${belongs}` : didYouMean(suggest(key, docsConfigKeys)))
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
const docsConfigEquivalents: { readonly [key: string]: string | undefined } = table.oldPlaces

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
    hint,
  }
}

/** Top-level keys of a `docs.json`. Source: Mintlify's settings reference, November 2026. */
export const docsConfigKeys: readonly string[] = table.top

/** Keys that only some kinds of division have, without label and child lists. */
const ownKeys: { readonly [Kind in DivisionKind]: readonly string[] } = table.own

/** The lists of divisions and pages that each kind can contain. */
export const childKeys: { readonly [Kind in DivisionKind]: readonly string[] } = table.children

/** Returns every key that a division of this kind can have. Source: Mintlify's schema of `docs.json`, November 2026. */
export function divisionKeys(kind: DivisionKind): readonly string[] {
  const label = kind === 'navigation' ? [] : [kind]
  const all = ['$ref', 'hidden', 'directory', 'openapi', 'asyncapi', 'graphql', 'sdk']
  const shared = kind === 'navigation' ? [] : kind === 'group' ? [] : ['href', 'global']
  return [...new Set([...label, ...all, ...shared, ...ownKeys[kind], ...childKeys[kind]])]
}
