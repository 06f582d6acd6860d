/** Loaded in the head without defer, so that the theme is set before the first paint. Nothing breaks without it. */
export const themeScript = `const root = document.documentElement
root.dataset.js = ''
const dark = matchMedia('(prefers-color-scheme: dark)')
const stored = () => { try { return localStorage.getItem('theme') } catch { return null } }
const show = () => { root.dataset.theme = stored() ?? (dark.matches ? 'dark' : 'light') }
show()
dark.addEventListener('change', show)
addEventListener('click', (event) => {
  if (!event.target.closest('.theme')) return
  const theme = root.dataset.theme === 'dark' ? 'light' : 'dark'
  root.dataset.theme = theme
  try { localStorage.setItem('theme', theme) } catch { /* private mode: forgotten with the page */ }
})
`

/**
 * Follows an update that has not ended: asks for the same page again with \`Prefer: wait\`, and puts in what changed.
 *
 * Parts are replaced one by one, so that an open fold, a selection and the place on the page stay.
 */
export const liveScript = `const follow = async () => {
  let etag = document.documentElement.dataset.revision
  let pauseMs = 0
  while (document.querySelector('main[data-live]')) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html', Prefer: 'wait=25', 'If-None-Match': etag } })
      // Signed out meanwhile.
      if (answer.redirected) return location.reload()
      if (answer.status === 200) {
        put(new DOMParser().parseFromString(await answer.text(), 'text/html'))
        etag = answer.headers.get('ETag') ?? etag
      } else if (answer.status === 404) return
      pauseMs = answer.ok || answer.status === 304 ? 250 : 5000
    } catch {
      pauseMs = 5000
    }
  }
}
const put = (fresh) => {
  document.title = fresh.title
  for (const part of document.querySelectorAll('[data-part]')) {
    const other = fresh.querySelector('[data-part="' + part.dataset.part + '"]')
    if (!other || other.isEqualNode(part)) continue
    for (const fold of other.querySelectorAll('details')) {
      const old = part.querySelector('details[data-fold="' + fold.dataset.fold + '"]')
      if (old) fold.open = old.open
    }
    const focused = part.contains(document.activeElement) && nameOf(document.activeElement)
    part.replaceWith(other)
    if (focused) [...other.querySelectorAll('a, button, summary, pre')].find((one) => nameOf(one) === focused)?.focus()
  }
  if (!fresh.querySelector('main[data-live]')) document.querySelector('main').removeAttribute('data-live')
}
const nameOf = (one) => one.tagName + (one.getAttribute('href') ?? one.form?.action ?? '') + one.textContent
follow()
`
