import type { CollectedOperation, PathItemEntry } from '../collect-operations.ts'

/** The methods of each path. */
export function listMethods(operations: readonly CollectedOperation[]): Map<PathItemEntry, string[]> {
  const methods = new Map<PathItemEntry, string[]>()
  for (const { entry, fields } of operations) {
    const known = methods.get(entry)
    if (known) known.push(fields.method)
    else methods.set(entry, [fields.method])
  }
  return methods
}
