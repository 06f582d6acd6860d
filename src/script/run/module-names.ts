import type { Identifier, Literal, Statement } from 'estree-jsx'
import type { Scope, Value } from '../values/values.ts'
import { listNames } from './bind-pattern.ts'
import { findBinding, readBinding } from './names.ts'

/** The name of an import or export, which can be a string. */
export function nameOf(node: Identifier | Literal): string {
  return node.type === 'Identifier' ? node.name : String(node.value)
}

/** The names that a statement declares. */
export function namesOf(node: Statement): readonly string[] {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => listNames(id))
  return (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id ? [node.id.name] : []
}

/** The value of a top-level name of a module. `undefined` if it does not exist. */
export function readDeclared(name: string, scope: Scope): Value {
  const binding = findBinding(scope, name)
  return binding && readBinding(binding)
}
