import { expect, test } from 'vitest'
import { readQuickYaml } from '../../src/docs/read-quick-yaml.ts'
import { parseYaml } from '../../src/text/parse-yaml.ts'

test('what is read quickly is what YAML says', () => {
  const texts = [
    ...[
      'List issues',
      'GET /pets/{id}',
      'a  b',
      'It\'s "so", [really] {x}',
      'of é and ß',
      'no more',
      'true or false',
      'null and void',
    ],
    ...[
      'Get: a pet',
      'Ends with:',
      'a #b',
      'a # b',
      'one',
      'no',
      '2020-01-01',
      '- x',
      '? x',
      '& x y',
      '* x',
      '! x',
      '| x',
      '> x',
      '% x',
      '@ x y',
    ],
    ...[
      '"quoted words"',
      '""',
      '"a: b # c"',
      '"a\\n b"',
      '"a" b',
      "'single one'",
      '"a',
      'tab\there too',
      'a \u2028 b',
      'a\u00a0b c',
      '~',
      '',
      'a ',
    ],
    ...[
      '<< b',
      'key: value',
      '`a b',
      '[a b]',
      '{a b}',
      ', a b',
      'x: y',
      'a\r',
      'a b\r',
      '"a b" # c',
      'a\u0000 b',
      'a \ufeffb',
      'a b\u3000',
    ],
  ]
  const lines = ['title', 'openapi', 'description', 'mode', '__proto__', 'true'].flatMap((key) =>
    texts.map((text) => `${key}: ${text}`),
  )
  let quick = 0
  for (const line of [...lines, ...lines.map((one) => `title: A b\n\n${one}\n`), ...lines.map((one) => `${one}\n continued`)]) {
    const values = readQuickYaml(line)
    if (values === undefined) continue
    quick++
    expect([line, values]).toEqual([line, parseYaml(line).value])
  }
  expect(quick).toBeGreaterThan(50)
})
