import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listPairs } from '../../scripts/write-change-suite.ts'
import { changeLevels } from '../../src/changes/change.ts'
import { compareDocuments } from './compare-documents.ts'

const suite = new URL('suite/', import.meta.url)
const readme = readFileSync(new URL('README.md', suite), 'utf8')

test('the pairs for other tools have the levels that they say', async () => {
  const pairs = listPairs()
  expect(readme).toContain(`${pairs.length} pairs`)
  // The tests of the tables compare all. This one finds documents that the suite writes in another way.
  for (const { title, base, revision, level } of pairs.filter((_, index) => index % 7 === 0)) {
    const levels = (await compareDocuments(base, revision)).map((change) => change.level)
    expect([title, changeLevels.find((one) => levels.includes(one)) ?? 'none']).toEqual([title, level])
  }
})

test('each difference from oasdiff has a reason, and the README counts them', () => {
  const [head = '', ...lines] = readFileSync(new URL('oasdiff.tsv', suite), 'utf8').trim().split('\n')
  expect(head.split('\t')).toEqual(['test', 'base', 'revision', 'oasdiff', 'openapi-pages', 'reason', 'verdict'])
  const rows = lines.map((line) => line.split('\t'))
  const count = (verdict: string) => rows.filter((row) => row[6] === verdict).length
  expect(readme).toContain(`| ${rows.length} | ${count('same')} | ${count('higher')} | ${count('lower')} |`)
  expect(rows.filter(([, , , , , reason, verdict]) => verdict !== 'same' && /^$|^Not /.test(reason ?? ''))).toEqual([])
  expect(existsSync(new URL('LICENSE', suite))).toBe(true)
})
