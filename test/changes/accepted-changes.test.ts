import { describe, expect, test } from 'vitest'
import {
  type AcceptedChange,
  changeThresholds,
  describeAcceptance,
  describeLevel,
  markAccepted,
  meetsThreshold,
  parseAcceptedChanges,
} from '../../src/changes/change.ts'
import { toSourceFile } from '../../src/text/plain/source-file.ts'
import { compareDocuments } from './compare-documents.ts'
import { exampleChange, exampleComparison } from './example-comparison.ts'

const entry: AcceptedChange = {
  fingerprint: '0123456789abcdef',
  code: 'type-narrowed',
  operation: 'GET /pets',
  message: 'Type of query parameter `limit` changed from `string` to `integer`',
  document: 'openapi.yaml',
  reason: 'No client sends it',
  author: 'Ada',
  date: '2026-11-22',
}

const toYaml = (fields: Partial<Record<keyof AcceptedChange | 'raeson', unknown>>) =>
  `- ${Object.entries({ ...entry, ...fields })
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${JSON.stringify(value)}`))
    .join('\n  ')}\n`

async function parse(text: string) {
  const { entries, findings } = await parseAcceptedChanges(toSourceFile('a.yaml', new TextEncoder().encode(text)))
  return {
    entries,
    problems: findings.map(({ code, pointer, message, hint }) => [code, pointer, message, ...(hint ? [hint] : [])]),
  }
}

describe('parseAcceptedChanges', () => {
  test.each(['', '# Nothing yet\n', '[]', '# Nothing yet\n[]\n'])('reads an empty list from %j', async (text) => {
    expect(await parse(text)).toEqual({ entries: [], problems: [] })
  })

  test('reads entries in YAML and JSON', async () => {
    expect(await parse(`# Reviewed by the API team\n${toYaml({})}`)).toEqual({ entries: [entry], problems: [] })
    expect(await parse(JSON.stringify([entry]))).toEqual({ entries: [entry], problems: [] })
    const { operation: _, document: __, ...short } = entry
    expect(await parse(toYaml({ operation: undefined, document: undefined }))).toEqual({ entries: [short], problems: [] })
    expect((await parse(toYaml({}).replace('"2026-11-22"', '2026-11-22'))).entries).toEqual([entry])
  })

  test.each<[string, unknown[]]>([
    ['accepted: []', ['wrong-type', '']],
    ['- a', ['wrong-type', '/0', 'Unexpected entry, expected a mapping with `fingerprint` and `reason`']],
    [toYaml({ reason: undefined }), ['missing-field', '/0', 'Missing `reason`']],
    [toYaml({ reason: ' ' }), ['wrong-value', '/0/reason', 'Unexpected `reason`: expected text']],
    [
      toYaml({ reason: 'a'.repeat(1_001) }),
      ['wrong-value', '/0/reason', 'Unexpected `reason`: it has 1001 characters, expected at most 1000'],
    ],
    [toYaml({ author: 7 }), ['wrong-value', '/0/author', 'Unexpected `author`: expected text']],
    [
      toYaml({ fingerprint: '*' }),
      ['wrong-value', '/0/fingerprint', 'Unexpected `fingerprint`: expected 16 hexadecimal digits in quotes'],
    ],
    [toYaml({ fingerprint: 1234567890123456 }), ['wrong-value', '/0/fingerprint']],
    [toYaml({ date: 'yesterday' }), ['wrong-value', '/0/date', 'Unexpected `date`: expected a date such as `2026-03-01`']],
    [
      toYaml({ raeson: 'x' }),
      ['unknown-field', '/0/raeson', expect.stringContaining('Unexpected field `raeson`'), 'Did you mean `reason`?'],
    ],
    [`<<<<<<< HEAD\n${toYaml({})}=======\n`, ['yaml-syntax', '']],
    ['[{]', ['yaml-syntax', '']],
  ])('accepts nothing if the file has a problem: %j', async (text, problem) => {
    const { entries, problems } = await parse(text)
    expect(entries).toEqual([])
    expect(problems[0]?.slice(0, problem.length)).toEqual(problem)
  })

  test('accepts nothing if one of several entries has a problem', async () => {
    expect(await parse(toYaml({}) + toYaml({ date: '' }))).toMatchObject({
      entries: [],
      problems: [['wrong-value', '/1/date', expect.anything()]],
    })
  })
})

