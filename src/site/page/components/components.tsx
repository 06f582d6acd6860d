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

/** The components that pages may use, by name. */
export const components: ReadonlyMap<string, ComponentType<ComponentProps>> = new Map<string, ComponentType<ComponentProps>>([
  ...['Note', 'Info', 'Tip', 'Check', 'Warning', 'Danger', 'Callout', 'Banner'].map((name) => [name, Callout] as const),
  ['Card', Card],
  ...['CardGroup', 'Columns', 'Tiles'].map((name) => [name, CardGroup] as const),
  ['Column', Column],
  ['Tile', Tile],
  ...['Tabs', 'Views'].map((name) => [name, Tabs] as const),
  ['Accordion', Accordion],
  ['AccordionGroup', AccordionGroup],
  ['Steps', Steps],
  ['CodeGroup', CodeGroup],
  ['CodeBlock', CodeBlockComponent],
  ['Frame', Frame],
  ['Update', Update],
  ['Icon', IconComponent],
  ['Tooltip', Tooltip],
  ['Fields', Fields],
  ['Expandable', Expandable],
  ['RequestExample', CodeGroup],
  ['ResponseExample', CodeGroup],
  ['Panel', Panel],
  ['Badge', Badge],
  ['Button', Button],
  ['Link', Link],
  ['Mermaid', Mermaid],
  ['Visibility', Visibility],
  ...['Tree', 'FileTree'].map((name) => [name, Tree] as const),
  ['Tree.Folder', TreeFolder],
  ['Tree.File', TreeFile],
  ['Color', Color],
  ['Color.Row', ColorRow],
  ['Color.Item', ColorItem],
  ['Prompt', Prompt],
  ['GitHub.Repo', GitHubRepo],
  ['Latex', Latex],
  ['Kbd', Kbd],
  ['Unavailable', Unavailable],
])

/** Components that need a parent, with the name of the parent. `groupSiblings` adds the parent if it is missing. */
export const parentNames: ReadonlyMap<string, string> = new Map([
  ['Tab', 'Tabs'],
  ['View', 'Views'],
  ['Step', 'Steps'],
  ['ParamField', 'Fields'],
  ['ResponseField', 'Fields'],
])

/** The component names that the MDX reader accepts. */
export const componentNames: ReadonlySet<string> = new Set(
  [...components.keys(), ...parentNames.keys()].filter((name) => name !== 'Fields' && name !== 'Views' && name !== 'Unavailable'),
)
