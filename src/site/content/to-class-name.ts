import { readStyle } from '../../mdx/allowed-html.ts'
import type { MdxProps } from '../../mdx/types.ts'
import { type StyleVariant, toStyleClass } from './page-styles.ts'
import { readText } from './read-props.ts'
import { readUtility } from './utility-style.ts'

/**
 * The classes of our own that the `class` (or `className`) and `style` of an element or a component become, after ours; absent where there are
 * none. Nothing of what is written goes into the page as it is: known classes and allowed declarations become classes made from them.
 */
export function toClassName(props: MdxProps, ...ours: readonly (string | false | undefined)[]): string | undefined {
  const byVariant = new Map<StyleVariant, string[]>()
  for (const token of readText(props, 'class', 'className')?.split(/\s+/).slice(0, 100) ?? []) {
    const utility = readUtility(token)
    if (!utility) continue
    const list = byVariant.get(utility.variant) ?? []
    // `margin` before `margin-top`, whatever stands first.
    if (/^[a-z]+:/.test(utility.declaration)) list.unshift(utility.declaration)
    else list.push(utility.declaration)
    byVariant.set(utility.variant, list)
  }
  const style = readStyle(props['style'])
  if (style !== '') byVariant.set('', [...(byVariant.get('') ?? []), style])
  const made = [...byVariant].map(([variant, declarations]) => toStyleClass(declarations.join(';'), variant))
  const names = [...ours.filter((name) => typeof name === 'string' && name !== ''), ...made]
  return names.length === 0 ? undefined : names.join(' ')
}
