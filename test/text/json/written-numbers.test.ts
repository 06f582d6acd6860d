import { describe, expect, test } from 'vitest'
import {
  isObject,
  keepWritten,
  parseWrittenJson,
  readWritten,
  settleNumbers,
  toExactNumber,
  toNumber,
  toWritten,
  WrittenNumber,
  withWritten,
} from '../../../src/text/json/json-values.ts'
import { parseSource } from '../../../src/text/parse-source.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const numbers = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '0.10',
    '1e-05',
    '1E3',
    '2e+21',
    '9007199254740993',
    '9007199254740992',
    '0.1234567890123456789',
  ),
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)

/** JSON texts without spaces. */
const texts = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    numbers,
    fc.constantFrom('"1.0"', '"a: 1.0, b"', 'null', 'true'),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '1.0', 'toJSON', '__proto__'), tie('json')), {
        maxLength: 4,
        selector: ([key]) => key,
      })
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
})).json

async function readText(text: string): Promise<unknown> {
  const { value, faults } = await parseSource({ path: 'a', text })
  expect(faults).toEqual([])
  return value
}

describe('numbers of documents', () => {
  test('are plain, and written as they are in JSON', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (inside) => {
        const text = `{"a":${inside}}`
        const value = await readText(text)
        expect(value).toEqual(JSON.parse(text))
        expect(JSON.stringify(toWritten(value))).toBe(text)
        expect(JSON.stringify(parseWrittenJson(text))).toBe(text)
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test('are plain, and written as they are in YAML', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (inside) => {
        const value = await readText(`key: ${inside.replaceAll(/([:,])(?=[^"]|"[^"]*")/g, '$1 ')}`)
        expect(JSON.stringify(toWritten(value)).replaceAll(' ', '')).toBe(`{"key":${inside}}`.replaceAll(' ', ''))
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test('in forms that only YAML has are decimal', async () => {
    const value = await readText('a: 0x1F\nb: +1\nc: .5\nd: 1.\ne: 0o17\nf: +9007199254740993')
    expect(JSON.stringify(toWritten(value))).toBe('{"a":31,"b":1,"c":0.5,"d":1,"e":15,"f":9007199254740993}')
  })

  test('are the same for aliases, merged keys and keys', async () => {
    const value = await readText('a: &a {n: 1.0}\nb: *a\nc: {<<: *a}\n1.10: x\n200: y\n')
    expect(JSON.stringify(toWritten(value))).toBe('{"200":"y","a":{"n":1.0},"b":{"n":1.0},"c":{"n":1.0},"1.1":"x"}')
  })
})

test('gives copies the texts of their originals', async () => {
  const list = await readText('[1.0, 2, 3.0]')
  if (!Array.isArray(list)) throw new Error('no list')
  expect(JSON.stringify(toWritten(keepWritten([list[1], list[2]], list, [1, 2])))).toBe('[2,3.0]')
  const original = await readText('{"a": 1.0, "b": {"c": 2.0}, "d": 3}')
  if (!isObject(original)) throw new Error('no mapping')
  expect(JSON.stringify(toWritten(keepWritten({ d: 3, a: 1 }, original)))).toBe('{"d":3,"a":1.0}')
  expect(JSON.stringify(toWritten(keepWritten({ a: 4 }, original)))).toBe('{"a":4}')
  expect(String(readWritten(original, 'a'))).toBe('1.0')
  expect(readWritten(original, 'toString')).toBeUndefined()
  expect(withWritten(original)['b']).toBe(original['b'])
  const edited = settleNumbers({ ...withWritten(original), e: new WrittenNumber('5.0') })
  expect(edited).toEqual({ a: 1, b: { c: 2 }, d: 3, e: 5 })
  expect(JSON.stringify(toWritten(edited))).toBe('{"a":1.0,"b":{"c":2.0},"d":3,"e":5.0}')
})

test('compares numbers without rounding', () => {
  const read = (text: string) => toExactNumber(toNumber(Number(text), text))
  expect(read('9007199254740993') === read('9007199254740992')).toBe(false)
  expect(read('1.0')).toBe(1)
  expect(read('1e3')).toBe(1000)
})

test.each([
  ['9007199254740993', true],
  ['9007199254740992', false],
  ['0.1234567890123456789', true],
  ['19.90', false],
  ['1e-05', false],
  ['0.00', false],
  ['12345678901234567890.5', true],
])('knows whether %s is rounded', (text, isRounded) => {
  expect(new WrittenNumber(text).isRounded).toBe(isRounded)
})