describe('markAccepted', () => {
  const accept = (change = exampleChange(), ...entries: readonly AcceptedChange[]) =>
    markAccepted(exampleComparison([change]), { revision: entries, document: 'openapi.yaml' }).changes[0]?.accepted

  test('marks the changes of an entry', () => {
    expect(accept(exampleChange(), entry)).toEqual({ reason: 'No client sends it', author: 'Ada', isNew: false })
    expect(accept(exampleChange({ level: 'risky' }), entry)).toMatchObject({ author: 'Ada' })
    const { document: _, ...everywhere } = entry
    expect(accept(exampleChange(), everywhere)).toMatchObject({ author: 'Ada' })
  })

  test('uses the first of two entries for a change', () => {
    expect(accept(exampleChange(), { ...entry, author: 'Ada' }, { ...entry, author: 'Bob' })).toMatchObject({ author: 'Ada' })
  })

  test.each<[string, Partial<AcceptedChange>]>([
    ['another change', { fingerprint: 'f'.repeat(16) }],
    ['another code', { code: 'operation-removed' }],
    ['another document', { document: 'v2/openapi.yaml' }],
  ])('does not mark a change for an entry of %s', (_, fields) => {
    expect(accept(exampleChange(), { ...entry, ...fields })).toBeUndefined()
  })

  test('does not mark compatible changes', () => {
    expect(accept(exampleChange({ level: 'compatible' }), entry)).toBeUndefined()
  })

  test.each([
    { base: undefined, isNew: false },
    { base: [], isNew: true },
    { base: [{ ...entry, author: 'Bob' }], isNew: false },
    { base: [{ ...entry, document: 'other.yaml' }], isNew: true },
  ])('tells entries that the revision adds from others: $isNew', ({ base, isNew }) => {
    const marked = markAccepted(exampleComparison([exampleChange()]), { revision: [entry], base, document: 'openapi.yaml' })
    expect(marked.changes[0]?.accepted?.isNew).toBe(isNew)
  })

  test('describes an acceptance on one line', () => {
    const change = exampleChange({ accepted: { reason: 'First\n  second\n', author: 'Ada', isNew: true } })
    expect(describeAcceptance(change)).toBe('accepted by Ada (new in this revision): First second')
    expect(describeLevel(change)).toBe('breaking, accepted')
    expect(describeAcceptance(exampleChange())).toBeUndefined()
    expect(describeLevel(exampleChange())).toBe('breaking')
  })
})

test.each(changeThresholds)('does not count accepted changes for the threshold %s', (threshold) => {
  expect(meetsThreshold(exampleChange({ accepted: { reason: 'a', author: 'a', isNew: false } }), threshold)).toBe(false)
})

describe('the fingerprint of a change', () => {
  const toDocument = (schema: string, text = '', path = '/pets') => `
${text}
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  ${path}:
    get:
      parameters: [{name: limit, in: query, schema: ${schema}}]
      responses: {'200': {description: OK}}
`
  const fingerprintOf = async (base: string, revision: string) => {
    const changes = await compareDocuments(base, revision)
    expect(changes).toHaveLength(1)
    return changes[0]?.fingerprint
  }

  test('does not depend on lines, and differs for other values, operations and directions', async () => {
    const [hundred, fifty, one] = [100, 50, 1].map((maximum) => `{type: integer, maximum: ${maximum}}`) as [
      string,
      string,
      string,
    ]
    const known = await fingerprintOf(toDocument(hundred), toDocument(fifty))
    expect(await fingerprintOf(toDocument(hundred), toDocument(fifty, '# Comment\n\n'))).toBe(known)
    const others = [
      await fingerprintOf(toDocument(fifty), toDocument(one)),
      await fingerprintOf(toDocument(hundred), toDocument(one)),
      await fingerprintOf(toDocument(fifty), toDocument(hundred)),
      await fingerprintOf(toDocument(hundred, '', '/cats'), toDocument(fifty, '', '/cats')),
      await fingerprintOf(toDocument('{type: string}'), toDocument('{type: integer}')),
      await fingerprintOf(toDocument('{type: string}'), toDocument('{type: boolean}')),
    ]
    expect(new Set([known, ...others]).size).toBe(others.length + 1)
  })
})
