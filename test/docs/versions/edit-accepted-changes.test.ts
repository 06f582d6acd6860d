import { expect, test } from 'vitest'
import { type AcceptedChange, parseAcceptedChanges } from '../../../src/changes/change.ts'
import { editAcceptedChanges } from '../../../src/docs/versions/accept-changes.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const toEntry = (path: string, fields: Partial<AcceptedChange> = {}): AcceptedChange => ({
  fingerprint: '0123456789abcdef',
  code: 'operation-removed',
  operation: `GET ${path}`,
  message: `Operation \`GET ${path}\` was removed`,
  document: 'openapi.yaml',
  reason: 'Unused',
  author: 'Ada',
  date: '2026-11-22',
  ...fields,
})

const toYaml = (path: string, indentation = '') =>
  [
    '- fingerprint: 0123456789abcdef',
    '  code: operation-removed',
    `  operation: GET ${path}`,
    `  message: Operation \`GET ${path}\` was removed`,
    '  document: openapi.yaml',
    '  reason: Unused',
    '  author: Ada',
    '  date: 2026-11-22',
  ]
    .map((line) => `${indentation}${line}\n`)
    .join('')

const add = (text: string, ...entries: readonly AcceptedChange[]) =>
  editAcceptedChanges(text, { add: entries, remove: new Set() })
const remove = (text: string, ...indexes: readonly number[]) => editAcceptedChanges(text, { add: [], remove: new Set(indexes) })

test('starts a file with a comment', async () => {
  const text = await add('', toEntry('/b'), toEntry('/a'))
  expect(text).toMatch(/^# API changes that the team accepts\..*\n#.*\n# https:.*\n\n- fingerprint: /)
  expect(text?.replace(/^#.*\n/gm, '')).toBe(`\n${toYaml('/a')}${toYaml('/b')}`)
})

test.each([
  ['# Ours\n', `# Ours\n${toYaml('/b')}`],
  ['# Ours', `# Ours\n${toYaml('/b')}`],
  ['# Ours\n\n[] # none\n', `# Ours\n\n${toYaml('/b')} # none\n`],
  [toYaml('/a'), toYaml('/a') + toYaml('/b')],
  [toYaml('/a').trimEnd(), toYaml('/a') + toYaml('/b')],
  [toYaml('/c'), toYaml('/b') + toYaml('/c')],
  [`# Ours\n\n# Of c\n${toYaml('/c')}# End\n`, `# Ours\n\n${toYaml('/b')}# Of c\n${toYaml('/c')}# End\n`],
  [`# Ours\n${toYaml('/c')}`, `# Ours\n${toYaml('/b')}${toYaml('/c')}`],
  [`${toYaml('/a')}\n# Of c\n${toYaml('/c')}`, `${toYaml('/a')}\n${toYaml('/b')}\n# Of c\n${toYaml('/c')}`],
  [toYaml('/a', '  '), toYaml('/a', '  ') + toYaml('/b', '  ')],
  [toYaml('/a').replaceAll('\n', '\r\n'), (toYaml('/a') + toYaml('/b')).replaceAll('\n', '\r\n')],
  [
    `-   fingerprint: "0123456789abcdef"   # short\n    code: 'operation-removed'\n    message: >-\n      folded\n      text\n    reason: |\n      # no comment\n    author: Ada\n    date: 2026-11-22\n`,
    `-   fingerprint: "0123456789abcdef"   # short\n    code: 'operation-removed'\n    message: >-\n      folded\n      text\n    reason: |\n      # no comment\n    author: Ada\n    date: 2026-11-22\n${toYaml('/b')}`,
  ],
])('adds an entry to %j', async (text, expected) => {
  expect(await add(text, toEntry('/b'))).toBe(expected)
})

test.each([
  [toYaml('/a') + toYaml('/b'), 0, toYaml('/b')],
  [toYaml('/a') + toYaml('/b'), 1, toYaml('/a')],
  [`# Ours\n\n# Of a\n${toYaml('/a')}\n# Of b\n${toYaml('/b')}\n# End\n`, 0, `# Ours\n\n# Of b\n${toYaml('/b')}\n# End\n`],
  [`# Ours\n\n# Of a\n${toYaml('/a')}\n# Of b\n${toYaml('/b')}\n# End\n`, 1, `# Ours\n\n# Of a\n${toYaml('/a')}\n# End\n`],
  [`# Ours\n${toYaml('/a')}`, 0, '# Ours\n'],
])('removes an entry with its comment from %j', async (text, index, expected) => {
  expect(await remove(text, index)).toBe(expected)
})

test.each([
  JSON.stringify([toEntry('/a')]),
  `# Ours\n[${JSON.stringify(toEntry('/a'))}]\n`,
  '- fingerprint: x\n',
  'accepted: []\n',
  `-\n  ${toYaml('/a').slice(2)}`,
])('does not edit %j', async (text) => {
  expect(await add(text, toEntry('/b'))).toBeUndefined()
})

test('writes any text so that it is read again', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((value) => /\S/.test(value))
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 })
  const entries = fc.array(
    fc.record({ fingerprint: hex, message: text, reason: text, author: text }).map((fields) => toEntry('/a', fields)),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(entries, fc.constantFrom('', '\r\n', `# Ours\n\n${toYaml('/b', '  ')}`), async (added, before) => {
      const edited = await add(before, ...added)
      const { entries: read } = await parseAcceptedChanges({ path: 'a.yaml', text: edited ?? '' })
      expect(read).toEqual(expect.arrayContaining(added))
      const back = await remove(edited ?? '', ...read.flatMap(({ operation }, index) => (operation === 'GET /a' ? [index] : [])))
      expect(back?.replace(/^#.*\n/gm, '').trim()).toBe(before.replace(/^#.*\n/gm, '').trim())
    }),
    { numRuns: propertyRuns(500) },
  )
})

test('edits a long file', async () => {
  const text = Array.from({ length: 1_000 }, (_, index) => `# ${index}\n${toYaml(`/${String(index).padStart(5, '0')}`)}`).join('')
  const edited = await add(text, toEntry('/00500b'))
  expect(edited).toHaveLength(text.length + toYaml('/00500b').length)
})
