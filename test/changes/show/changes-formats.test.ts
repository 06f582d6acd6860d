import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import type { Comparison } from '../../../src/changes/change.ts'
import { formatChangesGithub, formatChangesJunit, formatChangesSarif } from '../../../src/changes/show/changes-formats.ts'
import { acceptedChange, exampleChange, exampleComparison, manyChanges } from '../example-comparison.ts'

const url = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/change-codes.md#type-narrowed'
const message = 'Type of query parameter `limit` changed from `string` to `integer`'

describe('formatChangesGithub', () => {
  test('annotates the line of the revision and names the place in the base', () => {
    expect(formatChangesGithub(exampleComparison([exampleChange()]))).toBe(
      `::error file=openapi.yaml,line=19,endLine=19,col=26,endColumn=32,title=breaking%3A type-narrowed::GET /pets: ${message}%0Ahint: Accept the old type too%0Abase: old.yaml:9:26%0A${url}\n`,
    )
  })

  test.each([
    ['breaking', 'error'],
    ['risky', 'warning'],
    ['compatible', 'notice'],
  ] as const)('shows a %s change as %s', (level, command) => {
    expect(formatChangesGithub(exampleComparison([exampleChange({ level })]))).toMatch(new RegExp(`^::${command} `))
  })

  test('names the operations that a change of a component affects', () => {
    const operations = Array.from({ length: 12 }, (_, index) => ({ method: 'get', path: `/${index}` }))
    const shown = formatChangesGithub(exampleComparison([exampleChange({ method: null, path: null, operations })]))
    expect(shown).toContain(`::${message}%0Aaffects: GET /0, `)
    expect(shown).toContain('GET /9 and 2 more operations%0A')
  })

  test('writes an annotation without a file for a removed file and for a document at a URL', () => {
    const { base } = exampleChange()
    const atUrl = exampleChange({ revision: base && { ...base, file: 'https://example.com/a.json' } })
    const shown = formatChangesGithub(exampleComparison([exampleChange({ revision: null }), atUrl])).split('\n')
    expect(shown[0]).toMatch(/^::error title=breaking%3A type-narrowed::/)
    expect(shown[0]).toContain('%0Abase: old.yaml:9:26%0A')
    expect(shown[1]).toMatch(/^::error title=.*%0Ahttps:\/\/example\.com\/a\.json:9:26$/)
  })

  test('shows an accepted change as a notice with its reason', () => {
    expect(formatChangesGithub(exampleComparison([acceptedChange()]))).toBe(
      `::notice file=openapi.yaml,line=19,endLine=19,col=26,endColumn=32,title=breaking%2C accepted%3A type-narrowed::GET /pets: ${message}%0Aaccepted by Ada: No client sends it%0Abase: old.yaml:9:26%0A${url}\n`,
    )
  })

  test('writes nothing without changes', () => {
    expect(formatChangesGithub(exampleComparison([]))).toBe('')
  })
})

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { id: string; help: { text: string } }[] } }
  readonly invocations: readonly { toolExecutionNotifications: readonly { message: { text: string } }[] }[]
  readonly results: readonly {
    readonly ruleIndex: number
    readonly level: string
    readonly message: { text: string }
    readonly locations: readonly { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[]
    readonly relatedLocations?: readonly { physicalLocation: { artifactLocation: { uri: string } } }[]
    readonly partialFingerprints: { readonly [name: string]: string }
    readonly suppressions?: readonly { readonly [name: string]: string }[]
    readonly properties: { readonly operations: readonly string[] }
  }[]
}

function toRun(comparison: Comparison): SarifRun {
  return JSON.parse(formatChangesSarif([comparison], { version: '1.2.3' })).runs[0]
}

