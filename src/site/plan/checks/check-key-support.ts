import { type Finding, formatCount } from '../../../diagnostics/diagnostic.ts'
import type { DocsConfig } from '../../../docs/navigation/docs-config.ts'
import {
  divisionSupport,
  frontmatterSupport,
  type KeySupport,
  type ReportedKey,
  settingSupport,
} from '../../../docs/navigation/key-support.ts'
import { locateFrontmatterKey } from '../../../docs/pages/page-bindings.ts'
import { entriesOf, listOf, pointerChild, valueAtPointer } from '../../../text/json/json-values.ts'
import { groupBy } from '../../../text/plain/lists.ts'
import type { SitePage } from '../types.ts'

/** Entries of the page menu that need a server for agents. */
const agentEntries: ReportedKey = {
  key: 'contextual.options[]',
  state: 'reported',
  only: ['mcp', 'add-mcp', 'cursor', 'vscode'],
  note: 'a static site has no MCP server',
  hint: 'Host the site with the app, or remove the entry',
}

interface Server {
  /** Whether the server of the site has an MCP server. */
  readonly hasMcp: boolean
  /** The integrations that the site uses. */
  readonly integrations?: readonly string[] | undefined
}

/** Reports each key of `docs.json` that has no effect on a site, once for each place. */
export function checkSettingKeys({ value, divisions, source }: DocsConfig, server: Server): Finding[] {
  const find = (start: string, key: string) => listPlaces(valueAtPointer(value, start), start, stepsOf(key))
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
  const ofSettings = rowsOf(settingSupport, server).flatMap((row) =>
    find('', row.key).map((place) => {
      const key = place.pointer.slice(place.pointer.lastIndexOf('/') + 1)
      return { ...place, row, name: row.key.replaceAll('[]', '').replace('*', key) }
    }),
  )
  const used = new Set(server.integrations?.map((name) => `integrations.${name}`))
  return [...ofSettings.filter(({ name }) => !used.has(name)), ...ofDivisions].flatMap(
    ({ row, name, value: written, pointer }) =>
      hasNoEffect(row, written) ? { ...toFinding(row, name, written), file: source.path, pointer } : [],
  )
}

/** Reports each key of frontmatter that has no effect on a site, at the first page that has it. */
export function checkFrontmatterKeys(
  pages: readonly SitePage[],
  { textOf, prefix, ...server }: Server & { readonly textOf: (path: string) => string | undefined; readonly prefix: string },
): Finding[] {
  const rows = rowsOf(frontmatterSupport, server).map((row) => ({ row, steps: stepsOf(row.key) }))
  const found = pages.flatMap(({ path, frontmatter }) =>
    rows.flatMap(({ row, steps: [key = '', ...rest] }) => {
      if (path === undefined || !Object.hasOwn(frontmatter, key)) return []
      const places = listPlaces(frontmatter[key], '', rest).filter(({ value }) => hasNoEffect(row, value))
      return places.map(({ value }) => ({ path, key, finding: toFinding(row, row.key.replaceAll('[]', ''), value) }))
    }),
  )
  return [...groupBy(found, ({ finding }) => finding.message).values()].flatMap((places) => {
    const [first] = places
    if (!first) return []
    const { path, key, finding } = first
    const count = new Set(places.map((place) => place.path)).size - 1
    const others = count === 0 ? '' : ` (and on ${formatCount(count, 'more page')})`
    const offsets = locateFrontmatterKey(textOf(path) ?? '', key)
    return { ...finding, message: finding.message + others, file: prefix + path, pointer: '', ...(offsets && { offsets }) }
  })
}

function stepsOf(key: string): string[] {
  return key === '' ? [] : key.replaceAll('[]', '.[]').split('.')
}

function rowsOf(rows: readonly KeySupport[], server?: Server): ReportedKey[] {
  const reported = rows.filter((row) => row.state === 'reported')
  return server?.hasMcp === false ? [...reported, agentEntries] : reported
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
  const inside = step === '[]' ? Object.entries(listOf(value)) : entriesOf(value)
  const found = inside.filter(([key]) => step === '[]' || step === '*' || step === key)
  return found.flatMap(([key, one]) => listPlaces(one, pointerChild(pointer, key), rest))
}
