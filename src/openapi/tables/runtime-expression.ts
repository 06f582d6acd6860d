import { entriesOf } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { reportField } from '../hints/report-problem.ts'
import type { CheckedObject, ObjectRule } from '../walk.ts'

const source =
  /^\$(?:url|method|statusCode|(?:request|response)\.(?:header\.[!#$%&'*+.^_`|~0-9A-Za-z-]+|(?:query|path)\..*|body(?:#(?:\/(?:[^~/]|~[01])*)*)?))$/s

/**
 * Reports invalid runtime expressions in the keys of a callback (also inside `{ }`), and in `parameters` and `requestBody` of a link if
 * the string starts with `$`.
 *
 * @see OpenAPI 3.1.1, "Runtime Expressions"
 */
export const runtimeExpression: ObjectRule = (object) => {
  const { value, walk, table } = object
  if (table.key === 'Callback') {
    for (const key in value) {
      const fault = key.startsWith('x-') ? undefined : findInvalidExpression(key)
      if (fault !== undefined) report(object, fault, key, 'key')
    }
    return
  }
  checkValue(object, 'requestBody', value['requestBody'])
  walk.path.push('parameters')
  for (const [name, expression] of entriesOf(value['parameters'])) checkValue(object, name, expression)
  walk.path.pop()
}

function checkValue(object: CheckedObject, key: string, expression: unknown): void {
  if (typeof expression === 'string' && expression.startsWith('$') && !source.test(expression))
    report(object, expression, key, 'value')
}

/** The first invalid expression in the key of a callback. */
function findInvalidExpression(key: string): string | undefined {
  if (key.startsWith('$')) return source.test(key) ? undefined : key
  return Array.from(key.matchAll(/\{([^{}]*)\}/g), ([, inner = '']) => inner).find(
    (inner) => inner.startsWith('$') && !source.test(inner),
  )
}

function report(object: CheckedObject, fault: string, key: string, on: 'key' | 'value'): void {
  reportField(object, {
    code: 'runtime-expression',
    key,
    on,
    message: `Unexpected \`${shorten(fault)}\`, expected a runtime expression such as \`$request.body#/url\``,
    hint: hintFor(fault),
  })
}

function hintFor(expression: string): string | undefined {
  const [, where, part] = /^\$(request|response)[./]?(\w*)/.exec(expression) ?? []
  if (where === undefined) return 'Start it with `$url`, `$method`, `$statusCode`, `$request.` or `$response.`'
  if (part === 'body') return `Write \`$${where}.body#/\` followed by the path of the value`
  return `Write \`$${where}.\` followed by \`header.\`, \`query.\`, \`path.\` or \`body#/\``
}
