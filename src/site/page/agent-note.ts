import type { SiteSettings } from '../plan/types.ts'
import { type SiteContext, toFileUrl } from './site-context.ts'

/**
 * The start of the Markdown of every page: where all pages are listed, and the instructions of the authors. Assistants often read a single page.
 */
export function renderAgentNote(context: Pick<SiteContext, 'hosting' | 'plan'>): string {
  const index = quote([
    '## Documentation Index',
    `All pages of this documentation are listed at ${toFileUrl(context.hosting, 'llms.txt')}`,
  ])
  const instructions = renderInstructions(context.plan.settings)
  return `${index}${instructions === '' ? '' : `>\n${instructions}`}\n`
}

/** The block with `markdown.instructions` of `docs.json`; `''` without. */
export function renderInstructions({ instructions }: Pick<SiteSettings, 'instructions'>): string {
  return instructions.length === 0 ? '' : quote(['## Agent Instructions', ...instructions.flatMap((text) => text.split(/\r?\n/))])
}

function quote(lines: readonly string[]): string {
  return lines.map((line) => `${`> ${line}`.trimEnd()}\n`).join('')
}

/** The longest name, in characters. Source: agentskills.io, "Specification". */
export const maxAgentName = 64

/** The name of a site for agents: lower-case letters, digits and single hyphens. */
export function toAgentName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['docs']
  return words.join('-').slice(0, maxAgentName).replace(/-$/, '')
}
