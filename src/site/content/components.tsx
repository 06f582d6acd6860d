import type { ComponentType } from 'preact'
import type { MdxElement } from '../../mdx/types.ts'
import type { SiteContext } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import { Callout } from './callout.tsx'

/** What every component of a page is given. */
export interface ComponentProps {
  readonly element: MdxElement
  readonly context: SiteContext
  readonly page: SitePage
}

/** The components that pages may use, by name. */
export const components: ReadonlyMap<string, ComponentType<ComponentProps>> = new Map(
  ['Note', 'Info', 'Tip', 'Check', 'Warning', 'Danger'].map((name) => [name, Callout]),
)
