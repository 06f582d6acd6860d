// The steps of the demo. `edit` changes examples/petstore/openapi.yaml before the push, `expect` is the expected result of the run.
// A step with a `pullRequest` number pushes to its branch instead of `main`.
// The function `holds` returns more checks of the newest commit of the branch, from `files`, `changed` (both paths) and `read(path)`.

const stores = `  /stores:
    get:
      tags: [stores]
      operationId: listStores
      summary: List stores
      description: All stores, the nearest first.
      responses:
        '200':
          description: The stores
`

export const steps = [
  {
    title: 'Enable the Action in a docs repository',
    text: 'docs.json has a tab with `openapi: openapi.yaml`. The Action writes its pages and navigation entries.',
    expect: { code: 0, committed: true, added: 8, modified: 0, removed: 0 },
    holds: ({ files, changed }) => [
      ['the hidden operation has no page', !files.some((path) => path.includes('count-all-pets'))],
      ['hand-written pages are unchanged', !changed.some((path) => path === 'index.mdx' || path.startsWith('guides/'))],
    ],
  },
  {
    title: 'Run again on the commit of the Action',
    text: 'Nothing has changed, so nothing is committed. This prevents loops with every kind of token.',
    expect: { code: 0, committed: false, added: 0, modified: 0, removed: 0 },
  },
  {
    title: 'Add an operation',
    text: 'It gets a page that is bound to it, and an entry in the navigation.',
    edit: (text) => text.replace('  /adoptions:\n', `${stores}  /adoptions:\n`),
    expect: { code: 0, committed: true, added: 1, modified: 0, removed: 0 },
    holds: ({ read }) => [
      [
        'it has a page that is bound to it',
        read('api-reference/stores/list-stores.mdx').includes('openapi: openapi.yaml GET /stores'),
      ],
      ['it is in the navigation', read('docs.json').includes('api-reference/stores/list-stores')],
    ],
  },
  {
    title: 'Move an operation to another path',
    text: 'Its page keeps its URL, so links still work. Only the binding is rewritten.',
    edit: (text) => text.replace('  /pets/{petId}/reservation:', '  /pets/{petId}/hold:'),
    expect: { code: 0, committed: true, added: 0, modified: 1, removed: 0 },
    holds: ({ read }) => [
      ['the page is bound to the new path', read('api-reference/pets/reserve-a-pet.mdx').includes('POST /pets/{petId}/hold')],
    ],
  },
  {
    title: 'Remove an operation',
    text: 'Its page and its navigation entry are removed.',
    edit: (text) => text.replace(/ {4}delete:\n[\s\S]*?(?= {2}\/pets\/\{petId\}\/hold:)/, ''),
    expect: { code: 0, committed: true, added: 0, modified: 0, removed: 1 },
    holds: ({ files, read }) => [
      ['its page was removed', !files.includes('api-reference/pets/remove-a-pet.mdx')],
      ['its navigation entry was removed', !read('docs.json').includes('remove-a-pet')],
    ],
  },
  {
    title: 'Break the API in a pull request',
    text: 'The document is valid, so the run passes. Clients that request 60 pets would fail: the summary and an annotation say so.',
    edit: (text) => text.replace('maximum: 100', 'maximum: 50'),
    pullRequest: 1,
    expect: { code: 0, committed: false, added: 0, modified: 0, removed: 0, breaking: 1 },
  },
  {
    title: 'Push a document with errors',
    text: 'The run fails and reports each problem with its location and a hint. No files are written.',
    edit: (text) =>
      text
        .replace('      summary: List pets\n', '      sumary: List pets\n')
        .replace("'#/components/schemas/Status'", "'#/components/schemas/State'"),
    expect: { code: 1, committed: false, added: 0, modified: 0, removed: 0, errors: 2 },
  },
  {
    title: 'Fix the errors in a pull request',
    text: 'On pull requests the Action commits nothing. The summary lists the changes that the push will make.',
    edit: (text) =>
      text
        .replace('      sumary: List pets\n', '      summary: List all pets\n')
        .replace("'#/components/schemas/State'", "'#/components/schemas/Status'"),
    pullRequest: 2,
    expect: { code: 0, committed: false, added: 0, modified: 1, removed: 0 },
  },
]
