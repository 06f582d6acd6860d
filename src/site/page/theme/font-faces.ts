import { readOwn } from '../../../text/json/json-values.ts'
import type { FontFile, FontFiles } from '../../plan/types.ts'
import { type SiteHosting, toAssetHref } from '../site-context.ts'

/** The names of the fonts in stylesheets. */
const families = { body: 'site-body', heading: 'site-heading' } as const

/** The mean width of letters in Arial, weighted as in `readFontMetrics`. Liberation Sans and Arimo have the same widths, Roboto almost the same. */
const arial = { regular: 0.439, bold: 0.4753 } as const
const arialNames = {
  regular: ['Arial', 'Liberation Sans', 'Arimo', 'Roboto'],
  bold: ['Arial Bold', 'Liberation Sans Bold', 'Arimo Bold', 'Roboto Bold'],
} as const

/** The MIME type and the name in stylesheets of a font format, by file extension. */
const formats: Readonly<Record<string, { readonly type: string; readonly name: string }>> = {
  woff2: { type: 'font/woff2', name: 'woff2' },
  woff: { type: 'font/woff', name: 'woff' },
  otf: { type: 'font/otf', name: 'opentype' },
  ttf: { type: 'font/ttf', name: 'truetype' },
}

/** The fonts to load with a page, before the stylesheet that uses them has arrived. */
export function listFontPreloads({ body, heading }: FontFiles): { path: string; type: string | undefined }[] {
  const files = [body, heading].flatMap((file) => file ?? [])
  return files.map(({ path }) => ({ path, type: formatOf(path)?.type }))
}

/** The rules for the fonts of a site. */
export function renderFonts(site: Pick<SiteHosting, 'base'>, { body, heading }: FontFiles): string[] {
  return [
    ...(body ? [...renderFaces(site, body, families.body), `:root{--sans:${toList(body, families.body)},sans-serif}`] : []),
    ...(heading
      ? [
          ...renderFaces(site, heading, families.heading),
          `:is(h1,h2,h3){font-family:${toList(heading, families.heading)},sans-serif}`,
        ]
      : []),
  ]
}

function toList({ metrics }: FontFile, family: string): string {
  return `${family},${metrics ? `${family}-like,` : ''}system-ui`
}

/**
 * The font, and a font of the system with the same size of text, for when it arrives too late. With `swap`, lines would still break at other words, and
 * text would move. A font with `optional` that is loaded with the page is used on the first one, except on slow networks, and then from the next page on.
 */
function renderFaces(site: Pick<SiteHosting, 'base'>, { path, weight, metrics }: FontFile, family: string): string[] {
  // Names with a hash have no special characters, but the base path can have.
  const href = toAssetHref(site, path).replace(/["\\()\s]/g, (found) => `%${found.charCodeAt(0).toString(16).padStart(2, '0')}`)
  const face = `@font-face{font-family:${family};src:url("${href}") format("${formatOf(path)?.name}");font-weight:${weight ?? '100 900'};font-display:optional}`
  if (!metrics) return [face]
  const { ascent, descent, lineGap, letterWidth, isBold } = metrics
  const scale = letterWidth / (isBold ? arial.bold : arial.regular)
  const sizes = [
    `size-adjust:${toPercent(scale)}`,
    `ascent-override:${toPercent(ascent / scale)}`,
    `descent-override:${toPercent(descent / scale)}`,
    `line-gap-override:${toPercent(lineGap / scale)}`,
  ].join(';')
  const similar = (names: readonly string[], weights: string) =>
    `@font-face{font-family:${family}-like;src:${names.map((name) => `local("${name}")`).join(',')};font-weight:${weights};${sizes}}`
  return [face, similar(arialNames.regular, '100 500'), similar(arialNames.bold, '600 900')]
}

function formatOf(path: string) {
  return readOwn(formats, path.slice(path.lastIndexOf('.') + 1).toLowerCase())
}

function toPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`
}
