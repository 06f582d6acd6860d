import changeExamples from '../../texts/change-examples.json' with { type: 'json' }
import type { ChangeCode } from './change.ts'

/** The base (`-`) or the revision (`+`) of the example of a code, as YAML. */
export function readExample(code: ChangeCode, side: '-' | '+'): string {
  const lines = changeExamples[code].filter((line) => line.startsWith(' ') || line.startsWith(side))
  return lines.map((line) => `${line.slice(1)}\n`).join('')
}
