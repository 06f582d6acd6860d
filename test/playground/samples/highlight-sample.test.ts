import { expect, test } from 'vitest'
import { allSamples } from '../../../src/playground/samples/all-samples.ts'
import {
  findSampleLanguage,
  highlightSample,
  type SampleLanguage,
  sampleLanguages,
} from '../../../src/playground/samples/sample-languages.ts'

const text = (language: SampleLanguage, code: string) =>
  highlightSample(language, code)
    .map(({ text: piece, color }) => (color ? `<${color} ${piece}>` : piece))
    .join('')

test.each([
  ['bash', "curl -X POST \\\n  -H 'a: \\' 'it'\\''s'", "<k curl> <k -X> POST \\\n  <k -H> <s 'a: \\'> <s 'it'\\''s'>"],
  ['javascript', "const a = await get('it\\'s', 1.5)", "<k const> a = <k await> <f get>(<s 'it\\'s'>, <n 1.5>)"],
  ['go', 'req, err := http.NewRequest("POST", `a\n"b`)', 'req, <k err> := http.<f NewRequest>(<s "POST">, <s `a\n"b`>)'],
  ['rust', 'let a = f(r#"a "b" c"#)', '<k let> a = <f f>(<s r#"a "b" c"#>)'],
  ['java', 'var a = """\n{"b": 1}""";', '<k var> a = <s """\n{"b": 1}""">;'],
  ['python', 'constant = None', 'constant = <k None>'],
] as const)('%s: %s', (language, code, expected) => {
  expect(text(language, code)).toBe(expected)
})

test('the tokens of every sample add up to its source', () => {
  const request = {
    method: 'POST',
    url: 'https://api.example.com/',
    headers: [{ name: 'X-A', value: `'"\\\`$` }],
    body: { kind: 'json', mediaType: 'application/json', value: { a: [`'"\\`, 1] } },
  } as const
  for (const name of Object.keys(sampleLanguages)) {
    const language = findSampleLanguage(name)
    const code = language && allSamples[language](request)
    expect(
      code &&
        language &&
        highlightSample(language, code)
          .map((piece) => piece.text)
          .join(''),
    ).toBe(code)
    expect(code).toBeTruthy()
  }
  const long = "'".repeat(50_000)
  expect(highlightSample('bash', long)).toEqual([{ text: long, color: undefined }])
})
