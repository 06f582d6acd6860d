import { type ComponentChild, h } from 'preact'

/** Our messages put names in backticks; here they become `<code>`. A backtick without its pair stays as it is. */
export function inlineCode(text: string): ComponentChild[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.length > 2 && part.startsWith('`') && part.endsWith('`') ? h('code', null, part.slice(1, -1)) : part))
}
