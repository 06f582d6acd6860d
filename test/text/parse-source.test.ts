import { describe, expect, test } from 'vitest'
import { locatePointers, parseSource, syntaxOf } from '../../src/text/parse-source.ts'
import { bytesOf, toSourceFile } from '../../src/text/plain/source-file.ts'

describe('syntaxOf', () => {
  test.each([
    ['{"a": 1}', 'json'],
    [' \r\n\t{', 'json'],
    ['[1]', 'json'],
    ['a: 1', 'yaml'],
    ['# {', 'yaml'],
    ['--- {a: 1}', 'yaml'],
    ['"text"', 'yaml'],
    ['', 'yaml'],
  ])('%j is %s', (text, syntax) => {
    expect(syntaxOf({ path: 'a', text })).toBe(syntax)
    expect(syntaxOf(toSourceFile('a', Buffer.from(`${' '.repeat(2_000)}${text}`)))).toBe(syntax)
  })
})

describe('parseSource', () => {
  test('reads JSON, whatever the name of the file', async () => {
    const { value, syntax, faults } = await parseSource({ path: 'openapi.yaml', text: '{"a": 1}' })
    expect({ value, syntax, faults }).toEqual({ value: { a: 1 }, syntax: 'json', faults: [] })
  })

  test('does not keep the text of JSON, which is as large as the file or twice', async () => {
    const bytes = Buffer.from('{"a": "é"}')
    const source = toSourceFile('a.json', bytes)
    await parseSource(source)
    expect(bytesOf(source)).toBe(bytesOf(source))
    expect(bytesOf(source).buffer).toBe(bytes.buffer)
  })

  test.each([
    'a: 012\nb: 1_000\nc: [d, {e: f}]',
    'a: &b {x: 1}\nc: *b',
    '- - a\n-\n- b',
    'a: b: c',
    'a: 1\nb: 2\na: 3',
    '[a]: b',
    'a: b\n---\nc',
  ])('%j means the same in a long text, which another reader may read first', async (text) => {
    const parse = async (whole: string) => {
      const { value, faults } = await parseSource({ path: 'a.yaml', text: whole })
      return { value, faults }
    }
    expect(await parse(`${text}\n${'# and so on\n'.repeat(50_000)}`)).toEqual(await parse(`${text}\n`))
  })

  test('reads YAML, whatever the name of the file', async () => {
    const { value, syntax, faults } = await parseSource({ path: 'openapi.json', text: 'a: 1' })
    expect({ value, syntax, faults }).toEqual({ value: { a: 1 }, syntax: 'yaml', faults: [] })
  })

  test.each([
    ['binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), 'Unexpected binary content, expected text', 0],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'Unexpected UTF-16 text, expected UTF-8', 0],
    ['Latin-1', Buffer.from('{"title": "Gr\xfc\xdfe"}', 'latin1'), 'Unexpected bytes, expected UTF-8', 13],
  ])('reports %s content once', async (_, bytes, message, start) => {
    const { value, faults } = await parseSource(toSourceFile('a.json', bytes))
    expect(value).toBeUndefined()
    expect(faults).toMatchObject([{ code: 'encoding', message, offsets: { start } }])
  })

  test('reads JSON as deep as it may be', async () => {
    const { faults } = await parseSource({ path: 'a.json', text: `${'['.repeat(5_000)}${']'.repeat(5_000)}` })
    expect(faults).toEqual([])
  })
})

async function startOf(text: string, pointer: string): Promise<string> {
  const place = (await locatePointers({ path: 'a', text }, [pointer])).get(pointer)
  return text.slice(place?.value.start)
}

describe('locatePointers', () => {
  test.each([
    ['a value of JSON', '{"a": {"b": 1}}', '/a/b', '1}}'],
    ['a value of YAML', 'a:\n  b: 1', '/a/b', '1'],
    ['the nearest ancestor of a missing key', '{"a": {"b": 1}}', '/a/c/d', '{"b": 1}}'],
    ['the mapping that merges a key in', 'x: &x {k: 1}\na:\n  <<: *x\n', '/a/k', '<<: *x\n'],
    ['the alias above a value', 'x: &x {k: 1}\na: *x\n', '/a/k', '*x\n'],
    ['the start of a text without a value', '# nothing', '/a', '# nothing'],
    ['the start of a broken text', 'a: [', '/a', 'a: ['],
    ['a pointer with a `~` that is not escaped', '{"a~b": {"c": 7}}', '/a~b/c', '7}}'],
  ])('%s', async (_, text, pointer, expected) => {
    expect(await startOf(text, pointer)).toBe(expected)
  })

  test('answers for every pointer that was asked', async () => {
    const pointers = ['', '/a', '/a/0', '/a/1/x', '/missing']
    const places = await locatePointers({ path: 'a', text: '{"a": [1, {"x": 2}]}' }, pointers)
    expect(pointers.map((pointer) => places.get(pointer)?.value.start)).toEqual([0, 6, 7, 16, 0])
    expect(places.get('/other')).toBeUndefined()
  })
})
