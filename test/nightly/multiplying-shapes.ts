import { families } from '../site/content/hostile-markdown.ts'
import { chain, expandingShapes, object, range, ref, type Shape, withSchemas } from './expanding-shapes.ts'

// Documents of which each part says little, and all of them together say far more: what is listed in one place is used in others.

const root = (size: number) => Math.ceil(Math.sqrt(size))
const named = <Made>(size: number, make: (index: number) => Made, name = 'n') =>
  Object.fromEntries(range(size, (index) => [`${name}${index}`, make(index)]))
const ok = { 200: { description: 'ok' } }
const json = (schema: object, more: object = {}) => ({ content: { 'application/json': { schema, ...more } } })
const documentOf = (more: object) => ({ openapi: '3.2.0', info: { title: 'T', version: '1' }, paths: {}, ...more })
const operation = (more: object = {}) => ({ summary: 'A', responses: ok, ...more })
const alone = (more: object, around: object = {}) => documentOf({ paths: { '/a': { post: operation(more) } }, ...around })
const body = (schema: object, around: object = {}) =>
  alone({ requestBody: json(schema), responses: { 200: { description: 'ok', ...json(schema) } } }, around)
const kind = { discriminator: { propertyName: 'k' }, properties: { k: { type: 'string' } } }
const subtype = (base: number, index: number, leaf: object) => ({
  allOf: [ref(`S${base}`), object({ [`p${index}`]: leaf }, { discriminator: { propertyName: 'k' } })],
})
const bases = (size: number, leaf: object, baseOf: (index: number) => number) =>
  withSchemas({
    S0: { type: 'object', ...kind },
    ...Object.fromEntries(range(size, (index) => [`S${index + 1}`, subtype(baseOf(index + 1), index + 1, leaf)])),
  })
const paths = (size: number, make: (index: number) => unknown) => named(size, make, '/a')
const words = 'Some words. '

/** `oneOf` in one version, `anyOf` in the other. */
const choice = (leaf: object, options: readonly object[]) => ({
  [JSON.stringify(leaf).includes('string') ? 'oneOf' : 'anyOf']: options,
})

