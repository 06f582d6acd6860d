// biome-ignore-all lint/suspicious/noThenProperty: the name of a key in ruleset files.

import { stringify } from 'yaml'
import { isContainer } from '../../../source/is-object.ts'
import type { Conversion, ConvertedRule } from './conversion.ts'

/** Longer values have a line for each entry. */
const maxLineLength = 120

/**
 * The text of a ruleset with converted rules. Undefined if there are none.
 *
 * @param header comment lines for its start, without `#`.
 */
export function renderRuleset(
  { rulesets, aliases, rules, overrides }: Conversion,
  header: readonly string[],
): string | undefined {
  if (rulesets.length === 0 && rules.length === 0 && overrides.length === 0) return undefined
  const usesSpectral = [...rules, ...overrides.flatMap((entry) => entry.rules)].some(({ written }) => !written)
  const extended = [...(usesSpectral ? ['[spectral:oas, off]'] : []), ...rulesets.map((path) => toFlow(path))]
  const lines = header.map((line) => `#${line === '' ? '' : ' '}${line}`)
  if (extended.length > 0) lines.push(`extends: [${extended.join(', ')}]`)
  if (Object.keys(aliases).length > 0) lines.push('aliases:', ...renderFields(aliases, '  '))
  if (rules.length > 0) lines.push('rules:', ...rules.flatMap((rule) => renderRule(rule, '  ')))
  if (overrides.length > 0) lines.push('overrides:')
  for (const { file, rules: changed } of overrides) {
    lines.push(`  - files: [${toFlow(file)}]`, '    rules:', ...changed.flatMap((rule) => renderRule(rule, '      ')))
  }
  return `${lines.join('\n')}\n`
}

function renderRule({ name, severity, written, oldName }: ConvertedRule, indent: string): readonly string[] {
  const comment = oldName === undefined ? [] : [`${indent}# ${oldName}`]
  if (!written) return [...comment, `${indent}${toFlow(name)}: ${severity}`]
  const { given, then: actions, ...others } = written
  return [...comment, `${indent}${toFlow(name)}:`, ...renderFields({ severity, ...others, given, then: actions }, `${indent}  `)]
}

/** Fields with a list get a line for each entry if they are long. */
function renderFields(fields: object, indent: string): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const line = `${indent}${key}: ${toFlow(value)}`
    if (!Array.isArray(value) || line.length <= maxLineLength) return [line]
    return [`${indent}${key}:`, ...value.map((entry) => `${indent}  - ${toFlow(entry)}`)]
  })
}

/** A value in one line. */
function toFlow(value: unknown): string {
  const options = { collectionStyle: 'flow', lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true } as const
  const text = stringify(value, isContainer(value) ? options : { ...options, blockQuote: false }).trimEnd()
  // Long collections are written in several lines.
  return text.includes('\n') ? JSON.stringify(value) : text
}
