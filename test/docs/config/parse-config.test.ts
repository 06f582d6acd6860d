import { describe, expect, test } from 'vitest'
import { defaultConfig, parseConfig } from '../../../src/docs/config/project-config.ts'
import { findUnknownRules } from '../../../src/docs/config/rule-settings.ts'
import { readNearestConfig } from '../../../src/docs/read/find-docs.ts'
import { readDocsDirectory } from '../../../src/docs/read/read-docs-directory.ts'
import type { Files } from '../../../src/files/files.ts'
import { defaultLimits, limitNames } from '../../../src/text/plain/limits.ts'
import { listChoices } from '../../../src/text/plain/lists.ts'

const parse = (text: string) => parseConfig({ path: 'openapi-pages.config.yaml', text })

const withSite = (site: object) => ({ ...defaultConfig, site: { ...defaultConfig.site, ...site } })
const withGithub = (github: object) => ({ ...defaultConfig, github: { ...defaultConfig.github, ...github } })

test.each([
  ['', defaultConfig],
  ['# empty\n', defaultConfig],
  [
    'materialize: false\nunlisted: add\n',
    { ...defaultConfig, materialize: { byDefault: false, byLabel: [] }, unlisted: { byDefault: 'add', byLabel: [] } },
  ],
  ['github: { check: neutral, comment: off }', withGithub({ check: 'neutral', comment: 'off' })],
  ['github:\n  comment: false\n', withGithub({ comment: 'off' })],
  ['github: { commit-status: true }', withGithub({ 'commit-status': true })],
  ['site: { publish: always }', withSite({ publish: 'always' })],
  ['site: { restricted: publish }', withSite({ restricted: 'publish' })],
  ['site: { language: pt-br }', withSite({ language: 'pt-BR' })],
  ['site: { language: jp }', withSite({ language: 'ja' })],
  ['site: { scripts: true }', withSite({ scripts: true })],
  [
    'site: { editUrl: "https://github.com/acme/shop/edit/main" }',
    withSite({ editUrl: 'https://github.com/acme/shop/edit/main/' }),
  ],
  [
    'site: { allowedOrigins: ["https://stats.example.com", "https://cdn.example.com:8443/"] }',
    withSite({ allowedOrigins: ['https://stats.example.com', 'https://cdn.example.com:8443'] }),
  ],
  ['site: { feedback: false }', defaultConfig],
  ['site: { feedback: https://example.com/a }', withSite({ feedback: 'https://example.com/a' })],
  [
    'site: { feedback: "https://example.com:8443/answers?site=1" }',
    withSite({ feedback: 'https://example.com:8443/answers?site=1' }),
  ],
  ['github: { forkPreviews: never }', withGithub({ forkPreviews: 'never' })],
  ['github: { deployment: true }', withGithub({ deployment: true })],
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
    'materialize: { API Reference: false }',
    {
      ...defaultConfig,
      materialize: {
        byDefault: true,
        byLabel: [{ label: 'API Reference', value: false, pointer: '/materialize/API Reference' }],
      },
    },
  ],
])('%j', async (text, expected) => {
  expect(await parse(text)).toEqual({ config: expected, findings: [] })
})

