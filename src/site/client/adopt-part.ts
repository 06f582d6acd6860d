/** Loads another page of the site. Scripts of a parsed document do not run, and the page has the same origin and policy. */
export async function fetchPage(url: string): Promise<Document> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(String(response.status))
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Makes element IDs, and what refers to them, unique with a prefix. Both may be of a page that is part of another one. */
export function prefixIds(root: ParentNode, prefix: string): void {
  for (const one of root.querySelectorAll('[id]')) one.id = prefix + one.id
  for (const name of ['name', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'popovertarget']) {
    for (const one of root.querySelectorAll(`[${name}]:not(meta)`)) one.setAttribute(name, prefix + one.getAttribute(name))
  }
}
