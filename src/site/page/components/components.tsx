import type { ComponentType } from 'preact'
import { Accordion, AccordionGroup } from './accordion.tsx'
import { Badge } from './badge.tsx'
import { Button, Link } from './button.tsx'
import { Callout } from './callout.tsx'
import { Card, CardGroup, Column, Tile } from './card.tsx'
import { CodeBlockComponent } from './code-block-component.tsx'
import { CodeGroup } from './code-group.tsx'
import { Color, ColorItem, ColorRow } from './color.tsx'
import type { ComponentProps } from './component-props.tsx'
import { Expandable, Fields } from './fields.tsx'
import { Frame } from './frame.tsx'
import { GitHubRepo } from './github-repo.tsx'
import { IconComponent } from './icon-component.tsx'
import { Kbd, Latex } from './latex.tsx'
import { Mermaid } from './mermaid.tsx'
import { Panel } from './panel.tsx'
import { Prompt } from './prompt.tsx'
import { Steps } from './steps.tsx'
import { Tabs } from './tabs.tsx'
import { Tooltip } from './tooltip.tsx'
import { Tree, TreeFile, TreeFolder } from './tree.tsx'
import { Unavailable } from './unavailable.tsx'
import { Update } from './update.tsx'
import { Visibility } from './visibility.tsx'

/** `color` is the color of the icon. */
const icon = 'icon iconType color'
const styles = 'className class style'
const callout = `${icon} title ${styles}`
const field = `path query body header cookie name id type required optional deprecated default initialValue placeholder enum pre post ${styles}`

/**
 * A row for each component: its names, what shows it, and the properties that it reads. Instead of what shows it, the name of the parent that does, which
 * `groupSiblings` adds if it is missing. Pages cannot name rows without properties.
 */
const rows: readonly (readonly [names: string, shows: ComponentType<ComponentProps> | string, properties?: string])[] = [
  ['Note Info Tip Check Warning Danger Banner', Callout, callout],
  ['Callout', Callout, `type variant ${callout}`],
  ['Card', Card, `title description href horizontal img cta arrow type disabled ${icon} ${styles}`],
  ['CardGroup Columns Tiles', CardGroup, `cols ${styles}`],
  ['Column', Column, styles],
  ['Tile', Tile, `href title description ${styles}`],
  ['Tabs', Tabs, `defaultTabIndex sync borderBottom ${styles}`],
  ['Views', Tabs],
  ['Tab', 'Tabs', `title label name id ${icon}`],
  ['View', 'Views', `title label name id ${icon}`],
  ['Accordion', Accordion, `title description defaultOpen id ${icon} ${styles}`],
  ['AccordionGroup', AccordionGroup, styles],
  ['Steps', Steps, `titleSize ${styles}`],
  ['Step', 'Steps', `title stepNumber titleSize noAnchor id ${icon} ${styles}`],
  ['CodeGroup RequestExample ResponseExample', CodeGroup, 'dropdown'],
  ['CodeBlock', CodeBlockComponent, 'language filename title icon lines wrap nocopy expandable highlight focus'],
  ['Frame', Frame, `hint caption ${styles}`],
  ['Update', Update, `label description tags rss id ${styles}`],
  ['Icon', IconComponent, `src name size ${icon} ${styles}`],
  ['Tooltip', Tooltip, 'tip headline cta href'],
  ['Fields', Fields],
  ['ParamField ResponseField', 'Fields', field],
  ['Expandable', Expandable, 'title defaultOpen'],
  ['Panel', Panel, ''],
  ['Badge', Badge, `size shape stroke disabled ${icon} ${styles}`],
  ['Button', Button, `href variant ${icon} ${styles}`],
  ['Link', Link, 'href to'],
  ['Mermaid', Mermaid, 'chart code title actions placement'],
  ['Visibility', Visibility, 'for'],
  ['Tree FileTree', Tree, styles],
  ['Tree.Folder', TreeFolder, 'name defaultOpen openable highlight comment'],
  ['Tree.File', TreeFile, 'name highlight comment'],
  ['Color', Color, `variant ${styles}`],
  ['Color.Row', ColorRow, 'title'],
  ['Color.Item', ColorItem, 'name value'],
  ['Prompt', Prompt, `description title actions ${icon} ${styles}`],
  ['GitHub.Repo', GitHubRepo, `repo variant ${styles}`],
  ['Latex', Latex, 'block'],
  ['Kbd', Kbd, ''],
  ['Unavailable', Unavailable],
]

const named = rows.flatMap(([names, shows, properties]) => names.split(' ').map((name) => ({ name, shows, properties })))

/** What shows each component that has no parent. */
export const components: ReadonlyMap<string, ComponentType<ComponentProps>> = new Map(
  named.flatMap(({ name, shows }) => (typeof shows === 'string' ? [] : [[name, shows] as const])),
)

/** Components that need a parent, with the name of the parent. */
export const parentNames: ReadonlyMap<string, string> = new Map(
  named.flatMap(({ name, shows }) => (typeof shows === 'string' ? [[name, shows] as const] : [])),
)

/** The components that pages may use, with the properties that each reads. */
export const componentProperties: ReadonlyMap<string, readonly string[]> = new Map(
  named.flatMap(({ name, properties }) => (properties === undefined ? [] : [[name, properties.match(/\w+/g) ?? []] as const])),
)

/** The component names that the MDX reader accepts. */
export const componentNames: ReadonlySet<string> = new Set(componentProperties.keys())
