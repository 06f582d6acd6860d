import { expect, test } from 'vitest'
import { listExamples } from '../../diagnostics/documented-diagnostics.ts'
import { readMdx } from './read-mdx.ts'

test.each(listExamples('text'))('$code: the $verdict example', ({ code, verdict, text }) => {
  const codes = readMdx(text).findings.map((finding) => finding.code)
  expect(codes).toEqual(verdict === 'wrong' ? [code] : [])
})
