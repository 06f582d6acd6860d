/** The operations of a path item, by the name of their method. */
const methods = '[get,put,post,delete,options,head,patch,trace,query]'

/** Selects objects, so that no rule asks a string or a list for a field. */
const isObjectCondition = "@ && @.constructor.name === 'Object'"

/** Objects that can have the keyword `properties`. The mapping `properties` can have a property of that name, which is none. */
const holders = `..[?(@property !== 'properties' && ${isObjectCondition})]`

/** The schemas that are in no other schema. */
const topSchemas = ['$.components.schemas[*]', '$..content[*].schema', '$..parameters[*].schema', '$..headers[*].schema']

/** The schemas inside of a schema or of another object. */
function schemasBelow(root: string): readonly string[] {
  const lists = `[properties,patternProperties,dependentSchemas,allOf,anyOf,oneOf,prefixItems][?(${isObjectCondition})]`
  return [
    `${root}${lists}`,
    `${root}${holders}${lists}`,
    `${root}..[?(${isObjectCondition} && @property.match(/^(items|not|additionalProperties|if|then|else|contains|propertyNames|unevaluatedItems|unevaluatedProperties)$/))]`,
  ]
}

/** The `properties` of a schema, or of another object, and of all schemas inside of it. */
export function propertiesBelow(root: string): readonly string[] {
  return [`${root}.properties`, `${root}${holders}.properties`]
}

/**
 * The objects of a document by their type in Redocly, as JSONPath expressions. `#Name` is another type.
 *
 * Source: Redocly CLI, "Configurable rules" (docs/rules/configurable-rules.md), "Subject node types and properties".
 */
const expressionsByType: Readonly<Record<string, readonly string[]>> = {
  Root: ['$'],
  Info: ['$.info'],
  Contact: ['$.info.contact'],
  License: ['$.info.license'],
  Logo: ["$.info['x-logo']"],
  TagList: ['$.tags'],
  Tag: ['$.tags[*]'],
  TagGroups: ["$['x-tagGroups']"],
  TagGroup: ["$['x-tagGroups'][*]"],
  ExternalDocs: ['$.externalDocs', '$.tags[*].externalDocs', '#Operation.externalDocs', '#Schema.externalDocs'],
  ServerList: ['$.servers', '#PathItem.servers', '#Operation.servers'],
  Server: ['#ServerList[*]', '#Link.server'],
  ServerVariablesMap: ['#Server.variables'],
  ServerVariable: ['#ServerVariablesMap[*]'],
  SecurityRequirementList: ['$.security', '#Operation.security'],
  SecurityRequirement: ['#SecurityRequirementList[*]'],
  Paths: ['$.paths'],
  WebhooksMap: ['$.webhooks'],
  PathItem: [
    '$.paths[*]',
    '$.webhooks[*]',
    '$.components.pathItems[*]',
    '$.components.callbacks[*][*]',
    '$.paths[*][*].callbacks[*][*]',
    '$.webhooks[*][*].callbacks[*][*]',
  ],
  Operation: [`#PathItem${methods}`, '#PathItem.additionalOperations[*]'],
  ParameterList: ['#PathItem.parameters', '#Operation.parameters'],
  Parameter: ['#ParameterList[*]', '$.components.parameters[*]'],
  RequestBody: ['#Operation.requestBody', '$.components.requestBodies[*]'],
  Responses: ['#Operation.responses'],
  Response: ['#Responses[*]', '$.components.responses[*]'],
  HeadersMap: ['#Response.headers'],
  Header: ['#HeadersMap[*]', '$.components.headers[*]'],
  MediaTypesMap: ['#RequestBody.content', '#Response.content', '#Parameter.content', '#Header.content'],
  MediaType: ['#MediaTypesMap[*]'],
  EncodingMap: ['#MediaType.encoding'],
  Encoding: ['#EncodingMap[*]'],
  ExamplesMap: ['#MediaType.examples', '#Parameter.examples', '#Header.examples'],
  Example: ['#ExamplesMap[*]', '$.components.examples[*]'],
  LinksMap: ['#Response.links'],
  Link: ['#LinksMap[*]', '$.components.links[*]'],
  CallbacksMap: ['#Operation.callbacks'],
  Callback: ['#CallbacksMap[*]', '$.components.callbacks[*]'],
  Components: ['$.components'],
  NamedSchemas: ['$.components.schemas'],
  NamedResponses: ['$.components.responses'],
  NamedParameters: ['$.components.parameters'],
  NamedExamples: ['$.components.examples'],
  NamedRequestBodies: ['$.components.requestBodies'],
  NamedHeaders: ['$.components.headers'],
  NamedSecuritySchemes: ['$.components.securitySchemes'],
  NamedLinks: ['$.components.links'],
  NamedCallbacks: ['$.components.callbacks'],
  SecurityScheme: ['$.components.securitySchemes[*]'],
  OAuth2Flows: ['#SecurityScheme.flows'],
  ImplicitFlow: ['#OAuth2Flows.implicit'],
  PasswordFlow: ['#OAuth2Flows.password'],
  ClientCredentials: ['#OAuth2Flows.clientCredentials'],
  AuthorizationCode: ['#OAuth2Flows.authorizationCode'],
  TopSchema: topSchemas,
  Schema: [...topSchemas, ...schemasBelow('#TopSchema')],
  SchemaProperties: propertiesBelow('#TopSchema'),
  Discriminator: ['#Schema.discriminator'],
  DiscriminatorMapping: ['#Schema.discriminator.mapping'],
  Xml: ['#Schema.xml'],
}

