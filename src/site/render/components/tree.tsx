import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, readFlag, readText, toClassName } from './component-props.tsx'

/** `<Tree>` with `<Tree.Folder name defaultOpen openable>` and `<Tree.File name>`: a file tree. */
export function Tree({ element, show }: ComponentProps) {
  return <ul class={toClassName(element.props, 'file-tree')}>{show(element.children)}</ul>
}

/** A folder, collapsible unless `openable={false}`. */
export function TreeFolder({ element, show }: ComponentProps) {
  const { props } = element
  const name = readText(props, 'name') ?? ''
  const isClosed = props['defaultOpen'] === false || props['defaultOpen'] === undefined
  const list = element.children.length > 0 && <ul>{show(element.children)}</ul>
  if (props['openable'] === false) {
    return (
      <li>
        <span class="file">
          <Icon name="folder" /> {name}
        </span>
        {list}
      </li>
    )
  }
  return (
    <li>
      <details open={!isClosed || readFlag(props, 'defaultOpen')}>
        <summary class="file">
          <Icon name="chev" class="turn" />
          <Icon name="folder" /> {name}
        </summary>
        {list}
      </details>
    </li>
  )
}

/** A file. */
export function TreeFile({ element: { props } }: ComponentProps) {
  return (
    <li>
      <span class="file">
        <Icon name="page" /> {readText(props, 'name') ?? ''}
      </span>
    </li>
  )
}
