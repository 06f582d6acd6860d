import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { say, sayCount } from '../controls/playground-messages.ts'
import { CopyButton } from '../controls/response-pieces.tsx'
import { findNodes, listRows, type TreeNode, toPath } from './parse-tree.ts'

/** The number of rows that are shown at first. */
const step = 300

/**
 * JSON as a tree with keyboard navigation. Readers can copy the selected value and its path. A search hides everything that does not match.
 *
 * @see ARIA Authoring Practices Guide, "Tree View Pattern"
 */
export function JsonTree({ root, source }: { readonly root: TreeNode; readonly source: string }) {
  const [flipped, setFlipped] = useState<ReadonlySet<TreeNode>>(new Set())
  const [chosen, choose] = useState(root)
  const [query, setQuery] = useState('')
  const [most, setMost] = useState(step)
  const tree = useRef<HTMLDivElement>(null)
  const found = useMemo(() => (query === '' ? undefined : findNodes(root, query)), [root, query])
  // Short values near the root start expanded. A search expands all ancestors of its matches.
  const isOpen = (node: TreeNode) =>
    node.children.length > 0 &&
    (found?.above.has(node)
      ? true
      : (node === root || (node.parent === root && node.children.length <= 12)) !== flipped.has(node))
  const isShown = (node: TreeNode) => !found || found.hits.has(node) || found.above.has(node) || isInside(node, found.hits)
  const rows = listRows(root, isOpen, isShown, most + 1)
  const hasMore = rows.length > most
  const at = rows.findIndex(([node]) => node === chosen)
  const turn = (node: TreeNode) => {
    const next = new Set(flipped)
    if (!next.delete(node)) next.add(node)
    setFlipped(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const hasChildren = chosen.children.length > 0
    const go = (index: number) => rows[Math.max(0, Math.min(index, rows.length - 1))]?.[0] ?? root
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => choose(go(at + 1)),
      ArrowUp: () => choose(go(at - 1)),
      Home: () => choose(root),
      End: () => choose(go(rows.length)),
      ArrowRight: () => (hasChildren && !isOpen(chosen) ? turn(chosen) : choose(go(at + (hasChildren ? 1 : 0)))),
      ArrowLeft: () => (isOpen(chosen) && !found ? turn(chosen) : choose(chosen.parent ?? root)),
      Enter: () => hasChildren && turn(chosen),
      ' ': () => hasChildren && turn(chosen),
    }
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
  useEffect(() => tree.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [chosen])
  return (
    <>
      <div class="tools">
        <input
          class="in"
          type="search"
          aria-label={say('Search the response')}
          placeholder={say('Search keys and values')}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        {found && <span role="status">{sayCount(found.hits.size, '{count} match', '{count} matches')}</span>}
      </div>
      <div
        class="tree"
        role="tree"
        tabIndex={0}
        aria-label={say('Response body')}
        aria-activedescendant={at < 0 ? undefined : `node-${at}`}
        ref={tree}
        onKeyDown={onKeyDown}
      >
        {rows.slice(0, most).map(([node, level], index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and refers to the active row
          <div
            key={node}
            id={`node-${index}`}
            role="treeitem"
            aria-level={level}
            aria-selected={node === chosen}
            aria-expanded={node.children.length > 0 ? isOpen(node) : undefined}
            // Limit the indentation for small screens.
            style={{ paddingInlineStart: `${Math.min(level, 14) * 14}px` }}
            onClick={() => {
              if (node.children.length > 0) turn(node)
              choose(node)
            }}
          >
            {typeof node.key === 'string' && <span class="f">{JSON.stringify(node.key)}: </span>}
            {typeof node.key === 'number' && <span class="muted">{node.key}: </span>}
            <Value node={node} source={source} />
          </div>
        ))}
      </div>
      {hasMore && (
        <div class="tools">
          <button type="button" class="btn quiet" onClick={() => setMost(most + step * 3)}>
            {say('Show more rows')}
          </button>
        </div>
      )}
      <ChosenNode node={chosen} source={source} />
    </>
  )
}

function ChosenNode({ node, source }: { readonly node: TreeNode; readonly source: string }) {
  return (
    <div class="tools chosen">
      <code title={say('Path')}>{toPath(node)}</code>
      <span>
        <CopyButton text={() => toPath(node)}>{say('Copy path')}</CopyButton>
        <CopyButton text={() => (node.kind === 'string' ? node.text : source.slice(node.start, node.end))}>
          {say('Copy value')}
        </CopyButton>
      </span>
    </div>
  )
}

function Value({ node: { kind, text, children, start, end }, source }: { readonly node: TreeNode; readonly source: string }) {
  if (kind === 'object')
    return <>{children.length === 0 ? '{}' : `{ ${sayCount(children.length, '{count} key', '{count} keys')} }`}</>
  if (kind === 'array')
    return <>{children.length === 0 ? '[]' : `[ ${sayCount(children.length, '{count} item', '{count} items')} ]`}</>
  // The source text, truncated if it is long.
  const written =
    source.slice(start, Math.min(end, start + 2000)) +
    (end - start > 2000 ? ` … ${sayCount(text.length, '({count} character)', '({count} characters)')}` : '')
  return <span class={{ string: 's', number: 'n', word: 'k' }[kind]}>{written}</span>
}

function isInside({ parent }: TreeNode, nodes: ReadonlySet<TreeNode>): boolean {
  for (let up = parent; up; up = up.parent) if (nodes.has(up)) return true
  return false
}