/** Whether the objects of this type can be selected. */
export function isKnownType(type: string): boolean {
  return Object.hasOwn(expressionsByType, type)
}

/** The expressions that select the objects of a type. */
export function expressionsOf(type: string): readonly string[] {
  return Object.hasOwn(expressionsByType, type) ? (expressionsByType[type] ?? []) : []
}

/** Adds the aliases in expressions, and the aliases that these name. */
export function collectAliases(expressions: readonly string[], aliases: Record<string, readonly string[]>): void {
  for (const expression of expressions) {
    const [, name] = /^#(\w+)/.exec(expression) ?? []
    if (name === undefined || Object.hasOwn(aliases, name)) continue
    const own = expressionsOf(name)
    collectAliases(own, aliases)
    aliases[name] = own
  }
}

/** Which objects of a type to select: by their key in the object around them, and by their values. */
export interface Restriction {
  readonly hasKey?: (key: string) => boolean
  /** The same as a condition. */
  readonly keyCondition?: string
  /** A condition for the object `@`. */
  readonly valueCondition?: string
}

/** Selects fewer objects. Undefined if an expression has no last step to restrict, as the root. */
export function restrict(expressions: readonly string[], restriction: Restriction): readonly string[] | undefined {
  const { hasKey, keyCondition, valueCondition } = restriction
  if (!keyCondition && !valueCondition) return expressions
  const restricted: string[] = []
  for (const expression of expressions) {
    const last = splitLastStep(expression)
    if (!last) return undefined
    const { before, keys, condition } = last
    if (!keys) {
      restricted.push(`${before}[?(${[condition, keyCondition, valueCondition].filter(Boolean).join(' && ')})]`)
      continue
    }
    const left = hasKey ? keys.filter(hasKey) : keys
    if (left.length === 0) continue
    if (valueCondition) restricted.push(`${before}[?(${toKeyCondition(left)} && ${valueCondition})]`)
    else restricted.push(left.length === keys.length ? expression : `${before}[${left.join(',')}]`)
  }
  return restricted
}

/** Splits `….name`, `…[a,b]`, `…[*]` and `…[?(…)]`. Without `keys`, the step selects all children that meet the condition. */
function splitLastStep(
  expression: string,
): { readonly before: string; readonly keys?: readonly string[]; readonly condition?: string } | undefined {
  if (expression.endsWith('[*]')) return { before: expression.slice(0, -3) }
  if (expression.endsWith(')]')) {
    const start = expression.lastIndexOf('[?(')
    return { before: expression.slice(0, start), condition: expression.slice(start + 3, -2) }
  }
  if (expression.endsWith(']')) {
    const start = expression.lastIndexOf('[')
    const keys = expression.slice(start + 1, -1).split(',')
    return { before: expression.slice(0, start), keys: keys.map((key) => key.replaceAll("'", '')) }
  }
  const dot = expression.lastIndexOf('.')
  if (dot === -1) return undefined
  // `..name` stays a search.
  const before = expression.charAt(dot - 1) === '.' ? expression.slice(0, dot + 1) : expression.slice(0, dot)
  return { before, keys: [expression.slice(dot + 1)] }
}

/** The condition for one of these keys. */
export function toKeyCondition(keys: readonly string[]): string {
  const conditions = keys.map((key) => `@property === ${quote(key)}`)
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' || ')})`
}

/** A string in an expression. */
export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/**
 * The expressions for objects of a type inside of others. Undefined if it is not known how one leads to the other.
 *
 * @param outer the expressions for the objects of `outerType`.
 */
export function expressionsBelow(type: string, outerType: string, outer: readonly string[]): readonly string[] | undefined {
  if (type === outerType) return outer
  if (type === 'Schema' || type === 'SchemaProperties') {
    if (outerType === 'Root') return expressionsOf(type)
    if (type === 'SchemaProperties') return outer.flatMap((expression) => propertiesBelow(expression))
    const inside = outer.flatMap((expression) => schemasBelow(expression))
    if (outerType === 'Schema') return inside
    if (outerType === 'SchemaProperties') return [...outer.map((each) => `${each}[?(${isObjectCondition})]`), ...inside]
    return [...outer.map((expression) => `${expression}..[?(@property === 'schema' && ${isObjectCondition})]`), ...inside]
  }
  const found = findBelow(type, outerType, outer)
  return found.length > 0 ? found : undefined
}

function findBelow(type: string, outerType: string, outer: readonly string[]): readonly string[] {
  return expressionsOf(type).flatMap((expression) => {
    const [alias, name] = /^#(\w+)/.exec(expression) ?? []
    if (alias !== undefined && name !== undefined) {
      const bases = name === outerType ? outer : findBelow(name, outerType, outer)
      return bases.map((base) => base + expression.slice(alias.length))
    }
    const around = expressionsOf(outerType).find((each) => {
      return each.startsWith('$') && expression.startsWith(each) && '.['.includes(expression.charAt(each.length))
    })
    return around === undefined ? [] : outer.map((base) => base + expression.slice(around.length))
  })
}
