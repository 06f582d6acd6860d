import { expect, test } from 'vitest'
import { findUnreadConfigs } from '../../../src/docs/config/config-files.ts'

const yaml = 'openapi-pages.config.yaml'
const json = 'openapi-pages.config.json'

const find = (names: readonly string[], texts: Readonly<Record<string, string>> = {}) =>
  findUnreadConfigs(names, async (name) => texts[name] ?? '')

test.each([
  ['openapi-pages.config.yml', `Rename it to \`${yaml}\``],
  ['openapi-pages-config.yaml', `Rename it to \`${yaml}\``],
  ['.openapi-pages.config.yaml', `Rename it to \`${yaml}\``],
  ['.openapi-pages.yaml', `Rename it to \`${yaml}\``],
  ['openapi-pages.yaml', `Rename it to \`${yaml}\``],
  ['openapi-pages.yml', `Rename it to \`${yaml}\``],
  ['openapi-pages.config', `Move its settings to \`${yaml}\``],
  ['openapi-pages.config.js', `Move its settings to \`${yaml}\``],
  ['openapi-pages.config.ts', `Move its settings to \`${yaml}\``],
  ['openapi-pages.config.mjs', `Move its settings to \`${yaml}\``],
  ['openapi-pages.config.toml', `Move its settings to \`${yaml}\``],
  ['openapi-pages.config.jsonc', `Move its settings to \`${yaml}\``],
  ['.openapi-pagesrc', `Move its settings to \`${yaml}\``],
])('reports %s with a hint', async (name, hint) => {
  expect(await find(['docs.json', name])).toEqual([
    {
      code: 'config-not-read',
      message: `Unexpected configuration file \`${name}\`: it is not read`,
      hint,
      file: name,
      pointer: '',
    },
  ])
  expect((await find([yaml, name])).map(({ hint }) => hint)).toEqual([`Move its settings to \`${yaml}\` and delete it`])
})

test('reports the file without precedence if there are two', async () => {
  expect(await find([json, yaml])).toMatchObject([
    { file: json, message: `Unexpected configuration file \`${json}\`: \`${yaml}\` takes precedence` },
  ])
})

test('reports a name that differs only in case', async () => {
  expect(await find(['OpenAPI-Pages.config.yaml'])).toMatchObject([{ hint: `Rename it to \`${yaml}\`` }])
})

test.each([
  yaml,
  json,
  'openapi-pages.lock.json',
  'openapi-pages.mdx',
  'openapi-pages.json',
  'openapi-pages.sarif',
  'my-openapi-pages.config.yml',
  'guides/openapi-pages.config.yml',
])('does not report %s', async (name) => {
  expect(await find([name])).toEqual([])
})

test.each(['openapi: 3.1.0\ninfo: {}\n', '# Pages\n\nswagger: "2.0"\n', '{ "openapi": "3.1.0" }', '--- {openapi: 3.1.0}'])(
  'does not report an OpenAPI document with such a name: %j',
  async (text) => {
    expect(await find(['openapi-pages.yaml'], { 'openapi-pages.yaml': text })).toEqual([])
  },
)