test.each([
  ['- a', 'wrong-type', ''],
  ['materialize: [A]', 'wrong-type', '/materialize'],
  ['materialize: { A: "no" }', 'wrong-type', '/materialize/A'],
  ['unlisted: reprt', 'wrong-value', '/unlisted'],
  ['unlisted: 1', 'wrong-value', '/unlisted'],
  ['order: tag', 'wrong-value', '/order'],
  ['order: { A: [tags] }', 'wrong-value', '/order/A'],
  ['renames: sometimes', 'wrong-type', '/renames'],
  ['materialized: true', 'unknown-field', '/materialized'],
  ['toString: true', 'unknown-field', '/toString'],
  ['github: off', 'wrong-type', '/github'],
  ['github: { coment: off }', 'unknown-field', '/github/coment'],
  ['github: { comment: neutral }', 'wrong-value', '/github/comment'],
  ['github: { deployment: production }', 'wrong-type', '/github/deployment'],
  ['github: { commit-status: on }', 'wrong-type', '/github/commit-status'],
  ['site: always', 'wrong-type', '/site'],
  ['site: { publish: never }', 'wrong-value', '/site/publish'],
  ['site: { scripts: yes please }', 'wrong-type', '/site/scripts'],
  ['site: { language: german }', 'wrong-value', '/site/language'],
  ['site: { language: de_DE }', 'wrong-value', '/site/language'],
  ['site: { language: [de] }', 'wrong-value', '/site/language'],
  ['site: { pubish: always }', 'unknown-field', '/site/pubish'],
  ['site: { editUrl: "javascript:alert(1)" }', 'wrong-value', '/site/editUrl'],
  ['site: { editUrl: github.com/acme/shop }', 'wrong-value', '/site/editUrl'],
  ['site: { feedback: true }', 'wrong-value', '/site/feedback'],
  ['site: { feedback: "http://example.com/answers" }', 'wrong-value', '/site/feedback'],
  ['site: { feedback: "https://ann:secret@example.com/" }', 'wrong-value', '/site/feedback'],
  ['site: { feedback: /answers }', 'wrong-value', '/site/feedback'],
  ['site: { allowedOrigins: https://a.example }', 'wrong-value', '/site/allowedOrigins'],
  ['site: { allowedOrigins: ["*"] }', 'wrong-value', '/site/allowedOrigins'],
  ['site: { allowedOrigins: ["https://a.example/script.js"] }', 'wrong-value', '/site/allowedOrigins'],
  ['site: { allowedOrigins: ["http://a.example"] }', 'wrong-value', '/site/allowedOrigins'],
  ['site: { allowedOrigins: ["https://a.example; script-src *"] }', 'wrong-value', '/site/allowedOrigins'],
  ['github: { forkPreviews: aprove }', 'wrong-value', '/github/forkPreviews'],
  ['github: { forkPreviews: false }', 'wrong-value', '/github/forkPreviews'],
  ['github: { forkpreviews: never }', 'unknown-field', '/github/forkpreviews'],
  ['github: { check: true }', 'wrong-value', '/github/check'],
  ['changes: off', 'wrong-type', '/changes'],
  ['changes: { level: {} }', 'unknown-field', '/changes/level'],
  ['changes: { levels: off }', 'wrong-type', '/changes/levels'],
  ['changes: { levels: { tag-removd: off } }', 'unknown-field', '/changes/levels/tag-removd'],
  ['changes: { levels: { __proto__: off } }', 'unknown-field', '/changes/levels/__proto__'],
  ['changes: { levels: { tag-removed: error } }', 'wrong-value', '/changes/levels/tag-removed'],
  ['changes: { changelog: releases }', 'wrong-value', '/changes/changelog'],
  ['changes: { stability: gamma }', 'wrong-value', '/changes/stability'],
  ['changes: { deprecationDays: 30 }', 'wrong-type', '/changes/deprecationDays'],
  ['changes: { deprecationDays: { stable: -1 } }', 'wrong-value', '/changes/deprecationDays/stable'],
  ['changes: { deprecationDays: { alpha: 1 } }', 'unknown-field', '/changes/deprecationDays/alpha'],
  ['changes: { tags: v1.0 }', 'wrong-value', '/changes/tags'],
  ['changes: { tags: 1 }', 'wrong-value', '/changes/tags'],
  ['changes: { failOn: error }', 'wrong-value', '/changes/failOn'],
  ['changes: { fail-on: breaking }', 'unknown-field', '/changes/fail-on'],
  ['changes: { comment: risky }', 'wrong-value', '/changes/comment'],
  ['a: b: c', 'yaml-syntax', ''],
  ['rules: off', 'wrong-type', '/rules'],
  ['rules: { operation-description: of }', 'wrong-value', '/rules/operation-description'],
  ['rules: { unused-component: of }', 'wrong-value', '/rules/unused-component'],
  ['rules: { missing-field: warning }', 'wrong-value', '/rules/missing-field'],
  ['ignore: { code: unused-component }', 'wrong-type', '/ignore'],
  ['ignore: [unused-component]', 'wrong-type', '/ignore/0'],
  ['ignore: [{ code: unused }]', 'unknown-field', '/ignore/0/code'],
  ['ignore: [{ file: a.yaml }]', 'unknown-field', '/ignore/0/file'],
  ['ignore: [{ rule: 5 }]', 'wrong-type', '/ignore/0/rule'],
  ['ignore: [{ path: 5 }]', 'wrong-type', '/ignore/0/path'],
  ['ignore: [{ pointer: paths }]', 'wrong-value', '/ignore/0/pointer'],
  ['sources: acme/api', 'wrong-type', '/sources'],
  ['sources: [acme/api]', 'wrong-type', '/sources/0'],
  ['sources: [{ repository: acme/api }]', 'missing-field', '/sources/0'],
  ['sources: [{ repository: acme/api, path: a.yaml, branch: x }]', 'unknown-field', '/sources/0/branch'],
  ['sources: [{ repository: 7, path: a.yaml }]', 'wrong-value', '/sources/0/repository'],
  ['sources: [{ repository: acme/api, path: a.yaml, to: .github/x.yml }]', 'wrong-value', '/sources/0/to'],
  ['sources: [{ repository: acme/api, path: openapi }]', 'wrong-value', '/sources/0'],
  ['sources: [{ repository: acme/web, path: web.yaml, kind: clients }]', 'missing-field', '/sources/0'],
  ['sources: [{ repository: acme/web, path: web.yaml, kind: client }]', 'wrong-value', '/sources/0/kind'],
  ['sources: [{ repository: acme/web, path: web.yaml, public: "true" }]', 'wrong-type', '/sources/0/public'],
])('reports %j and keeps the default', async (text, code, pointer) => {
  const { config, findings } = await parse(text)
  expect(findings).toMatchObject([{ code, pointer }])
  expect(config).toEqual(defaultConfig)
})

