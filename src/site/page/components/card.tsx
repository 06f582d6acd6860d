import type { MdxNode } from '../../../script/values/values.ts'
import { Icon } from '../icons/page-icons.tsx'
import { calloutIcons, readKind } from './callout.tsx'
import { type ComponentProps, PropIcon, readCount, readFlag, readText, toClassName, toLink } from './component-props.tsx'

/** `<Card title icon color href img horizontal cta arrow type>`. If the card contains links, only its title is the link. */
export function Card({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const href = readFlag(props, 'disabled') ? undefined : toLink(props, 'href', { context, page })
  const image = toLink(props, 'img', { context, page }, 'media')
  const kind = readKind(readText(props, 'type'))
  const isWhole = href !== undefined && !hasLink(element.children)
  const title = props['title'] !== undefined && show(props['title'])
  const isAway = href !== undefined && /^https?:/i.test(href) && props['arrow'] !== false
  const inside = (
    <>
      {image !== undefined && <img class="cover" src={image} alt="" loading="lazy" />}
      {kind !== undefined && props['icon'] === undefined ? (
        <Icon name={calloutIcons[kind]} />
      ) : (
        <PropIcon props={props} size={20} context={context} page={page} show={show} />
      )}
      <div>
        {title && (
          <b>
            {href !== undefined && !isWhole ? <a href={href}>{title}</a> : title}
            {(isAway || readFlag(props, 'arrow')) && <Icon name="ext" class="away" />}
          </b>
        )}
        {show(props['description'])}
        {show(element.children)}
        {readText(props, 'cta') !== undefined && (
          <span class="cta">
            {readText(props, 'cta')} <Icon name="chev" />
          </span>
        )}
      </div>
    </>
  )
  const className = toClassName(props, 'card', readFlag(props, 'horizontal') && 'across', kind && `call ${kind.toLowerCase()}`)
  return isWhole ? (
    <a class={className} href={href}>
      {inside}
    </a>
  ) : (
    <div class={className}>{inside}</div>
  )
}

/** `<CardGroup cols>`, `<Columns cols>`, `<Tiles>`: a responsive grid. */
export function CardGroup({ element, show }: ComponentProps) {
  const columns = readCount(element.props, 'cols', 4)
  return <div class={toClassName(element.props, 'cards', columns !== undefined && `of-${columns}`)}>{show(element.children)}</div>
}

/** `<Column>`: one of `<Columns>`. */
export function Column({ element, show }: ComponentProps) {
  return <div class={toClassName(element.props, 'column')}>{show(element.children)}</div>
}

/** `<Tile href title description>`: an image with a caption. */
export function Tile({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const href = hasLink(element.children) ? undefined : toLink(props, 'href', { context, page })
  const inside = (
    <>
      {element.children.length > 0 && <span class="picture">{show(element.children)}</span>}
      <b>{show(props['title'])}</b>
      {show(props['description'])}
    </>
  )
  const className = toClassName(props, 'card tile')
  return href === undefined ? (
    <div class={className}>{inside}</div>
  ) : (
    <a class={className} href={href}>
      {inside}
    </a>
  )
}

/** Components that are interactive or can contain links. */
const linking = new Set([
  'a',
  'Card',
  'Tile',
  'Button',
  'Link',
  'Tooltip',
  'Accordion',
  'Expandable',
  'Tabs',
  'CodeGroup',
  'details',
])

/** Whether nodes contain something interactive. HTML does not allow it inside a link. */
function hasLink(nodes: readonly MdxNode[]): boolean {
  return nodes.some(
    (node) => node.kind === 'code' || (node.kind === 'element' && (linking.has(node.name) || hasLink(node.children))),
  )
}