// biome-ignore format: a table has one row per line
const schemas: readonly Shape[] = [
  { name: 'alternatives that overlap, with another keyword', make: (size, leaf) => {
    const option = (index: number) => object(named(8, () => object({ a: leaf }, { required: ['a'] })), { required: range(8, (one) => `n${one}`), title: `T${index}` })
    return body(object(named(Math.ceil(size / 50), () => choice(leaf, range(50, option)))))
  } },
  { name: 'alternatives that one property tells apart, with another keyword', make: (size, leaf) => {
    const shared = object(named(90, () => ({ type: 'string' })), { required: range(90, (one) => `n${one}`) })
    const option = (index: number) => ({ allOf: [ref('S'), object({ z: { const: index } }, { required: ['z'] })] })
    return body(object(named(Math.ceil(size / 50), () => choice(leaf, range(50, option)))), { components: { schemas: { S: shared } } })
  } },
  { name: 'alternatives without a name, of which none covers another', make: (size, leaf) => body(object(named(Math.ceil(size / 140), (one) => ({ anyOf: range(140, (index) => ({ ...leaf, minLength: index + one, maxLength: index + one })) })))) },
  { name: 'subtypes in a chain', make: (size, leaf) => bases(size, leaf, (index) => index - 1) },
  { name: 'subtypes in a tree', make: (size, leaf) => bases(size, leaf, (index) => Math.floor((index - 1) / 2)) },
  { name: 'subtypes of one', make: (size, leaf) => bases(size, leaf, () => 0) },
  { name: 'subtypes of many', make: (size, leaf) => {
    const few = root(size)
    const all = range(few, (index) => ref(`S${index}`))
    return withSchemas({ ...named(few, (index) => ({ type: 'object', ...kind, properties: { k: {}, [`b${index}`]: leaf } }), 'S'), ...named(few, () => ({ allOf: all }), 'T') })
  } },
  { name: 'alternatives with other properties', make: (size, leaf) => body({ oneOf: range(size, (index) => object({ [`a${index}`]: leaf })) }) },
  { name: 'alternatives with a property in common', make: (size, leaf) => body({ oneOf: range(size, (index) => object({ a: leaf, [`b${index}`]: {} })) }) },
  { name: 'alternatives in alternatives', make: (size, leaf) => body({ oneOf: range(root(size), (one) => ({ anyOf: range(root(size), (two) => object({ [`a${one}b${two}`]: leaf })) })) }) },
  { name: 'alternatives in properties of alternatives', make: (size, leaf) => {
    const nest = (depth: number, count: number): object => depth === 0 ? leaf : { oneOf: range(count, (index) => object({ [`a${index}`]: nest(depth - 1, count), [`b${index}`]: {} })) }
    return body(nest(4, Math.max(2, Math.round(size ** 0.25))))
  } },
  { name: 'alternatives of two in each other', make: (size, leaf) => {
    const nest = (depth: number): object => depth <= 0 ? leaf : { anyOf: [object({ a: nest(depth - 1) }), object({ a: nest(depth - 1), b: leaf })] }
    return body(nest(Math.floor(Math.log2(size + 1))))
  } },
  { name: 'alternatives of 90', make: (size, leaf) => body(object(named(Math.ceil(size / 90), (index) => ({ oneOf: range(90, (one) => object({ [`a${one}`]: leaf, [`b${index}`]: {} })) })))) },
  { name: 'alternatives of two in a chain of lists', make: (size, leaf) => body(range(Math.min(size, 300), (index) => index).reduce<object>((inner, index) => ({ type: 'array', items: { oneOf: [object({ [`a${index}`]: leaf }), inner] } }), leaf)) },
  { name: 'alternatives with a title', make: (size, leaf) => body({ anyOf: range(size, (index) => ({ title: `T${index}`, ...leaf, minLength: index })) }) },
  { name: 'alternatives that are constants', make: (size, leaf) => body({ oneOf: range(size, (index) => ({ const: `${'type' in leaf ? leaf.type : ''}${index}` })) }) },
  { name: 'alternatives that are enums', make: (size, leaf) => body({ oneOf: range(root(size), (one) => ({ enum: range(root(size), (two) => `${one}-${two}-${'type' in leaf ? leaf.type : ''}`) })) }) },
  { name: 'alternatives of references', make: (size, leaf) => withSchemas({ S0: { oneOf: range(size, (index) => ref(`S${index + 1}`)) }, ...named(size + 1, (index) => index === 0 ? { oneOf: range(size, (one) => ref(`S${one + 1}`)) } : object({ a: leaf }), 'S') }) },
  { name: 'allOf of objects', make: (size, leaf) => body({ allOf: range(size, (index) => object({ [`a${index}`]: leaf }, { required: [`a${index}`] })) }) },
  { name: 'allOf in allOf', make: (size, leaf) => body(range(Math.min(size, 300), (index) => index).reduce<object>((inner, index) => ({ allOf: [inner, object({ [`a${index}`]: leaf })] }), leaf)) },
  { name: 'allOf beside oneOf, nested', make: (size, leaf) => body(range(Math.min(size, 200), (index) => index).reduce<object>((inner, index) => ({ allOf: [{ oneOf: [inner, object({ [`a${index}`]: leaf })] }, { oneOf: [leaf, object({ b: leaf })] }] }), leaf)) },
  { name: 'properties', make: (size, leaf) => body(object(named(size, () => leaf), { required: range(size, (index) => `n${index}`) })) },
  { name: 'properties in properties', make: (size, leaf) => body(range(Math.min(size, 300), (index) => index).reduce<object>((inner) => object({ a: inner, b: leaf }), leaf)) },
  { name: 'a schema in properties', make: (size, leaf) => { const few = root(size) * 2; return body(object(named(few, () => ref('S'))), { components: { schemas: { S: object(named(few, () => leaf)) } } }) } },
  { name: 'schemas in a cube', make: (size, leaf) => { const few = Math.ceil(size / 3); return body(object(named(few, () => ref('S'))), { components: { schemas: { S: object(named(few, () => ref('T'))), T: object(named(few, () => leaf)) } } }) } },
  { name: 'lists of values', make: (size, leaf) => body({ ...leaf, enum: range(size, (index) => `e${index}-${JSON.stringify(leaf)}`) }) },
  { name: 'patterns of properties', make: (size, leaf) => body({ type: 'object', patternProperties: named(size, () => leaf, '^a'), properties: named(size, () => leaf, 'a') }) },
  { name: 'patterns', make: (size, leaf) => body(object(named(size, (index) => ({ ...leaf, pattern: `^(a|b${index})*c$`, examples: ['ababababababababababababab'] })))) },
  { name: 'a long pattern', make: (size, leaf) => body({ ...leaf, pattern: '(a|b?){1,9}'.repeat(size), example: 'ab'.repeat(20) }) },
  { name: 'a deep pattern', make: (size, leaf) => body({ ...leaf, pattern: `${'('.repeat(size)}a${'){2}'.repeat(size)}` }) },
  { name: 'positions', make: (size, leaf) => body({ type: 'array', prefixItems: range(size, () => leaf), contains: leaf, minItems: size }) },
  { name: 'minItems of objects', make: (size, leaf) => body(range(Math.min(size, 200), (index) => index).reduce<object>((inner) => ({ type: 'array', minItems: 3, items: inner }), leaf)) },
  { name: 'conditions in conditions', make: (size, leaf) => body(range(Math.min(size, 200), (index) => index).reduce<object>((inner, index) => ({ if: object({ a: { const: index } }), ...Object.fromEntries([['then', object({ [`b${index}`]: leaf })]]), else: inner }), leaf)) },
  { name: 'dependencies', make: (size, leaf) => body({ type: 'object', properties: named(size, () => leaf), dependentRequired: named(root(size), () => range(root(size), (one) => `n${one}`)), dependentSchemas: named(root(size), (index) => object({ [`m${index}`]: leaf })) }) },
  { name: 'not in not', make: (size, leaf) => body(range(Math.min(size, 300), (index) => index).reduce<object>((inner, index) => ({ not: { allOf: [inner, { const: index }] } }), leaf)) },
  { name: 'mappings', make: (size, leaf) => body({ oneOf: range(root(size), (index) => ref(`S${index}`)), discriminator: { propertyName: 'k', mapping: Object.fromEntries(range(size, (index) => [`k${index}`, `#/components/schemas/S${index % root(size)}`])) } }, { components: { schemas: named(root(size), () => object({ k: { type: 'string' }, a: leaf }), 'S') } }) },
  { name: 'anchors', make: (size, leaf) => body(object(named(size, (index) => ({ $ref: `#a${index}` }))), { components: { schemas: { S: { $defs: named(size, (index) => ({ $anchor: `a${index}`, ...leaf })) } } } }) },
  { name: 'dynamic anchors', make: (size, leaf) => body(ref('S0'), { components: { schemas: named(size, (index) => ({ $id: `https://example.com/s${index}`, $dynamicAnchor: 'a', properties: { a: { $dynamicRef: '#a' }, b: { $ref: `https://example.com/s${(index + 1) % size}` }, c: leaf } }), 'S') } }) },
  { name: 'a chain that names its next twice', make: (size, leaf) => chain(size, leaf, (next) => object({ a: next, b: { oneOf: [next, leaf] } })) },
  { name: 'names that differ in case', make: (size, leaf) => body(ref('s0'), { components: { schemas: Object.fromEntries(range(size, (index) => [index.toString(2).replaceAll('0', 's').replaceAll('1', 'S') + (index === 0 ? '0' : ''), leaf])) } }) },
]

