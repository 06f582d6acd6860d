import { expect, test } from 'vitest'
import { defaultConfig, parseConfig } from '../../src/docs/parse-config.ts'

const parse = (text: string) => parseConfig({ path: 'openapi-pages.config.yaml', text })

test.each([
  ['', defaultConfig],
  ['# nothing yet\n', defaultConfig],
  ['materialise: false\nunlisted: add\n', { ...defaultConfig, materialise: { byDefault: false, byLabel: [] }, unlisted: 'add' }],
  [
    'github: { check: neutral, comment: off }',
    { ...defaultConfig, github: { ...defaultConfig.github, check: 'neutral', comment: 'off' } },
  ],
  ['github:\n  comment: false\n', { ...defaultConfig, github: { ...defaultConfig.github, comment: 'off' } }],
  ['github: { commit-status: true }', { ...defaultConfig, github: { ...defaultConfig.github, 'commit-status': true } }],
  ['github: { deployment: true }', { ...defaultConfig, github: { ...defaultConfig.github, deployment: true } }],
  ['{"unlisted": "ignore"}', { ...defaultConfig, unlisted: 'ignore' }],
  [
    'materialise: { API Reference: false }',
    {
      ...defaultConfig,
      materialise: {
        byDefault: true,
        byLabel: [{ label: 'API Reference', materialise: false, pointer: '/materialise/API Reference' }],
      },
    },
  ],
])('%j', async (text, expected) => {
  expect(await parse(text)).toEqual({ config: expected, findings: [] })
})

test.each([
  ['- a', 'wrong-type', ''],
  ['materialise: [A]', 'wrong-type', '/materialise'],
  ['materialise: { A: "no" }', 'wrong-type', '/materialise/A'],
  ['unlisted: reprt', 'wrong-value', '/unlisted'],
  ['unlisted: 1', 'wrong-value', '/unlisted'],
  ['materialize: true', 'unknown-field', '/materialize'],
  ['github: off', 'wrong-type', '/github'],
  ['github: { coment: off }', 'unknown-field', '/github/coment'],
  ['github: { comment: neutral }', 'wrong-value', '/github/comment'],
  ['github: { deployment: production }', 'wrong-type', '/github/deployment'],
  ['github: { commit-status: on }', 'wrong-type', '/github/commit-status'],
  ['github: { check: true }', 'wrong-value', '/github/check'],
  ['a: b: c', 'yaml-syntax', ''],
])('%j is a finding, and the default stays', async (text, code, pointer) => {
  const { config, findings } = await parse(text)
  expect(findings).toMatchObject([{ code, pointer }])
  expect(config).toEqual(defaultConfig)
})
