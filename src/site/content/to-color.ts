import { toAllowedStyle } from '../../mdx/allowed-html.ts'
import { toStyleClass } from './page-styles.ts'

/** The class that sets the colour of a mark, `--c`, to a colour that a page names; absent where it is none. */
export function toColorClass(color: string | undefined, property: '--c' | 'background-color' = '--c'): string | undefined {
  const value = color === undefined ? '' : toAllowedStyle([['color', color.trim()]]).slice('color:'.length)
  return isColor.test(value) ? toStyleClass(`${property}:${value}`) : undefined
}

/** A hexadecimal one, a function of colours, or a name. */
const isColor = /^(?:#[0-9a-f]{3,8}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z+-]*\)|[a-z]{3,30})$/i
