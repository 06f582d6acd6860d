import { isObject } from '../../text/is-object.ts'
import { pointerChild } from '../../text/json-pointer.ts'
import { shorten } from '../name-value.ts'
import { citedEdition } from '../section-of.ts'
import type { Check } from './check.ts'

/**
 * Reports path templates that differ only in the names of their parameters. Source: OpenAPI 3.1.1, "Paths Object".
 *
 * Where the two share no method, each request still means one operation, and large real descriptions rely on that: a warning.
 */
export const pathTemplate: Check = ({ release, root, operations }, report) => {
  const methodsOf = (template: string) =>
    operations.filter((each) => each.pathTemplate === template).map(({ fields }) => fields.method)
  const paths = isObject(root.value) ? root.value['paths'] : undefined
  if (!isObject(paths)) return
  const firstByShape = new Map<string, string>()
  for (const template of Object.keys(paths)) {
    if (!template.startsWith('/')) continue
    const shape = template.replace(/\{[^{}]*\}/g, '{}')
    const first = firstByShape.get(shape)
    if (first === undefined) {
      firstByShape.set(shape, template)
      continue
    }
    const methods = methodsOf(first)
    const clash = methodsOf(template).some((method) => methods.includes(method))
    report({
      code: 'path-template',
      message: `Unexpected path \`${shorten(template)}\`: it is the same as \`${shorten(first)}\``,
      file: root.file,
      pointer: pointerChild('/paths', template),
      on: 'key',
      hint: 'put the operations of both under one path',
      section: `OpenAPI ${citedEdition[release]}, Paths Object`,
      related: [{ pointer: pointerChild('/paths', first), on: 'key', message: 'the same path' }],
      severity: clash ? 'error' : 'warning',
    })
  }
}
