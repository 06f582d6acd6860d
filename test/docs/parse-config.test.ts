import { expect, test } from 'vitest'
import { defaultConfig } from '../../src/docs/config.ts'
import { parseConfig } from '../../src/docs/parse-config.ts'

const parse = (text: string) => parseConfig({ path: 'openapi-pages.config.yaml', text })

test.each([
  ['', defaultConfig],
  ['# nothing yet\n', defaultConfig],
  [
    'materialise: false\nunlisted: add\n',
    { ...defaultConfig, materialise: { byDefault: false, byLabel: [] }, unlisted: { byDefault: 'add', byLabel: [] } },
  ],
  [
    'github: { check: neutral, comment: off }',
    { ...defaultConfig, github: { ...defaultConfig.github, check: 'neutral', comment: 'off' } },
  ],
  ['github:\n  comment: false\n', { ...defaultConfig, github: { ...defaultConfig.github, comment: 'off' } }],
  ['github: { commit-status: true }', { ...defaultConfig, github: { ...defaultConfig.github, 'commit-status': true } }],
  ['site: { publish: always }', { ...defaultConfig, site: { publish: 'always' } }],
  ['github: { forkPreviews: never }', { ...defaultConfig, github: { ...defaultConfig.github, forkPreviews: 'never' } }],
  ['github: { deployment: true }', { ...defaultConfig, github: { ...defaultConfig.github, deployment: true } }],
  [
    'order: { A: alphabetical }\nrenames: false\n',
    {
      ...defaultConfig,
      order: { byDefault: 'tags', byLabel: [{ label: 'A', value: 'alphabetical', pointer: '/order/A' }] },
      renames: false,
    },
  ],
  ['{"unlisted": "ignore"}', { ...defaultConfig, unlisted: { byDefault: 'ignore', byLabel: [] } }],
  [
    'materialise: { API Reference: false }',
    {
      ...defaultConfig,
      materialise: {
        byDefault: true,
        byLabel: [{ label: 'API Reference', value: false, pointer: '/materialise/API Reference' }],
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
  ['order: tag', 'wrong-value', '/order'],
  ['order: { A: [tags] }', 'wrong-value', '/order/A'],
  ['renames: sometimes', 'wrong-type', '/renames'],
  ['materialize: true', 'unknown-field', '/materialize'],
  ['github: off', 'wrong-type', '/github'],
  ['github: { coment: off }', 'unknown-field', '/github/coment'],
  ['github: { comment: neutral }', 'wrong-value', '/github/comment'],
  ['github: { deployment: production }', 'wrong-type', '/github/deployment'],
  ['github: { commit-status: on }', 'wrong-type', '/github/commit-status'],
  ['site: always', 'wrong-type', '/site'],
  ['site: { publish: never }', 'wrong-value', '/site/publish'],
  ['site: { pubish: always }', 'unknown-field', '/site/pubish'],
  ['github: { forkPreviews: aprove }', 'wrong-value', '/github/forkPreviews'],
  ['github: { forkPreviews: false }', 'wrong-value', '/github/forkPreviews'],
  ['github: { forkpreviews: never }', 'unknown-field', '/github/forkpreviews'],
  ['github: { check: true }', 'wrong-value', '/github/check'],
  ['a: b: c', 'yaml-syntax', ''],
  ['rules: off', 'wrong-type', '/rules'],
  ['rules: { unused-componet: off }', 'unknown-field', '/rules/unused-componet'],
  ['rules: { unused-component: of }', 'wrong-value', '/rules/unused-component'],
  ['rules: { missing-field: warning }', 'wrong-value', '/rules/missing-field'],
  ['ignore: { code: unused-component }', 'wrong-type', '/ignore'],
  ['ignore: [unused-component]', 'wrong-type', '/ignore/0'],
  ['ignore: [{ code: unused }]', 'unknown-field', '/ignore/0/code'],
  ['ignore: [{ file: a.yaml }]', 'unknown-field', '/ignore/0/file'],
  ['ignore: [{ path: 5 }]', 'wrong-type', '/ignore/0/path'],
  ['ignore: [{ pointer: paths }]', 'wrong-value', '/ignore/0/pointer'],
])('%j is a finding, and the default stays', async (text, code, pointer) => {
  const { config, findings } = await parse(text)
  expect(findings).toMatchObject([{ code, pointer }])
  expect(config).toEqual(defaultConfig)
})

test('reads levels, and what is ignored from the folder of the file', async () => {
  const text = `rules: { unused-component: off, example-mismatch: error, missing-field: error }
ignore:
  - { code: path-ambiguous, path: 'api/*.yaml' }
  - { pointer: /paths/~1pets }
`
  const { config, findings } = await parseConfig({ path: 'docs/openapi-pages.config.yaml', text })
  expect(findings).toEqual([])
  expect(Object.fromEntries(config.rules)).toEqual({
    'unused-component': 'off',
    'example-mismatch': 'error',
    'missing-field': 'error',
  })
  const place = { file: 'docs/openapi-pages.config.yaml', pointer: '/ignore/0' }
  expect(config.ignore).toEqual([
    { code: 'path-ambiguous', path: expect.any(RegExp), pointer: undefined, place },
    { code: undefined, path: undefined, pointer: '/paths/~1pets', place: { ...place, pointer: '/ignore/1' } },
  ])
  expect(config.ignore[0]?.path?.test('docs/api/pets.yaml')).toBe(true)
})

test('the nearest word is named', async () => {
  const { findings } = await parse('rules: { unused-componet: of }\nignore: [{ pth: a }]\n')
  expect(findings.map(({ hint }) => hint)).toEqual(['did you mean `unused-component`?', 'did you mean `path`?'])
})
