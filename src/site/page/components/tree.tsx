import { type MdxElement, type MdxNode, propsIn, textOf, toProps } from '../../../script/values/values.ts'
import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, readFlag, readText, toClassName } from './component-props.tsx'
import { toColorClass } from './page-styles.ts'

/** `<Tree>` or `<FileTree>`, with a Markdown list or with `<Tree.Folder name defaultOpen openable highlight>` and `<Tree.File name highlight>`. */
export function Tree({ element, show }: ComponentProps) {
  const { props, children } = element
  const color = toColorClass(readText(propsIn(props['style']), '--tree-highlight'))
  return <ul class={toClassName(props, 'file-tree', color)}>{show(children.flatMap(listToTree))}</ul>
}

/** A folder, collapsible unless `openable={false}`. */
export function TreeFolder({ element, show }: ComponentProps) {
  const { props } = element
  const name = (
    <>
      <Icon name="folder" /> {readText(props, 'name') ?? ''}
      <Comment props={props} />
    </>
  )
  const className = readFlag(props, 'highlight') ? 'marked' : undefined
  const list = element.children.length > 0 && <ul>{show(element.children)}</ul>
  if (props['openable'] === false) {
    return (
      <li class={className}>
        <span class="file">{name}</span>
        {list}
      </li>
    )
  }
  return (
    <li class={className}>
      <details open={readFlag(props, 'defaultOpen')}>
        <summary class="file">
          <Icon name="chev" class="turn" />
          {name}
        </summary>
        {list}
      </details>
    </li>
  )
}

export function TreeFile({ element: { props } }: ComponentProps) {
  return (
    <li class={readFlag(props, 'highlight') ? 'marked' : undefined}>
      <span class="file">
        <Icon name="page" /> {readText(props, 'name') ?? ''}
        <Comment props={props} />
      </span>
    </li>
  )
}

function Comment({ props }: Pick<MdxElement, 'props'>) {
  const comment = readText(props, 'comment')
  return comment === undefined ? null : <span class="muted">{comment}</span>
}

/** Converts a Markdown list to folders and files. Names with a trailing `/` and entries with a list are folders, which are expanded. */
export function listToTree(node: MdxNode): readonly MdxNode[] {
  if (node.kind !== 'element' || (node.name !== 'ul' && node.name !== 'ol')) return [node]
  return node.children.flatMap((item): MdxElement[] => {
    if (item.kind !== 'element' || item.name !== 'li') return []
    const lists = item.children.filter((child) => child.kind === 'element' && (child.name === 'ul' || child.name === 'ol'))
    const name = textOf(item.children.filter((child) => !lists.includes(child))).trim()
    const isFolder = lists.length > 0 || name.endsWith('/')
    return [
      {
        kind: 'element',
        name: isFolder ? 'Tree.Folder' : 'Tree.File',
        props: toProps([
          ['name', isFolder ? name.replace(/\/$/, '') : name],
          ['defaultOpen', true],
        ]),
        children: lists.flatMap(listToTree),
        place: item.place,
      },
    ]
  })
}
