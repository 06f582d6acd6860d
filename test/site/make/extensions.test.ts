import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

/** Builds the site of a document with these additions to an operation, and to the whole document. */
async function find(operation: object, more: object = {}) {
  const path = (summary: string) => ({ get: { summary, responses: { 200: { description: 'ok' } }, ...operation } })
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Pets', navigation: { groups: [{ group: 'API', openapi: 'openapi.json' }] } }),
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: { '/pets': path('List pets'), '/cats': path('List cats') },
      ...more,
    }),
  })
  const found = diagnostics.filter(({ code }) => code === 'setting-not-used')
  return found.map(({ severity, pointer, message, hint }) => `${severity} ${pointer} ${message}${hint ? `. ${hint}` : ''}`)
}

test('reports an unknown key of `x-mint` once, with the number of the others', async () => {
  expect(await find({ 'x-mint': { hreff: '/a' } })).toEqual([
    'info /paths/~1pets/get/x-mint/hreff Unexpected key `hreff` in `x-mint`: it has no effect (and in 1 more place of the file). Did you mean `href`?',
  ])
})

test('reports the choice of tools for agents', async () => {
  const rest = ': agents find every operation of a site with the same tools. Remove it. To leave out operations, use `x-excluded`'
  expect(await find({}, { 'x-mcp': { enabled: true }, 'x-mint': { mcp: { enabled: true } } })).toEqual([
    `info /x-mcp Cannot use \`x-mcp\`${rest}`,
    `info /x-mint/mcp Cannot use \`x-mint.mcp\`${rest}`,
  ])
})

test('reports values of the wrong type', async () => {
  const tags = [{ name: 'a', 'x-mint': 1 }]
  expect(await find({}, { tags, components: { schemas: { A: { type: 'string', 'x-mint': { href: 1, pre: 'a' } } } } })).toEqual([
    'warning /tags/0/x-mint Unexpected number for `x-mint`, expected a mapping',
    'warning /components/schemas/A/x-mint/href Unexpected number for `x-mint.href`, expected a string',
    'warning /components/schemas/A/x-mint/pre Unexpected string for `x-mint.pre`, expected a list',
  ])
})

test('accepts what has an effect, and any name in values and of properties', async () => {
  const mint = { metadata: { title: 'A' }, content: 'B', groups: [], pre: ['a'], post: ['b'] }
  const schemas = { A: { type: 'object', properties: { 'x-mcp': { type: 'string' } }, example: { 'x-mint': 1 }, 'x-mint': mint } }
  expect(await find({ 'x-mint': mint }, { components: { schemas } })).toEqual([])
})
