import { expect, test } from 'vitest'
import { siteOf, siteOfDocument } from './site-of.ts'

const admins = { 'x-mint': { groups: ['admin'] } }
const answer = (schema: object) => ({ responses: { 200: { description: 'Good', content: { 'application/json': { schema } } } } })
const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  tags: [{ name: 'pets' }, { name: 'HUSHTAG', description: 'HUSHTAGTEXT' }],
  paths: {
    '/pets': {
      get: { tags: ['pets'], summary: 'List pets', ...answer({ $ref: '#/components/schemas/Pet' }) },
      delete: {
        tags: ['HUSHTAG'],
        summary: 'HUSHOPERATION',
        description: 'HUSHDESCRIPTION',
        ...admins,
        ...answer({ $ref: '#/components/schemas/HUSHSCHEMA' }),
      },
    },
    '/HUSHPATH': { ...admins, get: { summary: 'HUSHDEEP', ...answer({ type: 'string' }) } },
  },
  components: {
    schemas: {
      HUSHSCHEMA: { type: 'object', properties: { HUSHUSED: { type: 'string' } } },
      Pet: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Its name' },
          HUSHPROPERTY: { type: 'string', description: 'HUSHTEXT', example: 'HUSHEXAMPLE', ...admins },
          plan: { enum: ['free', 'HUSHVALUE'], 'x-mint-enum': { HUSHVALUE: ['vip'] } },
          setup: {
            oneOf: [
              { title: 'Open', type: 'string' },
              { title: 'HUSHVARIANT', type: 'integer', ...admins },
            ],
          },
        },
        example: { name: 'Tom', HUSHPROPERTY: 'HUSHDATA', plan: 'HUSHVALUE' },
      },
    },
  },
}
const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nThe text of ${title}.\n`
const files = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index', 'hush/one', 'hush/two', 'GET /HUSHPATH', { group: 'Nested', pages: ['public'] }] },
        { group: 'HUSHGROUP', public: false, openapi: 'hush.json', pages: ['hush/three', 'open'] },
        { group: 'API', openapi: 'openapi.json' },
      ],
    },
  }),
  'index.mdx': page('Welcome'),
  'public.mdx': page('Public', 'public: true\n'),
  'open.mdx': page('Open', 'public: true\n'),
  'hush/one.mdx': page('HUSHONE', 'groups: [admin]\n'),
  'hush/two.mdx': page('HUSHTWO', 'public: false\n'),
  'hush/three.mdx': page('HUSHTHREE'),
  'hush/four.mdx': page('HUSHFOUR', 'groups: "beta,vip"\n'),
  'hush.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'HUSHAPI', version: '1' },
    paths: { '/h': { get: { summary: 'HUSHOTHER', responses: { 200: { description: 'x' } } } } },
  }),
  'openapi.json': JSON.stringify(document),
}

const bytesOf = (built: Awaited<ReturnType<typeof siteOf>>) =>
  Object.entries(built.files).map(([path, content]) => `${path}\n${content}`)

test('leaves no word of restricted content anywhere in a site, and reports it once with all names', async () => {
  const built = await siteOf(files, { url: 'https://docs.example.com/' })
  for (const file of bytesOf(built)) expect(/hush\w*/i.exec(file)?.[0], file.slice(0, 200)).toBeUndefined()
  expect(bytesOf(built).join('')).toContain('The text of Open.')
  const found = built.diagnostics.filter(({ code }) => code === 'content-restricted')
  expect(found.map(({ severity, file }) => `${severity} ${file}`)).toEqual(['warning docs.json'])
  for (const name of [
    'hush/one.mdx',
    'hush/two.mdx',
    'hush/three.mdx',
    'hush/four.mdx',
    'hush.json',
    'openapi.json#/paths/~1pets/delete',
  ]) {
    expect(found[0]?.message).toContain(`\`${name}\``)
  }
  // Nothing else is wrong with the site.
  expect(built.diagnostics.filter(({ code, severity }) => severity !== 'info' && code !== 'content-restricted')).toEqual([])
})

test('publishes restricted content with `site.restricted: publish`', async () => {
  const built = await siteOf({ ...files, 'openapi-pages.config.yaml': 'site:\n  restricted: publish\n' })
  const text = bytesOf(built).join('')
  for (const word of [
    'HUSHONE',
    'HUSHTWO',
    'HUSHTHREE',
    'HUSHOTHER',
    'HUSHOPERATION',
    'HUSHPROPERTY',
    'HUSHVALUE',
    'HUSHVARIANT',
    'HUSHTAGTEXT',
  ])
    expect(text).toContain(word)
  expect(built.diagnostics.filter(({ code }) => code === 'content-restricted')).toEqual([])
})

test('leaves out the restricted parts of a site for a single document', async () => {
  const built = await siteOfDocument('openapi.json', JSON.stringify(document))
  for (const file of bytesOf(built)) expect(/hush\w*/i.exec(file)?.[0], file.slice(0, 200)).toBeUndefined()
  expect(bytesOf(built).join('')).toContain('Its name')
})
