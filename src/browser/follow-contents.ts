/** Marks in the contents of the page what is being read. */
export function followContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.toc a[href^="#"]')]
  const targets = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? [])
  if (targets.length === 0) return
  let isWaiting = false
  const mark = () => {
    isWaiting = false
    const line = innerHeight * 0.3
    const isEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = targets.filter((target) => target.getBoundingClientRect().top <= line)
    const current = isEnd ? targets.at(-1) : (passed.at(-1) ?? targets[0])
    for (const link of links) {
      if (current && decodeURIComponent(link.hash.slice(1)) === current.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  const later = () => {
    if (!isWaiting) requestAnimationFrame(mark)
    isWaiting = true
  }
  addEventListener('scroll', later, { passive: true })
  addEventListener('resize', later, { passive: true })
  mark()
}
