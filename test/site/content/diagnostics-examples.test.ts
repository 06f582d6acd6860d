import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readMdx } from './read-mdx.ts'

/** The examples for page content in `docs/diagnostics.md`. Other tests cover the remaining examples. */
const examples = readFileSync(new URL('../../../docs/diagnostics.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
  .flatMap((section) =>
    Array.from(section.matchAll(/^```mdx page-(wrong|right)-text\n(.*?)^```$/gms), ([, verdict, text = '']) => {
      return { code: section.slice(0, section.indexOf('\n')), verdict, text }
    }),
  )

test('has examples', () => {
  expect(examples.length).toBeGreaterThan(6)
})

test.each(examples)('$code: the $verdict example', ({ code, verdict, text }) => {
  const codes = readMdx(text).findings.map((finding) => finding.code)
  expect(codes).toEqual(verdict === 'wrong' ? [code] : [])
})
