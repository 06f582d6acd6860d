import { expect, test } from 'vitest'
import { findUnreadConfigs } from '../../src/docs-config/project-config.ts'

const yaml = 'openapi-pages.config.yaml'
const json = 'openapi-pages.config.json'

const find = (names: readonly string[], texts: Readonly<Record<string, string>> = {}) =>
  findUnreadConfigs(names, async (name) => texts[name] ?? '')

test.each([
  ['openapi-pages.config.yml', `rename it to \`${yaml}\``],
  ['openapi-pages-config.yaml', `rename it to \`${yaml}\``],
  ['.openapi-pages.config.yaml', `rename it to \`${yaml}\``],
  ['.openapi-pages.yaml', `rename it to \`${yaml}\``],
  ['openapi-pages.yaml', `rename it to \`${yaml}\``],
  ['openapi-pages.yml', `rename it to \`${yaml}\``],
  ['openapi-pages.config', `write what it sets into \`${yaml}\``],
  ['openapi-pages.config.js', `write what it sets into \`${yaml}\``],
  ['openapi-pages.config.ts', `write what it sets into \`${yaml}\``],
  ['openapi-pages.config.mjs', `write what it sets into \`${yaml}\``],
  ['openapi-pages.config.toml', `write what it sets into \`${yaml}\``],
  ['openapi-pages.config.jsonc', `write what it sets into \`${yaml}\``],
  ['.openapi-pagesrc', `write what it sets into \`${yaml}\``],
])('%s is told, with what to do', async (name, hint) => {
  expect(await find(['docs.json', name])).toEqual([
    {
      code: 'config-not-read',
      message: `Unexpected configuration file \`${name}\`: it is not read`,
      hint,
      file: name,
      pointer: '',
    },
  ])
  expect((await find([yaml, name])).map(({ hint }) => hint)).toEqual([`move what it sets into \`${yaml}\`, and remove it`])
})

test('of two that would count, the one that does not is told', async () => {
  expect(await find([json, yaml])).toMatchObject([
    { file: json, message: `Unexpected configuration file \`${json}\`: \`${yaml}\` counts` },
  ])
})

test('a name that differs in capitals is told where nothing else counts', async () => {
  expect(await find(['OpenAPI-Pages.config.yaml'])).toMatchObject([{ hint: `rename it to \`${yaml}\`` }])
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
])('%s is not told', async (name) => {
  expect(await find([name])).toEqual([])
})

test.each(['openapi: 3.1.0\ninfo: {}\n', '# Pages\n\nswagger: "2.0"\n', '{ "openapi": "3.1.0" }'])(
  'a document that is called so is none: %j',
  async (text) => {
    expect(await find(['openapi-pages.yaml'], { 'openapi-pages.yaml': text })).toEqual([])
  },
)
