import { describe, expect, test } from 'vitest'
import { formatGithub } from '../../src/diagnostics/format-text.ts'
import { exampleDiagnostic, hostileText } from './example-diagnostic.ts'

const address = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#unknown-field'

describe('formatGithub', () => {
  test('is one command a line', () => {
    const findings = [
      exampleDiagnostic({ at: [4, 7, 6], hint: 'Did you mean `summary`?' }),
      exampleDiagnostic({ at: [5, 1], severity: 'warning' }),
      exampleDiagnostic({ at: [6, 1], severity: 'info' }),
    ]
    expect(formatGithub(findings).split('\n')).toEqual([
      `::error file=openapi.yaml,line=4,endLine=4,col=7,endColumn=13,title=unknown-field::Unexpected field \`sumary\` in an Operation Object%0Ahint: Did you mean \`summary\`?%0A${address}`,
      `::warning file=openapi.yaml,line=5,endLine=5,col=1,endColumn=2,title=unknown-field::Unexpected field \`sumary\` in an Operation Object%0A${address}`,
      `::notice file=openapi.yaml,line=6,endLine=6,col=1,endColumn=2,title=unknown-field::Unexpected field \`sumary\` in an Operation Object%0A${address}`,
      '',
    ])
  })

  test('leaves columns out of a range over several lines', () => {
    const range = { start: { line: 4, column: 7 }, end: { line: 6, column: 2 } }
    expect(formatGithub([exampleDiagnostic({ range })])).toMatch(
      /^::error file=openapi\.yaml,line=4,endLine=6,title=unknown-field::/,
    )
  })

  test('names a document at an address in the message, as there is no file to annotate', () => {
    const shown = formatGithub([exampleDiagnostic({ file: 'https://example.com/a,b.yaml', at: [4, 7] })])
    expect(shown).toMatch(/^::error title=unknown-field::Unexpected .*%0Ahttps:\/\/example\.com\/a,b\.yaml:4:7\n$/)
  })

  test('names other places', () => {
    const related = { file: 'a.yaml', range: exampleDiagnostic({ at: [3, 5] }).range, message: 'first used here' }
    expect(formatGithub([exampleDiagnostic({ related: [related] })])).toContain('%0Anote: first used here: a.yaml:3:5%0A')
  })

  test.each([
    ['docs/a,b:c%2C.yaml', 'file=docs/a%2Cb%3Ac%252C.yaml,'],
    ['a\nb.yaml', 'file=a\\nb.yaml,'],
  ])('escapes the properties: %j', (file, expected) => {
    expect(formatGithub([exampleDiagnostic({ file })])).toContain(expected)
  })

  test('escapes the message', () => {
    expect(formatGithub([exampleDiagnostic({ message: '100% of a: b, c' })])).toContain('::100%25 of a: b, c%0A')
  })

  test('a hostile text stays inside its own annotation', () => {
    const place = { file: hostileText, range: exampleDiagnostic().range, message: hostileText }
    const shown = formatGithub([
      exampleDiagnostic({ message: hostileText, file: hostileText, hint: hostileText, related: [place] }),
    ])
    expect(shown.split('\n')).toHaveLength(2)
    expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|##\w*\[/)
    expect(shown).toMatchInlineSnapshot(`
      "::error file=\\u001b[31mred\\u001b[0m\\r\\n%3A%3Aerror file=x%3A%3Apwned\\u202e #\\u0023[add-mask]x,line=1,endLine=1,col=1,endColumn=2,title=unknown-field::\\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x%0Ahint: \\u001b[31mred\\u001b[0m ::error file=x::pwned\\u202e #\\u0023[add-mask]x%0Anote: \\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x: \\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x:1:1%0Ahttps://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#unknown-field
      "
    `)
  })

  test('says nothing about nothing', () => {
    expect(formatGithub([])).toBe('')
  })
})
