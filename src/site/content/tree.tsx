import { Icon } from '../icons/page-icons.tsx'
import { Inside, readFlag, readText } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'
import { toClassName } from './page-styles.ts'

/** `<Tree>` of `<Tree.Folder name defaultOpen openable>` and `<Tree.File name>`: folders and files. */
export function Tree({ element, context, page }: ComponentProps) {
  return (
    <ul class={toClassName(element.props, 'file-tree')}>
      <Inside element={element} context={context} page={page} />
    </ul>
  )
}

/** A folder; it opens and closes unless `openable={false}`. */
export function TreeFolder({ element, context, page }: ComponentProps) {
  const { props } = element
  const name = readText(props, 'name') ?? ''
  const isClosed = props['defaultOpen'] === false || props['defaultOpen'] === undefined
  const list = element.children.length > 0 && (
    <ul>
      <Inside element={element} context={context} page={page} />
    </ul>
  )
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
