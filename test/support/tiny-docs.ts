import type { FileContents } from './git-remote.ts'

/** A document with one operation per title. */
export function tinyDocument(...titles: readonly string[]): string {
  const paths = Object.fromEntries(
    titles.map((title) => [
      `/${title.toLowerCase().replaceAll(' ', '-')}`,
      { get: { summary: title, responses: { 200: { description: 'Good' } } } },
    ]),
  )
  return `${JSON.stringify({ openapi: '3.1.0', info: { title: 'Tiny', version: '1' }, paths }, null, 2)}\n`
}

/** A docs directory with one division for `openapi.json`, which has one operation per title. */
export function tinyDocs(titles: readonly string[], folder = ''): FileContents {
  const docs = { name: 'Tiny', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }
  return {
    [`${folder}docs.json`]: `${JSON.stringify(docs, null, 2)}\n`,
    [`${folder}openapi.json`]: tinyDocument(...titles),
  }
}