// biome-ignore format: a table has one row per line
const operations: readonly Shape[] = [
  { name: 'operations with one schema', make: (size, leaf) => documentOf({ paths: paths(size / 2, () => ({ get: operation({ responses: { 200: { $ref: '#/components/responses/R' } } }) })), components: { responses: { R: { description: 'ok', ...json(object(named(size * 2, () => leaf))) } } } }) },
  { name: 'operations with one subtype each', make: (size, leaf) => documentOf({ paths: paths(size / 2, (index) => ({ get: operation({ requestBody: json(ref(`S${Math.min(index, Math.floor(size / 2))}`)) }) })), components: { schemas: { S0: { type: 'object', ...kind }, ...Object.fromEntries(range(size / 2, (index) => [`S${index + 1}`, subtype(index, index + 1, leaf)])) } } }) },
  { name: 'operations with one long description', make: (size, leaf) => documentOf({ paths: paths(size / 4, () => ({ get: operation({ parameters: [{ $ref: '#/components/parameters/P' }] }) })), components: { parameters: { P: { name: 'p', in: 'query', description: `${words} *a* \`b\`\n\n`.repeat(size * 2), schema: leaf } } } }) },
  { name: 'properties with one long description', make: (size, leaf) => body(object(named(size, () => ref('S'))), { components: { schemas: { S: { ...leaf, description: `${words} *a* \`b\`\n\n`.repeat(size) } } } }) },
  { name: 'operations with one example', make: (size, leaf) => documentOf({ paths: paths(size / 4, () => ({ get: operation({ responses: { 200: { $ref: '#/components/responses/R' } } }) })), components: { responses: { R: { description: 'ok', ...json({ type: 'array', items: leaf }, { example: range(size * 20, (index) => index) }) } } } }) },
  { name: 'media types with one example', make: (size, leaf) => alone({ requestBody: { content: named(size, () => ({ schema: leaf, examples: { a: { $ref: '#/components/examples/E' } } }), 'application/a') } }, { components: { examples: { E: { value: range(size * 10, (index) => ({ index })) } } } }) },
  { name: 'parameters of all operations', make: (size, leaf) => documentOf({ paths: paths(root(size) * 4, () => ({ $ref: '#/components/pathItems/I' })), components: { pathItems: { I: { parameters: range(root(size) * 2, (index) => ({ name: `p${index}`, in: 'query', schema: leaf, examples: { a: { value: 'b' } } })), additionalOperations: named(root(size), () => operation(), 'M') } } } }) },
  { name: 'a path item of many paths', make: (size, leaf) => documentOf({ paths: paths(size, () => ({ $ref: '#/components/pathItems/I' })), components: { pathItems: { I: { additionalOperations: named(size, () => operation({ requestBody: json(leaf) }), 'M') } } } }) },
  { name: 'parameters and examples', make: (size, leaf) => alone({ parameters: range(root(size), (index) => ({ name: `p${index}`, in: 'query', schema: leaf, examples: named(root(size), (one) => ({ value: `${one}` })) })) }) },
  { name: 'alternatives of security', make: (size, leaf) => {
    const few = root(size)
    return alone({ security: range(few * 2, (one) => named(few, (two) => ((one + two) % 2 === 0 ? ['a'] : ['type' in leaf ? leaf.type : '']), 's')) }, { components: { securitySchemes: named(few, (index) => ({ type: 'apiKey', in: 'header', name: `X-${index}` }), 's') } })
  } },
  { name: 'alternatives of security of all operations', make: (size, leaf) => documentOf({ security: range(size / 2, (one) => ({ [`s${one}`]: [] })), paths: paths(size / 2, () => ({ get: operation({ parameters: [{ name: 'p', in: 'query', schema: leaf }] }) })), components: { securitySchemes: named(size / 2, (index) => ({ type: 'apiKey', in: 'header', name: `X-${index}` }), 's') } }) },
  { name: 'scopes', make: (size, leaf) => alone({ security: range(root(size), () => ({ s: range(root(size), (index) => `n${index}${'type' in leaf ? leaf.type : ''}`) })) }, { components: { securitySchemes: { s: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://example.com', scopes: named(size, () => 'A') } } } } } }) },
  { name: 'servers and variables', make: (size, leaf) => documentOf({ servers: range(root(size), (one) => ({ url: `https://h${one}.example.com/{a}/{b}`, variables: { a: { default: 'n0', enum: range(root(size), (two) => `n${two}`) }, b: { default: 'x' } } })), paths: paths(root(size) * 2, () => ({ get: operation({ parameters: [{ name: 'p', in: 'query', schema: leaf }] }) })) }) },
  { name: 'variables of a server', make: (size) => alone({}, { servers: [{ url: `https://example.com/${range(size, (index) => `{n${index}}`).join('/')}`, variables: named(size, () => ({ default: 'a', enum: ['a', 'b'] })) }] }) },
  { name: 'callbacks in callbacks', make: (size, leaf) => body(leaf, { paths: { '/a': { post: range(Math.min(150, size), (index) => index).reduce<object>((inner) => operation({ requestBody: json(leaf), callbacks: { a: { '{$request.body#/u}': { post: inner } } } }), operation()) } } }) },
  { name: 'callbacks', make: (size, leaf) => alone({ callbacks: named(size, () => ({ '{$request.body#/u}': { post: operation({ requestBody: json(leaf) }) } })) }) },
  { name: 'links', make: (size, leaf) => documentOf({ paths: paths(root(size) * 2, (index) => ({ get: operation({ operationId: `o${index}`, parameters: [{ name: 'p', in: 'query', schema: leaf }], responses: { 200: { $ref: '#/components/responses/R' } } }) })), components: { responses: { R: { description: 'ok', links: named(root(size) * 2, (index) => ({ operationId: `o${index}` })) } } } }) },
  { name: 'responses', make: (size, leaf) => alone({ responses: Object.fromEntries(range(500, (index) => [100 + index, { description: 'ok', content: named(Math.ceil(size / 500), () => ({ schema: leaf }), 'application/a') }])) }) },
  { name: 'headers and encodings', make: (size, leaf) => alone({ requestBody: { content: { 'multipart/form-data': { schema: object(named(size / 2, () => leaf)), encoding: named(size / 2, () => ({ contentType: 'text/plain, image/png', headers: { A: { schema: leaf } } })) } } } }) },
  { name: 'tags', make: (size) => documentOf({ tags: range(size, (index) => ({ name: `n${index}`, ...(index > 0 && { parent: `n${index - 1}` }) })), paths: paths(size / 4, (index) => ({ get: operation({ tags: range(4, (one) => `n${index * 4 + one}`) }) })) }) },
  { name: 'tags of all operations', make: (size) => documentOf({ tags: range(root(size) * 2, (index) => ({ name: `n${index}` })), paths: paths(root(size), () => ({ get: operation({ tags: range(root(size), (one) => `n${one}`) }) })) }) },
  { name: 'operations with one name', make: (size) => documentOf({ paths: paths(size, () => ({ get: operation({ tags: ['a'] }) })) }) },
  { name: 'paths of parameters', make: (size, leaf) => documentOf({ paths: { [`/${range(size, (index) => `{n${index}}`).join('/')}`]: { get: operation({ parameters: range(size, (index) => ({ name: `n${index}`, in: 'path', required: true, schema: leaf })) }) } } }) },
  { name: 'paths that may be equal', make: (size) => documentOf({ paths: Object.fromEntries(range(size, (index) => [`/a/{p${index}}/b${'/c'.repeat(index % 30)}`, { get: operation() }])) }) },
  { name: 'paths that mix names and parameters', make: (size) => documentOf({ paths: Object.fromEntries(range(size, (index) => [`/${[...index.toString(2).padStart(10, '0')].map((bit, at) => (bit === '0' ? 'x' : `{p${at}}`)).join('/')}`, { get: operation() }])) }) },
  { name: 'webhooks', make: (size, leaf) => documentOf({ webhooks: named(size, () => ({ post: operation({ requestBody: json(leaf) }) })) }) },
  { name: 'code samples', make: (size) => alone({ 'x-codeSamples': range(size, (index) => ({ lang: index % 2 ? 'python' : 'shell', label: `L${index}`, source: 'a = [1, "b"]' })) }) },
  { name: 'a long code sample', make: (size) => alone({ 'x-codeSamples': [{ lang: 'javascript', source: '`${{[(/a' .repeat(size) }] }) },
  { name: 'a wide example', make: (size, leaf) => alone({ requestBody: json(object({ a: leaf }), { example: range(size, () => ({ a: 'b' })) }) }) },
  { name: 'a deep example', make: (size) => alone({ requestBody: json({}, { example: range(Math.min(900, size), (index) => index).reduce<unknown>((inner) => ({ a: inner, b: [] }), 1) }) }) },
  { name: 'examples of alternatives', make: (size, leaf) => { const few = root(size); return alone({ requestBody: json({ oneOf: range(few * 2, (index) => object({ [`a${index}`]: leaf }, { required: [`a${index}`] })) }, { examples: named(few * 2, (index) => ({ value: { [`a${index}`]: 'a' } })) }) }) } },
  { name: 'examples of nested alternatives', make: (size, leaf) => alone({ requestBody: json({ type: 'array', items: range(Math.ceil(size / 8), (index) => index).reduce<object>((inner, index) => ({ anyOf: [{ oneOf: [inner, { const: index }] }, object({ a: inner })] }), leaf) }, { example: range(size, (index) => index) }) }) },
  { name: 'unique lists', make: (size) => alone({ requestBody: json({ type: 'array', uniqueItems: true, items: {} }, { example: range(size, (index) => ({ a: { b: index } })) }) }) },
  { name: 'unknown names', make: (size) => documentOf({ paths: paths(size, (index) => ({ get: operation({ operationid: `o${index}`, respones: ok, sumary: 'a' }) })) }) },
  { name: 'references to nothing', make: (size) => body(object(named(size, (index) => ref(`Ptes${index}`))), { components: { schemas: named(size, () => ({ type: 'string' }), 'Pets') } }) },
]

const places: Readonly<Record<string, (text: string) => object>> = {
  'the description of the API': (text) =>
    documentOf({ info: { title: 'T', version: '1', description: text }, paths: { '/a': { get: operation() } } }),
  'the description of a schema': (text) => body({ type: 'object', description: text, properties: { a: { description: 'b' } } }),
}
const texts: readonly Shape[] = Object.entries({
  ...families,
  'emphasis beside spaces': (length: number) => '*a_ '.repeat(length / 4),
  'nested bullets': (length: number) => `${'- '.repeat(length / 2)}y`,
  'nested bullets, many times': (length: number) => `${`${'- '.repeat(400)}y`}\n\n`.repeat(length / 803),
  'nested numbers': (length: number) => `${'1. '.repeat(length / 3)}y`,
  'entities of all kinds': (length: number) => '&#x26;&amp&lt;&;'.repeat(length / 16),
  'headings with one name': (length: number) => '# a\n\n'.repeat(length / 5),
  'headings with numbered names': (length: number) => '# a\n\n# a-1\n\n'.repeat(length / 12),
  'elements in elements': (length: number) => '<div><p>'.repeat(length / 8),
  'tables of HTML': (length: number) => '<table><tr><td>a'.repeat(length / 16),
  'misplaced elements of tables': (length: number) => '<table><b>a<i>b<td>'.repeat(length / 19),
  attributes: (length: number) => `<p ${'a="b" '.repeat(length / 6)}>a</p>`,
  'tags of Markdoc': (length: number) => '{% admonition type="info" %}\n'.repeat(length / 29),
  'code in many languages': (length: number) => '```js\na\n```\n'.repeat(length / 12),
  'code of a language': (length: number) => `\`\`\`js\n${'a = `${[{('.repeat(length / 10)}\n\`\`\`\n`,
  'a diagram': (length: number) => `\`\`\`mermaid\ngraph TD\n${'A-->B\n'.repeat(length / 6)}\`\`\`\n`,
  'line breaks': (length: number) => 'a  \n'.repeat(length / 4),
  escapes: (length: number) => '\\*\\_'.repeat(length / 4),
  'task lists': (length: number) => '- [ ] a\n'.repeat(length / 8),
  'lists with spaces': (length: number) => `${' - a\n   b\n\n'.repeat(length / 11)}`,
  'quotes that go on': (length: number) => '> a\nb\n'.repeat(length / 6),
  'indented code': (length: number) => '    a\n\n'.repeat(length / 7),
  autolinks: (length: number) => '<https://a.b> www.a.b '.repeat(length / 22),
  'addresses in words': (length: number) => 'https://a.b/('.repeat(length / 13),
  'one word': (length: number) => 'a'.repeat(length),
  spaces: (length: number) => `a${' '.repeat(length)}b`,
  marks: (length: number) => 'a_b*c`d~'.repeat(length / 8),
  'parentheses in links': (length: number) => `[a](${'('.repeat(length)}`,
  'titles of links': (length: number) => '[a](b "c'.repeat(length / 8),
  'images in links': (length: number) => '[![a](b)](c)'.repeat(length / 12),
  'brackets in brackets': (length: number) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'long backticks': (length: number) => '`a``'.repeat(length / 4),
}).flatMap(([name, make]) =>
  Object.entries(places).map(([place, put]) => ({ name: `${name} in ${place}`, make: (size: number) => put(make(size)) })),
)
/** A long text in each field with words. */
const fields: readonly Shape[] = Object.entries({
  'long words': 'ab',
  'words with marks': 'a_*`[<{ ',
  lines: 'a\n',
  slashes: '/{a}~1%',
}).map(([name, part]) => ({
  name: `${name} in all fields`,
  make: (size: number) => {
    const text = part.repeat(size)
    return documentOf({
      info: { title: text, version: text, summary: text },
      tags: [{ name: text }],
      paths: {
        [`/${text}`]: {
          get: operation({
            summary: text,
            operationId: text,
            tags: [text],
            parameters: [{ name: text, in: 'query', schema: { type: 'string', default: text, enum: [text], title: text } }],
            responses: { 200: { description: text, headers: { a: { schema: { const: text } } } } },
          }),
        },
      },
      components: { schemas: { S: object({ [text]: { example: text } }) } },
    })
  },
}))

export const multiplyingShapes: readonly Shape[] = [...expandingShapes, ...schemas, ...operations, ...texts, ...fields]

/** The largest document of a shape within a number of bytes, in two versions. */
export function makeLargest({ make }: Shape, bytes: number): readonly [base: string, revision: string] {
  const write = (size: number, type: string) => JSON.stringify(make(size, { type }))
  let size = 1
  let step = 1
  while (size < 2 * bytes && write(2 * size, 'integer').length <= bytes) size *= 2
  for (step = size; step >= 1; step = Math.floor(step / 2))
    if (size + step < 4 * bytes && write(size + step, 'integer').length <= bytes) size += step
  return [write(size, 'string'), write(size, 'integer')]
}
