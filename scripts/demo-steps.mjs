// The steps of the demo. `edit` changes examples/petstore/openapi.yaml before the push; `expect` is what the run has to do;
// `holds` says more about the newest commit of the branch: `files`, `changed` (both paths) and `read(path)`.

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
    title: 'A docs repository turns the Action on',
    text: 'docs.json has a tab with `openapi: openapi.yaml`. Its pages become files, its entries navigation.',
    expect: { code: 0, committed: true, added: 8, modified: 0, removed: 0 },
    holds: ({ files, changed }) => [
      ['the hidden operation has no page', !files.some((path) => path.includes('count-all-pets'))],
      ['the hand-written pages are not touched', !changed.some((path) => path === 'index.mdx' || path.startsWith('guides/'))],
    ],
  },
  {
    title: 'It runs again, on its own commit',
    text: 'Nothing has changed, so nothing is committed: no loop, whatever token is used.',
    expect: { code: 0, committed: false, added: 0, modified: 0, removed: 0 },
  },
  {
    title: 'An operation is added',
    edit: (text) => text.replace('  /adoptions:\n', `${stores}  /adoptions:\n`),
    expect: { code: 0, committed: true, added: 1, modified: 0, removed: 0 },
    holds: ({ read }) => [
      ['its page is bound to it', read('api-reference/stores/list-stores.mdx').includes('openapi: openapi.yaml GET /stores')],
      ['it is in the navigation', read('docs.json').includes('api-reference/stores/list-stores')],
    ],
  },
  {
    title: 'An operation moves to another path',
    text: 'Its page keeps its address, and all links to it; only the binding is rewritten.',
    edit: (text) => text.replace('  /pets/{petId}/reservation:', '  /pets/{petId}/hold:'),
    expect: { code: 0, committed: true, added: 0, modified: 1, removed: 0 },
    holds: ({ read }) => [['the page follows', read('api-reference/pets/reserve-a-pet.mdx').includes('POST /pets/{petId}/hold')]],
  },
  {
    title: 'An operation is removed',
    edit: (text) => text.replace(/ {4}delete:\n[\s\S]*?(?= {2}\/pets\/\{petId\}\/hold:)/, ''),
    expect: { code: 0, committed: true, added: 0, modified: 0, removed: 1 },
    holds: ({ files, read }) => [
      ['its page is gone', !files.includes('api-reference/pets/remove-a-pet.mdx')],
      ['and its entry too', !read('docs.json').includes('remove-a-pet')],
    ],
  },
  {
    title: 'Somebody breaks the document',
    text: 'Findings with place and hint, nothing is written, and the run is red.',
    edit: (text) =>
      text
        .replace('      summary: List pets\n', '      sumary: List pets\n')
        .replace("'#/components/schemas/Status'", "'#/components/schemas/State'"),
    expect: { code: 1, committed: false, added: 0, modified: 0, removed: 0, errors: 2 },
  },
  {
    title: 'It is repaired, and a pull request is checked',
    text: 'On pull requests nothing is committed; the summary says what the push will do.',
    edit: (text) =>
      text
        .replace('      sumary: List pets\n', '      summary: List all pets\n')
        .replace("'#/components/schemas/State'", "'#/components/schemas/Status'"),
    pullRequest: true,
    expect: { code: 0, committed: false, added: 0, modified: 1, removed: 0 },
  },
]
