import { expect, test } from 'vitest'
import { toFollowReference } from '../../../src/openapi/references/follow-reference.ts'
import { readCodeSamples } from '../../../src/site/reference/read-code-samples.ts'

const files = new Map<string, unknown>([
  ['a.yml', { lang: 'Ruby', source: { $ref: 'b.yml' } }],
  ['b.yml', 'client.call'],
])
const follow = toFollowReference((_file, reference) => {
  const value = files.get(reference)
  return value === undefined ? undefined : { file: reference, pointer: '', value }
})
const read = (operation: unknown) =>
  readCodeSamples({ file: '', pointer: '', value: operation }, follow).map(
    ({ language, label, source }) => `${language} "${label}": ${source}`,
  )

test.each<[string, object, string[]]>([
  [
    'samples in other files',
    { 'x-codeSamples': [{ $ref: 'a.yml' }, { $ref: 'missing.yml' }, { lang: 'go', source: { $ref: 'b.yml' } }] },
    ['ruby "Ruby": client.call', 'go "Go": client.call'],
  ],
  [
    'x-codeSamples and x-code-samples',
    { 'x-codeSamples': [{ lang: 'Python', source: 'a' }], 'x-code-samples': [{ lang: 'go', label: 'Own', source: 'b' }] },
    ['python "Python": a', 'go "Own": b'],
  ],
  [
    'x-readme, several of a language, with and without names',
    {
      'x-readme': {
        'code-samples': [
          { language: 'curl', name: 'Custom', code: 'a' },
          { language: 'curl', code: 'b' },
          { language: 'curl', code: 'c' },
        ],
      },
    },
    ['curl "curl · Custom": a', 'curl "curl": b', 'curl "curl 2": c'],
  ],
  ['one sample without a list', { 'x-code-samples': { lang: 'go', source: 'a' } }, ['go "Go": a']],
  ["ReadMe's fields in x-code-samples", { 'x-code-samples': [{ language: 'node', name: 'SDK', code: 'a' }] }, ['node "SDK": a']],
  [
    'x-stainless-snippets',
    { 'x-stainless-snippets': { typescript: 'a', python: { source: 'b' }, kotlin: 3 } },
    ['typescript "TypeScript": a', 'python "Python": b'],
  ],
  [
    'the first source of a language',
    {
      'x-codeSamples': [
        { lang: 'py', source: 'a' },
        { lang: 'py', label: 'Async', source: 'b' },
      ],
      'x-stainless-snippets': { python: 'c', go: 'd' },
    },
    ['py "Python": a', 'py "Python · Async": b', 'go "Go": d'],
  ],
  [
    'the same labels in several languages, as in the documentation of Mintlify',
    {
      'x-codeSamples': ['List all', 'List some'].flatMap((label) => [
        { lang: 'bash', label, source: `${label} 1` },
        { lang: 'javascript', label, source: `${label} 2` },
      ]),
    },
    [
      'bash "Shell · List all": List all 1',
      'javascript "JavaScript · List all": List all 2',
      'bash "Shell · List some": List some 1',
      'javascript "JavaScript · List some": List some 2',
    ],
  ],
  [
    'a label that all samples have',
    {
      'x-codeSamples': [
        { lang: 'curl', label: 'Update file', source: 'a' },
        { lang: 'dotnet', label: 'Update file', source: 'b' },
        { lang: 'dotnet', label: 'Update file', source: 'c' },
      ],
    },
    ['curl "curl": a', 'dotnet ".NET": b', 'dotnet ".NET 2": c'],
  ],
  [
    'values of the wrong type',
    { 'x-codeSamples': [{ lang: 1, source: 'a' }, null, { lang: 'go' }], 'x-readme': [], 'x-stainless-snippets': ['a'] },
    [],
  ],
])('reads %s', (_, operation, expected) => expect(read(operation)).toEqual(expected))