test('reads audiences in their order', async () => {
  const text = `site:
  audiences:
    - { name: staff, groups: [internal, 'github:Acme/Staff', 'oidc:corp//a b/c'] }
    - { name: trial-2, groups: ['trial '] }
`
  const { config, findings } = await parse(text)
  expect(findings).toEqual([])
  expect(config.site.audiences).toEqual([
    { name: 'staff', groups: ['internal', 'github:acme/staff', 'oidc:corp//a b/c'] },
    { name: 'trial-2', groups: ['trial'] },
  ])
})

const nine = JSON.stringify(Array.from({ length: 9 }, (_, index) => ({ name: `a${index}`, groups: ['b'] })))

test.each([
  ['staff', 'wrong-type', ''],
  [nine, 'wrong-type', ''],
  ['[staff]', 'wrong-type', '/0'],
  ['[{ groups: [a] }]', 'missing-field', '/0'],
  ['[{ name: a }]', 'missing-field', '/0'],
  ['[{ name: public, groups: [a] }]', 'wrong-value', '/0/name'],
  ['[{ name: "A b", groups: [a] }]', 'wrong-value', '/0/name'],
  ['[{ name: a, groups: [] }]', 'wrong-value', '/0/groups'],
  ['[{ name: a, groups: b }]', 'wrong-value', '/0/groups'],
  ['[{ name: a, groups: [ldap:x/y] }]', 'wrong-value', '/0/groups'],
  ['[{ name: a, groups: [github:acme] }]', 'wrong-value', '/0/groups'],
  ['[{ name: a, groups: ["oidc:corp/b,c"] }]', 'wrong-value', '/0/groups'],
  ['[{ name: a, groups: [b], order: 1 }]', 'unknown-field', '/0/order'],
])('an audience that is not valid has no readers, and x-internal is for some readers: %s', async (written, code, pointer) => {
  const { config, findings } = await parse(`site: { audiences: ${written} }`)
  expect(findings).toMatchObject([{ code, pointer: `/site/audiences${pointer}` }])
  expect(config.site.audiences?.filter(({ name }) => name !== 'a')).toEqual([])
})

test.each(['site: { audiences: [{ name: a, groups: [b] }\n', 'site: { "aud\\u0069ences": [{ name: a, groups: [b] }\n'])(
  'the audiences of a file with syntax errors are not known: %s',
  async (text) => {
    const { config } = await parse(text)
    expect(config.site.audiences).toEqual([])
  },
)

test('no reader of a configuration file that cannot be read has a group', async () => {
  const files: Files = {
    list: async () => [],
    read: async (path) => (path === 'openapi-pages.config.yaml' ? { kind: 'unreadable', reason: 'EIO' } : { kind: 'missing' }),
  }
  const { config } = await readDocsDirectory('', { files })
  expect([config, (await readNearestConfig('', { files })).config].map(({ site }) => site.audiences)).toEqual([[], []])
})

