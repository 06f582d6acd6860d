import { expect, test } from 'vitest'
import { parseConfig } from '../../../src/docs/config/project-config.ts'

const parse = (text: string) => parseConfig({ path: 'docs/openapi-pages.config.yaml', text })
const hash = 'AB'.repeat(32)

test.each([
  ['', undefined],
  ['rulesets: false', false],
  ['rulesets: []', []],
  [
    'rulesets: [style.yaml, ../api/rules.yaml, spectral:oas]',
    [
      { kind: 'path', path: 'docs/style.yaml' },
      { kind: 'path', path: 'api/rules.yaml' },
      { kind: 'path', path: 'spectral:oas' },
    ],
  ],
  [
    `rulesets: [{ url: "https://example.com/rules.yaml", sha256: ${hash} }]`,
    [{ kind: 'url', url: 'https://example.com/rules.yaml', sha256: hash.toLowerCase() }],
  ],
])('reads %j', async (text, expected) => {
  const { config, findings } = await parse(text)
  expect(findings).toEqual([])
  expect(config.rulesets).toEqual(expected)
})

const list = 'Use a list, for example `rulesets: [style/rules.yaml]`'

test.each([
  ['rulesets: style.yaml', list],
  ['rulesets: true', list],
  ['rulesets: [/etc/rules.yaml]', list],
  ['rulesets: [5]', list],
  ['rulesets: [{ url: "https://example.com/rules.yaml" }]', list],
  ['rulesets: [{ url: "http://example.com/rules.yaml", sha256: 0 }]', list],
  ['rulesets: ["https://example.com/rules.yaml"]', 'Add the hash of the content: `{ url: "https://…", sha256: "…" }`'],
])('reports %j', async (text, hint) => {
  const { config, findings } = await parse(text)
  expect(config.rulesets).toBeUndefined()
  expect(findings).toMatchObject([{ code: 'wrong-value', pointer: '/rulesets', hint }])
})
