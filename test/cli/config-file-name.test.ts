import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

const [yaml, json] = ['openapi-pages.config.yaml', 'openapi-pages.config.json'] as const

const docs = tinyDocs(['List pets', 'Add a pet'])
const group = { group: 'Pets', openapi: 'openapi.json', pages: ['GET /list-pets'] }
const listed = { ...docs, 'docs.json': JSON.stringify({ name: 'Pets', navigation: { groups: [group] } }) }
const page = '---\ntitle: List pets\nopenapi: openapi.json GET /list-pets\n---\n'
const bound = {
  ...docs,
  'docs.json': JSON.stringify({ name: 'Pets', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json', pages: ['list'] }] } }),
  'list.mdx': page,
}

/** Commands that name the configuration file, with the files and the settings that make them do it. */
const cases: readonly (readonly [title: string, argv: readonly string[], files: object, settings: object])[] = [
  ['update, which writes pages for the first time', ['update', '--dry-run'], docs, {}],
  ['update without anything to write', ['update'], docs, { materialize: false }],
  ['update, which finds an unlisted operation', ['update', '--all'], listed, {}],
  ['update --sources without sources', ['update', '--sources'], docs, {}],
  ['adopt, which finds an operation without a page', ['adopt', '--dry-run'], bound, {}],
  ['build with a script', ['build', '.', '-o', 'site'], { ...docs, 'widget.js': '' }, {}],
]

test.each(cases)('%s names the configuration file that exists', async (_title, argv, files, settings) => {
  const run = async (more: object) => {
    const folder = makeTemporaryFolder({ ...files, ...more })
    const { stdout, stderr } = await runInFolder(folder, argv)
    return { text: `${stdout}${stderr}`, names: readdirSync(folder).filter((name) => name.startsWith('openapi-pages.config')) }
  }
  const text = JSON.stringify(settings)
  const withJson = await run({ [json]: text })
  expect(withJson).toEqual({ text: expect.stringContaining(json), names: [json] })
  expect(withJson.text).not.toContain(yaml)
  expect((await run({ [yaml]: text })).text).toContain(yaml)
})

test('init makes a workflow run for changes of the configuration file that exists', async () => {
  const documents = { 'a/openapi.json': tinyDocument('List pets'), 'b/openapi.json': tinyDocument('List cats') }
  const folder = makeTemporaryFolder({ ...documents, [json]: '{}' })
  await runInFolder(folder, ['init', '--yes', '--host', 'github'])
  const workflows = join(folder, '.github/workflows')
  const texts = readdirSync(workflows).map((name) => readFileSync(join(workflows, name), 'utf8'))
  expect(texts.join('')).toContain(json)
  expect(texts.join('')).not.toContain(yaml)
})
