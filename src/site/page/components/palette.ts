import table from '../../../../texts/utility-classes.json' with { type: 'json' }

/** The shades of a color, from light to dark. */
const steps = ['50', '100', '200', '300', '400', '500', '600', '700', '800', '900', '950']

/** Source: Tailwind CSS 3, "Customizing Colors". */
const palette: Readonly<Record<string, string>> = table.shades

/** Colors that follow the brand and the theme of the site. */
const themed: Readonly<Record<string, string>> = {
  primary: 'var(--accent)',
  'primary-light': 'var(--accent)',
  'primary-dark': 'var(--fill)',
  'background-light': 'var(--bg)',
  'background-dark': 'var(--bg)',
}

const properties = { text: 'color', bg: 'background-color', border: 'border-color' } as const

/** Reads classes such as `text-gray-600`, `bg-white`, `border-zinc-950/10` and `bg-[#fdff75]`. */
export function readColorClass(name: string): string | undefined {
  const match = /^(text|bg|border)-([a-z]+(?:-[a-z]+|-\d{2,3})?|\[#[0-9a-fA-F]{3,8}\])(?:\/(\d{1,3}|\[0?\.\d{1,4}\]))?$/.exec(
    name,
  )
  if (!match) return undefined
  // Like buttons, but with white text in both themes.
  if (/^bg-primary(?:-light|-dark)?$/.test(name))
    return 'color-scheme:dark;color:var(--ink);background-color:var(--fill-block,var(--fill))'
  const property = properties[match[1] as keyof typeof properties] // The pattern allows only these.
  const color = toColor(match[2] ?? '')
  if (color === undefined) return undefined
  const share = match[3]
  if (share === undefined) return `${property}:${color}`
  const percent = share.startsWith('[') ? Number(share.slice(1, -1)) * 100 : Number(share)
  return percent > 100 ? undefined : `${property}:${withAlpha(color, percent)}`
}

function toColor(name: string): string | undefined {
  if (name.startsWith('[')) return name.slice(1, -1)
  if (name === 'white') return '#fff'
  if (name === 'black') return '#000'
  if (name === 'transparent') return name
  if (Object.hasOwn(themed, name)) return themed[name]
  const [hue = '', step = ''] = name.split('-')
  const shade = Object.hasOwn(palette, hue) ? palette[hue]?.split(' ')[steps.indexOf(step)] : undefined
  return shade === undefined ? undefined : `#${shade}`
}

function withAlpha(color: string, percent: number): string {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color)) return `color-mix(in srgb,${color} ${percent}%,transparent)`
  const full = color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color
  return `${full}${Math.round((percent / 100) * 255)
    .toString(16)
    .padStart(2, '0')}`
}
