/** A document whose schemas, callbacks or tags refer to each other in a way that describes far more than it says. */
export interface Shape {
  readonly name: string
  /** `leaf` differs between the two versions of a comparison. */
  readonly make: (size: number, leaf: object) => object
}

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
export const range = <Made>(size: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: size }, (_, index) => make(index))

/** A document with one operation whose request and response are the schema `S0`. */
export function withSchemas(schemas: Readonly<Record<string, object>>): object {
  const content = { 'application/json': { schema: ref('S0') } }
  const post = { summary: 'S', requestBody: { content }, responses: { '200': { description: 'ok', content } } }
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a': { post } }, components: { schemas } }
}

/** Schemas that refer to the next one, and the last one, which is the leaf. */
export function chain(size: number, leaf: object, link: (next: object, index: number) => object): object {
  const links = range(size, (index) => [`S${index}`, link(ref(`S${index + 1}`), index)] as const)
  return withSchemas(Object.fromEntries([...links, [`S${size}`, object({ leaf }, { required: ['leaf'] })]]))
}

/** Schemas of which each refers to all others. */
function mutual(size: number, leaf: object, link: (others: readonly object[], index: number) => object): object {
  const others = (own: number) => range(size, (index) => index).filter((index) => index !== own)
  const schemas = range(
    size,
    (own) =>
      [
        `S${own}`,
        link(
          others(own).map((index) => ref(`S${index}`)),
          own,
        ),
      ] as const,
  )
  return withSchemas({ ...Object.fromEntries(schemas), Leaf: object({ leaf }) })
}

/** Two schemas on each level that refer to both of the next level. */
function lattice(size: number, leaf: object, link: (next: readonly object[], index: number) => object): object {
  const next = (index: number) => (index + 1 < size ? [ref(`S${index + 1}`), ref(`T${index + 1}`)] : [ref('Leaf')])
  const levels = range(size, (index) => [
    [`S${index}`, link(next(index), 2 * index)] as const,
    [`T${index}`, link(next(index), 2 * index + 1)] as const,
  ])
  return withSchemas({ ...Object.fromEntries(levels.flat()), Leaf: object({ leaf }, { required: ['leaf'] }) })
}

const tag = (index: number) => object({ [`p${index}`]: { const: index } })

export const expandingShapes: readonly Shape[] = [
  { name: 'references', make: (size, leaf) => chain(size, leaf, (next) => next) },
  { name: 'oneOf twice', make: (size, leaf) => chain(size, leaf, (next) => ({ oneOf: [next, next] })) },
  {
    name: 'required properties',
    make: (size, leaf) => chain(size, leaf, (next) => object({ a: next, b: next }, { required: ['a', 'b'] })),
  },
  {
    name: 'maps',
    make: (size, leaf) => chain(size, leaf, (next) => ({ additionalProperties: next, patternProperties: { '^a': next } })),
  },
  {
    name: 'conditions',
    make: (size, leaf) =>
      chain(size, leaf, (next) => ({
        ...Object.fromEntries(['if', 'then', 'else', 'not'].map((name) => [name, next])),
        dependentSchemas: { a: next },
      })),
  },
  {
    name: 'allOf next to choices',
    make: (size, leaf) =>
      chain(size, leaf, (next, index) => ({ allOf: [next], oneOf: [tag(index), next], anyOf: [next, tag(index)] })),
  },
  { name: 'oneOf of two on each level', make: (size, leaf) => lattice(size, leaf, (next) => ({ oneOf: next })) },
  {
    name: 'anyOf of two on each level',
    make: (size, leaf) => lattice(size, leaf, (next, index) => ({ anyOf: next, ...tag(index) })),
  },
  {
    name: 'allOf of two on each level',
    make: (size, leaf) => lattice(size, leaf, (next, index) => ({ allOf: next, ...tag(index) })),
  },
  {
    name: 'lists of choices',
    make: (size, leaf) => lattice(size, leaf, (next) => ({ type: 'array', items: { anyOf: next }, minItems: 1 })),
  },
  {
    name: 'oneOf of all others',
    make: (size, leaf) => mutual(size, leaf, (others, index) => ({ oneOf: [...others, tag(index)] })),
  },
  {
    name: 'allOf and anyOf of all others',
    make: (size, leaf) => mutual(size, leaf, (others, index) => ({ allOf: others, anyOf: [...others, tag(index), ref('Leaf')] })),
  },
  {
    name: 'discriminators',
    make: (size, leaf) =>
      mutual(size, leaf, (others, index) => ({
        ...object({ kind: { type: 'string' }, [`p${index}`]: ref('Leaf') }, { required: ['kind'] }),
        oneOf: others,
        discriminator: {
          propertyName: 'kind',
          mapping: Object.fromEntries(others.map((other, at) => [`k${at}`, Object.values(other)[0]])),
        },
      })),
  },
  {
    name: 'subtypes',
    make: (size, leaf) => {
      const mapping = Object.fromEntries(range(size, (index) => [`k${index}`, `#/components/schemas/S${index + 1}`]))
      const base = object(
        { kind: { type: 'string' }, leaf },
        { required: ['kind'], discriminator: { propertyName: 'kind', mapping } },
      )
      const subtypes = range(size, (index) => [
        `S${index + 1}`,
        { allOf: [ref('S0'), object({ others: { type: 'array', items: ref('S0') } })] },
      ])
      return withSchemas({ S0: base, ...Object.fromEntries(subtypes) })
    },
  },
  {
    name: 'allOf of choices',
    make: (size, leaf) => {
      const choice = (index: number) => ({
        oneOf: [object({ [`a${index}`]: leaf }, { required: [`a${index}`] }), object({ [`b${index}`]: leaf })],
      })
      return withSchemas({ S0: { allOf: range(size, choice) } })
    },
  },
  {
    name: 'allOf of choices of all schemas',
    make: (size, leaf) => {
      const schemas = range(size, (index) => [`S${index + 1}`, object({ [`a${index}`]: leaf })])
      const all = range(size, (index) => ref(`S${index + 1}`))
      return withSchemas({ S0: { allOf: range(size, () => ({ oneOf: all })) }, ...Object.fromEntries(schemas) })
    },
  },
  {
    name: 'callbacks',
    make: (size, leaf) => {
      const callbacks = Object.fromEntries(range(size, (index) => [`c${index}`, { $ref: `#/components/callbacks/c${index}` }]))
      const content = { 'application/json': { schema: object({ leaf }) } }
      const post = { summary: 'S', requestBody: { content }, responses: { '200': { description: 'ok' } }, callbacks }
      const components = {
        callbacks: Object.fromEntries(range(size, (index) => [`c${index}`, { '{$request.body#/u}': { post } }])),
      }
      return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a': { post } }, components }
    },
  },
]
