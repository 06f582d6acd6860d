import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { formatSarif } from '../../src/diagnostics/format-ci.ts'
import { exampleDiagnostic, hostileText } from './example-diagnostic.ts'

interface Result {
  ruleId: string
  ruleIndex: number
  level: string
  message: { text: string }
  locations: { physicalLocation: { artifactLocation: { uri: string; uriBaseId?: string; index: number }; region: unknown } }[]
  relatedLocations?: { message: { text: string } }[]
  partialFingerprints: { [name: string]: string }
}

interface Run {
  tool: { driver: { rules: { id: string; help: { text: string }; properties: { tags: string[] } }[] } }
  invocations: { executionSuccessful: boolean; toolExecutionNotifications: { message: { text: string } }[] }[]
  artifacts: { location: { uri: string } }[]
  results: Result[]
}

function runOf(diagnostics: readonly Diagnostic[]): Run {
  return JSON.parse(formatSarif(diagnostics, { version: '1.2.3' })).runs[0]
}

test('formats a diagnostic with all fields', () => {
  const related = {
    file: 'other.yaml',
    range: { start: { line: 3, column: 5 }, end: { line: 3, column: 6 } },
    message: 'first used here',
  }
  const finding = exampleDiagnostic({
    at: [4, 7, 6],
    hint: 'Did you mean `summary`?',
    section: 'OpenAPI 3.1.1',
    related: [related],
  })
  const run = runOf([finding])
  expect(run.results).toMatchInlineSnapshot(`
    [
      {
        "level": "error",
        "locations": [
          {
            "physicalLocation": {
              "artifactLocation": {
                "index": 0,
                "uri": "openapi.yaml",
                "uriBaseId": "%SRCROOT%",
              },
              "region": {
                "endColumn": 13,
                "endLine": 4,
                "startColumn": 7,
                "startLine": 4,
              },
            },
          },
        ],
        "message": {
          "text": "Unexpected field \`sumary\` in an Operation Object
    Hint: Did you mean \`summary\`?
    OpenAPI 3.1.1",
        },
        "partialFingerprints": {
          "openapiPages/v1": "6a19df8744f434305ad96e95070335d6:1",
          "primaryLocationLineHash": "6a19df8744f43430:1",
        },
        "properties": {
          "pointer": "/paths/~1pets/get/sumary",
        },
        "relatedLocations": [
          {
            "id": 0,
            "message": {
              "text": "first used here",
            },
            "physicalLocation": {
              "artifactLocation": {
                "uri": "other.yaml",
                "uriBaseId": "%SRCROOT%",
              },
              "region": {
                "endColumn": 6,
                "endLine": 3,
                "startColumn": 5,
                "startLine": 3,
              },
            },
          },
        ],
        "ruleId": "unknown-field",
        "ruleIndex": 0,
      },
    ]
  `)
  expect({ ...run, results: undefined, tool: { driver: { ...run.tool.driver, rules: undefined } } }).toMatchInlineSnapshot(`
    {
      "artifacts": [
        {
          "location": {
            "uri": "openapi.yaml",
            "uriBaseId": "%SRCROOT%",
          },
        },
      ],
      "columnKind": "utf16CodeUnits",
      "invocations": [
        {
          "executionSuccessful": true,
          "toolExecutionNotifications": [],
        },
      ],
      "newlineSequences": [
        "
    ",
        "
    ",
        "
    ",
      ],
      "originalUriBaseIds": {
        "%SRCROOT%": {
          "description": {
            "text": "The root of the repository",
          },
        },
      },
      "results": undefined,
      "tool": {
        "driver": {
          "informationUri": "https://github.com/openapi-pages/openapi-pages",
          "name": "openapi-pages",
          "rules": undefined,
          "semanticVersion": "1.2.3",
        },
      },
    }
  `)
  expect(run.tool.driver.rules[0]?.help.text).toContain('**error** · ')
})

test('nothing found is a run without results', () => {
  expect(runOf([])).toMatchObject({ results: [], artifacts: [], tool: { driver: { rules: [] } } })
})

test('every result has its rule and its file', () => {
  const run = runOf([
    exampleDiagnostic({ code: 'wrong-type', file: 'b.yaml' }),
    exampleDiagnostic({ code: 'missing-field', file: 'a.yaml', severity: 'warning' }),
    exampleDiagnostic({ code: 'wrong-type', file: 'a.yaml', severity: 'info' }),
  ])
  expect(run.results.map(({ level }) => level)).toEqual(['error', 'warning', 'note'])
  for (const { ruleId, ruleIndex, locations } of run.results) {
    expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
    const artifact = locations[0]?.physicalLocation.artifactLocation
    expect(run.artifacts[artifact?.index ?? -1]?.location.uri).toBe(artifact?.uri)
  }
})

