import { Icon } from '../icons/icon.tsx'
import type { ComponentProps } from './components.tsx'
import { ContentNodes } from './content-nodes.tsx'

const icons = { Note: 'note', Info: 'info', Tip: 'bulb', Check: 'okc', Warning: 'warn', Danger: 'stop' } as const

/** `<Note>` and its like: a word about what stands around it. */
export function Callout({ element, context, page }: ComponentProps) {
  const { name } = element
  const icon = name in icons ? icons[name as keyof typeof icons] : 'note' // Held by the test before it.
  return (
    <aside class={`call ${name.toLowerCase()}`} aria-label={name}>
      <Icon name={icon} />
      <div>
        <ContentNodes nodes={element.children} context={context} page={page} />
      </div>
    </aside>
  )
}
