import type { ByLabel } from './config.ts'
import type { Division } from './types.ts'

/** What a setting says for a division: by its id, which tells those of one label apart, else by its label. */
export function settingOf<Value>({ byDefault, byLabel }: ByLabel<Value>, { id, label }: Pick<Division, 'id' | 'label'>): Value {
  const entry = byLabel.find((candidate) => candidate.label === id) ?? byLabel.find((candidate) => candidate.label === label)
  return entry?.value ?? byDefault
}
