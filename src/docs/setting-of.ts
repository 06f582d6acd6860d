import type { ByLabel } from './config.ts'

/** What a setting says for the division with this label. */
export function settingOf<Value>({ byDefault, byLabel }: ByLabel<Value>, label: string): Value {
  return byLabel.find((entry) => entry.label === label)?.value ?? byDefault
}
