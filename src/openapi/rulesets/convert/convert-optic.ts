// biome-ignore-all lint/suspicious/noThenProperty: the name of a key in ruleset files.

import type { DiagnosticCode } from '../../../diagnostics/codes.ts'
import { isObject, type JsonObject, listOf, readOwn } from '../../../source/is-object.ts'
import { pointerChild } from '../../../source/json-pointer.ts'
import { isUrl } from '../../../source/relative-path.ts'
import type { ActionData } from '../spectral-oas.ts'
import { type Conversion, type ConvertedRule, type LeftOut, pattern, type RulesetSeverity, schema, truthy } from './conversion.ts'
import { propertiesBelow, quote, restrict } from './select-objects.ts'

/** The naming conventions of Optic as regular expressions, without anchors. Each string matches in one way only. */
const casings: Readonly<Record<string, string>> = {
  camelCase: '[a-z](?:[a-z0-9]|[A-Z](?=[a-z0-9]))*',
  'Capital-Param-Case': '[A-Z0-9][a-z0-9]*(?:-[A-Z0-9][a-z0-9]*)*',
  'param-case': '[a-z0-9]+(?:-[a-z0-9]+)*',
  PascalCase: '[A-Z](?=[a-z0-9])(?:[a-z0-9]|[A-Z](?=[a-z0-9]))*',
  snake_case: '[a-z0-9]+(?:_[a-z0-9]+)*',
  'case-insensitive-param-case': '[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*',
}

/** The operations that Optic checks. */
const operations = ['$.paths[*][get,put,post,delete,options,head,patch,trace]']

const jsonLike = '[?(@property.match(/^(application\\/(json|xml)|text\\/(json|plain)|[^;]*[+](json|xml))\\s*(;|$)/))]'

/** Requires one of the fields `example` and `examples`. */
const hasExample: ActionData = { function: 'or', functionOptions: { properties: ['example', 'examples'] } }

/** A rule for each option of a ruleset of Optic. `#` is an operation. */
interface OpticRule {
  readonly option: string
  readonly name: string
  readonly message?: string
  readonly given: readonly string[]
  /** @param casing the regular expression of the value of the option. */
  readonly then: (casing: string) => ActionData
}

const has = (field: string) => () => truthy(field)
const matches = (field?: string) => (casing: string) => pattern({ match: `^${casing}$` }, field)

function parameters(place: string): readonly string[] {
  return ['#.parameters', '$.paths[*].parameters'].map((list) => `${list}[?(@ && @.in === ${quote(place)})]`)
}

const bodies = ['#.requestBody.content[*].schema', '#.responses[*].content[*].schema']

/**
 * The rulesets of Optic with what does the same.
 *
 * Source: Optic, "Standard rulesets" (projects/standard-rulesets/README.md), and their source.
 */
const opticRulesets: Readonly<Record<string, readonly OpticRule[]>> = {
  naming: [
    { option: 'requestHeaders', name: 'request-header-naming', given: parameters('header'), then: matches('name') },
    { option: 'queryParameters', name: 'query-parameter-naming', given: parameters('query'), then: matches('name') },
    { option: 'cookieParameters', name: 'cookie-parameter-naming', given: parameters('cookie'), then: matches('name') },
    {
      option: 'responseHeaders',
      name: 'response-header-naming',
      given: ['#.responses[*].headers[*]~'],
      then: matches(),
    },
    { option: 'operationId', name: 'operation-id-naming', given: ['#'], then: matches('operationId') },
    {
      option: 'pathComponents',
      name: 'path-component-naming',
      given: ['$.paths[*]~'],
      then: (casing) => pattern({ match: `^(?:\\/(?:\\{[^/]*|${casing})?)*$` }),
    },
    {
      option: 'properties',
      name: 'property-naming',
      given: bodies.flatMap(propertiesBelow).map((each) => `${each}[*]~`),
      then: matches(),
    },
  ],
  documentation: [
    { option: 'require_operation_summary', name: 'operation-summary', given: ['#'], then: has('summary') },
    { option: 'require_operation_description', name: 'operation-description', given: ['#'], then: has('description') },
    { option: 'require_operation_id', name: 'operation-id', given: ['#'], then: has('operationId') },
    {
      option: 'require_property_descriptions',
      name: 'property-description',
      given: bodies.flatMap(propertiesBelow).map((each) => `${each}[?(@ && @.constructor.name === 'Object')]`),
      then: has('description'),
    },
  ],
  examples: [
    {
      option: 'require_request_examples',
      name: 'request-example',
      given: [`#.requestBody.content${jsonLike}`],
      then: () => hasExample,
    },
    {
      option: 'require_response_examples',
      name: 'response-example',
      given: [`#.responses[*].content${jsonLike}`],
      then: () => hasExample,
    },
    {
      option: 'require_parameter_examples',
      name: 'parameter-example',
      message: 'A parameter needs an example',
      given: ['#.parameters', '$.paths[*].parameters'].map((list) => `${list}[?(@ && @.in !== 'path')]`),
      // One `not`, because a failed `anyOf` is a problem for each of its schemas.
      then: () =>
        schema({
          not: {
            not: {
              anyOf: [
                { required: ['example'] },
                { required: ['examples'] },
                { required: ['schema'], properties: { schema: { required: ['example'] } } },
              ],
            },
          },
        }),
    },
  ],
}

