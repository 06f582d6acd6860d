import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../support/action-harness.ts'

const text = readFileSync(join(projectFolder, 'docs/internal/requirements.md'), 'utf8')
const rows = [...text.matchAll(/^\| (\d+) \| (.+?) \| (.+) \|$/gm)].map(([, number = '', statement = '', tests = '']) => ({
  number: Number(number),
  statement,
  tests: tests.split('<br>'),
}))

test('docs/internal/requirements.md has consecutive requirement numbers', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
})

test.each(rows)('$number: $statement', ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0)
  for (const named of tests) {
    const [, path = '', title] = /^`([^`]+)`(?: › (.+))?$/.exec(named) ?? []
    expect(existsSync(join(projectFolder, path)) && path !== '', `no test named by "${named}"`).toBe(true)
    // Fixture directories are named without a title. For a file, the exact title must exist in it.
    if (title === undefined) expect(path).toMatch(/^test\/fixtures\/update\/[a-z-]+$/)
    else {
      const source = readFileSync(join(projectFolder, path), 'utf8')
      expect(
        ["'", '`'].some((quote) => source.includes(quote + title)),
        `no test named by "${named}"`,
      ).toBe(true)
    }
  }
})
