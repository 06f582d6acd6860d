import type { ByLabel } from './config.ts'

/** What a setting says for a division: by its id, which tells those of one label apart, else by its label. */
export function settingOf<Value>(
  { byDefault, byLabel }: ByLabel<Value>,
  { id, label }: { readonly id: string; readonly label: string | undefined },
): Value {
  const entry = byLabel.find((candidate) => candidate.label === id) ?? byLabel.find((candidate) => candidate.label === label)
  return entry?.value ?? byDefault
}
