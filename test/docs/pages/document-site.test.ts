import { expect, test } from 'vitest'
import { nameForDocumentSite } from '../../../src/docs/pages/document-site.ts'
import { indexDescription } from '../../../src/docs/pages/subjects.ts'
import { describeOpenApi } from '../../support/describe-openapi.ts'

/** The index of a document with these operations, such as `GET /pets pets` with a tag. */
async function indexOf(operations: readonly string[], more: object = {}) {
  const paths: { [path: string]: { [method: string]: object } } = {}
  for (const operation of operations) {
    const [method = '', path = '', ...tags] = operation.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...(tags.length > 0 && { tags }), responses: {} } }
  }
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths, ...more })
  return nameForDocumentSite(indexDescription(await describeOpenApi(text)))
}

test.each<[string, string[], object]>([
  ['the first segment', ['GET /pets', 'GET /pets/{id}', 'GET /plants', 'GET /plants/{id}'], { pets: 2, plants: 2 }],
  [
    'the first segment that differs, without versions and extensions',
    ['GET /api/v1/pets.json', 'GET /api/v1/pets/{id}', 'GET /api/v2/plants', 'GET /api/v2/plants/{id}'],
    { pets: 2, plants: 2 },
  ],
  [
    'parameters are all the same',
    ['GET /{org}/pets', 'GET /{org}/plants', 'PUT /{team}/pets', 'PUT /{team}/plants'],
    { pets: 2, plants: 2 },
  ],
  ['one resource', ['GET /pets', 'GET /pets/{id}', 'PUT /pets/{id}'], { pets: 3 }],
  ['one path', ['GET /api/pets', 'PUT /api/pets'], { pets: 2 }],
  [
    'a path of shared segments',
    ['GET /shop', 'GET /shop/pets', 'PUT /shop/pets', 'GET /shop/plants', 'PUT /shop/plants', 'PUT /shop'],
    { shop: 2, pets: 2, plants: 2 },
  ],
  ['a path of only parameters', ['GET /', 'GET /pets', 'PUT /pets', 'GET /{id}'], { undefined: 2, pets: 2 }],
  ['no groups of one operation each', ['GET /listPets', 'GET /listPlants', 'PUT /addPet'], { undefined: 3 }],
  [
    'tags that operations have',
    ['GET /pets Pets', 'GET /PETS/{id}', 'GET /my-shop/{id}', 'GET /a My_Shop'],
    { Pets: 2, My_Shop: 2 },
  ],
  [
    'the paths of more than 40 with a tag',
    [...Array.from({ length: 41 }, (_, number) => `GET /a/b${number % 2}/${number} One`), 'GET /c One', 'GET /d Two'],
    { 'One / a / b0': 21, 'One / a / b1': 20, One: 1, Two: 1 },
  ],
  ['one operation without a tag', ['GET /pets Pets', 'GET /health'], { Pets: 1, health: 1 }],
])('groups operations by %s', async (_, operations, expected) => {
  const counts: { [tag: string]: number } = {}
  for (const { tag } of (await indexOf(operations)).subjects) counts[String(tag)] = (counts[String(tag)] ?? 0) + 1
  expect(counts).toEqual(expected)
})

test('groups webhooks without a tag together, and uses declared tags', async () => {
  const post = { post: { responses: {} } }
  const { subjects } = await indexOf(['GET /pets', 'PUT /pets'], {
    tags: [{ name: 'Pets' }],
    webhooks: { petAdded: post, plantAdded: { post: { ...post.post, tags: ['Plants'] } } },
  })
  expect(subjects.map(({ target, tag }) => [target, tag])).toEqual([
    ['GET /pets', 'Pets'],
    ['PUT /pets', 'Pets'],
    ['webhook petAdded', 'Webhooks'],
    ['webhook plantAdded', 'Plants'],
  ])
})
