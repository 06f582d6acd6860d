import { expect, test } from 'vitest'
import { siteOfDocument } from '../../make/site-of.ts'

test('starts the blocks of a description on their own line, and keeps line breaks of values', async () => {
  const texts = ['| k | v |\n|---|---|\n| 1 | 2 |', '> quoted\n> more', '~~~\ncode\n~~~', 'Words']
  const parameters = texts.map((description, index) => ({
    name: `p${index}`,
    in: 'query',
    description,
    schema: { type: 'string' },
  }))
  const example = { name: 'e', in: 'query', schema: { type: 'string', example: 'one\ntwo' } }
  const get = { operationId: 'm', parameters: [...parameters, example], responses: { 200: { description: 'ok' } } }
  const document = { openapi: '3.1.1', info: { title: 'T', version: '1' }, paths: { '/m': { get } } }
  const { files } = await siteOfDocument('openapi.json', JSON.stringify(document))
  const rows = files['m.md']?.split('## Query parameters\n\n')[1]?.split('\n\n#')[0]
  expect(rows).toBe(
    [
      '- `p0` (string):\n  | k | v |\n  |---|---|\n  | 1 | 2 |',
      '- `p1` (string):\n  > quoted\n  > more',
      '- `p2` (string):\n  ~~~\n  code\n  ~~~',
      '- `p3` (string): Words',
      '- `e` (string): Example `one\\ntwo`',
    ].join('\n'),
  )
})

test('a text that a body and its schema, or a response and its schema, have both is shown once', async () => {
  const schema = { type: 'object', description: 'The whole invoice', properties: { id: { type: 'string' } } }
  const content = { 'application/json': { schema } }
  const list = { 'application/json': { schema: { ...schema, description: 'A page of invoices' } } }
  const post = {
    operationId: 'm',
    requestBody: { description: 'The whole invoice', content },
    responses: { 200: { description: 'A page of invoices', summary: 'Done', content: list } },
  }
  const document = { openapi: '3.2.0', info: { title: 'T', version: '1' }, paths: { '/m': { post } } }
  const { files } = await siteOfDocument('openapi.json', JSON.stringify(document))
  for (const name of ['m.md', 'm/index.html']) {
    const main = (files[name] ?? '').replace(/^.*<main/s, '')
    for (const text of [schema.description, 'A page of invoices']) expect(main.split(text)).toHaveLength(2)
  }
})