test('audiences cannot be published for everyone', async () => {
  const { config, findings } = await parse('site: { restricted: publish, audiences: [{ name: a, groups: [b] }] }')
  expect(findings).toMatchObject([{ code: 'wrong-value', pointer: '/site/restricted' }])
  expect(config.site.restricted).toBe('hide')
})

test('reads severity levels, and ignored paths relative to the file', async () => {
  const text = `rules: { unused-component: off, example-mismatch: error, missing-field: error, operation-description: info }
ignore:
  - { code: path-ambiguous, path: 'api/*.yaml' }
  - { pointer: /paths/~1pets }
  - { rule: operation-description }
`
  const { config, findings } = await parseConfig({ path: 'docs/openapi-pages.config.yaml', text })
  expect(findings).toEqual([])
  expect(Object.fromEntries(config.rules)).toEqual({
    'unused-component': 'off',
    'example-mismatch': 'error',
    'missing-field': 'error',
    'operation-description': 'info',
  })
  const place = { file: 'docs/openapi-pages.config.yaml', pointer: '/ignore/0' }
  expect(config.ignore).toEqual([
    { code: 'path-ambiguous', rule: undefined, path: { test: expect.any(Function) }, pointer: undefined, place },
    { code: undefined, rule: undefined, path: undefined, pointer: '/paths/~1pets', place: { ...place, pointer: '/ignore/1' } },
    {
      code: undefined,
      rule: 'operation-description',
      path: undefined,
      pointer: undefined,
      place: { ...place, pointer: '/ignore/2' },
    },
  ])
  expect(config.ignore[0]?.path?.test('docs/api/pets.yaml')).toBe(true)
})

test('reads documents of other repositories, and reports a second one for the same file', async () => {
  const text = `sources:
  - { repository: acme/api, path: ./spec/openapi.yaml }
  - { repository: acme/users, ref: v1, path: users.json, to: api/users.json }
  - { repository: acme/other, path: other.yaml, to: openapi.yaml }
`
  const { config, findings } = await parseConfig({ path: 'docs/openapi-pages.config.yaml', text })
  const document = { kind: 'document', isPublic: false }
  expect(config.sources).toEqual([
    { ...document, repository: 'acme/api', ref: undefined, path: 'spec/openapi.yaml', to: 'docs/openapi.yaml' },
    { ...document, repository: 'acme/users', ref: 'v1', path: 'users.json', to: 'docs/api/users.json' },
  ])
  expect(findings).toMatchObject([{ code: 'wrong-value', pointer: '/sources/2', hint: 'Set `to` to another file' }])
})

test('reads which changes fail and which are commented on', async () => {
  const { config, findings } = await parse('changes: { failOn: risky, comment: any }')
  expect(findings).toEqual([])
  expect(config.changes).toMatchObject({ levels: {}, failOn: 'risky', comment: 'any' })
})

test('reads the levels of changes', async () => {
  const { config, findings } = await parse('changes: { levels: { type-narrowed: risky, tag-removed: off, tag-added: false } }')
  expect(findings).toEqual([])
  expect(config.changes.levels).toEqual({ 'type-narrowed': 'risky', 'tag-removed': 'off', 'tag-added': 'off' })
})

test('suggests the nearest change code and level', async () => {
  const { findings } = await parse('changes: { levels: { tag-removd: off, tag-added: brekaing } }')
  expect(findings.map(({ hint }) => hint)).toEqual(['Did you mean `tag-removed`?', 'Did you mean `breaking`?'])
})

test('suggests the nearest code and key', async () => {
  const { findings } = await parse('ignore: [{ pth: a }, { code: unused-componet }]\n')
  expect(findings.map(({ hint }) => hint)).toEqual(['Did you mean `path`?', 'Did you mean `unused-component`?'])
})

