import type { Finding } from '../diagnostic/diagnostic.ts'
import { parsePointer, valueAtPointer } from '../text/json-pointer.ts'
import type { WalkedDocument } from './document-set.ts'

/** More faults, and more values in each, are not looked at. */
const maxFaults = 500
const maxValues = 20_000

/** Takes away that a component is not used where something that names it has a fault, and so was not read. */
export function dropUnused(findings: readonly Finding[], documents: ReadonlyMap<string, WalkedDocument>): readonly Finding[] {
  if (!findings.some(({ code }) => code === 'unused-component')) return findings
  const faults = findings.filter(({ code }) => unread.has(code)).slice(0, maxFaults)
  if (faults.length === 0) return findings
  const named = listNames(faults, documents)
  return findings.filter(({ code, pointer }) => code !== 'unused-component' || !named.has(parsePointer(pointer).at(-1) ?? ''))
}

const unread: ReadonlySet<Finding['code']> = new Set(['unknown-field', 'wrong-type', 'security-scheme', 'reference-unresolved'])

/** All words of the values that have a fault, and of what was meant instead. */
function listNames(faults: readonly Finding[], documents: ReadonlyMap<string, WalkedDocument>): Set<string> {
  const names = new Set<string>()
  const add = (text: string) => {
    for (const word of text.slice(0, 300).match(/[\w.-]+/g) ?? []) names.add(word)
  }
  const waiting: unknown[] = []
  for (const { file, pointer, hint } of faults) {
    add(hint ?? '')
    waiting.push(valueAtPointer(documents.get(file)?.parsed.value, pointer))
  }
  for (let count = 0; waiting.length > 0 && count < maxValues; count++) {
    const value = waiting.pop()
    if (typeof value === 'string') add(value)
    else if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) for (const key of Object.keys(value)) names.add(key)
      for (const entry of Object.values(value)) waiting.push(entry)
    }
  }
  return names
}
