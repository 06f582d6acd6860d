import { expect, test } from 'vitest'
import { makeMarkedDocument } from '../../support/marked-document.ts'
import { settle } from '../../support/memory-tree.ts'
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
        { group: 'HUSHGROUP', public: false, openapi: ['hush.json', 'openapi.json'], pages: ['hush/three', 'open'] },
        { group: 'API', openapi: ['openapi.json'] },
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

const operation = (summary: string, more: object = {}) => ({ summary, ...answer({ type: 'string' }), ...more })
const description = (paths: object, more: object = {}) =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths, ...more })

test.each([{}, { pages: ['GET /h'] }])('follows no restricted document to a copy that nothing names: %j', async (more) => {
  const hush = description({ '/h': { get: operation('HUSHOTHER') } })
  const groups = [
    { group: 'HUSHGROUP', public: false, openapi: 'hush.json', ...more },
    { group: 'API', openapi: 'openapi.json' },
  ]
  const { tree } = await settle({
    'docs.json': JSON.stringify({ name: 'Pets', navigation: { groups } }),
    'hush.json': hush,
    'openapi.json': description({ '/pets': { get: operation('List pets') } }),
  })
  const built = await siteOf({ ...tree, 'copies/hush.json': hush })
  for (const file of bytesOf(built)) expect(/hush\w*/i.exec(file)?.[0], file.slice(0, 200)).toBeUndefined()
  expect(bytesOf(built).join('')).toContain('List pets')
  expect(built.diagnostics.filter(({ severity, message }) => severity === 'error' || message.includes('copies'))).toEqual([])
})

const site = (own: Record<string, string>, group: object = { openapi: 'openapi.json' }) => ({
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      groups: [
        { group: 'API', ...group },
        { group: 'More', pages: ['index'] },
      ],
    },
  }),
  'index.mdx': page('Welcome'),
  ...own,
})
const list = { get: operation('List pets') }

/** Checks that no file has a restricted word, and that the warning names these parts. */
async function expectHidden(own: Record<string, string>, named: readonly string[], kept = 'The text of Welcome.') {
  const built = await siteOf(own, { url: 'https://docs.example.com/' })
  for (const file of bytesOf(built)) expect(/hush\w*/i.exec(file)?.[0], file.slice(0, 200)).toBeUndefined()
  expect(bytesOf(built).join('')).toContain(kept)
  const message = built.diagnostics.find(({ code }) => code === 'content-restricted')?.message ?? ''
  for (const name of named) expect(message).toContain(`\`${name}\``)
  return built
}

test.each<[string, object, string]>([
  ['an operation', { pages: ['index', { group: 'HUSH', public: false, pages: ['POST /HUSH'] }] }, '/paths/~1HUSH/post'],
  ['a webhook', { pages: [{ group: 'HUSH', groups: ['a'], pages: ['/openapi.json Webhook HUSH'] }] }, '/webhooks/HUSH'],
])('leaves out %s that only a restricted division lists', async (_name, group, part) => {
  const document = description(
    { '/pets': list, '/HUSH': { post: operation('HUSH') } },
    { webhooks: { HUSH: { post: operation('HUSH') } } },
  )
  const own = { 'openapi.json': document }
  const both = { openapi: 'openapi.json', ...group }
  expect((await siteOf(site(own, both))).diagnostics.map(({ message }) => message).join()).toContain(part)
  const shown = site(own, { ...both, pages: [...Object.values(group).flat(), 'POST /HUSH', 'webhook HUSH'] })
  expect((await siteOf(shown)).files['openapi.json']).toMatch(/post.*webhooks.*HUSH/s)
})