const commonOptions = ['exclude_operations_with_extension', 'required_on', 'applies', 'severity']

const otherKeys: Readonly<Record<string, string>> = {
  extends: 'URLs are not read. Save it as a file, and convert that',
  capture: 'traffic is not captured',
  tasks: 'traffic is not captured',
  external_refs: 'headers for URLs have no equivalent',
  files: 'documents are found by themselves',
}

/** Converts an `optic.yml`. Never executes anything. */
export function convertOptic(value: JsonObject, file: string): Conversion {
  const leftOut: LeftOut[] = []
  const rules: ConvertedRule[] = []
  const rulesets: string[] = []
  const severities = new Map<DiagnosticCode, 'error'>()
  let failsOnBreaking = false
  const list = Array.isArray(value['ruleset']) ? value['ruleset'] : []
  for (const [index, entry] of list.entries()) {
    const name = isObject(entry) ? (Object.keys(entry)[0] ?? '') : String(entry)
    const options = isObject(entry) && isObject(entry[name]) ? entry[name] : {}
    const at = pointerChild(`/ruleset/${index}`, name)
    const place = { file, pointer: isObject(entry) ? at : `/ruleset/${index}` }
    const report = (what: string, reason: string) => {
      const pointer = what !== name && Object.hasOwn(options, what) ? pointerChild(at, what) : place.pointer
      leftOut.push({ what, reason, file, pointer })
    }
    const severity: RulesetSeverity =
      options['severity'] === 'warn' || options['severity'] === 'info' ? options['severity'] : 'error'
    if (name === 'breaking-changes') {
      failsOnBreaking ||= severity === 'error'
      reportBreakingOptions(options, report)
      continue
    }
    if (name === 'spectral') {
      rulesets.push(...listRulesets(options, report))
      continue
    }
    const known = name.replace(/-changes$/, '')
    const rows = Object.hasOwn(opticRulesets, known) ? opticRulesets[known] : undefined
    if (!rows) {
      report(name, explainUnknown(name))
      continue
    }
    if (name === 'examples' && severity === 'error') severities.set('example-mismatch', 'error')
    rules.push(...convertRuleset(rows, options, severity, report))
  }
  for (const key of Object.keys(value)) {
    const reason = Object.hasOwn(otherKeys, key) ? otherKeys[key] : undefined
    if (reason !== undefined) leftOut.push({ what: key, reason, file, pointer: pointerChild('', key) })
  }
  const settings = { severities, ignored: [], ...(failsOnBreaking ? ({ failOn: 'breaking' } as const) : {}) }
  return { rulesets, aliases: {}, rules, overrides: [], settings, leftOut }
}

type Report = (what: string, reason: string) => void

