/** The values that `${{ … }}` can name: contexts such as `github`, `secrets` and `steps`. */
export type Contexts = { readonly [name: string]: unknown }

/**
 * Replaces every `${{ … }}` of a text with its value, as a runner does.
 *
 * Source: "Evaluate expressions in workflows and actions". Supports property paths, quoted literals, numbers, `true`, `false`,
 * `null`, the operators `! == != && ||`, parentheses, `contains`, `startsWith`, `format`, `success`, `failure` and `always`.
 */
export function fillExpressions(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_match, expression: string) => toText(evaluateExpression(expression, contexts)))
}

/** The value of one expression, as written in `if:` without `${{ }}`. */
export function evaluateExpression(expression: string, contexts: Contexts): unknown {
  const tokens = [...expression.matchAll(/\s*('(?:[^']|'')*'|[\w-]+(?:\.[\w-]+)*|==|!=|&&|\|\||[!(),])/g)].map(
    ([, token = '']) => token,
  )
  if (tokens.join('').length !== expression.replace(/\s+(?=(?:[^']*'[^']*')*[^']*$)/g, '').length) {
    throw new Error(`The test harness cannot parse the expression: ${expression}`)
  }
  let index = 0
  const take = (token: string) => tokens[index] === token && ++index > 0

  const parseOr = (): unknown => {
    let left = parseAnd()
    while (take('||')) {
      const right = parseAnd()
      left = left || right
    }
    return left
  }
  const parseAnd = (): unknown => {
    let left = parseEquals()
    while (take('&&')) {
      const right = parseEquals()
      left = left && right
    }
    return left
  }
  const parseEquals = (): unknown => {
    const left = parseNot()
    if (take('==')) return same(left, parseNot())
    return take('!=') ? !same(left, parseNot()) : left
  }
  const parseNot = (): unknown => (take('!') ? !parseNot() : parseValue())
  const parseValue = (): unknown => {
    if (take('(')) {
      const value = parseOr()
      if (!take(')')) throw new Error(`Missing bracket in:  ${expression}`)
      return value
    }
    const token = tokens[index++] ?? ''
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'")
    if (/^\d+$/.test(token)) return Number(token)
    if (token === 'true' || token === 'false') return token === 'true'
    if (token === 'null') return null
    if (take('(')) return callFunction(token, parseArguments(), contexts)
    return token.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), contexts)
  }
  const parseArguments = (): unknown[] => {
    const values: unknown[] = []
    while (!take(')')) {
      values.push(parseOr())
      take(',')
    }
    return values
  }
  return parseOr()
}

function callFunction(name: string, values: readonly unknown[], contexts: Contexts): unknown {
  const [first, second] = values.map(toText)
  switch (name) {
    case 'contains':
      return Array.isArray(values[0]) ? values[0].some((value) => same(value, values[1])) : (first ?? '').includes(second ?? '')
    case 'startsWith':
      return (first ?? '').startsWith(second ?? '')
    case 'format':
      return (first ?? '').replace(/\{(\d+)\}/g, (_match, index) => toText(values[Number(index) + 1]))
    case 'always':
      return true
    case 'success':
      return contexts['failed'] !== true
    case 'failure':
      return contexts['failed'] === true
    default:
      throw new Error(`The test harness does not support the expression function ${name}`)
  }
}

/** Strings are compared ignoring case, as on GitHub. */
function same(left: unknown, right: unknown): boolean {
  return toText(left).toLowerCase() === toText(right).toLowerCase()
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}
