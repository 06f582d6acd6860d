import { describe, expect, test } from 'vitest'
import {
  countFindings,
  type DiagnosticCode,
  diagnosticCodes,
  formatCounts,
  renameFiles,
} from '../../src/diagnostics/diagnostic.ts'
import { completeExample } from '../openapi/complete-example.ts'
import { checkFiles } from '../support/check-text.ts'
import { allExamples, listExamples } from './documented-diagnostics.ts'
import { exampleDiagnostic } from './example-diagnostic.ts'

test.each([
  [[], 'no problems'],
  [['error'], '1 error'],
  [['error', 'error', 'warning'], '2 errors, 1 warning'],
  [['info', 'info'], '2 info messages'],
  [Array.from({ length: 1_240 }, () => 'warning' as const), '1,240 warnings'],
] as const)('%j', (severities, words) => {
  expect(formatCounts(countFindings(severities.map((severity) => ({ severity }))))).toBe(words)
})

test('renames the file of a diagnostic and of all its related locations', () => {
  const related = { file: 'b.yaml', range: exampleDiagnostic().range, message: 'first used here' }
  const [renamed] = renameFiles([exampleDiagnostic({ file: 'a.yaml', related: [related] })], (file) => `../${file}`)
  expect([renamed?.file, renamed?.related[0]?.file]).toEqual(['../a.yaml', '../b.yaml'])
})

/** The codes without examples, and why. */
const withoutExamples: { readonly [code in DiagnosticCode]?: string } = {
  'file-too-large': 'a file of many megabytes',
  'url-unreachable': 'depends on a server',
  'url-copy-used': 'depends on a server',
  encoding: 'bytes that are not text',
  'markdown-too-complex': 'thousands of characters',
  ruleset: 'depends on the ruleset',
  'ruleset-problem': 'depends on the ruleset',
  'baseline-known': 'nothing is wrong',
  'baseline-fixed': 'nothing is wrong',
  'site-file-conflict': 'the second page is not in the navigation',
  'lock-file': 'a generated file',
  'division-gone': 'a generated file',
  'mass-removal': 'depends on a server',
  'pages-left-out': 'depends on the checkout',
  'operation-skipped': 'an error of the document has its own example',
  'order-kept': 'nothing is wrong',
  'document-not-committed': 'depends on the steps of a workflow',
}

describe('the examples', () => {
  test('show what is wrong and what is right for each code', () => {
    const incomplete = Object.keys(diagnosticCodes).filter((code) => {
      const verdicts = allExamples.filter((example) => example.code === code).map(({ verdict }) => verdict)
      return !verdicts.includes('wrong') || !verdicts.includes('right')
    })
    expect(incomplete).toEqual(Object.keys(withoutExamples))
  })

  test('are of a kind that a test checks', () => {
    const checked = listExamples(
      'document',
      'page',
      'text',
      'config',
      'overlay',
      'update',
      'site',
      'external',
      'files',
      'ignore',
      'exception',
      'traffic',
    )
    expect(allExamples.filter((example) => !checked.includes(example))).toEqual([])
  })

  /** The files that examples refer to. */
  const otherFiles = {
    'api/pet.yaml': 'type: object\n',
    'api/pets-3.0.yaml': completeExample('openapi: 3.0.4\ncomponents: {schemas: {Pet: {type: object}}}\n'),
    'api/pets-3.1.yaml': completeExample('components: {schemas: {Pet: {type: object}}}\n'),
  }

  test.each(listExamples('document'))('$code: the $verdict example', async ({ code, verdict, isRaw, text }) => {
    const { diagnostics } = await checkFiles({ 'api/openapi': isRaw ? text : completeExample(text), ...otherFiles })
    expect([...new Set(diagnostics.map((diagnostic) => diagnostic.code))]).toEqual(verdict === 'wrong' ? [code] : [])
  })
})
