import { describe, expect, test } from 'vitest'
import { toWritten } from '../../src/text/json/json-values.ts'
import { locatePointers, parseSource, syntaxOf } from '../../src/text/parse-source.ts'
import { bytesOf, toSourceFile } from '../../src/text/plain/source-file.ts'

const document = { openapi: '3.1.0', paths: { '/a': [1.0] } }

describe('the syntax of a file', () => {
  test.each<[path: string, text: string, syntax: string]>([
    ['a.yaml', '{"openapi": "3.1.0", "paths": {"/a": [1]}}', 'json'],
    ['a', ' \r\n\t{"openapi": "3.1.0", "paths": {"/a": [1]}}', 'json'],
    ...['a.yaml', 'a.yml', 'a.txt', 'a', '<stdin>', 'https://a.example/json'].flatMap((path) =>
      [
        '{openapi: 3.1.0, paths: {/a: [1]}}',
        "\n{ 'openapi': '3.1.0', 'paths': {'/a': [1]}, }",
        '{"openapi": "3.1.0", "paths": {"/a": [1]},}',
        '{"openapi": "3.1.0", # A\n "paths": {"/a": [1]}}',
        '# {\n{openapi: 3.1.0, paths: {/a: [1]}}',
        '--- {openapi: 3.1.0, paths: {/a: [1]}}',
        '%YAML 1.2\n---\n{openapi: 3.1.0, paths: {/a: [1]}}\n...\n',
        '!!map {openapi: 3.1.0, paths: !!map {/a: [1]}}',
        '&a {openapi: 3.1.0, paths: {/a: &b [1]}}',
        '{? openapi : 3.1.0, paths: {/a: [1]}}',
        `${' '.repeat(2_000)}{openapi: 3.1.0, paths: {/a: [1]}}`,
      ].map((text): [string, string, string] => [path, text, 'yaml']),
    ),
  ])('of %s with %j', async (path, text, syntax) => {
    for (const bytes of [text, `\ufeff${text}`].map((each) => Buffer.from(each))) {
      const source = toSourceFile(path, bytes)
      expect(syntaxOf(toSourceFile(path, bytes))).toBe(syntax)
      expect(await parseSource(source)).toMatchObject({ syntax, value: document, faults: [] })
      expect(syntaxOf(source)).toBe(syntax)
      const place = (await locatePointers(source, ['/paths/~1a/0'])).get('/paths/~1a/0')
      expect(source.text.slice(place?.value.start, place?.value.end)).toBe('1')
    }
  })

  test.each([
    ['a.json', '{openapi: 3.1.0}', 'json-syntax'],
    ['a.JSON', '{"openapi": "3.1.0",}', 'json-syntax'],
    ['https://a.example/a.json?b=c', '{"openapi": "3.1.0",}', 'json-syntax'],
    ['a.yaml', '{"openapi": "3.1.0" "info"}', 'yaml-syntax'],
    ['a.txt', '{"openapi": "3.1.0" "info"}', 'json-syntax'],
    ['a', '[{"openapi": "3.1.0", // A\n "info": {}}]', 'json-syntax'],
    ['a.yaml', '{"openapi": "3.1.0" /* A */}', 'json-syntax'],
    ['a.yaml', '{\n// A\n"openapi": "3.1.0"}', 'json-syntax'],
    ['a.yaml', '\u00a0{"openapi": "3.1.0"}', 'json-syntax'],
    ['a.yaml', '{"openapi": "3.1.0",\u00a0"info": {}}', 'json-syntax'],
    ['a', '{openapi: 3.1.0, info: {}', 'yaml-syntax'],
    ['a', "{'openapi': 3.1.0", 'yaml-syntax'],
    ['a', '{', 'json-syntax'],
  ])('of %s with %j is that of its problem', async (path, text, code) => {
    const { value, syntax, faults } = await parseSource({ path, text })
    expect([value, syntax, faults.map((fault) => fault.code)]).toEqual([undefined, code.slice(0, 4), [code]])
  })

  test.each([
    ['{"url": //a.example, "b": 1}', { url: '//a.example', b: 1 }],
    ['{"url": /*, "b": 1}', { url: '/*', b: 1 }],
  ])('%j has no comment', async (text, expected) => {
    expect(await parseSource({ path: 'a.yaml', text })).toMatchObject({ syntax: 'yaml', value: expected, faults: [] })
  })

  test('reports duplicate keys, and keeps numbers as they are written', async () => {
    const text = '{a: 1.0, b: 12345678901234567890, a: 2}'
    const { value, faults } = await parseSource({ path: 'a', text })
    expect(JSON.stringify(toWritten(value))).toBe('{"a":2,"b":12345678901234567890}')
    expect(faults).toMatchObject([{ code: 'duplicate-key', offsets: { start: text.lastIndexOf('a') } }])
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
