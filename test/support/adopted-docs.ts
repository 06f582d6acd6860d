import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInFolder } from '../cli/run-in-folder.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const tab = { tab: 'API', groups: [{ group: 'Pets', pages: ['reference/all', 'reference/one'] }] }
const docs = {
  'docs.json': JSON.stringify({ navigation: { tabs: [tab] } }, undefined, 2),
  'openapi.yaml': `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    get: {summary: List pets, tags: [Pets], responses: {'200': {description: ok}}}
    post: {summary: Add a pet, tags: [Pets], responses: {'201': {description: ok}}}
`,
  'reference/all.mdx': '---\ntitle: "List pets"\nopenapi: "GET /pets"\n---\n\nA text of its own.\n',
  'reference/one.mdx': '---\ntitle: "Add a pet"\nopenapi: "POST /pets"\n---\n',
}

/** A docs directory with hand-written pages, taken over by `adopt`, and other tabs. */
export async function makeAdoptedDocs(
  others: readonly object[] = [],
): Promise<typeof docs & { readonly 'openapi-pages.lock.json': string }> {
  const files = { ...docs, ...(others.length > 0 && { 'docs.json': JSON.stringify({ navigation: { tabs: [tab, ...others] } }) }) }
  const folder = makeTemporaryFolder(files)
  await runInFolder(folder, ['adopt'])
  return { ...files, 'openapi-pages.lock.json': readFileSync(join(folder, 'openapi-pages.lock.json'), 'utf8') }
}

/** The document with one added, one removed and one moved operation. */
export const changedDocument = `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /animals:
    get: {summary: List pets, tags: [Pets], responses: {'200': {description: ok}}}
  /pets/{id}:
    delete:
      summary: Remove a pet
      tags: [Pets]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: ok}}
`
