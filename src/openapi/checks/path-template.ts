import type { PathItemEntry } from '../collect-operations.ts'
import { shorten } from '../name-value.ts'
import { citedEdition } from '../section-of.ts'
import type { Check } from './check.ts'

/**
 * Reports path templates that differ only in the names of their parameters. Source: OpenAPI 3.1.1, "Paths Object".
 *
 * Where the two share no method, each request still means one operation, and large real descriptions rely on that: a warning.
 */
export const pathTemplate: Check = ({ release, paths, operations }, report) => {
  const methodsByPath = new Map<PathItemEntry, string[]>()
  for (const { entry, fields } of operations) {
    const known = methodsByPath.get(entry)
    if (known) known.push(fields.method)
    else methodsByPath.set(entry, [fields.method])
  }
  const firstByShape = new Map<string, PathItemEntry>()
  for (const path of paths) {
    const shape = path.name.replace(/\{[^{}]*\}/g, '{}')
    const first = firstByShape.get(shape)
    const [at, firstAt] = [path.places[0], first?.places[0]]
    if (!first || !at || !firstAt) {
      firstByShape.set(shape, path)
      continue
    }
    const methods = methodsByPath.get(first) ?? []
    const clash = methodsByPath.get(path)?.some((method) => methods.includes(method))
    report({
      code: 'path-template',
      message: `Unexpected path \`${shorten(path.name)}\`: it is the same as \`${shorten(first.name)}\``,
      file: at.file,
      pointer: at.pointer,
      on: 'key',
      hint: 'put the operations of both under one path',
      section: `OpenAPI ${citedEdition[release]}, Paths Object`,
      related: [{ file: firstAt.file, pointer: firstAt.pointer, on: 'key', message: 'the same path' }],
      severity: clash ? 'error' : 'warning',
    })
  }
}