test.each([
  ['broken YAML', '---\ntitle: "HUSH\ngroups: [admin]\n---\n\nHUSH\n'],
  ['a broken list', '---\ntitle: HUSH\ngroups: [admin\n---\n\nHUSH\n'],
  ['no end of the frontmatter', '---\ntitle: HUSH\ngroups: [admin]\n\nHUSH\n'],
  ['no end of the frontmatter and an empty line', '---\ntitle: HUSH\n\ngroups: [admin]\n\n# HUSH\n'],
  ['three dots at the end of the frontmatter', '---\ntitle: HUSH\n\npublic: false\n...\n\nHUSH\n'],
  ['line ends of old systems', '---\rtitle: HUSH\rgroups: [admin]\r---\rHUSH\r'],
  ['an empty line before the frontmatter', '\n---\ntitle: HUSH\ngroups: [admin]\n---\n\nHUSH\n'],
  ['one mapping in braces', '---\n{title: HUSH, groups: [admin]}\n---\n\nHUSH\n'],
  ['an escaped key', '---\ntitle: HUSH\n"gro\\u0075ps": [admin]\n---\n\nHUSH\n'],
  ['a list as frontmatter', '---\n- groups: [admin]\n---\n\nHUSH\n'],
  ['a mapping as groups', '---\ntitle: HUSH\ngroups: {admin: true}\n---\n\nHUSH\n'],
  ['public as a text', '---\ntitle: HUSH\npublic: "false"\n---\n\nHUSH\n'],
  ['no group', '---\ntitle: HUSH\ngroups: []\n---\n\nHUSH\n'],
  ['groups without a value', '---\ntitle: HUSH\ngroups:\n---\n\nHUSH\n'],
  ['another case of the key', '---\ntitle: HUSH\nPublic: false\n---\n\nHUSH\n'],
  ['public: no', '---\ntitle: HUSH\npublic: no\n---\n\nHUSH\n'],
  ['Windows line ends and broken YAML', '---\r\ntitle: "HUSH\r\ngroups: [admin]\r\n---\r\n\r\nHUSH\r\n'],
])('leaves out a restricted page with %s', async (_name, text) => {
  await expectHidden(site({ 'hidden.mdx': text, 'openapi.json': description({ '/pets': list }) }), ['hidden.mdx'])
})

test.each([
  ['an invalid title', '---\ntitle: "Open\n---\n\nShown text\n'],
  ['groups in the text', '---\ntitle: "Open\n---\n\n```yaml\ngroups: [a]\n```\n\nShown text\n'],
  ['public: true and broken YAML', '---\ntitle: "Open\npublic: true\n---\n\nShown text\n'],
  ['other keys with the name', '---\ntitle: Open\nseo: {groups: [a]}\n---\n\nShown text\n'],
])('publishes a page with %s', async (_name, text) => {
  await expectHidden(site({ 'open.mdx': text, 'openapi.json': description({ '/pets': list }) }), [], 'Shown text')
})

test('leaves out the operation of a restricted page, which would get a generated page', async () => {
  const paths = { '/pets': list, '/hush/{id}': { get: operation('HUSH') }, '/open': { get: operation('Open') } }
  const webhooks = { hushed: { post: operation('HUSHHOOK') } }
  const pages = {
    'secret.mdx': page('HUSH', 'groups: [admin]\nopenapi: GET /hush/{pet}/\n'),
    'broken.mdx': '---\ntitle: "HUSH\nopenapi: "openapi.json webhook hushed"\ngroups: [admin]\n---\n',
    // A public page shows it too.
    'restricted.mdx': page('HUSH', 'groups: [admin]\nopenapi: GET /open\n'),
    'open.mdx': page('Open', 'openapi: GET /open\n'),
  }
  const built = await expectHidden(site({ 'openapi.json': description(paths, { webhooks }), ...pages }), [
    'secret.mdx',
    'openapi.json#/paths/~1hush~1{id}/get',
    'openapi.json#/webhooks/hushed/post',
  ])
  expect(Object.keys(built.files)).toContain('open/index.html')
})

test('leaves out the operation of a restricted page whose document is unknown, but not one of another document', async () => {
  const own = { 'openapi.json': description({ '/pets': list, '/hush': { get: operation('HUSH') } }) }
  const restricted = { 'secret.mdx': page('Secret', 'groups: [admin]\nopenapi: old-name.json GET /hush\n') }
  await expectHidden(site({ ...own, ...restricted }), ['openapi.json#/paths/~1hush/get'])
  const both = site({ ...own, ...restricted, 'old-name.json': own['openapi.json'] })
  expect((await siteOf(both)).files['openapi.json']).toContain('/hush')
})

