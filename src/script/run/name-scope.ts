import type { Binding, Scope, Value } from '../values/types.ts'

export function createScope(parent: Scope | undefined, file: string, isFunction = false): Scope {
  return { names: new Map(), parent, file, isFunction }
}

export function declare(scope: Scope, name: string, value: Value, isConstant = false): void {
  scope.names.set(name, { value, isConstant })
}

/** Declares a name whose value is read at its first use. */
export function declareLazily(scope: Scope, name: string, read: () => Value): void {
  scope.names.set(name, { value: undefined, isConstant: false, read })
}

/** Returns the scope for a `var`. */
export function functionScope(scope: Scope): Scope {
  let found = scope
  while (!found.isFunction && found.parent) found = found.parent
  return found
}

export function findBinding(scope: Scope, name: string): Binding | undefined {
  for (let one: Scope | undefined = scope; one; one = one.parent) {
    const binding = one.names.get(name)
    if (binding) return binding
  }
  return undefined
}

export function readBinding(binding: Binding): Value {
  if ('read' in binding && binding.read) {
    binding.value = binding.read()
    binding.read = undefined
  }
  return binding.value
}
