import { expect, test } from 'vitest'
import { parseConfig } from '../../src/docs/parse-config.ts'
import { defaultLimits, limitNames } from '../../src/text/limits.ts'

const read = async (limits: string, ceilings = defaultLimits.ceilings) =>
  await parseConfig({ path: 'openapi-pages.config.yaml', text: `limits: ${limits}\n` }, ceilings)

test.each([
  ['{ document-size: 128 MiB }', 'document-size', 128 * 1024 * 1024],
  ['{ document-size: 2KiB }', 'document-size', 2048],
  ['{ description-size: 1 GiB }', 'description-size', 1024 ** 3],
  ['{ description-files: 20000 }', 'description-files', 20_000],
  ['{ nesting: 50 }', 'nesting', 50],
  ['{ alias-nodes: 0 }', 'alias-nodes', 0],
  ['{ page-size: 16 MiB }', 'page-size', 16 * 1024 * 1024],
  ['{ docs-config-size: 1 MiB }', 'docs-config-size', 1024 * 1024],
  ['{ fetch-time: 90 s }', 'fetch-time', 90_000],
  ['{ fetch-time: 3 }', 'fetch-time', 3_000],
] as const)('%s', async (text, name, value) => {
  const { config, findings } = await read(text)
  expect(findings).toEqual([])
  expect(config.limits.values).toEqual({ ...defaultLimits.values, [name]: value })
})

test.each([
  ['64 MiB', 'Unexpected value for `limits`, expected a mapping', 'write for example `limits: { document-size: 64 MiB }`'],
  [
    '{ document-size: 64 MB }',
    'Unexpected value for `document-size`, expected a size with `KiB`, `MiB` or `GiB`',
    'write for example `document-size: 64 MiB`',
  ],
  [
    '{ document-size: 64 }',
    'Unexpected value for `document-size`, expected a size with `KiB`, `MiB` or `GiB`',
    'write for example `document-size: 64 MiB`',
  ],
  [
    '{ fetch-time: 1 h }',
    'Unexpected value for `fetch-time`, expected seconds',
    'the value is in seconds: write for example `fetch-time: 60` or `fetch-time: 60 s`',
  ],
  ['{ nesting: deep }', 'Unexpected value for `nesting`, expected a whole number', 'write for example `nesting: 1000`'],
  ['{ nesting: [1] }', 'Unexpected value for `nesting`, expected a whole number', 'write for example `nesting: 1000`'],
  ['{ nesting: 9 }', 'Unexpected `9` for `nesting`, expected from 10 to 1000', undefined],
  ['{ document-size: 1 GiB }', 'Unexpected `1 GiB` for `document-size`, expected from 1 KiB to 500 MiB', undefined],
  [
    '{ fetch-time: 0 s }',
    'Unexpected `0 s` for `fetch-time`, expected from 1 s to 600 s',
    'the value is in seconds: write for example `fetch-time: 60` or `fetch-time: 60 s`',
  ],
  [
    '{ fetch-time: 3000 }',
    'Unexpected `3000` for `fetch-time`, expected from 1 s to 600 s',
    'the value is in seconds: write for example `fetch-time: 60` or `fetch-time: 60 s`',
  ],
  [
    '{ document-sise: 1 MiB }',
    `Unexpected limit \`document-sise\`, expected ${limitNames.map((name) => `\`${name}\``).join(', ')}`,
    'did you mean `document-size`?',
  ],
])('%s is one finding, and the limit stays', async (text, message, hint) => {
  const { config, findings } = await read(text)
  expect(findings.map((finding) => [finding.message, finding.hint])).toEqual([[message, hint]])
  expect(config.limits.values).toEqual(defaultLimits.values)
})

test('what somebody else holds lower stays so, which is said and is no error', async () => {
  const { config, findings } = await read('{ document-size: 128 MiB, page-size: 1 MiB }', defaultLimits.values)
  expect(findings.map(({ message, severity, pointer }) => [message, severity, pointer])).toEqual([
    ['Cannot use 128 MiB for `document-size` here: it is held to 64 MiB', 'info', '/limits/document-size'],
  ])
  expect(config.limits).toEqual({
    values: { ...defaultLimits.values, 'page-size': 1024 * 1024 },
    ceilings: defaultLimits.values,
  })
})
