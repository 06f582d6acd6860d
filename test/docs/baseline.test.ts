import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/diagnostics/diagnostic.ts'
import {
  type BaselineEntry,
  type BaselineScope,
  formatBaseline,
  matchBaseline,
  parseBaseline,
  toBaseline,
} from '../../src/docs/baseline.ts'

const problem = (pointer: string, fields: Partial<Finding> = {}): Finding => ({
  code: 'unknown-field',
  message: 'Unexpected field `sumary` in an Operation Object',
  file: 'openapi.yaml',
  pointer,
  ...fields,
})
const everywhere: BaselineScope = { covers: () => true, exists: () => true }
const gone = (...pointers: readonly string[]) => ({
  covers: () => true,
  exists: (_: string, at: string) => !pointers.includes(at),
})

/** The diagnostics that the baseline does not list, and how many of its problems are fixed. */
function compare(before: readonly Finding[], after: readonly Finding[], scope = everywhere) {
  const { isKnown, knownCount, fixed } = matchBaseline(after, toBaseline(before), scope)
  const fresh = after.filter((finding) => !isKnown(finding)).map(({ pointer }) => pointer)
  return { fresh, knownCount, fixed: fixed.reduce((sum, { count }) => sum + count, 0) }
}

describe('the format', () => {
  const entries: readonly BaselineEntry[] = [
    { file: 'docs/b.yaml', code: 'b', pointer: '/x | y', message: 'it has a | in it', count: 2 },
    { file: 'api/a.yaml', code: 'a', pointer: '', message: '"quotes"', count: 1 },
    { file: 'https://example.com/c.json', code: 'c', pointer: '/c', message: 'c', count: 1 },
  ]

  test('has one sorted entry per line, with files relative to the baseline, and reads back the same', () => {
    const text = formatBaseline(entries, 'docs/baseline.json')
    expect(text).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "problems": [
          ["../api/a.yaml","a","","\\"quotes\\"",1],
          ["b.yaml","b","/x | y","it has a | in it",2],
          ["https://example.com/c.json","c","/c","c",1],
          []
        ]
      }
      "
    `)
    const read = parseBaseline(text, 'docs/baseline.json') ?? []
    expect(formatBaseline(read, 'docs/baseline.json')).toBe(text)
    expect(read).toEqual(expect.arrayContaining([...entries]))
  })

  test('adds up an entry that a merge of two branches has left twice', () => {
    const line = '["a.yaml","a","","a",1],'
    expect(parseBaseline(`{"version": 1, "problems": [${line}${line}[]]}`, 'b.json')).toEqual([
      { file: 'a.yaml', code: 'a', pointer: '', message: 'a', count: 2 },
    ])
  })

  test.each([
    '',
    '[]',
    '{',
    '{"version": 2, "problems": []}',
    '{"version": 1}',
    '{"version": 1, "problems": [["a", "b", "c", "d", 0]]}',
    '{"version": 1, "problems": [["a", "b", "c", 1]]}',
    '{"version": 1, "problems": {}}',
  ])('refuses %s', (text) => {
    expect(parseBaseline(text, 'baseline.json')).toBeUndefined()
  })
})

describe('what is known', () => {
  test('a problem stays known when indexes of lists and numbers in its message change', () => {
    const before = problem('/paths/~1a/get/parameters/0/schema', { message: 'Cannot find `b2` in any of 3 documents' })
    const after = problem('/paths/~1a/get/parameters/4/schema', { message: 'Cannot find `b2` in any of 12 documents' })
    expect(compare([before], [after])).toEqual({ fresh: [], knownCount: 1, fixed: 0 })
  })

  test('status codes and quoted values are no indexes', () => {
    expect(compare([problem('/paths/~1a/get/responses/200')], [problem('/paths/~1a/get/responses/404')]).fresh).toHaveLength(1)
    expect(compare([problem('/a', { message: 'no `1`' })], [problem('/a', { message: 'no `2`' })]).fresh).toHaveLength(1)
  })

  test('one more of the same is new, one less is fixed', () => {
    const of = (count: number) => Array.from({ length: count }, (_, index) => problem(`/tags/${index}`))
    expect(compare(of(2), of(3))).toEqual({ fresh: ['/tags/2'], knownCount: 2, fixed: 0 })
    expect(compare(of(3), of(1))).toEqual({ fresh: [], knownCount: 1, fixed: 2 })
  })

  test('counts the same diagnostic of two descriptions once', () => {
    expect(compare([problem('/a')], [problem('/a'), problem('/a')])).toEqual({ fresh: [], knownCount: 1, fixed: 0 })
  })

  test('info messages and problems of the moment are neither written nor known', () => {
    const findings = [problem('/a', { severity: 'info' }), problem('', { code: 'url-unreachable' })]
    expect(toBaseline(findings)).toEqual([])
  })

  test('only what the check has looked at is fixed', () => {
    expect(compare([problem('/a')], [], { ...everywhere, covers: (file: string) => file !== 'openapi.yaml' }).fixed).toBe(0)
  })
})

describe('renames', () => {
  const inSchema = (name: string) => [
    problem(`/components/schemas/${name}/properties/a/type`, { message: `Unexpected \`x\` in \`${name}\`` }),
    problem(`/components/schemas/${name}/required/1`, { message: 'Unexpected number' }),
  ]

  test.each([
    ['schema', inSchema('Pet'), inSchema('Animal'), '/components/schemas/Pet'],
    ['path', [problem('/paths/~1a/get/sumary')], [problem('/paths/~1b/get/sumary')], '/paths/~1a'],
    ['webhook', [problem('/webhooks/a/post/sumary')], [problem('/webhooks/b/post/sumary')], '/webhooks/a'],
  ])('the problems of a renamed %s stay known', (_, before, after, old) => {
    expect(compare(before, after, gone(old))).toEqual({ fresh: [], knownCount: before.length, fixed: 0 })
  })

  test('the same problems elsewhere are new while the old name is there', () => {
    expect(compare(inSchema('Pet'), inSchema('Animal'))).toMatchObject({ knownCount: 0, fixed: 2 })
  })

  test('a name with other problems, or with more, is no rename', () => {
    const [first, second] = inSchema('Animal')
    const scope = gone('/components/schemas/Pet')
    expect(compare(inSchema('Pet'), first ? [first] : [], scope).fresh).toHaveLength(1)
    expect(compare(inSchema('Pet'), [...inSchema('Animal'), problem('/components/schemas/Animal/x')], scope).fresh).toHaveLength(
      3,
    )
    expect(compare([...inSchema('Pet'), problem('/components/schemas/Animal/y')], inSchema('Animal'), scope).fresh).toHaveLength(
      2,
    )
    expect(second).toBeDefined()
  })

  test('two candidates are none', () => {
    expect(
      compare(inSchema('Pet'), [...inSchema('Cat'), ...inSchema('Dog')], gone('/components/schemas/Pet')).fresh,
    ).toHaveLength(4)
  })
})
