import type { Pattern } from 'estree-jsx'
import { iterate, listEntries, toText } from '../values/operators.ts'
import { readMember } from '../values/read-member.ts'
import { type Evaluation, placeOf, type Scope, ThrownValue, toList, toObject, type Value } from '../values/values.ts'

/** Assigns a value to a name or member. */
type Assign = (target: Pattern, value: Value) => void

/** Takes a value apart: `{ title, kind = 'x', ...rest }`, `[first, , last]`. */
export function bindPattern(pattern: Pattern, value: Value, scope: Scope, evaluation: Evaluation, assign: Assign): void {
  const place = placeOf(pattern, scope.file)
  switch (pattern.type) {
    case 'AssignmentPattern':
      bindPattern(
        pattern.left,
        value === undefined ? evaluation.evaluate(pattern.right, scope) : value,
        scope,
        evaluation,
        assign,
      )
      return
    case 'ArrayPattern': {
      const items = iterate(value, evaluation, place)
      for (const [index, element] of pattern.elements.entries()) {
        if (!element) continue
        if (element.type === 'RestElement') bindPattern(element.argument, toList(items.slice(index)), scope, evaluation, assign)
        else bindPattern(element, items[index], scope, evaluation, assign)
      }
      return
    }
    case 'ObjectPattern': {
      if (value === undefined || value === null)
        throw new ThrownValue(`reads a property of \`${value}\``, place, `Cannot destructure ${value}`)
      const taken = new Set<string>()
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          const rest = listEntries(value, evaluation, place).filter(([key]) => !taken.has(key))
          bindPattern(property.argument, toObject(rest), scope, evaluation, assign)
          continue
        }
        const { key } = property
        const isName = key.type === 'Identifier' && !property.computed
        const name = isName ? key.name : toText(evaluation.evaluate(key, scope), evaluation, place)
        taken.add(name)
        bindPattern(property.value, readMember(value, name, place), scope, evaluation, assign)
      }
      return
    }
    case 'RestElement':
      bindPattern(pattern.argument, value, scope, evaluation, assign)
      return
    default:
      assign(pattern, value)
  }
}

/** Lists the names that a pattern declares. */
export function listNames(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return listNames(pattern.left)
    case 'RestElement':
      return listNames(pattern.argument)
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? listNames(element) : []))
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        listNames(property.type === 'RestElement' ? property.argument : property.value),
      )
    default:
      return []
  }
}