describe('files become relative references', () => {
  test.each([
    ['api/openapi.yaml', 'api/openapi.yaml', '%SRCROOT%'],
    ['a b/ü#?%[1].yaml', 'a%20b/%C3%BC%23%3F%25%5B1%5D.yaml', '%SRCROOT%'],
    ['c:/x.yaml', 'c%3A/x.yaml', '%SRCROOT%'],
    ['half \ud800.yaml', 'half%20%EF%BF%BD.yaml', '%SRCROOT%'],
    ['../other/openapi.yaml', '../other/openapi.yaml', undefined],
    ['https://example.com/a b.json', 'https://example.com/a%20b.json', undefined],
    ['<stdin>', '%3Cstdin%3E', '%SRCROOT%'],
    ['', '.', undefined],
  ])('%s', (file, uri, uriBaseId) => {
    const location = runOf([exampleDiagnostic({ file })]).results[0]?.locations[0]?.physicalLocation.artifactLocation
    expect(location).toEqual({ uri, index: 0, ...(uriBaseId === undefined ? {} : { uriBaseId }) })
  })
})

describe('the fingerprint', () => {
  const printOf = (finding: Diagnostic) => JSON.stringify(runOf([finding]).results[0]?.partialFingerprints)

  test('stays when lines come or go', () => {
    expect(printOf(exampleDiagnostic({ at: [40, 3] }))).toBe(printOf(exampleDiagnostic({ at: [4, 7] })))
  })

  test.each<[string, Partial<Diagnostic>]>([
    ['code', { code: 'wrong-type' }],
    ['file', { file: 'other.yaml' }],
    ['pointer', { pointer: '/x' }],
    ['message', { message: 'Unexpected field `x`' }],
  ])('Is another for another %s', (_name, fields) => {
    expect(printOf(exampleDiagnostic(fields))).not.toBe(printOf(exampleDiagnostic()))
  })

  test('numbers equal diagnostics', () => {
    const { results } = runOf([exampleDiagnostic(), exampleDiagnostic({ at: [9, 9] })])
    const prints = results.map(({ partialFingerprints }) => partialFingerprints['primaryLocationLineHash'] ?? '')
    expect(prints.map((print) => print.replace(/^[0-9a-f]{16}/, ''))).toEqual([':1', ':2'])
    expect(new Set(prints).size).toBe(2)
  })
})

describe('within the limits of GitHub', () => {
  test('keeps the 5,000 most severe results and a note about the rest', () => {
    const warnings = Array.from({ length: 4_999 }, (_, line) => exampleDiagnostic({ severity: 'warning', at: [line + 1, 1] }))
    const errors = [8_000, 8_001, 8_002].map((line) => exampleDiagnostic({ at: [line, 1] }))
    const { results, invocations } = runOf([...warnings, ...errors])
    expect(results).toHaveLength(5_000)
    expect(results.slice(0, 4).map(({ level }) => level)).toEqual(['error', 'error', 'error', 'warning'])
    expect(invocations[0]?.toolExecutionNotifications.map(({ message }) => message.text)).toEqual([
      '5,000 results of 5,002 diagnostics are included, the most severe first. The text and JSON formats have all of them',
    ])
  })

  test('keeps every error, up to the 25,000 results that GitHub accepts', () => {
    const errors = (count: number) => Array.from({ length: count }, (_, line) => exampleDiagnostic({ at: [line + 1, 1] }))
    const warning = exampleDiagnostic({ severity: 'warning' })
    expect(runOf([warning, ...errors(6_000)]).results).toHaveLength(6_000)
    expect(runOf(errors(25_001)).results).toHaveLength(25_000)
  })

  test('100 related places, 10 tags', () => {
    const related = Array.from({ length: 120 }, (_, line) => ({
      file: 'a.yaml',
      range: { start: { line: line + 1, column: 1 }, end: { line: line + 1, column: 2 } },
      message: 'here too',
    }))
    const run = runOf([exampleDiagnostic({ related })])
    expect(run.results[0]?.relatedLocations).toHaveLength(100)
    for (const rule of run.tool.driver.rules) expect(rule.properties.tags.length).toBeLessThanOrEqual(10)
  })
})

test('text of a document is only text', () => {
  const text = formatSarif([exampleDiagnostic({ message: hostileText, file: hostileText, hint: hostileText })], {
    version: '1.2.3',
  })
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|##\[|^\s*::/m)
})

test('says when not all could be read', () => {
  const run = JSON.parse(formatSarif([], { version: '1.2.3', isComplete: false })).runs[0] as Run
  expect(run.invocations[0]?.executionSuccessful).toBe(false)
})
