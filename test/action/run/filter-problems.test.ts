import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProblemFilter } from '../../../src/action/inputs/inputs.ts'
import { filterProblems } from '../../../src/action/run/compare-with-base.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { makeDiagnostic } from '../../support/diagnostics.ts'
import { git, makeGitRemote } from '../../support/git-remote.ts'
import { makeReport } from '../report/example-report.ts'

const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)

/** A checkout that differs from its base in lines 10 and 30 (added), and lacks the old line 20. */
function checkOutChange() {
  const remote = makeGitRemote({ 'a b.yaml': `${lines.join('\n')}\n`, 'same.yaml': 'line\n', 'old.yaml': 'line\n' })
  const baseSha = remote.tip()
  const changed = lines.with(9, 'changed').toSpliced(29, 0, '++ b/same.yaml').toSpliced(19, 1)
  remote.push({ 'a b.yaml': `${changed.join('\n')}\n`, 'old.yaml': null })
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', '--depth=1', 'origin', baseSha)
  writeFileSync(join(checkout, 'new.yaml'), 'line\n')
  return { checkout, baseSha }
}

const diagnostics = [
  makeDiagnostic({ file: 'a b.yaml', line: 1 }),
  makeDiagnostic({ file: 'a b.yaml', line: 7 }),
  makeDiagnostic({ file: 'a b.yaml', line: 10 }),
  makeDiagnostic({ file: 'a b.yaml', line: 20 }),
  makeDiagnostic({ file: 'a b.yaml', line: 25, endLine: 29 }),
  makeDiagnostic({ file: 'same.yaml', line: 1 }),
  makeDiagnostic({ file: 'new.yaml', line: 1 }),
  makeDiagnostic({ file: 'https://example.com/x.yaml', line: 1 }),
]

async function filterWith(filter: ProblemFilter, hasBase = true) {
  const { checkout, baseSha } = checkOutChange()
  const report = makeReport({ boundary: toOwnPath(checkout) }, { diagnostics })
  const updates = report.update ? [report.update] : []
  const filtered = await filterProblems({ ...report, updates }, filter, hasBase ? baseSha : undefined)
  expect(filtered.updates[0]?.diagnostics).toEqual(filtered.update?.diagnostics)
  const reported = filtered.update?.diagnostics.map(({ file, range }) => `${file}:${range.start.line}`)
  return { reported, troubles: filtered.troubles }
}

const all = [
  'a b.yaml:1',
  'a b.yaml:7',
  'a b.yaml:10',
  'a b.yaml:20',
  'a b.yaml:25',
  'same.yaml:1',
  'new.yaml:1',
  'https://example.com/x.yaml:1',
]

test.each([
  [
    'added',
    ['a b.yaml:10', 'a b.yaml:25', 'new.yaml:1'],
    '5 problems outside of the changed lines are not reported (`filter: added`)',
  ],
  [
    'changed',
    ['a b.yaml:7', 'a b.yaml:10', 'a b.yaml:20', 'a b.yaml:25', 'new.yaml:1'],
    '3 problems outside of the changed lines are not reported (`filter: changed`)',
  ],
  ['file', [...all.slice(0, 5), 'new.yaml:1'], '2 problems outside of the changed files are not reported (`filter: file`)'],
] as const)('reports with `filter: %s` only problems close to a change', async (filter, reported, trouble) => {
  expect(await filterWith(filter)).toEqual({ reported, troubles: [trouble] })
})

test('reports all problems with `filter: none`, or without a commit to compare with', async () => {
  expect(await filterWith('none')).toEqual({ reported: all, troubles: [] })
  expect(await filterWith('added', false)).toEqual({
    reported: all,
    troubles: ['All problems are reported, because there is no commit to compare with for `filter: added`'],
  })
})
