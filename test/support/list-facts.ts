import { valueAt } from './validate-examples.ts'

/**
 * Lists everything that an OpenAPI document tells its readers, with the page where it belongs. Written without the renderer's code: it walks the parsed
 * document and follows references itself.
 */
/** Something a reader must find. */
export interface Fact {
  readonly kind: 'text' | 'name' | 'type' | 'limit' | 'value' | 'link'
  /** What must be shown: Markdown for `text`, a name, a word, or a value as text. Of several, one is enough. */
  readonly shown: readonly string[]
  /** The JSON pointer of its source. */
  readonly at: string
  /** The schemas whose limits of numbers apply together, for one of these. */
  readonly limited?: readonly Json[]
}

/** Facts that belong together. */
export interface Expectation {
  /** `operation GET /pets`, `webhook created`, `schema Pet`, `tag pets` or `api`. */
  readonly page: string
  /** The names of the row that must have them. Of several, one is enough. Anywhere on the page if it is empty. */
  readonly rows: readonly string[]
  readonly facts: readonly Fact[]
}

export type Json = { readonly [key: string]: unknown }

interface Spot {
  readonly page: string
  readonly rows: readonly string[]
  readonly at: string
  /** Whether other schemas apply to the same value, so that the narrowest type is shown. */
  readonly isMerged?: boolean
  /** Properties that only the other side has do not apply. */
  readonly hidden?: 'readOnly' | 'writeOnly'
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
/** Header parameters and response headers that OpenAPI says to ignore. */
const ignoredHeaders = /^(?:accept|content-type|authorization)$/i

/** Lists the facts of a document in one file. */
export function listFacts(written: unknown): Expectation[] {
  const document = toJson(written)
  const found: Expectation[] = []
  const resolve = (value: unknown): { value: Json; name: string | undefined; pointer: string | undefined } => {
    let current = toJson(value)
    let name: string | undefined
    let pointer: string | undefined
    for (let step = 0; step < 50 && typeof current['$ref'] === 'string'; step++) {
      pointer = String(current['$ref'])
      name = /^#\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1]
      current = toJson(readPointer(document, pointer))
    }
    return { value: current, name: name === undefined ? undefined : decodeStep(name), pointer }
  }
  const add = (spot: Spot, facts: readonly (Fact | undefined)[]) => {
    const listed = facts.filter((fact) => fact !== undefined)
    if (listed.length > 0) found.push({ page: spot.page, rows: spot.rows, facts: listed })
  }

  /** A schema and all that `$ref` and `allOf` add to it. */
  const listMembers = (written: unknown, seen: Set<unknown> = new Set()): readonly Json[] => {
    const schema = toJson(written)
    if (seen.has(schema)) return []
    seen.add(schema)
    const target = typeof schema['$ref'] === 'string' ? [readPointer(document, schema['$ref'])] : []
    return [schema, ...[...target, ...toList(schema['allOf'])].flatMap((one) => listMembers(one, seen))]
  }

  const walkSchema = (written: unknown, spot: Spot, isRequired = false, depth = 0): void => {
    if (typeof written !== 'object' || written === null || Array.isArray(written) || depth > 60) return
    const schema = toJson(written)
    const { at } = spot
    const child = (key: string, more: Partial<Spot> = {}): Spot => ({ ...spot, isMerged: false, at: `${at}/${key}`, ...more })
    const limited = spot.isMerged ? [] : listMembers(schema)
    const hasLimit = limited.some((one) =>
      ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].some((key) => typeof one[key] === 'number'),
    )
    if (hasLimit) add(spot, [{ kind: 'limit', shown: [''], at, limited }])
    add(spot, [...schemaFacts(schema, at, spot.isMerged === true), isRequired ? fact('limit', ['required'], at) : undefined])
    if (typeof schema['$ref'] === 'string') {
      const { name, value } = resolve(schema)
      if (name !== undefined) {
        wanted.add(name)
        // The reader is already there.
        if (spot.page !== `schema ${name}`) add({ ...spot, rows: [] }, [fact('link', [name], at)])
      } else if (Object.keys(value).length > 0)
        walkSchema(value, { page: anyPage, rows: [], at: schema['$ref'] }, false, depth + 40)
    }
    const properties = toJson(schema['properties'])
    const required = toList(schema['required'])
    for (const name of Object.keys(properties)) {
      const place = child(`properties/${name}`, { rows: [name], isMerged: spot.isMerged === true })
      const isOther = (value: Json, step = 0): boolean =>
        spot.hidden !== undefined &&
        step < 9 &&
        (value[spot.hidden] === true || toList(value['allOf']).some((member) => isOther(resolve(member).value, step + 1)))
      if (isOther(toJson(properties[name])) || isOther(resolve(properties[name]).value)) continue
      add(place, [fact('name', [name], place.at)])
      walkSchema(properties[name], place, required.includes(name), depth + 1)
    }
    for (const name of required) {
      if (typeof name === 'string' && !Object.hasOwn(properties, name))
        add({ ...spot, rows: [] }, [fact('name', [name], `${at}/required`)])
    }
    const walkChild = (value: unknown, key: string, rows: readonly string[] = spot.rows, more: Partial<Spot> = {}) =>
      walkSchema(value, child(key, { rows, ...more }), false, depth + 1)
    const rowsOr = (...names: readonly string[]) => (spot.rows.length === 0 ? [] : [...spot.rows, ...names])
    for (const key of ['items', 'additionalItems', 'unevaluatedItems'])
      if (!Array.isArray(schema[key])) walkChild(schema[key], key, rowsOr('Every item', 'items'))
    for (const key of ['prefixItems', 'items'])
      for (const [index, one] of toList(schema[key]).entries()) walkChild(one, `${key}/${index}`, [`[${index}]`])
    for (const key of ['allOf', 'oneOf', 'anyOf'])
      for (const [index, one] of toList(schema[key]).entries())
        walkChild(one, `${key}/${index}`, spot.rows, { isMerged: key === 'allOf' })
    for (const key of ['additionalProperties', 'unevaluatedProperties']) walkChild(schema[key], key, rowsOr('any other key'))
    for (const [pattern, one] of Object.entries(toJson(schema['patternProperties']))) {
      add({ ...spot, rows: [] }, [fact('value', [pattern], `${at}/patternProperties`)])
      walkChild(one, `patternProperties/${pattern}`, [])
    }
    for (const [name, one] of Object.entries(toJson(schema['dependentSchemas']))) walkChild(one, `dependentSchemas/${name}`, [])
    for (const key of ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema']) walkChild(schema[key], key, [])
    const { mapping } = toJson(schema['discriminator'])
    for (const target of Object.values(toJson(mapping))) {
      if (typeof target !== 'string') continue
      const name = /^#\/components\/schemas\/([^/]+)$/.exec(target)?.[1] ?? target
      if (Object.hasOwn(schemas, decodeStep(name))) wanted.add(decodeStep(name))
    }
  }

  const walkExamples = (owner: Json, spot: Spot): void => {
    if (owner['example'] !== undefined && owner['examples'] === undefined)
      add(spot, [fact('value', [toText(owner['example'])], `${spot.at}/example`)])
    for (const [name, written] of Object.entries(toJson(owner['examples']))) {
      const example = resolve(written).value
      const at = `${spot.at}/examples/${name}`
      const shown = example['dataValue'] ?? example['value'] ?? example['serializedValue'] ?? example['externalValue']
      add(spot, [
        fact('text', [example['summary']], `${at}/summary`),
        fact('text', [example['description']], `${at}/description`),
        shown === undefined ? undefined : fact('value', [toText(shown)], `${at}/value`),
      ])
    }
  }

  const walkContent = (owner: Json, spot: Spot): void => {
    for (const [mediaType, written] of Object.entries(toJson(owner['content']))) {
      const place = { ...spot, at: `${spot.at}/content/${mediaType}` }
      add(place, [fact('name', [mediaType], place.at)])
      const content = resolve(written).value
      for (const key of ['schema', 'itemSchema']) walkSchema(content[key], { ...place, at: `${place.at}/${key}` })
      walkExamples(content, place)
      for (const [property, encoding] of Object.entries(toJson(content['encoding']))) {
        const at = `${place.at}/encoding/${property}`
        const { contentType, style } = toJson(encoding)
        add(place, [fact('name', [property], at), fact('value', [contentType], at), fact('value', [style], at)])
        walkHeaders(toJson(encoding), { ...place, at })
      }
    }
  }

  const walkHeaders = (owner: Json, spot: Spot): void => {
    for (const [name, written] of Object.entries(toJson(owner['headers']))) {
      if (ignoredHeaders.test(name)) continue
      const header = resolve(written).value
      const place = { ...spot, rows: [name], at: `${spot.at}/headers/${name}` }
      add(place, [
        fact('name', [name], place.at),
        fact('text', [header['description']], place.at),
        header['deprecated'] === true ? fact('limit', ['deprecated'], place.at) : undefined,
      ])
      walkSchema(header['schema'], place, header['required'] === true)
      walkExamples(header, place)
    }
  }

  const walkServers = (servers: unknown, spot: Spot): void => {
    for (const [index, written] of toList(servers).entries()) {
      const server = toJson(written)
      const at = `${spot.at}/servers/${index}`
      add(spot, [
        fact('value', [server['url']], at),
        fact('text', [server['description']], at),
        fact('text', [server['name']], at),
      ])
      for (const [name, variable] of Object.entries(toJson(server['variables']))) {
        const { description, default: byDefault, enum: values } = toJson(variable)
        add(spot, [
          fact('name', [name], at),
          fact('text', [description], at),
          fact('value', [byDefault], at),
          ...toList(values).map((value) => fact('value', [toText(value)], at)),
        ])
      }
    }
  }

  const walkOperation = (
    operation: Json,
    pathItem: Json,
    spot: Spot,
    kind: 'operation' | 'webhook' | 'callback',
    depth: number,
  ): void => {
    const { at } = spot
    const docs = toJson(operation['externalDocs'])
    add(spot, [
      // The title has the first sentence, and the description the rest.
      ...toSentences(operation['summary']).map((sentence) => fact('text', [sentence], `${at}/summary`)),
      fact('text', [operation['description']], `${at}/description`),
      fact('text', [pathItem['summary']], `${at}/../summary`),
      fact('text', [pathItem['description']], `${at}/../description`),
      fact('value', [operation['operationId']], `${at}/operationId`),
      fact('text', [docs['description']], `${at}/externalDocs`),
      operation['deprecated'] === true ? fact('limit', ['deprecated'], at) : undefined,
    ])
    for (const tag of toList(operation['tags'])) if (typeof tag === 'string' && tags.size < 10_000) tags.add(tag)
    walkServers(operation['servers'] ?? pathItem['servers'], spot)
    const parameters = new Map<string, { value: Json; at: string }>()
    for (const [owner, from] of [
      [pathItem, `${at}/..`],
      [operation, at],
    ] as const) {
      for (const [index, written] of toList(owner['parameters']).entries()) {
        const { value } = resolve(written)
        parameters.set(`${value['in']} ${value['name']}`, { value, at: `${from}/parameters/${index}` })
      }
    }
    for (const { value, at: place } of parameters.values()) {
      const name = value['name']
      if (typeof name !== 'string' || (value['in'] === 'header' && ignoredHeaders.test(name))) continue
      const row = { ...spot, rows: [name], at: place }
      add(row, [
        fact('name', [name], place),
        fact('text', [value['description']], place),
        value['deprecated'] === true ? fact('limit', ['deprecated'], place) : undefined,
      ])
      walkSchema(value['schema'], { ...row, hidden: 'readOnly' }, value['required'] === true)
      for (const content of Object.values(toJson(value['content'])))
        walkSchema(toJson(content)['schema'], { ...row, hidden: 'readOnly' })
      walkExamples(value, row)
    }
    const body = resolve(operation['requestBody']).value
    add(spot, [fact('text', [body['description']], `${at}/requestBody`)])
    // Readers receive the requests of webhooks and callbacks.
    const [ofRequest, ofResponse] =
      kind === 'operation' ? (['readOnly', 'writeOnly'] as const) : (['writeOnly', 'readOnly'] as const)
    walkContent(body, { ...spot, at: `${at}/requestBody`, hidden: ofRequest })
    for (const [code, written] of Object.entries(toJson(operation['responses']))) {
      if (code.startsWith('x-')) continue
      const response = resolve(written).value
      const place = { ...spot, at: `${at}/responses/${code}`, hidden: ofResponse }
      add(place, [
        fact('name', [code], place.at),
        fact('text', [response['summary']], place.at),
        fact('text', [response['description']], place.at),
      ])
      walkHeaders(response, place)
      walkContent(response, place)
      for (const [name, link] of Object.entries(toJson(response['links']))) {
        const { description, parameters: set } = resolve(link).value
        add(place, [
          fact('name', [name], place.at),
          fact('text', [description], place.at),
          ...Object.entries(toJson(set)).flatMap(([key, value]) => [
            fact('name', [key], place.at),
            fact('value', [toText(value)], place.at),
          ]),
        ])
      }
    }
    for (const requirement of toList(operation['security'] ?? (kind === 'operation' ? document['security'] : undefined))) {
      for (const [name, scopes] of Object.entries(toJson(requirement))) {
        const scheme = resolve(toJson(toJson(document['components'])['securitySchemes'])[name]).value
        add(spot, [
          fact('name', [name], `${at}/security`),
          fact('text', [scheme['description']], `${at}/security/${name}`),
          ...toList(scopes).map((scope) => fact('value', [scope], `${at}/security/${name}`)),
        ])
        schemes.add(name)
      }
    }
    if (depth > 1) return
    for (const [name, written] of Object.entries(toJson(operation['callbacks']))) {
      const callback = resolve(written).value
      for (const [expression, item] of Object.entries(callback)) {
        if (expression.startsWith('x-')) continue
        const path = resolve(item).value
        const place = { ...spot, at: `${at}/callbacks/${name}/${expression}` }
        add(place, [fact('name', [name], place.at), fact('name', [expression], place.at)])
        for (const method of methods) {
          if (isJson(path[method]))
            walkOperation(toJson(path[method]), path, { ...place, at: `${place.at}/${method}` }, 'callback', depth + 1)
        }
      }
    }
  }

  const schemas = toJson(toJson(document['components'])['schemas'])
  const wanted = new Set<string>()
  const schemes = new Set<string>()
  const tags = new Set<string>()
  for (const field of ['paths', 'webhooks', 'x-webhooks']) {
    for (const [name, written] of Object.entries(toJson(document[field]))) {
      const isPath = field === 'paths'
      if (isPath && !name.startsWith('/')) continue
      const item = resolve(written).value
      for (const method of methods) {
        const page = isPath ? `operation ${method.toUpperCase()} ${name}` : `webhook ${name}`
        const spot = { page, rows: [], at: `#/${field}/${name}/${method}` }
        const operation = item[method]
        if (isJson(operation)) walkOperation(operation, item, spot, isPath ? 'operation' : 'webhook', 0)
      }
    }
  }
  // Iterating a set includes values that are added meanwhile.
  for (const name of wanted) {
    if (!Object.hasOwn(schemas, name)) continue
    const at = `#/components/schemas/${name}`
    const page = `schema ${name}`
    add({ page, rows: [], at }, [fact('name', [name, String(toJson(schemas[name])['title'])], at)])
    walkSchema(schemas[name], { page, rows: [], at })
  }
  const api = { page: 'api', rows: [], at: '#' }
  const info = toJson(document['info'])
  add(api, [
    fact('text', [info['description']], '#/info/description'),
    fact('value', [info['version']], '#/info/version'),
    ...['name', 'identifier'].map((key) => fact('text', [toJson(info['license'])[key]], '#/info/license')),
    fact('text', [toJson(info['contact'])['name']], '#/info/contact'),
    fact('text', [toJson(document['externalDocs'])['description']], '#/externalDocs'),
  ])
  walkServers(document['servers'], api)
  for (const name of schemes) {
    const scheme = resolve(toJson(toJson(document['components'])['securitySchemes'])[name]).value
    const at = `#/components/securitySchemes/${name}`
    for (const flow of Object.values(toJson(scheme['flows']))) {
      const { authorizationUrl, tokenUrl, refreshUrl, scopes } = toJson(flow)
      add(api, [
        ...[authorizationUrl, tokenUrl, refreshUrl].map((url) => fact('value', [url], at)),
        ...Object.entries(toJson(scopes)).flatMap(([scope, words]) => [fact('value', [scope], at), fact('text', [words], at)]),
      ])
    }
    add(api, [
      fact('name', [name], at),
      fact('text', [scheme['description']], at),
      fact('value', [scheme['openIdConnectUrl']], at),
    ])
  }
  for (const tag of toList(document['tags'])) {
    const { name, description, externalDocs } = toJson(tag)
    if (typeof name !== 'string' || !tags.has(name)) continue
    add({ page: `tag ${name}`, rows: [], at: `#/tags/${name}` }, [
      fact('text', [description], `#/tags/${name}`),
      fact('text', [toJson(externalDocs)['description']], `#/tags/${name}`),
    ])
  }
  return found
}

/** The page of facts whose place in the site is free: those of schemas that only references name. */
export const anyPage = 'any'

function schemaFacts(schema: Json, at: string, isMerged: boolean): (Fact | undefined)[] {
  const facts: (Fact | undefined)[] = [
    fact('text', [schema['title']], `${at}/title`),
    fact('text', [schema['description']], `${at}/description`),
    fact('text', [toJson(schema['externalDocs'])['description']], `${at}/externalDocs`),
  ]
  // The listed values decide.
  const isNeverNull =
    'const' in schema ? schema['const'] !== null : Array.isArray(schema['enum']) && !schema['enum'].includes(null)
  const types = toList(Array.isArray(schema['type']) ? schema['type'] : [schema['type']])
  for (const type of types) {
    // The list of its properties says what an object is.
    if (isMerged || typeof type !== 'string' || (type === 'object' && isJson(schema['properties']))) continue
    if (type === 'null' && isNeverNull) continue
    // The page of a schema that it refers to says it too.
    const names = [schema, ...toList(schema['allOf'])].flatMap(
      (member) =>
        String(toJson(member)['$ref'] ?? '')
          .split('/')
          .at(-1) || [],
    )
    facts.push(fact('type', [...(typeWords[type] ?? [type]), ...names], `${at}/type`))
  }
  // Only 3.0 has it, where it means nothing beside a reference.
  if (schema['nullable'] === true && !isNeverNull && typeof schema['$ref'] !== 'string')
    facts.push(fact('type', ['null'], `${at}/nullable`))
  for (const key of ['format', 'pattern', 'contentMediaType', 'contentEncoding'])
    facts.push(fact('value', [schema[key]], `${at}/${key}`))
  for (const [key, value] of Object.entries(schema)) {
    if (isMerged || typeof value !== 'number' || !limitKeys.test(key)) continue
    // Nothing has a negative length.
    if (!/^min[A-Z]/.test(key) || value > 0) facts.push(fact('limit', [toNumber(value)], `${at}/${key}`))
  }
  // Kubernetes writes it for strings and booleans too, where it means nothing.
  if (schema['uniqueItems'] === true && (schema['type'] === undefined || types.includes('array')))
    facts.push(fact('limit', ['unique'], `${at}/uniqueItems`))
  for (const [key, word] of [
    ['readOnly', 'read-only'],
    ['writeOnly', 'write-only'],
    ['deprecated', 'deprecated'],
  ] as const)
    if (schema[key] === true) facts.push(fact('limit', [word], `${at}/${key}`))
  if (schema['additionalProperties'] === false)
    facts.push(fact('limit', ['no additional properties'], `${at}/additionalProperties`))
  for (const value of toList(schema['enum'])) facts.push(fact('value', [toText(value)], `${at}/enum`))
  for (const key of ['const', 'default', 'example'])
    if (schema[key] !== undefined) facts.push(fact('value', [toText(schema[key])], `${at}/${key}`))
  for (const value of toList(schema['examples'])) facts.push(fact('value', [toText(value)], `${at}/examples`))
  for (const key of ['x-enumDescriptions', 'x-enum-descriptions', 'x-enum-varnames', 'x-enumNames']) {
    const described = schema[key]
    const texts = Array.isArray(described) ? described : Object.values(toJson(described))
    for (const text of texts) facts.push(fact('text', [text], `${at}/${key}`))
  }
  const xml = toJson(schema['xml'])
  for (const key of ['name', 'prefix', 'namespace']) facts.push(fact('value', [xml[key]], `${at}/xml/${key}`))
  for (const [name, names] of Object.entries(toJson(schema['dependentRequired'])))
    facts.push(
      fact('name', [name], `${at}/dependentRequired`),
      ...toList(names).map((one) => fact('name', [one], `${at}/dependentRequired`)),
    )
  return facts
}

const limitKeys =
  /^(?:(?:min|max)(?:Length|Items|Properties|Contains)|minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/

const typeWords: Readonly<Record<string, readonly string[]>> = {
  // A row of nested properties, or the name of a schema, says it too.
  object: ['object', 'map', 'attributes', 'one of several', 'any of', 'one of'],
  array: ['array', 'list'],
}

function fact(kind: Fact['kind'], shown: readonly unknown[], at: string): Fact | undefined {
  const texts = shown.filter((text): text is string => typeof text === 'string' && text.trim() !== '')
  return texts.length === 0 ? undefined : { kind, shown: texts, at }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function toNumber(value: number): string {
  return Math.abs(value) >= 1e15 ? String(value) : value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A mapping; empty for other values. */
export function toJson(value: unknown): Json {
  return isJson(value) ? value : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function decodeStep(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
}

function readPointer(document: Json, pointer: string): unknown {
  return pointer.startsWith('#') ? valueAt(document, decodeURIComponent(pointer.slice(1))) : undefined
}

function toSentences(text: unknown): string[] {
  return typeof text === 'string' ? text.split(/(?<=[.!?])\s+|\n\s*\n/) : []
}
