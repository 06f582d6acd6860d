import { escapeMdx, renderMdxCode, toSafeLink } from '../../pages/escape-mdx.ts'
import { toOneLine } from '../../source/escape-text.ts'
import { listFirst } from '../../source/list-choices.ts'
import { toHeadingId } from '../../source/packed-index.ts'
import { describeBriefly, type RuleWithExamples } from '../../update/list-rules.ts'
import { english, type Messages } from '../messages/english.ts'
import { formatMessage } from '../messages/format-message.ts'
import { isRightToLeft } from '../render/shell/page-language.ts'

type Texts = Pick<Messages, 'styleGuide' | 'language'>

// The texts of rules stay in the language of the ruleset, which can have another direction than the page.

/** Renders all rules as MDX: a table, and a section for each rule. */
export function renderStyleGuide(rules: readonly RuleWithExamples[], messages: Texts): string {
  const { styleGuide: texts, language } = messages
  const rows = rules.map((listed) => {
    const { name } = listed.rule
    return `| [${renderMdxCode(name)}](#${toHeadingId(name)}) | ${texts[listed.severity]} | ${isolate(toCell(describeBriefly(listed)), language)} |\n`
  })
  const parts = [
    `${formatMessage(texts.run, { command: '`openapi-pages check`' }, language)}\n`,
    `| ${texts.rule} | ${texts.severity} | |\n| --- | --- | --- |\n${rows.join('')}`,
    ...rules.map((each) => renderRule(each, messages)),
  ]
  return parts.join('\n')
}

/** Renders the style guide as a page file with frontmatter, in English. */
export function renderStyleGuidePage(rules: readonly RuleWithExamples[]): string {
  const { title, lead } = english.styleGuide
  return `---\ntitle: ${title}\ndescription: ${lead}\n---\n\n${renderStyleGuide(rules, english)}`
}

/** Renders the section of a rule as MDX. */
export function renderRule(
  { rule, severity, releases, requires, examples }: RuleWithExamples,
  messages: Texts = english,
): string {
  const { styleGuide: texts, language } = messages
  const link = rule.documentationUrl === undefined ? undefined : toSafeLink(rule.documentationUrl)
  const facts = formatMessage(texts.severityIs, { severity: `**${texts[severity]}**` }, language)
  const described = rule.description?.trim() || requires.join('\n\n')
  const parts = [
    `## ${renderMdxCode(rule.name)}\n`,
    isRightToLeft(language) ? `<div dir="auto">\n\n${escapeMdx(described)}\n\n</div>\n` : `${escapeMdx(described)}\n`,
    `${facts} · OpenAPI ${releases.join(', ')}\n`,
    ...examples.map(({ isValid, text, messages: said }) => {
      // By default, a rule reports its description, which can be cut.
      const others = said.map(toOneLine).filter((message) => !toOneLine(described).startsWith(message.replace(/…$/, '')))
      const problems = listFirst(others, 3, escapeMdx)
      const fence = '`'.repeat(Math.max(3, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length + 1)))
      return `**${isValid ? texts.right : texts.wrong}**${problems === '' ? '' : ` ${isolate(problems, language)}`}\n\n${fence}yaml\n${text.trimEnd()}\n${fence}\n`
    }),
    ...(link === undefined ? [] : [`[${texts.documentation}](${link})\n`]),
  ]
  return parts.join('\n')
}

function isolate(text: string, language: string): string {
  return isRightToLeft(language) ? `<bdi>${text}</bdi>` : text
}

function toCell(text: string): string {
  return escapeMdx(text).replaceAll('|', '\\|')
}
