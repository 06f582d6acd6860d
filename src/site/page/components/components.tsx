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
import { componentRows } from './component-table.ts'
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

/** What shows each component, by its first name. The others are shown by the parent that `groupSiblings` adds if it is missing. */
const shownBy: Readonly<Record<string, ComponentType<ComponentProps>>> = {
  ...{ Note: Callout, Callout, Card, CardGroup, Column, Tile, Tabs, Views: Tabs, Accordion, AccordionGroup, Steps, CodeGroup },
  ...{ CodeBlock: CodeBlockComponent, Frame, Update, Icon: IconComponent, Tooltip, Fields, Expandable, Panel, Badge, Button },
  ...{ Link, Mermaid, Visibility, Tree, 'Tree.Folder': TreeFolder, 'Tree.File': TreeFile, Color, 'Color.Row': ColorRow },
  ...{ 'Color.Item': ColorItem, Prompt, 'GitHub.Repo': GitHubRepo, Latex, Kbd, Unavailable },
}

/** What shows each component. */
export const components: ReadonlyMap<string, ComponentType<ComponentProps>> = new Map(
  componentRows.flatMap(({ names, names: [first] }) => {
    const component = shownBy[first]
    return component ? names.map((name) => [name, component] as const) : []
  }),
)
