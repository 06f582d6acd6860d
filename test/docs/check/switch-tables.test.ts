import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { isDiagnosticCode } from '../../../src/diagnostics/diagnostic.ts'
import { listRules } from '../../../src/docs/rules/list-rules.ts'
import spectralOas from '../../../texts/spectral-oas.json' with { type: 'json' }
import { toAccess } from '../../support/memory-tree.ts'

const page = await readFile(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
const tables = page.slice(page.indexOf('\n## Switch from Redocly\n'), page.indexOf('\n## Which ruleset applies\n'))
const rows = [...tables.matchAll(/^- (`.*?`): (.*)$/gm)].map(([, name = '', here = '']) => ({ name, here }))
const [, sameName = ''] = /^These have the same name in `spectral:oas`: (.*)\.$/m.exec(tables) ?? []

test('the codes and rules that replace those of Redocly and Optic exist', () => {
  const same = sameName.match(/(?<=`)[\w-]+(?=`)/g) ?? []
  expect(rows.length + same.length).toBeGreaterThan(70)
  const codes = rows.flatMap(({ here }) => here.match(/(?<=diagnostics\.md#)[\w-]+/g) ?? [])
  expect(codes.filter((code) => !isDiagnosticCode(code))).toEqual([])
  const spectral = rows.flatMap(({ here }) => (here.endsWith(' of Spectral') ? (here.match(/(?<=`)[\w$.-]+(?=`)/g) ?? []) : []))
  expect([...spectral, ...same].filter((name) => !Object.hasOwn(spectralOas.rules, name))).toEqual([])
})

test('the rules to write instead of those of Redocly and Optic are valid', async () => {
  const written = rows.flatMap(({ here }) => {
    const [, given, then] = /`given: (.*?)` `then: (.*?)`$/.exec(here) ?? []
    return given === undefined ? [] : [{ given, then }]
  })
  expect(written.length).toBeGreaterThan(20)
  const rules = written.map(
    ({ given, then }, index) => `  rule-${index}:\n    given: ${JSON.stringify(given)}\n    then: ${then}\n`,
  )
  const [start = ''] = /^extends: .*?(?=^rules:)/ms.exec(tables) ?? []
  const files = {
    'openapi.yaml': 'openapi: 3.1.0\n',
    '.spectral.yaml': `${start}rules:\n${rules.join('')}`,
  }
  const listed = await listRules('openapi.yaml', toAccess(files))
  expect(listed.findings).toEqual([])
  expect(listed.rules).toHaveLength(written.length)
})
