import { isAllowedUrl } from '../../mdx/allowed-html.ts'
import type { MdxProps } from '../../mdx/types.ts'
import { resolveHref } from '../site-context.ts'
import type { ComponentProps } from './components.tsx'
import { readText } from './read-props.ts'

/** Where a prop of a component leads; absent where it is no address that a page may link to, or (`media`) show. */
export function toLink(
  props: MdxProps,
  name: string,
  { context, page }: Pick<ComponentProps, 'context' | 'page'>,
  use: 'link' | 'media' = 'link',
): string | undefined {
  const url = readText(props, name)
  return url !== undefined && isAllowedUrl(url, use) ? resolveHref(context, url, page) : undefined
}
