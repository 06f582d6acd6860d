import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import facts from '../../fixtures/documentation/facts.json' with { type: 'json' }
import { projectFolder } from '../../support/action-harness.ts'
import { documentedPages } from '../../support/documented-examples.ts'

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
/** The results of benchmarks, which the page says how to repeat. */
const measured = 'docs/performance.md'

/** The text of a page without code blocks and the parts that a script writes. */
const proseOf = (page: string) =>
  read(page)
    .replace(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replace(/<!-- (\w+): written by[\s\S]*?<!-- \/\1 -->/g, '')
const pages = documentedPages.filter((page) => page !== measured).map((page) => ({ page, prose: proseOf(page) }))

test('the code has each size, count and version that the documentation names', () => {
  const figures = /\d[\d.,]*\s(?:[kKMG]i?B|languages|rules|codes)\b|Node\.js \d+(?:\.\d+)?/g
  const unknown = pages.flatMap(({ page, prose }) => {
    const rest = facts.reduce((left, { text }) => left.replaceAll(text, ''), prose)
    return [...rest.matchAll(figures)].map(([figure]) => `${page}: ${figure}`)
  })
  expect(unknown).toEqual([])
})

test.each(facts)('$text: $file', ({ text, file, code }) => {
  expect(pages.filter(({ prose }) => prose.includes(text))).not.toEqual([])
  expect(read(file)).toContain(code)
})