function convertRuleset(
  rows: readonly OpticRule[],
  options: JsonObject,
  severity: RulesetSeverity,
  report: Report,
): readonly ConvertedRule[] {
  for (const option of Object.keys(options)) {
    if (commonOptions.includes(option) || rows.some((row) => row.option === option)) continue
    report(option, option === 'docs_link' ? 'add it to the ruleset as `documentationUrl`' : 'this option has no equivalent')
  }
  const when = options['required_on'] ?? options['applies'] ?? 'always'
  const whenKey = options['required_on'] === undefined ? 'applies' : 'required_on'
  if (when !== 'always') {
    report(whenKey, 'the rules apply to all operations. Accept the problems that exist now in a baseline')
  }
  const included = restrictOperations(options['exclude_operations_with_extension'])
  return rows.flatMap(({ option, name, message, given, then }): ConvertedRule[] => {
    const value = options[option]
    if (value === undefined || value === false) return []
    const casing = typeof value !== 'string' ? '' : Object.hasOwn(casings, value) ? casings[value] : undefined
    if (casing === undefined) {
      report(option, `the convention ${String(value)} is unknown`)
      return []
    }
    const expressions = given.flatMap((each) => (each.startsWith('#') ? included.map((base) => base + each.slice(1)) : [each]))
    const [first] = expressions
    // A rule for keys has the key as its property.
    const shown = given.some((each) => each.endsWith('~')) ? '{{property}}' : '{{value}}'
    const text = message ?? (casing === '' ? undefined : `${shown} is not in ${String(value)}`)
    const written = {
      ...(text === undefined ? {} : { message: text }),
      given: expressions.length === 1 && first !== undefined ? first : expressions,
      then: then(casing),
    }
    return [{ name, severity, written }]
  })
}

/** The operations without one of these extensions. */
function restrictOperations(excluded: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(excluded) ? excluded : excluded === undefined ? [] : [excluded]
  const conditions = entries.flatMap((entry) => {
    if (typeof entry === 'string') return [`@[${quote(entry)}] !== true && @[${quote(entry)}] !== 'true'`]
    if (!isObject(entry)) return []
    return Object.entries(entry).flatMap(([extension, values]) => {
      return (Array.isArray(values) ? values : []).map((value) => `@[${quote(extension)}] !== ${quote(String(value))}`)
    })
  })
  if (conditions.length === 0) return operations
  return restrict(operations, { valueCondition: conditions.join(' && ') }) ?? operations
}

function reportBreakingOptions(options: JsonObject, report: Report): void {
  if (options['skip_when_major_version_changes'] !== false) {
    report(
      'breaking-changes',
      'also in a new major version, breaking changes fail until they are accepted: `openapi-pages accept`',
    )
  }
  for (const option of Object.keys(options)) {
    if (option === 'exclude_operations_with_extension') {
      report(option, 'give these operations `x-stability-level: draft` or `alpha`, and their changes are not compared')
    }
    if (option === 'docs_link') report(option, 'each change links to its own documentation')
  }
}

/** The rulesets of Spectral that Optic runs. */
function listRulesets(options: JsonObject, report: Report): readonly string[] {
  const found: string[] = []
  for (const when of ['always', 'added', 'changed', 'addedOrChanged']) {
    const paths = listOf(readOwn(options, when)).filter((each) => typeof each === 'string')
    if (paths.length > 0 && when !== 'always') {
      report(when, 'the rules apply to all operations. Accept the problems that exist now in a baseline')
    }
    for (const path of paths) {
      if (isUrl(path)) report(when, `${path} is a URL. Name it in \`rulesets\` of openapi-pages.config.yaml with its hash`)
      else if (path.endsWith('.js')) report(when, `${path} is JavaScript, which is not run`)
      else if (!found.includes(path)) found.push(/^[./]/.test(path) ? path : `./${path}`)
    }
  }
  if (options['exclude_operations_with_extension'] !== undefined) {
    report('exclude_operations_with_extension', 'the rulesets apply to all operations')
  }
  return found
}

function explainUnknown(name: string): string {
  if (name === 'lintgpt') return 'there are no rules in natural language'
  if (name.startsWith('@')) return 'rulesets of Optic Cloud are not read'
  return 'JavaScript is not run. Write it as a rule of the ruleset'
}
