import { expect, test } from 'vitest'
import { describeError, toExitCode } from '../../../src/cli/base/command-errors.ts'
import { ConfigError, FilesError, GitError } from '../../../src/text/errors.ts'

test.each([
  [new ConfigError('unknown format `x`', { hint: 'did you mean y?' }), 'openapi-pages: unknown format `x`\n  did you mean y?\n'],
  [
    new FilesError('cannot write a.mdx: no space left', { path: 'a.mdx', code: 'ENOSPC' }),
    'openapi-pages: cannot write a.mdx: no space left\n',
  ],
  [new GitError('git \x1b[31m\n::error::x'), 'openapi-pages: git \\u001b[31m\\n::error::x\n'],
])('shows %s without a stack', (error, text) => {
  expect(describeError(error)).toBe(text)
})

test('shows the stack of an unexpected error and where to report it', () => {
  const text = describeError(new TypeError('x is not a function\n::error::y'))
  expect(text).toMatch(/^openapi-pages: unexpected error\nTypeError: x is not a function\n\\u003a:error::y\n {4}at /)
  expect(text).toMatch(/\nThis is a bug in openapi-pages\. Please report it with the lines above:\nhttps:\S+\/issues\n$/)
})

test('a moved document that was found is no input that cannot be read', () => {
  const range = { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: 0 } }
  const at = { code: 'file-missing', file: 'docs.json', pointer: '', message: 'Where it is', related: [], range } as const
  expect(toExitCode([{ ...at, severity: 'info' }])).toBe(0)
  expect(toExitCode([{ ...at, severity: 'error' }])).toBe(2)
})

test('describes thrown values that are not errors', () => {
  expect(describeError('so')).toMatch(/^openapi-pages: unexpected error\nso\n/)
})
