// Runs before the first paint, so that a dark page never flashes white. Everything reads and works without it.
const root = document.documentElement
root.dataset['js'] = ''
const media = matchMedia('(prefers-color-scheme: dark)')
const preset = document.querySelector<HTMLMetaElement>('meta[name=theme-default]')?.content

function stored(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null // Private mode: nothing is kept.
  }
}

function apply(): void {
  const chosen = stored() ?? (preset === 'light' || preset === 'dark' ? preset : undefined)
  root.dataset['theme'] = chosen ?? (media.matches ? 'dark' : 'light')
}

apply()
media.addEventListener('change', apply)
