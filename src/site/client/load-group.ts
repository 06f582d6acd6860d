import { fetchPage } from './adopt-part.ts'

/**
 * Shows the pages of a closed group in place of the link to the first of them. Large sidebars list only the pages of the current group, so
 * they are copied from the sidebar of that page. If that fails, it opens the page.
 */
export function loadGroup(link: HTMLAnchorElement): Promise<void> {
  return showPages(link).catch(() => location.assign(link.href))
}

async function showPages(link: HTMLAnchorElement): Promise<void> {
  const other = await fetchPage(link.href)
  const labelOf = (section: Element) => section.querySelector('summary, h2')?.textContent?.trim()
  const section = [...other.querySelectorAll('.side :is(section, details)')].find(
    (one) => labelOf(one) === link.textContent.trim() && one.querySelector('[aria-current]'),
  )
  const lists = [...(section?.querySelectorAll(':scope > ul, :scope > details > ul') ?? [])]
  if (lists.length === 0) throw new Error('The page does not list the group')
  for (const list of lists) {
    for (const marked of list.querySelectorAll('[aria-current]')) marked.removeAttribute('aria-current')
    addIcons(list, other)
  }
  const summary = document.createElement('summary')
  summary.append(...link.childNodes)
  const group = document.createElement('details')
  group.open = true
  group.append(summary, ...lists)
  link.before(group)
  // The reader may have moved on while the pages loaded.
  if (link.matches(':focus')) summary.focus()
  link.remove()
}

/** Adds the icons that a part of another page uses and this page does not have yet. */
function addIcons(part: ParentNode, other: Document): void {
  const sprite = document.querySelector('.sprite')
  for (const use of part.querySelectorAll('use')) {
    const id = use.getAttribute('href')?.slice(1) ?? ''
    const icon = document.getElementById(id) ? null : other.getElementById(id)
    if (icon) sprite?.append(icon)
  }
}