describe('names in `rules` that are no codes', () => {
  const find = async (text: string, rules: readonly string[]) => {
    const { config } = await parse(text)
    return findUnknownRules(config.rules, 'docs/openapi-pages.config.yaml', new Set(rules))
  }

  test('are rules of the ruleset', async () => {
    expect(await find('rules: { operation-description: off, unused-component: off }', ['operation-description'])).toEqual([])
  })

  test('are reported if the ruleset does not have them', async () => {
    expect(await find('rules: { operation-descripton: off }', ['operation-description'])).toEqual([
      {
        code: 'unknown-field',
        message:
          'Unexpected rule `operation-descripton`, expected a code from docs/diagnostics.md or a rule of the ruleset that is not off',
        file: 'docs/openapi-pages.config.yaml',
        pointer: '/rules/operation-descripton',
        on: 'key',
        hint: 'Did you mean `operation-description`?',
      },
    ])
  })

  test('are reported without a ruleset', async () => {
    expect(await find('rules: { unused-componet: off }', [])).toMatchObject([
      {
        message: 'Unexpected rule `unused-componet`, expected a code from docs/diagnostics.md',
        hint: 'Did you mean `unused-component`?',
      },
    ])
  })
})

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
  ['{ assets-size: 1 GiB }', 'assets-size', 1024 * 1024 * 1024],
  ['{ fetch-time: 90 s }', 'fetch-time', 90_000],
  ['{ fetch-time: 3 }', 'fetch-time', 3_000],
] as const)('%s', async (text, name, value) => {
  const { config, findings } = await read(text)
  expect(findings).toEqual([])
  expect(config.limits.values).toEqual({ ...defaultLimits.values, [name]: value })
})

const sizeHint = 'Use a value such as `document-size: 64 MiB`'
const secondsHint = 'Write the value in seconds, for example `fetch-time: 60` or `fetch-time: 60 s`'

test.each([
  [
    '64 MiB',
    'Unexpected value for `limits`, expected a mapping',
    'Use a mapping, for example `limits: { document-size: 64 MiB }`',
  ],
  ['{ document-size: 64 MB }', 'Unexpected value for `document-size`, expected a size with `KiB`, `MiB` or `GiB`', sizeHint],
  ['{ document-size: 64 }', 'Unexpected value for `document-size`, expected a size with `KiB`, `MiB` or `GiB`', sizeHint],
  ['{ fetch-time: 1 h }', 'Unexpected value for `fetch-time`, expected seconds', secondsHint],
  ['{ nesting: deep }', 'Unexpected value for `nesting`, expected a whole number', 'Use a value such as `nesting: 250`'],
  ['{ nesting: [1] }', 'Unexpected value for `nesting`, expected a whole number', 'Use a value such as `nesting: 250`'],
  ['{ nesting: 9 }', 'Unexpected `9` for `nesting`, expected a value from 10 to 250', undefined],
  ['{ document-size: 1 GiB }', 'Unexpected `1 GiB` for `document-size`, expected a value from 1 KiB to 500 MiB', undefined],
  ['{ fetch-time: 0 s }', 'Unexpected `0 s` for `fetch-time`, expected a value from 1 s to 600 s', secondsHint],
  ['{ fetch-time: 3000 }', 'Unexpected `3000` for `fetch-time`, expected a value from 1 s to 600 s', secondsHint],
  [
    '{ document-sise: 1 MiB }',
    `Unexpected limit \`document-sise\`, expected ${listChoices(limitNames)}`,
    'Did you mean `document-size`?',
  ],
])('reports %s once and keeps the default limit', async (text, message, hint) => {
  const { config, findings } = await read(text)
  expect(findings.map((finding) => [finding.message, finding.hint])).toEqual([[message, hint]])
  expect(config.limits.values).toEqual(defaultLimits.values)
})

test('caps a limit at its ceiling with an info diagnostic', async () => {
  const { config, findings } = await read('{ document-size: 128 MiB, page-size: 1 MiB }', defaultLimits.values)
  expect(findings.map(({ message, severity, pointer }) => [message, severity, pointer])).toEqual([
    ['Unexpected `128 MiB` for `document-size`, using the maximum of 64 MiB instead', 'info', '/limits/document-size'],
  ])
  expect(config.limits).toEqual({
    values: { ...defaultLimits.values, 'page-size': 1024 * 1024 },
    ceilings: defaultLimits.values,
  })
})

test('reads the versions of changelogs', async () => {
  const { config, findings } = await parse('changes: { changelog: tags, tags: api-v* }')
  expect([config.changes.changelog, config.changes.tags, findings]).toEqual(['tags', 'api-v*', []])
})

test('accepts `$schema` for editors', async () => {
  expect((await parse('$schema: https://example.com/config.schema.json')).findings).toEqual([])
  expect((await parse('$schema: 1')).findings).toMatchObject([{ code: 'unknown-field', pointer: '/$schema' }])
})
