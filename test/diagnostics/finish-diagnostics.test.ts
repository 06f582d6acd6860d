import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../src/diagnostics/finish-diagnostics.ts'
import { sizeOf, toSourceFile } from '../../src/text/plain/source-file.ts'

const texts: { [file: string]: string } = {
  'a.yaml': 'info:\n  title: Pets\n  titel: x\npaths: {}\n',
  'b.json': '{"info": {"titel": 1}}',
}

async function finish(findings: Finding[]): Promise<string[]> {
  const diagnostics = await finishDiagnostics(findings, (path) =>
    texts[path] === undefined ? undefined : { path, text: texts[path] },
  )
  return diagnostics.map(({ file, range: { start, end }, severity, code, message, related }) => {
    const others = related
      .map((place) => ` (${place.file}:${place.range.start.line}:${place.range.start.column} ${place.message})`)
      .join('')
    return `${file}:${start.line}:${start.column}-${end.line}:${end.column} ${severity} ${code} ${message}${others}`
  })
}

const finding = (fields: Partial<Finding>): Finding => ({
  code: 'unknown-field',
  message: 'Unexpected',
  file: 'a.yaml',
  pointer: '',
  ...fields,
})

describe('finishDiagnostics', () => {
  test('finds the key or the value of a pointer', async () => {
    expect(await finish([finding({ pointer: '/info/titel', on: 'key' }), finding({ pointer: '/info/titel' })])).toEqual([
      'a.yaml:3:3-3:8 error unknown-field Unexpected',
      'a.yaml:3:10-3:11 error unknown-field Unexpected',
    ])
  })

  test('takes offsets before pointers', async () => {
    expect(await finish([finding({ pointer: '/info', offsets: { start: 0, end: 4 } })])).toEqual([
      'a.yaml:1:1-1:5 error unknown-field Unexpected',
    ])
  })

  test('finds the wrong part of a text, and does not decode the file for it', async () => {
    const source = toSourceFile('c.json', Buffer.from('{\n  "é": "a é #b"\n}'))
    const [one] = await finishDiagnostics([finding({ file: 'c.json', pointer: '/é', part: '#b' })], () => source)
    expect(one?.range).toEqual({ start: { line: 2, column: 13 }, end: { line: 2, column: 15 } })
    expect(sizeOf(source)).toBe(21)
  })

  test('sorts by file, place, code and message, and says the same thing once', async () => {
    expect(
      await finish([
        finding({ file: 'b.json', pointer: '/info/titel' }),
        finding({ pointer: '/paths', message: 'B' }),
        finding({ pointer: '/paths', message: 'A' }),
        finding({ pointer: '/paths', message: 'A' }),
        finding({ pointer: '/paths', code: 'missing-field', message: 'Z' }),
        finding({ pointer: '/info/title' }),
      ]),
    ).toEqual([
      'a.yaml:2:10-2:14 error unknown-field Unexpected',
      'a.yaml:4:8-4:9 error missing-field Z',
      'a.yaml:4:8-4:9 error unknown-field A',
      'a.yaml:4:8-4:9 error unknown-field B',
      'b.json:1:20-1:21 error unknown-field Unexpected',
    ])
  })

  test('finds related places, also in another file', async () => {
    const related = [
      { pointer: '/info/title', on: 'key', message: 'here' },
      { file: 'b.json', pointer: '/info', message: 'there' },
    ] as const
    expect(await finish([finding({ pointer: '/paths', related })])).toEqual([
      'a.yaml:4:8-4:9 error unknown-field Unexpected (a.yaml:2:3 here) (b.json:1:10 there)',
    ])
  })

  test('points to the first line of a file that was not read', async () => {
    expect(await finish([finding({ file: 'gone.yaml', pointer: '/a' })])).toEqual([
      'gone.yaml:1:1-1:1 error unknown-field Unexpected',
    ])
  })

  test('keeps the severity that a check sets', async () => {
    expect(await finish([finding({ severity: 'warning' })])).toEqual(['a.yaml:1:1-1:2 warning unknown-field Unexpected'])
  })
})
