import { expect, test } from 'vitest'
import { checkDescription } from '../../../../src/openapi/check-description.ts'
import { siteOf } from '../../build/site-of.ts'

async function sliceOf(page: string, mdx: object = { server: 'https://api.example.com/v1', auth: { method: 'bearer' } }) {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Own', navigation: { pages: ['page'] }, api: { mdx } }),
    'page.mdx': page,
  })
  const text = files['page.openapi.json'] ?? ''
  const { findings } = await checkDescription('a.json', async () => ({ kind: 'loaded', bytes: new TextEncoder().encode(text) }))
  return { slice: JSON.parse(text), findings: findings.map(({ message }) => message), html: files['page/index.html'] ?? '' }
}

test('creates an OpenAPI document for a page with fields, and enables the playground', async () => {
  const { slice, findings, html } = await sliceOf(`---
title: Make a thing
api: POST /things/{id}/{part}
---

<ParamField path="id" type="integer" required>The *thing*.</ParamField>
<ParamField path="elsewhere" type="string" />
<ParamField query="limit" type="integer" default="10" placeholder="5">How many.</ParamField>
<ParamField header="X-Trace" type="boolean" default="true" deprecated />
<ParamField body="name" type="string" required>Its name.</ParamField>
<ParamField body="kind" type="enum<string>" enum={["a", "b"]} />
<ParamField body="tags" type="string[]" />
<ParamField body="owner" type="object">
  Who has it.
  <Expandable title="owner">
    <ParamField body="email" type="string" required />
    <ParamField body="ages" type="array<integer>" />
  </Expandable>
</ParamField>
`)
  expect(findings).toEqual([])
  expect(slice.servers).toEqual([{ url: 'https://api.example.com/v1' }])
  expect(slice.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
  const { post } = slice.paths['/things/{id}/{part}']
  expect(post.parameters).toEqual([
    { name: 'id', in: 'path', required: true, description: 'The thing.', schema: { type: 'integer' } },
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'How many.',
      schema: { type: 'integer', default: 10, examples: [5] },
    },
    { name: 'X-Trace', in: 'header', required: false, schema: { type: 'boolean', default: true, deprecated: true } },
    { name: 'part', in: 'path', required: true, schema: { type: 'string' } },
  ])
  expect(post.requestBody).toEqual({
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', description: 'Its name.' },
            kind: { type: 'string', enum: ['a', 'b'] },
            tags: { type: 'array', items: { type: 'string' } },
            owner: {
              type: 'object',
              description: 'Who has it.',
              required: ['email'],
              properties: { email: { type: 'string' }, ages: { type: 'array', items: { type: 'integer' } } },
            },
          },
        },
      },
    },
  })
  expect(html).toContain('data-slice="/page.openapi.json"')
  expect(html).toContain("connect-src 'self' https://api.example.com;")
})

test('uses multipart for files, and applies the content type and auth method of the page', async () => {
  const { slice, findings } = await sliceOf(
    '---\ntitle: Send\napi: PUT https://files.example.com/f\nauthMethod: key\n---\n\n<ParamField body="file" type="file" required />\n',
  )
  expect(findings).toEqual([])
  expect(Object.keys(slice.paths['/f'].put.requestBody.content)).toEqual(['multipart/form-data'])
  expect(slice.components.securitySchemes).toEqual({ key: { type: 'apiKey', in: 'header', name: 'x-api-key' } })
  expect(slice.servers).toEqual([{ url: 'https://files.example.com' }])
  const none = await sliceOf(
    '---\ntitle: Send\napi: QUERY /f\nauthMethod: none\ncontentType: text/plain\n---\n\n<ParamField body="a" />\n',
  )
  expect(none.findings).toEqual([])
  expect(none.slice.security).toEqual([])
  expect(Object.keys(none.slice.paths['/f'].query.requestBody.content)).toEqual(['text/plain'])
})

test('has no playground without a server or with `playground: none`', async () => {
  const { html } = await sliceOf('---\ntitle: A\napi: GET /a\n---\n', {})
  expect(html).not.toContain('data-slice')
  const off = await sliceOf('---\ntitle: A\napi: GET /a\nplayground: none\n---\n')
  expect(off.html).not.toContain('data-slice')
  expect(off.html).toContain("connect-src 'self';")
})

test.each(['__proto__', '"><script>', 'a\u0000b', '{', 'constructor'])(
  'treats a field called %j as a plain name',
  async (name) => {
    const { slice, findings } = await sliceOf(
      `---\ntitle: A\napi: POST /a\n---\n\n<ParamField query={${JSON.stringify(name)}} type={${JSON.stringify(name)}} />\n<ParamField body={${JSON.stringify(name)}} type="constructor" />\n`,
    )
    expect(findings).toEqual([])
    expect(slice.paths['/a'].post.parameters[0]?.name).toBe(name)
  },
)
