import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/internal/conformance.md'), 'utf8')

interface Row {
  readonly section: string
  readonly statement: string
  readonly proof: string
}

const rows: Row[] = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  .map(([section = '', statement = '', proof = '']) => ({ section, statement, proof }))

describe('docs/internal/conformance.md', () => {
  test('has a row for every group of requirements', () => {
    const sections = new Set(rows.map((row) => row.section))
    for (const section of ['1', '2.1', '2.2', '2.3', '3', '4.1', '4.2', '5', '7', '8', '9']) expect(sections).toContain(section)
  })

  test.each(rows)('$section: $statement', ({ proof }) => {
    for (const one of proof.split('<br>')) {
      const [, path = '', title] = /^`([^`]+)`(?: › (.+))?$/.exec(one) ?? []
      expect(existsSync(join(root, path)), `no test named by "${one}"`).toBe(path !== '')
      // Fixture directories are named without a title. For a file, the title must exist in it.
      if (title === undefined) expect(path).toMatch(/^test\/fixtures\/update\/[a-z-]+$/)
      else expect(readFileSync(join(root, path), 'utf8')).toContain(title)
    }
  })
})
