import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { toOperation } from '../../scripts/write-change-suite.ts'
import { compareDocuments } from './compare-documents.ts'

interface Row {
  readonly title: string
  readonly base: object
  /** Absent: the operation is removed. */
  readonly revision?: object
  /** The schemas of both versions. */
  readonly components?: readonly [base: object, revision: object]
  readonly level: string
}

const rows = parse(readFileSync('test/changes/what-applies.yaml', 'utf8')) as readonly Row[]

test.each(rows.map((row) => [row.title, row] as const))('compares what applied before: %s', async (_, row) => {
  const [base, revision] = row.components ?? []
  const changes = await compareDocuments(toOperation(row.base, base), toOperation(row.revision, revision))
  const levels = changes.map(({ level }) => level)
  expect(['breaking', 'risky', 'compatible'].find((level) => levels.some((one) => one === level)) ?? 'none').toBe(row.level)
})
