import { describe, expect, test } from 'vitest'
import { parsePath } from '../../../src/rules/path/parse-path.ts'

describe('says what is wrong with', () => {
  test.each([
    ['', 0, 'expected `$` but found the end'],
    ['info.title', 0, 'expected `$` but found `i`'],
    ['$.info.[', 8, 'expected a name, number, `*` or filter but found the end'],
    ['$info', 1, 'expected `.`, `[`, `^` or `~` but found `i`'],
    ['$.paths[*', 9, 'expected `]` but found the end'],
    ['$.paths[]', 8, 'expected a name, number, `*` or filter but found `]`'],
    ["$['info", 2, "the text after ' has no end"],
    [
      '$.a@text()',
      3,
      'expected `@string()`, `@number()`, `@boolean()`, `@integer()`, `@scalar()`, `@array()`, `@object()`, `@null()`',
    ],
    ['$[?(@.in==foo)]', 10, "`foo` is not defined; write 'foo' if it is text"],
    ['$[?(@.in === )]', 13, 'expected a value but found `)`'],
    ['$[?(@.in', 8, 'expected `)` but found the end'],
    ['$[?(@value)]', 4, '`@value` is not defined; expected `@`, `@root`, `@property`, `@parent`, `@parentProperty`, `@path`'],
    ['$[?(@.match(/(/))]', 12, 'Invalid regular expression: /(/: Unterminated group'],
    ['$[?(@.in = 1)]', 9, '`=` is not an operator; write `==` or `===`'],
    ['$[?(@.in =~ /id/)]', 9, "`=~` is not an operator; write `.match(/…/)` or `~= '…'`"],
    ['$[?(@.x-is-internal == true)]', 8, "`is` is not defined; write `['x-is-internal']` if it is a key"],
    ['$[?(process.exit())]', 4, "`process` is not defined; write 'process' if it is text"],
    ['$[?@.a[*] == 1]', 3, 'expected a single value, such as `@.name`'],
    ['$[?length(@)]', 3, 'expected a comparison of the value'],
    ['$[99999999999999999999:]', 1 + 1, 'the number 99999999999999999999 is too large'],
  ])('%s', (expression, offset, reason) => {
    expect(parsePath(expression)).toEqual({ kind: 'failed', reason, offset })
  })

  test('a call of an unknown method', () => {
    expect(parsePath('$[?(@.repeat(3))]')).toMatchObject({
      kind: 'failed',
      offset: 6,
      reason: expect.stringContaining('`repeat` is not supported'),
    })
  })

  test.each([
    'constructor.constructor("return 1")()',
    '@.constructor("return 1")',
    'Function("return 1")',
    '(() => 1)()',
    '@.a = 1',
    'new Date()',
  ])('code: %s', (code) => {
    expect(parsePath(`$[?(${code})]`).kind).toBe('failed')
  })
})

describe('limits', () => {
  test('the length', () => {
    expect(parsePath(`$${'.a'.repeat(6_000)}`)).toEqual({
      kind: 'failed',
      reason: 'it is longer than 10000 characters',
      offset: 10_000,
    })
  })

  test.each([
    ['parentheses', `$[?(${'('.repeat(4_000)}`],
    ['operators', `$[?(${'!'.repeat(4_000)}@)]`],
    ['lists', `$[?(${'['.repeat(4_000)}`],
    ['conditions', `$[?(${'@?'.repeat(3_000)}`],
    ['filters', `$${'[?@'.repeat(2_000)}`],
  ])('the nesting of %s', (_, expression) => {
    expect(parsePath(expression)).toMatchObject({ kind: 'failed', reason: 'it is nested more than 100 levels deep' })
  })

  test.each([
    ['parents', `$..a${'^'.repeat(4_000)}`],
    ['operators', `$[?(@${'+@'.repeat(4_000)})]`],
    ['names', `$[?(@${'.a'.repeat(4_000)})]`],
    ['indexes', `$[?(@${'[0]'.repeat(3_000)})]`],
    ['conditions of RFC 9535', `$[?@${'||@'.repeat(3_000)}]`],
  ])('the number of %s in a row', (_, expression) => {
    expect(parsePath(expression)).toMatchObject({ kind: 'failed', reason: 'it has more than 500 operators or names in a row' })
  })
})
