// Runs before the first paint, so that dark pages do not flash white.
const root = document.documentElement
root.dataset['js'] = ''
const media = matchMedia('(prefers-color-scheme: dark)')
const [preset, strict] = read('theme-default').split(' ')

function read(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // Storage can be blocked.
  }
}

function apply(): void {
  const chosen = (strict ? null : stored('theme')) ?? (preset === 'light' || preset === 'dark' ? preset : undefined)
  root.dataset['theme'] = chosen ?? (media.matches ? 'dark' : 'light')
}

apply()
const banner = read('banner')
if (banner !== '' && stored('banner') === banner) root.dataset['bannerClosed'] = ''
media.addEventListener('change', apply)