test('publishes words and values that only look like a restricted value in another case', async () => {
  const kinds = { enum: ['OPEN', 'BETA_2', 'beta', 'beta_2'], 'x-mint-enum': { beta: ['vip'], beta_2: ['vip'] } }
  const pets = { get: operation('Beta pets', { parameters: [{ name: 'kind', in: 'query', schema: kinds, example: 'BETA_2' }] }) }
  const built = await siteOf(site({ 'openapi.json': description({ '/pets': pets }) }))
  expect(built.files['openapi.json']).toMatch(/Beta pets.*"enum": \[\s+"OPEN",\s+"BETA_2"\s+\].*"example": "BETA_2"/s)
  expect(built.diagnostics.map(({ severity }) => severity)).not.toContain('error')
})

test.each(['json', 'yaml'])('publishes nothing of a %s document with restricted parts and syntax errors', async (extension) => {
  const json = description({ '/pets': list, '/hush': { ...admins, get: operation('HUSH') } })
  const yaml = `openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths:\n  /hush:\n    get:\n      x-mint: {groups: [admin]}\n      summary: "HUSH\n  /pets: {}\n`
  const name = `openapi.${extension}`
  const text = extension === 'json' ? json.replace('"paths":', '"paths":{},"paths":') : yaml
  const built = await expectHidden(
    site({ [name]: text, 'link.mdx': `---\ntitle: Link\n---\n\n[file](/${name})\n` }, { openapi: name }),
    [name],
  )
  expect(built.diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([])
})

const overlay = (actions: object[]) =>
  JSON.stringify({ overlay: '1.0.0', info: { title: 'O', version: '1' }, extends: 'openapi.json', actions })

test('applies overlays before restricted parts are left out', async () => {
  const paths = { '/pets': list, '/hush': { get: operation('HUSH') }, '/other': { ...admins, get: operation('HUSH') } }
  const restrict = { target: "$.paths['/hush']", update: admins }
  const edit = { target: "$.paths['/other'].get", update: { description: 'HUSH', tags: ['HUSH'] } }
  const add = { target: '$.paths', update: { '/other': { get: { operationId: 'hush' } } } }
  await expectHidden(site({ 'openapi.json': description(paths), 'o.json': overlay([restrict, edit, add]) }), [
    'openapi.json#/paths/~1hush',
    'openapi.json#/paths/~1other',
  ])
})

test('an overlay can publish a restricted part, and one that cannot be applied publishes nothing', async () => {
  const paths = { '/pets': list, '/open': { ...admins, get: operation('Opened') } }
  const open = { target: "$.paths['/open']['x-mint']", remove: true }
  await expectHidden(site({ 'openapi.json': description(paths), 'o.json': overlay([open]) }), [], 'Opened')
  for (const unmatched of [
    { target: "$.paths['/hsh']", update: admins },
    { target: '$.paths["/hush"].get["X-\\u004dint"].metadata', update: { groups: ['a'] } },
  ]) {
    const document = description({ '/hush': { get: operation('HUSH') } })
    const { diagnostics } = await expectHidden(site({ 'openapi.json': document, 'o.json': overlay([unmatched]) }), [])
    expect(diagnostics.map(({ severity, file }) => `${severity} ${file}`)).toContain('error o.json')
  }
  const broken = { target: "$.paths['/hush'", update: admins }
  await expectHidden(
    site({ 'openapi.json': description({ '/hush': { get: operation('HUSH') } }), 'o.json': overlay([broken]) }),
    ['openapi.json'],
  )
})

test('leaves out restricted parts of other files, and what only they use', async () => {
  const paths = {
    '/pets': { get: { ...answer({ $ref: 'schemas.yaml#/Pet' }), summary: 'List pets' } },
    '/one': { $ref: 'hush-path.json' },
    '/two': { $ref: 'paths.json#/two' },
    '/three': {
      ...admins,
      get: { summary: 'HUSH', ...answer({ $ref: './schemas.yaml#/HUSHAUDIT' }), requestBody: { $ref: 'hush-body.json' } },
    },
  }
  await expectHidden(
    site({
      'openapi.json': description(paths, { components: { schemas: { HUSHALIAS: { $ref: 'schemas.yaml#/HUSHCODE' } } } }),
      'hush-path.json': JSON.stringify({ ...admins, get: operation('HUSH') }),
      'hush-body.json': JSON.stringify({ content: { 'application/json': { schema: { type: 'string', title: 'HUSH' } } } }),
      'paths.json': JSON.stringify({ two: { get: operation('Two'), delete: { ...admins, ...operation('HUSH') } } }),
      'schemas.yaml': [
        'Pet:',
        '  type: object',
        '  required: [name, hushId]',
        '  properties:',
        '    name: {type: string}',
        '    hushId: {type: string, x-mint: {groups: [admin]}}',
        '    code: {$ref: "#/HUSHCODE"}',
        '  examples:',
        '    - {name: Tom, hushId: HUSH}',
        'HUSHCODE: {type: string, x-mint: {groups: [admin]}}',
        'HUSHAUDIT: {type: object, description: HUSH}',
        '',
      ].join('\n'),
    }),
    ['hush-path.json#', 'paths.json#/two/delete', 'schemas.yaml#/Pet/properties/hushId', 'schemas.yaml#/HUSHCODE'],
    'Two',
  )
})

test('leaves out names of restricted parts in samples, links, requirements and files that pages link to', async () => {
  const schema = {
    allOf: [
      {
        properties: {
          name: { type: 'string' },
          hushed: { ...admins, type: 'string' },
          example: { ...admins, description: 'HUSH' },
          kind: { enum: ['open', 'HUSHKIND'], 'x-mint-enum': { HUSHKIND: ['vip'] } },
        },
      },
      { required: ['hushed', 'name'] },
    ],
  }
  const paths = {
    '/pets': {
      get: {
        summary: 'List pets',
        'x-codeSamples': [
          { lang: 'bash', source: 'curl -d \'{"hushed": 1}\'' },
          { lang: 'bash', source: 'curl shown' },
        ],
        responses: {
          200: {
            description: 'Good',
            links: { next: { operationId: 'hushOperation' }, again: { operationRef: '#/paths/~1hush/get' } },
            content: {
              'application/json': {
                schema,
                examples: {
                  one: { value: { hushed: 1, name: 'Tom' } },
                  hush: { ...admins, value: 'HUSH' },
                  three: { $ref: 'example.json' },
                  four: { value: 'a {"kind": "HUSHKIND"}' },
                },
              },
            },
          },
        },
      },
    },
    '/hush': { ...admins, get: operation('HUSH', { operationId: 'hushOperation' }) },
  }
  await expectHidden(
    site({
      'openapi.json': description(paths),
      'example.json': JSON.stringify({ value: { hushed: 2, name: 'Ada' } }),
      'other.yaml': 'x:\n  x-mint: {groups: [admin]}\n  y: HUSH\nz: 1\n',
      'link.mdx': `${page('Link')}[a](/openapi.json) [b](/other.yaml) [c](/example.json)\n`,
    }),
    ['openapi.json#/paths/~1hush'],
    'curl shown',
  )
})

test('leaves out a restricted page that another page includes or redirects to', async () => {
  const own = site({
    'hush/one.mdx': page('HUSH', 'groups: [admin]\n'),
    'open.mdx': `---\ntitle: Open\n---\n\nimport One from '/hush/one.mdx'\n\nShown text\n\n<One />\n`,
    'openapi.json': description({ '/pets': list }),
  })
  const built = await siteOf(own)
  expect(bytesOf(built).join('')).not.toContain('The text of HUSH')
})

test('treats the schema of a restricted page as restricted, and keeps the rest of the document', async () => {
  const schemas = { Hushed: { type: 'object', description: 'HUSH' }, Pet: { type: 'object', description: 'A shown pet' } }
  const paths = {
    '/pets': {
      get: operation(
        'List pets',
        answer({ anyOf: [{ $ref: '#/components/schemas/Pet' }, { $ref: '#/components/schemas/Hushed' }] }),
      ),
    },
  }
  await expectHidden(
    site({
      'openapi.json': description(paths, { components: { schemas } }),
      'hidden.mdx': page('HUSH', 'groups: [admin]\nopenapi-schema: Hushed\n'),
    }),
    ['openapi.json#/components/schemas/Hushed'],
    'A shown pet',
  )
})

test('finds restricted parts in documents with other extensions and aliases', async () => {
  const text = [
    'openapi: 3.1.0',
    "info: {title: Pets, version: '1'}",
    'x-rule: &rule {groups: [admin]}',
    'paths:',
    '  /pets: {get: {summary: List pets, responses: {"200": {description: ok}}}}',
    '  /hush: {get: {summary: HUSH, x-mint: *rule, responses: {"200": {description: ok}}}}',
    '  /merged: {delete: {<<: {x-mint: *rule}, summary: HUSH, responses: {"200": {description: ok}}}, get: {$ref: "get.oas#/get"}}',
    '',
  ].join('\n')
  await expectHidden(
    site({ 'openapi.oas': text, 'get.oas': 'get: {x-mint: {groups: [a]}, summary: HUSH}\n' }, { openapi: 'openapi.oas' }),
    ['openapi.oas#/paths/~1hush/get', 'openapi.oas#/paths/~1merged/delete'],
  )
})

test('leaves out a restricted part of an included file that another restricted part overrides', async () => {
  const own = {
    'docs.json': JSON.stringify({
      name: 'Pets',
      navigation: {
        groups: [
          { group: 'Guides', pages: ['index'] },
          { $ref: 'nav.json', root: 'hush/one' },
        ],
      },
    }),
    'nav.json': JSON.stringify({ group: 'More', root: 'hush/two', pages: ['open'] }),
    'index.mdx': page('Welcome'),
    'open.mdx': page('Opened'),
    'hush/one.mdx': page('HUSH', 'groups: [admin]\n'),
    'hush/two.mdx': page('HUSH', 'groups: [admin]\n'),
  }
  const built = await expectHidden(own, ['hush/one.mdx', 'hush/two.mdx'], 'The text of Opened.')
  expect(built.diagnostics.filter(({ severity, message }) => severity === 'error' || message.includes('copies'))).toEqual([])
})

test('shows problems of a document with restricted parts where they are written', async () => {
  const parameters = [
    { name: 'hush', in: 'query', schema: {}, ...admins },
    { name: 'limit', in: 'query', schema: { type: 'strin' } },
  ]
  const text = JSON.stringify(
    { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: { '/pets': { parameters, ...list } } },
    undefined,
    2,
  )
  const built = await siteOf(site({ 'openapi.json': text }))
  const line = text.split('\n').findIndex((one) => one.includes('"strin"')) + 1
  expect(
    built.diagnostics
      .filter(({ file, severity }) => file === 'openapi.json' && severity === 'error')
      .map(({ range }) => range.start.line),
  ).toEqual([line])
})

test('leaves out security requirements with a restricted scheme', async () => {
  const key = (name: string, more: object = {}) => ({ type: 'apiKey', in: 'header', name, ...more })
  const securitySchemes = {
    hushKey: key('X-Hush', admins),
    hushCopy: { $ref: '#/components/securitySchemes/hushKey' },
    open: key('X-Open'),
  }
  const paths = {
    '/pets': {
      get: operation('List pets', { security: [{ hushKey: [] }, { open: [] }, { open: [], hushCopy: [] }, { absent: [] }] }),
    },
    '/all': { get: operation('List all', { security: [{ hushKey: [] }] }) },
  }
  const built = await expectHidden(
    site({ 'openapi.json': description(paths, { components: { securitySchemes }, security: [{ hushKey: [] }, {}] }) }),
    ['openapi.json#/components/securitySchemes/hushKey'],
    'X-Open',
  )
  expect(JSON.parse(built.files['openapi.json'] ?? '')).toMatchObject({
    security: [{}],
    paths: { '/pets': { get: { security: [{ open: [] }, { absent: [] }] } }, '/all': { get: { security: [] } } },
  })
  expect(built.diagnostics.map(({ code, pointer }) => [code, pointer])).toEqual([
    ['security-scheme', '/paths/~1pets/get/security/3/absent'],
    ['content-restricted', ''],
  ])
})

test('shows problems of a `docs.json` with restricted parts where they are written', async () => {
  const text = JSON.stringify(
    {
      name: 'Pets',
      navigation: {
        groups: [
          { group: 'HUSH', public: false, pages: ['hush/one'] },
          { group: 'Guides', pages: ['index', 'hush/two', 'absent', 'hush/one'] },
          { group: 'HUSH', public: false, pages: [] },
        ],
      },
      redirects: [{ source: '/old#part', destination: '/' }],
    },
    undefined,
    2,
  )
  const index = `${page('Welcome')}[file](/docs.json)\n`
  const own = { 'index.mdx': index, 'hush/one.mdx': page('HUSH'), 'hush/two.mdx': page('HUSH', 'groups: [admin]\n') }
  const lineOf = (part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1
  const built = await siteOf({ 'docs.json': text.replaceAll('\n', '\r\n'), ...own })
  expect(built.diagnostics.map(({ code, file, range }) => [code, file, range.start.line])).toEqual([
    ['page-missing', 'docs.json', lineOf('"absent"')],
    ['content-restricted', 'docs.json', 1],
    ['redirect-fragment', 'docs.json', lineOf('"/old#part"') - 1],
  ])
  expect(built.files['docs.json']).toMatch(/absent/)
  expect(built.files['docs.json']).not.toMatch(/hush/i)
})

test('leaves out restricted parts in files that `docs.json` includes', async () => {
  const group = (name: string, more: object) => JSON.stringify({ group: name, ...more })
  const own = {
    'docs.json': JSON.stringify({
      name: 'Pets',
      navigation: {
        groups: [
          { group: 'Guides', pages: { $ref: 'nav/pages.json' } },
          { $ref: 'nav/hush.json' },
          { $ref: 'nav/open.json', public: false, group: 'HUSH' },
          { $ref: 'nav/outer.json' },
          { $ref: 'nav/hush-but-open.json', public: true },
        ],
      },
    }),
    'nav/pages.json': JSON.stringify(['index', 'hush/two']),
    'nav/hush.json': group('HUSH', { public: false, pages: ['hush/one', { $ref: 'hush-inner.json' }] }),
    'nav/hush-inner.json': group('HUSH', { pages: [] }),
    'nav/open.json': group('Opened', { pages: ['hush/three'] }),
    'nav/outer.json': JSON.stringify({ $ref: 'inner.json' }),
    'nav/inner.json': group('Inner', { pages: ['inner', { group: 'HUSH', public: false, pages: ['hush/four'] }] }),
    'nav/hush-but-open.json': group('Shown', { public: false, pages: ['shown'] }),
    'index.mdx': `${page('Welcome')}[a](/nav/hush.json) [b](/nav/hush-inner.json) [c](/nav/inner.json)\n`,
    'inner.mdx': page('Inside'),
    'shown.mdx': page('Shown anyway'),
    'hush/one.mdx': page('HUSH'),
    'hush/two.mdx': page('HUSH', 'groups: [admin]\n'),
    'hush/three.mdx': page('HUSH'),
    'hush/four.mdx': page('HUSH'),
  }
  const built = await siteOf(own)
  const text = bytesOf(built).join('').replaceAll('/nav/hush', '')
  expect(/hush\w*/i.exec(text)?.[0]).toBeUndefined()
  for (const kept of ['The text of Inside.', 'The text of Shown anyway.']) expect(text).toContain(kept)
  const problems = built.diagnostics.filter(({ severity }) => severity !== 'info')
  expect(problems.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'content-restricted docs.json',
    // The links to files that only restricted parts include.
    'asset-missing index.mdx',
    'asset-missing index.mdx',
  ])
})

test.each([
  ['groups', { groups: ['admin'] }],
  ['groups as a text', { groups: 'admin' }],
  ['no group', { groups: [] }],
  ['groups without a value', { groups: null }],
  ['another case of the key', { Groups: ['admin'] }],
  ['public: false', { public: false }],
  ['public without a value', { public: null }],
])('leaves out an operation whose page would have %s', async (_name, metadata) => {
  const paths = { '/pets': list, '/hush': { get: operation('HUSH', { 'x-mint': { metadata } }) } }
  await expectHidden(site({ 'openapi.json': description(paths) }), ['openapi.json#/paths/~1hush/get'])
})

test('an operation whose page would be public is not restricted', async () => {
  const paths = { '/open': { get: operation('Open one', { 'x-mint': { metadata: { public: true } } }) } }
  const built = await siteOf(site({ 'openapi.json': description(paths) }))
  expect(bytesOf(built).join('')).toContain('Open one')
  expect(built.diagnostics.filter(({ code }) => code === 'content-restricted')).toEqual([])
})

test('a site with `public: false` is an error, unless restricted content is published', async () => {
  const docs = JSON.stringify({ name: 'Pets', public: false, navigation: { pages: ['index'] } })
  const find = async (more: Record<string, string>) =>
    (await siteOf({ 'docs.json': docs, 'index.mdx': page('Welcome'), ...more })).diagnostics
      .filter(({ code }) => code === 'content-restricted')
      .map(({ severity, pointer, hint }) => [severity, pointer, hint !== undefined])
  expect(await find({})).toEqual([['error', '/public', true]])
  expect(await find({ 'openapi-pages.config.yaml': 'site:\n  restricted: publish\n' })).toEqual([])
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

test.each([1, 2, 3])('leaves no name of a restricted part anywhere in the site of a random document (%i)', async (seed) => {
  const { document: random, open } = makeMarkedDocument(seed, admins)
  const built = await siteOf(site({ 'openapi.json': JSON.stringify(random), 'link.mdx': `${page('Link')}[a](/openapi.json)\n` }))
  for (const file of bytesOf(built)) expect(/.{0,60}hush\w*/i.exec(file)?.[0], file.slice(0, 200)).toBeUndefined()
  expect(open.filter((name) => !built.files['openapi.json']?.includes(name))).toEqual([])
  expect(built.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})

test.each([
  ['JSON', 'openapi.json', '"x\\u002dmint": {"groups": ["admin"]}'],
  ['YAML', 'openapi.yaml', '"x\\x2dmint": {"groups": ["admin"]}'],
  ['YAML over two lines', 'openapi.yaml', '"x-\\\n    mint": {"groups": ["admin"]}'],
])('leaves out a part whose `x-mint` is written with an escape in %s', async (_name, name, mint) => {
  // A text that starts with a brace is read as JSON.
  const start = name.endsWith('.yaml') ? '# YAML\n' : ''
  const text =
    start + description({ '/pets': list, '/hush': { get: operation('HUSH', { 'x-mint': 0 }) } }).replace('"x-mint":0', mint)
  await expectHidden(site({ [name]: text }, { openapi: name }), [`${name}#/paths/~1hush/get`])
  const broken = site(
    { [name]: `${text.slice(0, -1)},"paths": {}, "paths": {}}`, 'link.mdx': `${page('Link')}[file](/${name})\n` },
    { openapi: name },
  )
  await expectHidden(broken, [name])
})

test.each(['hide', 'publish'])(
  'publishes no operation with `x-excluded`, nor what only it uses, with `restricted: %s`',
  async (restricted) => {
    const schemas = { HushBody: { type: 'object', properties: { hushed: { type: 'string' } } } }
    const hush = operation('HUSH', { 'x-excluded': true, tags: ['hush'], ...answer({ $ref: '#/components/schemas/HushBody' }) })
    const paths = { '/pets': { ...list, post: hush }, '/hush': { get: hush }, '/hidden': { get: hush } }
    const webhooks = { hushed: { 'x-excluded': true, post: operation('HUSH') } }
    const built = await expectHidden(
      site({
        'openapi.json': description(paths, { components: { schemas }, webhooks, tags: [{ name: 'hush' }] }),
        'openapi-pages.config.yaml': `site:\n  restricted: ${restricted}\n`,
      }),
      [],
      'List pets',
    )
    expect(built.diagnostics.filter(({ code }) => code === 'content-restricted')).toEqual([])
  },
)
