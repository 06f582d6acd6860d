import type { Finding } from '../../diagnostics/diagnostic.ts'
import {
  divisionSupport,
  frontmatterSupport,
  type KeySupport,
  type ReportedKey,
  settingSupport,
} from '../../docs-config/key-support.ts'
import { locateFrontmatterKey } from '../../docs-config/page-frontmatter.ts'
import type { DocsConfig } from '../../docs-config/types.ts'
import { groupBy } from '../../source/group-by.ts'
import { isObject } from '../../source/is-object.ts'
import { pointerChild, valueAtPointer } from '../../source/json-pointer.ts'
import type { SitePage } from './types.ts'

/** Reports each key of `docs.json` that has no effect on a site, once for each place. */
export function checkSettingKeys({ value, divisions, source }: DocsConfig): Finding[] {
  const find = (start: string, key: string) =>
    listPlaces(valueAtPointer(value, start), start, key === '' ? [] : key.replaceAll('[]', '.[]').split('.'))
  const ofDivisions = rowsOf(divisionSupport).flatMap((row) => {
    const name = row.key.slice(row.key.lastIndexOf('.') + 1)
    const isForRoot = !row.key.includes('[]')
    return divisions
      .flatMap(({ kind, pointer }) => [
        ...((kind === 'navigation') === isForRoot ? find(pointer, name) : []),
        ...(isForRoot ? [] : find(pointer, `global.*[].${name}`)),
      ])
      .map((place) => ({ ...place, row, name }))
  })
  const ofSettings = rowsOf(settingSupport).flatMap((row) =>
    find('', row.key).map((place) => ({ ...place, row, name: row.key.replaceAll('[]', '') })),
  )
  return [...ofSettings, ...ofDivisions].flatMap(({ row, name, value: written, pointer }) =>
    hasNoEffect(row, written) ? { ...toFinding(row, name, written), file: source.path, pointer } : [],
  )
}

/** Reports each key of frontmatter that has no effect on a site, at the first page that has it. */
export function checkFrontmatterKeys(
  pages: readonly SitePage[],
  textOf: (path: string) => string | undefined,
  prefix: string,
): Finding[] {
  const found = pages.flatMap(({ path, frontmatter }) =>
    rowsOf(frontmatterSupport)
      .filter((row) => hasNoEffect(row, frontmatter[row.key]))
      .flatMap((row) => (path === undefined ? [] : [{ row, path, value: frontmatter[row.key] }])),
  )
  return [...groupBy(found, ({ row }) => row).values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const { row, path, value } = first
    const finding = toFinding(row, row.key, value)
    const others = more.length === 0 ? '' : ` (and on ${more.length} more ${more.length === 1 ? 'page' : 'pages'})`
    const offsets = locateFrontmatterKey(textOf(path) ?? '', row.key)
    return { ...finding, message: finding.message + others, file: prefix + path, pointer: '', ...(offsets && { offsets }) }
  })
}

function rowsOf(rows: readonly KeySupport[]): ReportedKey[] {
  return rows.filter((row) => row.state === 'reported')
}

function toFinding({ only, except, note, hint, severity }: ReportedKey, name: string, written: unknown) {
  const isValue = only !== undefined || except !== undefined
  const text = isValue && typeof written === 'string' ? `\`${written.slice(0, 100)}\` for ` : ''
  const what = isValue && typeof written === 'boolean' ? `\`${name}: ${written}\`` : `${text}\`${name}\``
  return { code: 'setting-not-used', message: `Cannot use ${what}: ${note}`, hint, ...(severity && { severity }) } as const
}

/** Templates contain empty strings as placeholders. */
function hasNoEffect({ only, except }: ReportedKey, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  if (typeof value === 'object' && Object.keys(value).length === 0) return false
  // Another check reports values of an unexpected type.
  if (typeof value !== 'string' && typeof value !== 'boolean') return only === undefined && except === undefined
  const isIn = (list: readonly unknown[]) => list.includes(value)
  return only ? isIn(only) : !except || !isIn(except)
}

interface Place {
  readonly value: unknown
  readonly pointer: string
}

/** Finds the values at a path, such as `a`, `[]`, `b`. `*` is any key. */
function listPlaces(value: unknown, pointer: string, [step, ...rest]: readonly string[]): Place[] {
  if (step === undefined) return [{ value, pointer }]
  if (step === '[]') {
    const elements = Array.isArray(value) ? value : []
    return elements.flatMap((element: unknown, index) => listPlaces(element, pointerChild(pointer, index), rest))
  }
  if (!isObject(value)) return []
  const keys = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : []
  return keys.flatMap((key) => listPlaces(value[key], pointerChild(pointer, key), rest))
}
