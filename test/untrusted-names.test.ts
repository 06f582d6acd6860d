import { expect, test } from 'vitest'
import { findNamedMembers } from './support/named-members.ts'
import { openProject } from './support/typed-project.ts'

// `test/nightly/untrusted-names.test.ts` reads the whole program.

test('finds text that reads and sets members, also with a cast, and accepts indexes, known names and own names', () => {
  const wrong = ['table[name]', 'table[name as "a"]', 'table[given]', 'name in table', 'other[name.trim()]']
  const right = ['table["a"]', 'table[known]', 'list[at]', '"a" in table', 'Object.hasOwn(table, own) && table[own]']
  const lines = [...wrong, 'table[name] = 1', ...right].map((code) => `  ${code}`)
  const file = `declare const table: { readonly [name: string]: unknown }, other: { a: 1 }, list: string[], given: any
export function read(name: string, own: string, known: 'a' | 'b', at: number) {
${lines.join('\n')}
}`
  const files = { '/p/tsconfig.json': '{ "files": ["src/a.ts"] }', '/p/src/a.ts': file }
  const found = findNamedMembers(openProject('/p', 'tsconfig.json', files))
  expect(found.map(({ text }) => text)).toEqual([...wrong, 'table[name]'])
})
