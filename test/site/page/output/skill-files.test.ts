import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { siteOf } from '../../make/site-of.ts'

const docs = (more: object = {}) => JSON.stringify({ name: 'Acme Shop', navigation: { pages: ['index'] }, ...more })
const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  security: [{ key: [] }],
  paths: {
    '/orders': {
      get: { summary: 'List orders', responses: { 200: { description: 'ok' } } },
      post: { summary: 'Add [one]', responses: { 201: { description: 'ok' } } },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
})

test('describes the site and its APIs for agents', async () => {
  const navigation = { groups: [{ group: 'API', pages: ['index'], openapi: 'openapi.json' }] }
  const { files } = await siteOf(
    { 'docs.json': docs({ description: 'Sell things', navigation }), 'index.mdx': '# Home\n', 'openapi.json': openapi },
    { url: 'https://docs.example.com/', hasMcp: true },
  )
  expect(files['skill.md']).toBe(`---
name: acme-shop
description: "Sell things. Use when asked to call the API of, write code for, or work with Acme Shop."
---

# Acme Shop

## Read the documentation

- All pages: https://docs.example.com/llms.txt
- The text of all pages: https://docs.example.com/llms-full.txt
- One page as Markdown: its URL without the final slash, with \`.md\`
- MCP server, to search pages and to read operations: https://docs.example.com/mcp

## Orders

OpenAPI document: https://docs.example.com/openapi.json

### Server

- \`https://api.example.com\`

### Authorization

API key in the X-Key header, required

- \`key\` (API key in the X-Key header)

### Operations

- \`GET /orders\`: [List orders](https://docs.example.com/api-reference/list-orders.md)
- \`POST /orders\`: [Add \\[one\\]](https://docs.example.com/api-reference/add-%5Bone%5D.md)
`)
})

test('lists the skill where agents look for it', async () => {
  const { files } = await siteOf({ 'docs.json': docs(), 'index.mdx': '# Home\n' }, { base: '/docs/' })
  const skill = files['skill.md'] ?? ''
  const description = 'Use when asked to work with Acme Shop.'
  expect(skill).not.toContain('MCP server')
  expect(files['.well-known/agent-skills/acme-shop/SKILL.md']).toBe(skill)
  expect(files['.well-known/skills/acme-shop/SKILL.md']).toBe(skill)
  expect(JSON.parse(files['.well-known/agent-skills/index.json'] ?? '')).toEqual({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'acme-shop',
        type: 'skill-md',
        description,
        url: '/docs/.well-known/agent-skills/acme-shop/SKILL.md',
        digest: `sha256:${createHash('sha256').update(skill).digest('hex')}`,
      },
    ],
  })
  expect(JSON.parse(files['.well-known/skills/index.json'] ?? '')).toEqual({
    skills: [{ name: 'acme-shop', description, files: ['SKILL.md'] }],
  })
})

test('skills of the repository replace the generated one', async () => {
  const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\n\nText\n`
  const { files, pages } = await siteOf({
    'docs.json': docs(),
    'index.mdx': '# Home\n',
    'skill.md': skill('orders'),
    '.mintlify/skills/one/SKILL.md': skill('payments'),
    '.mintlify/skills/two/SKILL.md': skill('payments'),
  })
  expect(files['skill.md']).toBe(skill('orders'))
  const { skills } = JSON.parse(files['.well-known/agent-skills/index.json'] ?? '')
  expect(skills.map(({ name }: { name: string }) => name)).toEqual(['orders', 'payments', 'payments-2'])
  expect(files['.well-known/skills/payments/SKILL.md']).toBe(skill('payments'))
  expect(pages.map(({ route }) => route)).toEqual([''])
})

test('a skill for some readers only is not published', async () => {
  const { files } = await siteOf({
    'docs.json': docs(),
    'index.mdx': '# Home\n',
    '.mintlify/skills/admin/SKILL.md': '---\nname: admin\ndescription: Secret\ngroups: [admin]\n---\n\nSecret text\n',
  })
  expect(Object.values(files).filter((text) => text.includes('Secret'))).toEqual([])
})

test('a page of the navigation with this name stays a page', async () => {
  const { files } = await siteOf({
    'docs.json': docs({ navigation: { pages: ['index', 'skill'] } }),
    'index.mdx': '# Home\n',
    'skill.md': '---\ntitle: Skills\n---\n\nHow to learn\n',
  })
  expect(files['skill/index.html']).toContain('How to learn')
  expect(files['.well-known/skills/acme-shop/SKILL.md']).toContain('# Acme Shop')
})
