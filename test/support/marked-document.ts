/** The same small numbers on every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The linter takes an object with the written key for a promise. */
const thenKey = 'then'

export type Part = Readonly<Record<string, unknown>>

/** A document with names of public parts (`open…`) and of parts with a mark (`hush…`) wherever a name can stand. */
export function makeMarkedDocument(seed: number, mark: Part) {
  const random = createRandom(seed)
  let count = 0
  const open: string[] = []
  const toShown = (kind: string) => {
    const name = `open${kind}${count++}x`
    open.push(name)
    return name
  }
  const toHush = (kind: string) => `hush${kind}${count++}x`
  const some = <Value>(...values: readonly Value[]): Value[] => values.filter(() => random(3) > 0)
  const maybe = (part: Part): Part => (random(3) > 0 ? part : {})
  const schemas: Record<string, unknown> = {}
  const toSchema = (): { readonly schema: Part; readonly example: Part; readonly secret: string; readonly shown: string } => {
    const [shown, secret, inner, value] = [toShown('Property'), toHush('Property'), toHush('Inner'), toHush('Value')]
    const union = toShown('Union')
    const schema = {
      type: 'object',
      required: [shown, secret],
      properties: {
        [shown]: { type: 'string' },
        [secret]: { type: 'string', enum: [toHush('Enum')], ...mark },
        [union]: {
          [random(2) ? 'oneOf' : 'anyOf']: [
            { type: 'string' },
            { type: 'object', title: toHush('Title'), properties: { [inner]: { type: 'string' } }, ...mark },
            { const: value, ...mark },
          ],
        },
      },
      ...maybe({
        if: { properties: { [secret]: { const: toHush('Const') } } },
        [thenKey]: { required: [shown] },
        else: { minProperties: 1 },
      }),
      ...maybe({ not: { required: [secret] } }),
      ...maybe({ patternProperties: { [`^${secret}_`]: { type: 'string' }, [`^${shown}_`]: { type: 'string' } } }),
      ...maybe({ dependentSchemas: { [secret]: { minProperties: 1 }, [shown]: { properties: { [secret]: { const: 1 } } } } }),
      ...maybe({ dependentRequired: { [secret]: [shown], [shown]: [secret] } }),
      ...maybe({ propertyNames: { enum: [shown, secret, union] } }),
      ...maybe({ propertyNames: { pattern: `^${secret}$` } }),
      ...maybe({ discriminator: { propertyName: secret } }),
      ...maybe({ enum: [{ [shown]: 'a', [secret]: toHush('Enum') }] }),
      ...maybe({ default: { [shown]: 'a', [secret]: toHush('Default') } }),
      ...maybe({ 'x-order': [shown, secret], 'x-note': { [secret]: toHush('Note') } }),
    }
    const example = { [shown]: 'a', [secret]: toHush('Example'), [union]: random(2) ? { [inner]: toHush('Deep') } : value }
    return { schema, example, secret, shown }
  }
  const toOperation = (path: string, tag: string): Part => {
    const name = toShown('Schema')
    const { schema, example, secret, shown } = toSchema()
    schemas[name] = schema
    const [parameter, shownParameter] = [toHush('Parameter'), toShown('Parameter')]
    const reference = { $ref: `#/components/schemas/${name}` }
    return {
      operationId: toShown('Id'),
      tags: [tag],
      security: [{ oauth: ['openScope'] }],
      parameters: [
        { name: shownParameter, in: 'query', schema: { type: 'string' } },
        { name: parameter, in: 'query', schema: { type: 'string' }, ...mark },
      ],
      requestBody: {
        content: {
          'application/json': { schema: reference, ...(random(2) ? { example } : { examples: { one: { value: example } } }) },
          'application/xml': { schema: reference, example: `<a><${secret}>${toHush('Xml')}</${secret}></a>` },
          'text/csv': { schema: reference, examples: { csv: { value: `a,${secret}\n1,2` }, open: { value: `a,${shown}\n1,2` } } },
          'multipart/form-data': { schema: reference, encoding: { [secret]: { contentType: 'text/plain' }, [shown]: {} } },
        },
      },
      callbacks: {
        gone: {
          [`{$request.body#/${secret}}`]: { post: { summary: toHush('Callback'), responses: { 200: { description: 'ok' } } } },
        },
        also: {
          [`https://a.example.com?u={$request.query.${parameter}}`]: { post: { responses: { 200: { description: 'ok' } } } },
        },
        kept: {
          [`{$request.body#/${shown}}`]: { post: { summary: toShown('Callback'), responses: { 200: { description: 'ok' } } } },
        },
      },
      'x-codeSamples': some(
        { lang: 'bash', source: `curl -d '{"${secret}": 1}' /a` },
        { lang: 'xml', source: `<${secret}>${toHush('Sample')}</${secret}>` },
        { lang: 'bash', source: `curl '/a?${parameter}=1'` },
      ),
      responses: {
        200: {
          description: 'Good',
          headers: {
            [toHush('Header')]: { schema: { type: 'string' }, ...mark },
            [toShown('Header')]: { schema: { type: 'string' } },
          },
          content: { 'application/json': { schema: reference } },
          links: {
            [toShown('Link')]: {
              operationRef: `#/paths/${path.replaceAll('/', '~1')}/post`,
              parameters: {
                [parameter]: '$request.body#/a',
                [`query.${parameter}`]: 1,
                a: `$request.body#/${secret}`,
                [shownParameter]: `$response.body#/${shown}`,
              },
              requestBody: { [secret]: toHush('Link') },
            },
          },
        },
      },
    }
  }
  const [tag, hushTag, hushScope] = [toShown('Tag'), toHush('Tag'), toHush('Scope')]
  const paths: Record<string, unknown> = {}
  for (let index = 0; index <= random(3); index++) {
    const path = `/${toShown('Path')}`
    const hushSchema = toHush('Schema')
    schemas[hushSchema] = { type: 'object', properties: { [toHush('Used')]: { type: 'string' } } }
    paths[path] = {
      post: toOperation(path, tag),
      delete: {
        operationId: toHush('Id'),
        tags: [hushTag],
        security: [{ oauth: [hushScope] }, { [`hushScheme`]: [] }],
        responses: {
          200: {
            description: toHush('Text'),
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${hushSchema}` } } },
          },
        },
        ...mark,
      },
    }
    paths[`/${toHush('Path')}`] = { get: { tags: [hushTag], responses: { 200: { description: 'x' } }, ...mark } }
  }
  const document = {
    openapi: '3.2.0',
    info: { title: 'A', version: '1' },
    tags: [
      { name: tag, parent: toHush('Parent') },
      { name: hushTag, description: toHush('Text') },
    ],
    'x-tagGroups': [
      { name: 'All', tags: [tag, hushTag] },
      { name: toHush('Group'), tags: [hushTag] },
    ],
    paths,
    components: {
      schemas,
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: 'https://a.example.com', scopes: { openScope: 'Open', [hushScope]: toHush('Text') } },
          },
        },
        hushScheme: { type: 'http', scheme: 'basic' },
      },
    },
  }
  document.tags.push({ name: document.tags[0]?.parent ?? '', ...mark } as never)
  return { document, open }
}
