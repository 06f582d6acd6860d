import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import { describeBriefly, type ListedRule, type RuleWithExamples } from '../../docs/rules/list-rules.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { listFirst } from '../../text/plain/lists.ts'

/** A rule with everything that is shown about it. */
export interface ShownRule extends RuleWithExamples {
  /** Such as `.spectral.yaml:4` or `spectral:oas`. */
  readonly origin: string
}

/** Formats one line for each rule. */
export function formatRuleTable(rules: readonly ShownRule[], palette: Palette): string {
  const nameWidth = Math.max(...rules.map(({ rule }) => rule.name.length))
  const originWidth = Math.min(40, Math.max(...rules.map(({ origin }) => origin.length)))
  const lines = rules.map((listed) => {
    const { rule, severity, origin } = listed
    const columns = [
      palette[severity](severity.padEnd(7)),
      escapeText(rule.name.padEnd(nameWidth)),
      palette.dim(escapeText(origin.padEnd(originWidth))),
      escapeText(describeBriefly(listed)),
    ]
    return `${columns.join('  ').trimEnd()}\n`
  })
  return lines.join('')
}

/** Formats "3 rules: 1 error, 2 warnings". */
export function countRules(rules: readonly ListedRule[]): string {
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = rules.filter((each) => each.severity === severity).length
    return count === 0 ? [] : [severity === 'info' ? `${count} info` : formatCount(count, severity)]
  })
  return `${formatCount(rules.length, 'rule')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`
}

/** Formats everything about a rule. */
export function formatRule(shown: ShownRule, palette: Palette): string {
  const { rule, severity, origin, releases, actions, sameAs, examples } = shown
  const isOwn = rule.place.file !== 'spectral:oas'
  const parts = [
    `${palette.strong(escapeText(rule.name))} (${palette[severity](severity)})\n`,
    ...(rule.description === undefined ? [] : [`${escapeLines(rule.description)}\n`]),
    [
      `From:           ${escapeText(origin)}\n`,
      `Applies to:     OpenAPI ${releases.join(', ')}\n`,
      ...(sameAs.length > 0 ? [`Same as:        ${sameAs.join(', ')} (\`openapi-pages explain CODE\`)\n`] : []),
      ...toList(rule.documentationUrl).map((url) => `Documentation:  ${escapeText(url)}\n`),
    ].join(''),
    `Selects:\n\n${indent(rule.given.join('\n'))}\n`,
    `Requires:\n\n${indent(actions)}\n`,
    ...examples.map(({ isValid, text, messages }) => {
      const said = listFirst(messages, 3, (message) => message)
      return `${isValid ? 'Right:' : `Wrong: ${escapeText(said)}`}\n\n${indent(text.trimEnd())}\n`
    }),
    ...(examples.length === 0 && isOwn
      ? ['No examples. Add them to the rule as `x-tests`: `x-tests: [{ valid: … }, { invalid: … }]`\n']
      : []),
  ]
  return parts.join('\n')
}

function toList(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text]
}

function indent(text: string): string {
  return escapeLines(text).replace(/^(?=.)/gm, '  ')
}

function escapeLines(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => escapeText(line))
    .join('\n')
}
