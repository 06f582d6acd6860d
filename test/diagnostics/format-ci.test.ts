import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { formatCheckstyle, formatGitlab, formatJunit, formatUnix } from '../../src/diagnostics/format-ci.ts'
import { exampleDiagnostic } from './example-diagnostic.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name) => ['file', 'error', 'testsuite', 'testcase'].includes(name),
})
const found = [
  exampleDiagnostic({ at: [4, 7, 6], hint: 'Did you mean `summary`?' }),
  exampleDiagnostic({ at: [5, 1], severity: 'warning' }),
  exampleDiagnostic({ file: 'docs/a & b.yaml', at: [6, 1], severity: 'info' }),
]
const message = 'Unexpected field `sumary` in an Operation Object'

test('unix has one line per problem', () => {
  expect(formatUnix([])).toBe('')
  expect(formatUnix(found)).toBe(
    `openapi.yaml:4:7: ${message}. Did you mean \`summary\`? [error/unknown-field]\n` +
      `openapi.yaml:5:1: ${message} [warning/unknown-field]\n` +
      `docs/a & b.yaml:6:1: ${message} [info/unknown-field]\n`,
  )
})

test('checkstyle has the problems of each file', () => {
  const xml = formatCheckstyle(found)
  expect(XMLValidator.validate(xml)).toBe(true)
  const source = 'openapi-pages.unknown-field'
  expect(parser.parse(xml).checkstyle).toEqual({
    version: '4.3',
    file: [
      {
        name: 'openapi.yaml',
        error: [
          { line: '4', column: '7', severity: 'error', message: `${message}. Did you mean \`summary\`?`, source },
          { line: '5', column: '1', severity: 'warning', message, source },
        ],
      },
      {
        name: expect.stringMatching(/^docs\/a (&|&#38;) b\.yaml$/),
        error: [{ line: '6', column: '1', severity: 'info', message, source }],
      },
    ],
  })
  expect(parser.parse(formatCheckstyle([])).checkstyle).toMatchObject({ version: '4.3' })
})

test('JUnit has a failure per error, and passed tests for warnings and for valid documents', () => {
  const xml = formatJunit(found, ['openapi.yaml', 'valid.yaml'])
  expect(XMLValidator.validate(xml)).toBe(true)
  const { testsuites } = parser.parse(xml)
  expect(testsuites).toMatchObject({ tests: '4', failures: '1', errors: '0' })
  const suites = testsuites.testsuite as { name: string; tests: string; failures: string; testcase: object[] }[]
  expect(suites.map(({ tests, failures }) => [tests, failures])).toEqual([
    ['2', '1'],
    ['1', '0'],
    ['1', '0'],
  ])
  expect(suites[0]?.testcase.map((one) => 'failure' in one)).toEqual([true, false])
  expect(suites[1]?.testcase).toEqual([{ name: 'No problems', classname: 'valid.yaml', time: '0' }])
  expect(parser.parse(formatJunit([], [])).testsuites.tests).toBe('1')
})

test('the code quality report has the fields that GitLab requires, and fingerprints without lines', () => {
  const issues = JSON.parse(formatGitlab([...found, exampleDiagnostic({ at: [9, 7] })])) as { fingerprint: string }[]
  expect(issues[0]).toEqual({
    description: `${message}. Did you mean \`summary\`?`,
    check_name: 'unknown-field',
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    // One of the values that GitLab documents.
    severity: 'critical',
    location: { path: 'openapi.yaml', lines: { begin: 4, end: 4 } },
  })
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length)
  const moved = JSON.parse(formatGitlab([exampleDiagnostic({ at: [400, 7] })])) as { fingerprint: string }[]
  expect(moved[0]?.fingerprint).toBe(issues[0]?.fingerprint)
})
