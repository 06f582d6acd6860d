import { expect, test } from 'vitest'
import { findNamedPart, type NamedParts, suggestNamedPart } from '../../../src/site/reader-links/find-named-part.ts'

const parts: NamedParts = {
  operations: [
    { target: 'GET /pets', operationId: 'listPets', route: 'list-pets' },
    { target: 'GET /pets/{id}', operationId: 'pets_get', route: 'get-pet' },
    { target: 'POST /pets/{id}/photos', operationId: undefined, route: 'add-photo' },
    { target: 'GET /a', operationId: 'getPet', route: 'a' },
    { target: 'GET /b', operationId: 'get_pet', route: 'b' },
  ],
  tags: [
    { name: 'Pet store', route: 'pet-store/overview' },
    { name: 'a/b', route: 'slash' },
    { name: 'Größen', route: 'sizes' },
  ],
  schemas: [
    { name: 'Pet', route: 'schemas/pet' },
    { name: 'pet', route: 'schemas/pet-2' },
  ],
  introduction: { route: '', ids: ['getting-started', 'status-codes', 'größe--more'] },
}

test.each([
  // Redoc.
  ['operation/listPets', 'list-pets'],
  ['operation/listPets!in=query&path=limit', 'list-pets'],
  ['tag/Pet-store', 'pet-store/overview'],
  ['tag/Pet-store/operation/listPets', 'list-pets'],
  ['tag/Pet-store/paths/~1pets~1{id}/get', 'get-pet'],
  ['tag/Pet-store/paths/~1pets~1%7Bid%7D/get', 'get-pet'],
  ['/paths/~1pets~1{id}~1photos/post', 'add-photo'],
  ['tag/Pet-store/Food', 'pet-store/overview'],
  ['section/Status-Codes', '#status-codes'],
  ['section/Getting-Started/Status-Codes', '#status-codes'],
  ['section/Gr%C3%B6%C3%9Fe-and-more', undefined],
  ['section/Gr%C3%B6%C3%9Fe-and-more'.replace('-and', ''), '#größe--more'],
  ['schema/Pet', 'schemas/pet'],
  // Scalar.
  ['tag/pet-store', 'pet-store/overview'],
  ['tag/pet-store/GET/pets/{id}', 'get-pet'],
  ['tag/pet-store/get/pets/{id}', 'get-pet'],
  ['tag/pet-store/POST/pets/{id}/photos', 'add-photo'],
  ['model/pet', 'schemas/pet-2'],
  ['models/PET', 'schemas/pet'],
  ['description/status-codes', '#status-codes'],
  // Swagger UI.
  ['/Pet store/listPets', 'list-pets'],
  ['/Pet%20store/listPets', 'list-pets'],
  ['!/Pet_store/listPets', 'list-pets'],
  ['/Pet_store/post_pets__id__photos', 'add-photo'],
  ['/Pet_store', 'pet-store/overview'],
  ['/schemas/Pet', 'schemas/pet'],
  ['/components/schemas/Pet', 'schemas/pet'],
  ['/definitions/Pet', 'schemas/pet'],
  // RapiDoc, Stoplight Elements.
  ['get-/pets/{id}', 'get-pet'],
  ['get-/pets/-id-', 'get-pet'],
  ['/operations/listPets', 'list-pets'],
  // Names.
  ['operation/getPet', 'a'],
  ['operation/get_pet', 'b'],
  ['operation/get-pet', 'a'],
  ['operation/LISTPETS', 'list-pets'],
  ['tag/Gr%C3%B6%C3%9Fen', 'sizes'],
  ['tag/a%2Fb', 'slash'],
  // A heading of the introduction.
  ['status-codes', '#status-codes'],
  ['Status Codes', '#status-codes'],
  // Nothing.
  ['operation/none', undefined],
  ['operation/', undefined],
  ['operation/--', undefined],
  ['tag/none', undefined],
  ['section/none', undefined],
  ['schema/none', undefined],
  ['get-/none', undefined],
  ['/', undefined],
  ['', undefined],
  ['%', undefined],
  ['pets', undefined],
])('%s', (fragment, expected) => {
  const found = findNamedPart(fragment, parts)
  expect(found && found.route + (found.id === undefined ? '' : `#${found.id}`)).toBe(expected)
})

test.each([
  ['operation/listPet', 'operation/listPets'],
  ['tag/Pet-stor', 'tag/Pet-store'],
  ['tag/x/operation/lstPets', 'tag/x/operation/listPets'],
  ['/x/lstPets', '/x/listPets'],
  ['section/A/status-code', 'section/A/status-codes'],
  ['model/Pett', 'model/Pet'],
  ['operation/somethingElse', undefined],
  ['plain', undefined],
])('%s may have meant %s', (fragment, expected) => {
  expect(suggestNamedPart(fragment, parts)).toBe(expected)
})
