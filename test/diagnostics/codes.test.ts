import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type DiagnosticCode, diagnosticCodes } from '../../src/diagnostics/codes.ts'
import { completeExample } from '../openapi/complete-example.ts'
import { checkFiles } from '../support/check-text.ts'

/** `docs/diagnostics.md` by its headings of the second level. */
const sections = readFileSync(new URL('../../docs/diagnostics.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ heading: section.slice(0, section.indexOf('\n')), body: section }))

test('documents every code in the order of the table, and nothing else', () => {
  expect(sections.map(({ heading }) => heading)).toEqual(Object.keys(diagnosticCodes))
})

test.each(sections)('$heading: documents the severity of the table', ({ heading, body }) => {
  const { severity } = diagnosticCodes[heading as DiagnosticCode] // The test above holds that it is one.
  expect(body.slice(heading.length).trimStart()).toMatch(new RegExp(`^\\*\\*${severity}\\*\\* · `))
})

const examples = sections.flatMap(({ heading, body }) =>
  Array.from(body.matchAll(/^```(yaml|json) (wrong|right)( raw)?\n(.*?)^```$/gms), (match) => {
    const [, syntax, verdict = '', raw, text = ''] = match
    return { heading, syntax, verdict, text: raw === undefined ? completeExample(text) : text }
  }),
)

describe('the examples', () => {
  test.each(examples.filter(({ verdict }) => verdict === 'wrong'))(
    '$heading: the wrong example has only this diagnostic',
    async (example) => {
      const { diagnostics } = await checkFiles({ 'api/openapi': example.text })
      expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual([example.heading])
    },
  )

  test.each(examples.filter(({ verdict }) => verdict === 'right'))('$heading: the right example has none', async (example) => {
    const { diagnostics } = await checkFiles({ 'api/openapi': example.text })
    expect(diagnostics).toEqual([])
  })
})
