import type { StyleVariant } from './page-styles.ts'

/**
 * What a class of pages written for Tailwind says, for the classes that real pages use: a declaration, and when it holds. Absent for all
 * others, which are left out: a name of our own stylesheet in a page would move our parts about.
 *
 * Source: the names and steps of Tailwind CSS (0.25rem a step).
 */
export function readUtility(token: string): { readonly variant: StyleVariant; readonly declaration: string } | undefined {
  const match = /^(?:(dark|sm|md|lg):)?!?(-?[a-z0-9./[\]%-]+)$/.exec(token)
  if (!match) return undefined
  const [, variant = '', name = ''] = match
  const declaration = words[name] ?? readMeasure(name)
  return declaration === undefined ? undefined : { variant: variant as StyleVariant, declaration } // One of those in the pattern.
}

const words: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  block: 'display:block',
  inline: 'display:inline',
  'inline-block': 'display:inline-block',
  flex: 'display:flex',
  'inline-flex': 'display:inline-flex',
  grid: 'display:grid',
  hidden: 'display:none',
  'flex-col': 'flex-direction:column',
  'flex-row': 'flex-direction:row',
  'flex-wrap': 'flex-wrap:wrap',
  'flex-1': 'flex:1',
  'flex-grow': 'flex-grow:1',
  'flex-shrink-0': 'flex-shrink:0',
  'shrink-0': 'flex-shrink:0',
  'items-start': 'align-items:start',
  'items-center': 'align-items:center',
  'items-end': 'align-items:end',
  'items-baseline': 'align-items:baseline',
  'justify-start': 'justify-content:start',
  'justify-center': 'justify-content:center',
  'justify-end': 'justify-content:end',
  'justify-between': 'justify-content:space-between',
  'text-left': 'text-align:left',
  'text-center': 'text-align:center',
  'text-right': 'text-align:right',
  'text-xs': 'font-size:0.75rem',
  'text-sm': 'font-size:0.875rem',
  'text-base': 'font-size:1rem',
  'text-lg': 'font-size:1.125rem',
  'text-xl': 'font-size:1.25rem',
  'text-2xl': 'font-size:1.5rem',
  'text-3xl': 'font-size:1.875rem',
  'text-4xl': 'font-size:2.25rem',
  'text-primary': 'color:var(--accent)',
  'font-normal': 'font-weight:400',
  'font-medium': 'font-weight:500',
  'font-semibold': 'font-weight:600',
  'font-bold': 'font-weight:700',
  'font-mono': 'font-family:var(--mono)',
  italic: 'font-style:italic',
  underline: 'text-decoration:underline',
  'no-underline': 'text-decoration:none',
  'line-through': 'text-decoration:line-through',
  'whitespace-nowrap': 'white-space:nowrap',
  'whitespace-pre-wrap': 'white-space:pre-wrap',
  'break-words': 'overflow-wrap:anywhere',
  'break-all': 'word-break:break-all',
  border: 'border:1px solid var(--line)',
  'border-0': 'border:0',
  'border-none': 'border:0',
  rounded: 'border-radius:0.25rem',
  'rounded-none': 'border-radius:0',
  'rounded-sm': 'border-radius:0.125rem',
  'rounded-md': 'border-radius:0.375rem',
  'rounded-lg': 'border-radius:0.5rem',
  'rounded-xl': 'border-radius:0.75rem',
  'rounded-2xl': 'border-radius:1rem',
  'rounded-3xl': 'border-radius:1.5rem',
  'rounded-full': 'border-radius:999px',
  'object-cover': 'object-fit:cover',
  'object-contain': 'object-fit:contain',
  'aspect-video': 'aspect-ratio:16/9',
  'aspect-square': 'aspect-ratio:1',
  'overflow-hidden': 'overflow:hidden',
  'overflow-auto': 'overflow:auto',
  'overflow-x-auto': 'overflow-x:auto',
  'max-w-xs': 'max-width:20rem',
  'max-w-sm': 'max-width:24rem',
  'max-w-md': 'max-width:28rem',
  'max-w-lg': 'max-width:32rem',
  'max-w-xl': 'max-width:36rem',
  'max-w-2xl': 'max-width:42rem',
  'max-w-3xl': 'max-width:48rem',
  'max-w-4xl': 'max-width:56rem',
  'max-w-5xl': 'max-width:64rem',
  'max-w-6xl': 'max-width:72rem',
  'max-w-7xl': 'max-width:80rem',
})

const sides: Readonly<Record<string, string>> = {
  w: 'width',
  h: 'height',
  'max-w': 'max-width',
  'max-h': 'max-height',
  'min-w': 'min-width',
  'min-h': 'min-height',
  m: 'margin',
  mx: 'margin-inline',
  my: 'margin-block',
  mt: 'margin-top',
  mb: 'margin-bottom',
  ml: 'margin-left',
  mr: 'margin-right',
  p: 'padding',
  px: 'padding-inline',
  py: 'padding-block',
  pt: 'padding-top',
  pb: 'padding-bottom',
  pl: 'padding-left',
  pr: 'padding-right',
  gap: 'gap',
  'gap-x': 'column-gap',
  'gap-y': 'row-gap',
}

/** `w-full`, `mt-4`, `h-[80px]`, `w-1/2`, `grid-cols-3`, `text-gray-600`. */
function readMeasure(name: string): string | undefined {
  const columns = /^(grid-cols|col-span)-([1-9]|1[0-2])$/.exec(name)
  if (columns)
    return columns[1] === 'col-span'
      ? `grid-column:span ${columns[2]}`
      : `grid-template-columns:repeat(${columns[2]},minmax(0,1fr))`
  if (/^text-(?:gray|slate|zinc|neutral|stone)-\d{2,3}$/.test(name)) return 'color:var(--mid)'
  const match = /^((?:max-|min-)?[a-z]{1,3}(?:-[xy])?)-(.+)$/.exec(name)
  const property = match && Object.hasOwn(sides, match[1] ?? '') ? sides[match[1] ?? ''] : undefined
  const value = property === undefined ? undefined : toLength(match?.[2] ?? '')
  return value === undefined ? undefined : `${property}:${value}`
}

function toLength(text: string): string | undefined {
  if (text === 'auto') return 'auto'
  if (text === 'full') return '100%'
  if (text === 'px') return '1px'
  if (text === 'fit') return 'fit-content'
  const written = /^\[(\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%))\]$/.exec(text)
  if (written) return written[1]
  const part = /^(\d{1,2})\/(\d{1,2})$/.exec(text)
  if (part && part[2] !== '0') return `${Number(((Number(part[1]) / Number(part[2])) * 100).toFixed(4))}%`
  return /^\d{1,3}(?:\.5)?$/.test(text) ? `${Number(text) / 4}rem` : undefined
}
