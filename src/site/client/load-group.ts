import { addIcons, fetchPage } from './adopt-part.ts'

/**
 * Shows the pages of a closed group. Large sidebars list only the pages of the current group, so they are copied from the sidebar of the
 * group's first page. If that fails, the link to this page appears instead.
 */
export async function loadGroup(group: HTMLDetailsElement): Promise<void> {
  const link = group.querySelector<HTMLAnchorElement>(':scope > a')
  if (!link) return
  try {
    const other = await fetchPage(link.href)
    const labelOf = (section: Element) => section.querySelector('summary, h2')?.textContent?.trim()
    const label = group.querySelector('summary')?.textContent?.trim()
    const section = [...other.querySelectorAll('.side :is(section, details)')].find(
      (one) => labelOf(one) === label && one.querySelector('[aria-current]'),
    )
    const lists = [...(section?.querySelectorAll(':scope > ul, :scope > details > ul') ?? [])]
    if (lists.length === 0) throw new Error('The page does not list the group')
    for (const list of lists) {
      for (const marked of list.querySelectorAll('[aria-current]')) marked.removeAttribute('aria-current')
      addIcons(list, other)
    }
    link.replaceWith(...lists)
  } catch {
    group.dataset['failed'] = ''
  }
}
