import { expect, test } from 'vitest'
import { renameFiles } from '../../src/diagnostic/rename-files.ts'
import { exampleDiagnostic } from './example-diagnostic.ts'

test('renames the file of a finding and of every place that belongs to it', () => {
  const related = { file: 'b.yaml', range: exampleDiagnostic().range, message: 'first used here' }
  const [renamed] = renameFiles([exampleDiagnostic({ file: 'a.yaml', related: [related] })], (file) => `../${file}`)
  expect([renamed?.file, renamed?.related[0]?.file]).toEqual(['../a.yaml', '../b.yaml'])
})
