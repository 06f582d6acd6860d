import { describe, expect, it } from 'vitest'
import { resolveDocument } from '../../../src/rules/run/resolve-document.ts'
import { readFiles } from '../run-rules.ts'

const head = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
`

/** The resolved description as a mapping whose values can be read by any key. */
async function resolve(files: Readonly<Record<string, string>>) {
  const description = await readFiles(files)
  const { value, originOf } = resolveDocument(description)
  const at = (root: unknown, ...keys: string[]) => keys.reduce((around, key) => Object(around)[key], root) as object
  return {
    find: (...keys: string[]) => at(value, ...keys),
    parsed: (file: string, ...keys: string[]) => at(description.documents.get(file)?.parsed.value, ...keys),
    originOf,
  }
}

describe('resolveDocument', () => {
  it('puts the target in place of each reference, and gives its location', async () => {
    const { find, originOf } = await resolve({
      'openapi.yaml': `${head}components:
  schemas:
    Pet: { type: object, properties: { name: { $ref: '#/components/schemas/Name' } } }
    Name: { type: string }
`,
    })
    const name = find('components', 'schemas', 'Pet', 'properties', 'name')
    expect(name).toBe(find('components', 'schemas', 'Name'))
    expect(originOf(name)).toEqual({ file: 'openapi.yaml', pointer: '/components/schemas/Name' })
    expect(originOf(find('components', 'schemas', 'Pet'))).toBeUndefined()
  })

  it('follows references over several files, relative to each file', async () => {
    const { find, originOf } = await resolve({
      'openapi.yaml': `${head}components:
  schemas: { Pet: { $ref: schemas/pet.yaml } }
`,
      'schemas/pet.yaml': 'type: object\nproperties: { name: { $ref: "name.yaml#/Name" } }\n',
      'schemas/name.yaml': 'Name: { $ref: "#/Text" }\nText: { type: string }\n',
    })
    expect(find('components', 'schemas', 'Pet')).toEqual({ type: 'object', properties: { name: { type: 'string' } } })
    expect(originOf(find('components', 'schemas', 'Pet'))).toEqual({ file: 'schemas/pet.yaml', pointer: '' })
    expect(originOf(find('components', 'schemas', 'Pet', 'properties', 'name'))).toEqual({
      file: 'schemas/name.yaml',
      pointer: '/Text',
    })
  })

  it('shares the objects of the parsed files that contain no reference', async () => {
    const { find, parsed } = await resolve({
      'openapi.yaml': `${head}components:
  schemas:
    Pet: { properties: { name: { $ref: '#/components/schemas/Name' } }, required: [name] }
    Name: { type: string }
`,
    })
    expect(find('info')).toBe(parsed('openapi.yaml', 'info'))
    expect(find('components', 'schemas', 'Pet', 'required')).toBe(
      parsed('openapi.yaml', 'components', 'schemas', 'Pet', 'required'),
    )
    expect(parsed('openapi.yaml', 'components', 'schemas', 'Pet', 'properties', 'name')).toEqual({
      $ref: '#/components/schemas/Name',
    })
  })

  it('puts a recursive schema inside itself', async () => {
    const { find } = await resolve({
      'openapi.yaml': `${head}components:
  schemas:
    Node: { properties: { next: { $ref: '#/components/schemas/Link' } } }
    Link: { properties: { node: { $ref: '#/components/schemas/Node' } } }
`,
    })
    const node = find('components', 'schemas', 'Node')
    expect(find('components', 'schemas', 'Node', 'properties', 'next', 'properties', 'node')).toBe(node)
  })

  it('drops the fields beside a reference', async () => {
    const { find } = await resolve({
      'openapi.yaml': `${head}components:
  schemas:
    Pet: { properties: { name: { $ref: '#/components/schemas/Name', description: Its name } } }
    Name: { type: string }
`,
    })
    expect(find('components', 'schemas', 'Pet', 'properties', 'name')).toEqual({ type: 'string' })
  })

  it('resolves references in values that OpenAPI gives no meaning', async () => {
    const { find } = await resolve({
      'openapi.yaml': `${head}x-pets: { first: { $ref: '#/x-cat' }, all: [{ $ref: 'pet.yaml#/Pet' }] }
x-cat: { name: Tom }
components: { schemas: { Pet: { $ref: 'pet.yaml#/Pet' } } }
`,
      'pet.yaml': 'Pet: { type: object }\n',
    })
    expect(find('x-pets')).toEqual({ first: { name: 'Tom' }, all: [{ type: 'object' }] })
  })

  it('keeps a reference of such a value to its own file by name, which is data on pages too', async () => {
    const { find } = await resolve({ 'openapi.yaml': `${head}x-pets: { first: { $ref: 'openapi.yaml#/info' } }\n` })
    expect(find('x-pets')).toEqual({ first: { $ref: 'openapi.yaml#/info' } })
  })

  it('keeps references without a target, and those that only lead to each other', async () => {
    const { find } = await resolve({
      'openapi.yaml': `${head}components:
  schemas:
    Missing: { $ref: '#/components/schemas/None' }
    Remote: { $ref: 'https://example.com/pet.yaml' }
    One: { $ref: '#/components/schemas/Two' }
    Two: { $ref: '#/components/schemas/One' }
`,
    })
    expect(find('components', 'schemas')).toEqual({
      Missing: { $ref: '#/components/schemas/None' },
      Remote: { $ref: 'https://example.com/pet.yaml' },
      One: { $ref: '#/components/schemas/Two' },
      Two: { $ref: '#/components/schemas/One' },
    })
  })

  it('keeps a key called `__proto__` as a key', async () => {
    const { find } = await resolve({
      'openapi.yaml': `{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {},
"x-pets": {"__proto__": {"$ref": "#/info"}}}`,
    })
    expect(Object.keys(find('x-pets'))).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(find('x-pets'))).toBe(Object.prototype)
  })
})
