import { isObject, readOwn } from '../../../source/is-object.ts'
import { listChoices, listFirst } from '../../../source/list-choices.ts'
import { parsePath } from '../json-path/parse-path.ts'
import type { Selector, Step } from '../json-path/syntax.ts'
import type { Rule, RuleAction } from '../ruleset.ts'

/** Says in a few words what an expression selects: "each entry of `paths`, then `get` or `put`". Undefined for conditions and more. */
export function describeGiven(expression: string): string | undefined {
  const parsed = parsePath(expression)
  if (parsed.kind === 'failed') return undefined
  const { steps, selectsKeys } = parsed.path
  const parts: string[] = []
  for (const step of steps) {
    const part = describeStep(step)
    if (part === undefined) return undefined
    parts.push(part)
  }
  const [first, ...others] = parts.length === 0 ? ['the document'] : parts
  const path = [first, ...others].join(', then ')
  return selectsKeys ? `the keys of: ${path}` : path
}

function describeStep(step: Step): string | undefined {
  if (step.kind === 'parent') return 'the object around it'
  if (step.kind === 'objects') return 'every object and list in it'
  const selected = step.selectors.map(describeSelector)
  const names = step.selectors.flatMap((selector) => (selector.kind === 'name' ? selector.name : []))
  if (selected.some((each) => each === undefined)) return undefined
  const text = names.length === selected.length ? listChoices(names) : selected.join(' or ')
  return step.isDeep ? `at any depth ${text}` : text
}

function describeSelector(selector: Selector): string | undefined {
  if (selector.kind === 'name') return `\`${selector.name}\``
  if (selector.kind === 'wildcard') return 'each entry'
  return selector.kind === 'last' && selector.index === -1 ? 'the last entry' : undefined
}

/** Says what a rule requires of the values that it selects, one line for each action. */
export function describeActions({ then }: Pick<Rule, 'then'>): readonly string[] {
  return then.map((action) => `${describeField(action)} ${describeFunction(action)}`)
}

function describeField({ field }: RuleAction): string {
  if (field === undefined) return 'The value'
  return field === '@key' ? 'Each key' : `\`${field}\``
}

function describeFunction({ functionName, options }: RuleAction): string {
  const option = (name: string) => readOwn(options, name)
  const names = () => (Array.isArray(option('properties')) ? (option('properties') as readonly unknown[]).map(String) : [])
  switch (functionName) {
    case 'truthy':
      return 'must be present and not empty, `false`, `0` or `null`'
    case 'falsy':
      return 'must be absent, empty, `false`, `0` or `null`'
    case 'defined':
      return 'must be present'
    case 'undefined':
      return 'must be absent'
    case 'pattern':
      return [
        ...(typeof option('match') === 'string' ? [`must match the pattern \`${String(option('match'))}\``] : []),
        ...(typeof option('notMatch') === 'string' ? [`must not match the pattern \`${String(option('notMatch'))}\``] : []),
      ].join(' and ')
    case 'casing':
      return `must be in ${String(option('type'))} case${option('disallowDigits') === true ? ' without digits' : ''}`
    case 'enumeration': {
      const values = option('values')
      return `must be one of ${listFirst(Array.isArray(values) ? values : [], 20, (value) => `\`${String(value)}\``)}`
    }
    case 'length':
      return `must have ${describeLength(option('min'), option('max'))}`
    case 'alphabetical': {
      const key = option('keyedBy')
      return `must be in alphabetical order${typeof key === 'string' ? ` of \`${key}\`` : ''}`
    }
    case 'or':
      return `must have at least one of ${listChoices(names())}`
    case 'xor':
      return `must have exactly one of ${listChoices(names())}`
    case 'typedEnum':
      return 'must have only values of its `type` in `enum`'
    case 'unreferencedReusableObject':
      return 'must have only entries that are referenced'
    case 'schema':
      return describeSchema(option('schema'))
    default:
      return `is checked by the function \`${functionName}\`${isObject(options) ? ` with the options \`${shortJson(options)}\`` : ''}`
  }
}

function describeLength(min: unknown, max: unknown): string {
  const unit = 'characters, entries or keys'
  if (typeof min === 'number' && typeof max === 'number') return `${min} to ${max} ${unit}`
  return typeof min === 'number' ? `at least ${min} ${unit}` : `at most ${String(max)} ${unit}`
}

function describeSchema(schema: unknown): string {
  return `must match the JSON Schema \`${shortJson(schema)}\``
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
