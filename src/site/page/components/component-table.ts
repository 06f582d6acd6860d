/** `color` is the color of the icon. */
const icon = 'icon iconType color'
const styles = 'className class style'
const callout = `${icon} title ${styles}`
const field = `path query body header cookie name id type required optional deprecated default initialValue placeholder enum pre post ${styles}`

/**
 * A row for each component: its names, the properties that it reads, and the parent that shows it, if one does. Pages cannot name rows without properties.
 */
const rows: readonly (readonly [names: string, properties?: string, parent?: string])[] = [
  ['Note Info Tip Check Warning Danger Banner', callout],
  ['Callout', `type variant ${callout}`],
  ['Card', `title description href horizontal img cta arrow type disabled ${icon} ${styles}`],
  ['CardGroup Columns Tiles', `cols ${styles}`],
  ['Column', styles],
  ['Tile', `href title description ${styles}`],
  ['Tabs', `defaultTabIndex sync borderBottom ${styles}`],
  ['Views'],
  ['Tab', `title label name id ${icon}`, 'Tabs'],
  ['View', `title label name id ${icon}`, 'Views'],
  ['Accordion', `title description defaultOpen id ${icon} ${styles}`],
  ['AccordionGroup', styles],
  ['Steps', `titleSize ${styles}`],
  ['Step', `title stepNumber titleSize noAnchor id ${icon} ${styles}`, 'Steps'],
  ['CodeGroup RequestExample ResponseExample', 'dropdown'],
  ['CodeBlock', 'language filename title icon lines wrap nocopy expandable highlight focus'],
  ['Frame', `hint caption ${styles}`],
  ['Update', `label description tags rss id ${styles}`],
  ['Icon', `src name size ${icon} ${styles}`],
  ['Tooltip', 'tip headline cta href'],
  ['Fields'],
  ['ParamField ResponseField', field, 'Fields'],
  ['Expandable', 'title defaultOpen'],
  ['Panel', ''],
  ['Badge', `size shape stroke disabled ${icon} ${styles}`],
  ['Button', `href variant ${icon} ${styles}`],
  ['Link', 'href to'],
  ['Mermaid', 'chart code title actions placement'],
  ['Visibility', 'for'],
  ['Tree FileTree', styles],
  ['Tree.Folder', 'name defaultOpen openable highlight comment'],
  ['Tree.File', 'name highlight comment'],
  ['Color', `variant ${styles}`],
  ['Color.Row', 'title'],
  ['Color.Item', 'name value'],
  ['Prompt', `description title actions ${icon} ${styles}`],
  ['GitHub.Repo', `repo variant ${styles}`],
  ['Latex', 'block'],
  ['Kbd', ''],
  ['Unavailable'],
]

/** The components. Those with a parent have no own output. */
export const componentRows = rows.map(([names, properties, parent]) => ({
  names: names.split(' ') as [string, ...string[]],
  properties,
  parent,
}))

/** Components that need a parent, with the name of the parent. */
export const parentNames: ReadonlyMap<string, string> = new Map(
  componentRows.flatMap(({ names, parent }) => (parent === undefined ? [] : names.map((name) => [name, parent] as const))),
)

/** The components that pages may use, with the properties that each reads. */
export const componentProperties: ReadonlyMap<string, readonly string[]> = new Map(
  componentRows.flatMap(({ names, properties }) =>
    properties === undefined ? [] : names.map((name) => [name, properties.match(/\w+/g) ?? []] as const),
  ),
)

/** The component names that the MDX reader accepts. */
export const componentNames: ReadonlySet<string> = new Set(componentProperties.keys())

/** The properties of `<Icon>` with its name. The first one that is set counts. */
export const iconNames = ['icon', 'src', 'name'] as const