describe('formatChangesSarif', () => {
  test('has the place in the revision, and the place in the base as a related location', () => {
    const { tool, results } = toRun(
      exampleComparison([exampleChange(), exampleChange({ level: 'compatible', code: 'type-widened' })]),
    )
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(['type-narrowed', 'type-widened'])
    expect(tool.driver.rules[0]?.help.text).toContain('**Instead:** ')
    expect(results[0]).toMatchObject({
      ruleId: 'type-narrowed',
      ruleIndex: 0,
      level: 'error',
      message: { text: `GET /pets: ${message}\nhint: Accept the old type too` },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'openapi.yaml' }, region: { startLine: 19 } } }],
      relatedLocations: [{ physicalLocation: { artifactLocation: { uri: 'old.yaml' }, region: { startLine: 9 } } }],
      properties: { level: 'breaking', operations: ['GET /pets'] },
    })
    expect(results[1]).toMatchObject({ ruleIndex: 1, level: 'note' })
  })

  test('uses the place in the base for something that was removed with its file', () => {
    const { results } = toRun(exampleComparison([exampleChange({ revision: null })]))
    expect(results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('old.yaml')
    expect(results[0]?.relatedLocations).toBeUndefined()
  })

  test('suppresses accepted changes with their reason', () => {
    const [accepted, other] = toRun(exampleComparison([acceptedChange({ isNew: true }), exampleChange()])).results
    expect(accepted).toMatchObject({
      level: 'note',
      suppressions: [
        { kind: 'external', status: 'accepted', justification: 'accepted by Ada (new in this revision): No client sends it' },
      ],
    })
    expect(other).toMatchObject({ level: 'error' })
    expect(other).not.toHaveProperty('suppressions')
  })

  test('has the same fingerprint when lines and messages change', () => {
    const change = exampleChange()
    const moved = exampleChange({ message: 'Other', base: null, revision: change.base })
    const [first, second] = [change, moved].map((one) => toRun(exampleComparison([one])).results[0]?.partialFingerprints)
    expect(second).toEqual(first)
    const others = toRun(exampleComparison([change, exampleChange({ fingerprint: 'f'.repeat(16) })])).results
    expect(others[1]?.partialFingerprints).not.toEqual(first)
  })

  test('includes 5,000 changes, breaking ones first, and states the total', () => {
    const { results, invocations } = toRun(manyChanges(8_000))
    expect(results).toHaveLength(5_000)
    expect(results.filter(({ level }) => level === 'error')).toHaveLength(2_000)
    expect(invocations[0]?.toolExecutionNotifications[0]?.message.text).toContain('5,000 results of 8,000 changes')
  })
})

interface Case {
  readonly name: string
  readonly classname: string
  readonly file?: string
  readonly line?: string
  readonly failure?: { readonly message: string; readonly type: string; readonly '#text': string }
  readonly 'system-out'?: string
}

interface Junit {
  readonly testsuites: {
    readonly tests: string
    readonly failures: string
    readonly testsuite: readonly { name: string; tests: string; failures: string; testcase: readonly Case[] }[]
  }
}

function toJunit(comparison: Comparison, levels = ['breaking']): Junit {
  const xml = formatChangesJunit([comparison], ({ level }) => levels.includes(level))
  expect(XMLValidator.validate(xml)).toBe(true)
  // Source: XML 1.0, "Characters". The validator does not check them.
  expect(xml).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u)
  const options = { ignoreAttributes: false, attributeNamePrefix: '', htmlEntities: true }
  return new XMLParser({ ...options, isArray: (name) => name === 'testsuite' || name === 'testcase' }).parse(xml)
}

describe('formatChangesJunit', () => {
  test('has a suite per operation and a test case per change', () => {
    const compatible = exampleChange({ level: 'compatible', code: 'type-widened', message: 'Wider', base: null })
    const { testsuites } = toJunit(exampleComparison([exampleChange(), compatible]))
    expect(testsuites).toMatchObject({ tests: '2', failures: '1' })
    const [suite] = testsuites.testsuite
    expect(suite).toMatchObject({ name: 'GET /pets', tests: '2', failures: '1' })
    expect(suite?.testcase).toEqual([
      {
        name: `${message} (type-narrowed)`,
        classname: 'GET /pets',
        time: '0',
        file: 'openapi.yaml',
        line: '19',
        failure: {
          message,
          type: 'type-narrowed',
          '#text': `breaking: ${url}\nbase: old.yaml:9:26\nrevision: openapi.yaml:19:26\nhint: Accept the old type too`,
        },
      },
      expect.objectContaining({ name: 'Wider (type-widened)', 'system-out': expect.stringContaining('compatible: https://') }),
    ])
  })

  test('counts the changes that fail', () => {
    expect(toJunit(manyChanges(400)).testsuites).toMatchObject({ tests: '400', failures: '100' })
    expect(toJunit(manyChanges(400), ['breaking', 'risky']).testsuites).toMatchObject({ failures: '200' })
  })

  test('has one passed test without changes', () => {
    const { testsuites } = toJunit(exampleComparison([]))
    expect(testsuites).toMatchObject({ tests: '1', failures: '0' })
    expect(testsuites.testsuite[0]?.testcase).toEqual([{ name: 'No changes for API clients', classname: 'Document', time: '0' }])
  })
})
