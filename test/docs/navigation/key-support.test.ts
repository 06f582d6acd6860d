import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  contextualKinds,
  divisionSupport,
  frontmatterSupport,
  type KeySupport,
  settingSupport,
} from '../../../src/docs/navigation/key-support.ts'

const list = readFileSync(new URL('../../fixtures/docs-config/mintlify-keys.txt', import.meta.url), 'utf8')

/** The keys below a heading of the list. */
function keysOf(heading: string): string[] {
  const [, section = ''] = list.split(`# ${heading}\n\n`)
  return (section.split('\n\n')[0] ?? '').split('\n').filter((line) => line !== '')
}

const parts = [
  { heading: 'docs.json', rows: settingSupport, toRowKey: (key: string) => key },
  {
    heading: 'Navigation',
    rows: divisionSupport,
    toRowKey: (key: string) => key.replace(/^navigation\.\w+\[\]/, 'navigation.*[]'),
  },
  { heading: 'Frontmatter', rows: frontmatterSupport, toRowKey: (key: string) => key },
]

/** Whether a row is about a key: the key itself, a pattern with `*` at its end, or a reported key around it. */
function isAbout({ key: rowKey, state, only, except }: KeySupport, key: string): boolean {
  if (rowKey === key) return true
  if (rowKey.endsWith('*') && `${key}.`.startsWith(rowKey.slice(0, -1))) return true
  return state === 'reported' && !only && !except && key.startsWith(`${rowKey}.`)
}

describe.each(parts)('$heading', ({ heading, rows, toRowKey }) => {
  const keys = keysOf(heading).map(toRowKey)

  test.each(keysOf(heading))('%s is used, different or reported', (key) => {
    expect(rows.filter((row) => isAbout(row, toRowKey(key)))).not.toEqual([])
  })

  test('has no row for a key that Mintlify does not have', () => {
    const own = ['navigation.*[].iconType', 'metatags', 'seo.metatags.canonical', 'contextual.options[]']
    const unknown = rows.filter((row) => !keys.some((key) => isAbout(row, key)) && !own.includes(row.key))
    expect(unknown.map(({ key }) => key)).toEqual([])
  })

  test('has at most one row for each key and value', () => {
    const names = rows.map(({ key, only, except }) => `${key} ${only ?? ''} ${except ?? ''}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('says why a reported key has no effect, and what to do', () => {
    for (const row of rows.filter((one) => one.state === 'reported')) {
      expect(row.note).toMatch(/^[a-z].*[^.]$/)
      expect(row.hint).toMatch(/^[A-Z].*[^.]$/)
    }
  })
})

test('the entries of the page menu are those that a site can show', () => {
  const excepted = [...settingSupport, ...frontmatterSupport].flatMap(({ key, except }) =>
    key === 'contextual.options[]' && except ? [except] : [],
  )
  expect(excepted).toEqual([contextualKinds, contextualKinds])
})
