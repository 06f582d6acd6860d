import { icons as lucide } from '@iconify-json/lucide'
import { drawnIcons } from './drawn-icons.ts'

/** The sheet of the icons that a page refers to: `#i-…` of our own drawing, `#l-…` of Lucide. Empty where it has none. */
export function renderSprite(html: string): string {
  const names = new Set(Array.from(html.matchAll(/ href="#([il]-[a-z0-9-]+)"/g), ([, name = '']) => name))
  const symbols = [...names].sort().map((id) => {
    const name = id.slice(2)
    if (id.startsWith('i-')) return name in drawnIcons ? symbol(id, 16, drawnIcons[name as keyof typeof drawnIcons]) : ''
    const body = Object.hasOwn(lucide.icons, name) ? lucide.icons[name]?.body : undefined
    return body === undefined ? '' : symbol(id, 24, body)
  })
  const joined = symbols.join('')
  return joined === '' ? '' : `<svg class="sprite" aria-hidden="true">${joined}</svg>`
}

function symbol(id: string, size: number, body: string): string {
  return `<symbol id="${id}" viewBox="0 0 ${size} ${size}">${body}</symbol>`
}
