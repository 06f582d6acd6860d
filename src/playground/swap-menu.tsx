import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** The title, with the way to the playgrounds of the operations that stand beside this one in the navigation. */
export function SwapMenu({ title }: { readonly title: string }) {
  const [links] = useState(listNeighbours)
  const heading = <h2 id="play-title">{title}</h2>
  if (links.length < 2) return heading
  return (
    <details
      class="menu swap"
      onToggle={({ currentTarget }) => currentTarget.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })}
    >
      <summary>
        {heading} <Icon name="down" />
      </summary>
      <div>
        {links.map(({ href, method, className, words, isCurrent }) => (
          <a href={href} aria-current={isCurrent ? 'page' : undefined}>
            <span class={`m ${className}`}>{method}</span> {words}
          </a>
        ))}
      </div>
    </details>
  )
}

/** As the navigation of the page has them. */
function listNeighbours() {
  const current = document.querySelector('.side a[aria-current=page]:has(.mm)')
  return [...(current?.closest('ul')?.querySelectorAll<HTMLAnchorElement>(':scope > li > a:has(.mm)') ?? [])].flatMap((link) => {
    const mark = link.querySelector('.mm')
    if (!mark || mark.textContent === 'HOOK') return []
    return {
      href: `${link.href.replace(/#.*/, '')}#try`,
      method: mark.textContent,
      className: mark.className.replace('mm ', ''),
      words: link.textContent.trim().slice(mark.textContent.length),
      isCurrent: link === current,
    }
  })
}
