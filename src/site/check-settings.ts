import type { Finding } from '../diagnostic/diagnostic.ts'
import { findSampleLanguage, sampleLanguages } from '../request/samples/sample-languages.ts'
import { isObject, type JsonObject, readKey } from '../text/is-object.ts'
import { formatColor, parseColor } from './theme/color.ts'
import type { BrandColors } from './theme/plan-colors.ts'
import { isReadableGround } from './theme/render-brand.ts'
import type { SiteSettings } from './types.ts'

/**
 * Tells what docs.json asks of a site that it does not get, once each: colours that text could not be read in, fonts and pictures from elsewhere, and
 * scripts of others. Pointers are those of docs.json.
 */
export function checkSettings(
  docsConfig: JsonObject,
  settings: SiteSettings,
  colors: BrandColors | undefined,
  file: string,
): Finding[] {
  const findings: Finding[] = []
  const tell = (code: Finding['code'], pointer: string, message: string, hint?: string) =>
    findings.push({ code, message, file, pointer, ...(hint === undefined ? {} : { hint }) })
  for (const { key, from, to, contrast, use } of colors?.moved ?? []) {
    const measured = (Math.floor(contrast * 10) / 10).toFixed(1)
    tell(
      'color-contrast',
      `/colors/${key}`,
      `Cannot use \`${from}\` for ${use}: its contrast is ${measured}, and \`${to}\` stands there`,
      'text needs 4.5 on every ground of the theme; choose this colour, or one of your own that has it',
    )
  }
  for (const theme of ['light', 'dark'] as const) {
    const color = settings.background.color[theme]
    if (color === undefined || isReadableGround(color, theme)) continue
    tell(
      'color-contrast',
      `/background/color/${theme}`,
      `Cannot use \`${formatColor(parseColor(color))}\` as ground: the palest text would not be read on it`,
      `choose one that is ${theme === 'light' ? 'lighter' : 'darker'}`,
    )
  }
  for (const pointer of listForeignFonts(docsConfig)) {
    tell(
      'setting-not-used',
      pointer,
      'Cannot load this font: the site loads nothing from other hosts',
      'put the font into the repository and name its file in `source`',
    )
  }
  const background = readKey(docsConfig, 'background')
  if (isObject(background) && readKey(background, 'image') !== undefined) {
    tell('setting-not-used', '/background/image', 'Cannot use a picture as ground: text on it could not be checked for contrast')
  }
  const integrations = readKey(docsConfig, 'integrations')
  if (isObject(integrations) && Object.keys(integrations).length > 0) {
    tell(
      'setting-not-used',
      '/integrations',
      'Cannot load scripts of other services: pages run only what this program brings',
      'measure on the server, or put a proxy in front of it',
    )
  }
  const languages = valueAt(docsConfig, ['api', 'examples', 'languages'])
  for (const [index, name] of (Array.isArray(languages) ? languages : []).entries()) {
    if (typeof name !== 'string' || findSampleLanguage(name) !== undefined) continue
    tell(
      'setting-not-used',
      `/api/examples/languages/${index}`,
      `Cannot write samples in \`${name}\``,
      `there are ${Object.keys(sampleLanguages).join(', ')}`,
    )
  }
  for (const { keys, reason } of unusedSettings) {
    if (valueAt(docsConfig, keys) !== undefined)
      tell('setting-not-used', `/${keys.join('/')}`, `Cannot use \`${keys.join('.')}\`: ${reason}`)
  }
  return findings
}

/** What a site has no use for, wherever it is set. */
const unusedSettings = [
  { keys: ['interaction'], reason: 'a group opens where it stands, and leads nowhere by itself' },
  { keys: ['api', 'asyncapi'], reason: 'pages are made of OpenAPI documents' },
] as const

function valueAt(top: JsonObject, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (isObject(value) ? readKey(value, key) : undefined), top)
}

function listForeignFonts(docsConfig: JsonObject): string[] {
  const fonts = readKey(docsConfig, 'fonts')
  if (!isObject(fonts)) return []
  const isForeign = (font: unknown) => {
    if (!isObject(font) || typeof readKey(font, 'family') !== 'string') return false
    const source = readKey(font, 'source')
    return typeof source !== 'string' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(source)
  }
  const parts = ['body', 'heading'].filter((key) => isForeign(readKey(fonts, key))).map((key) => `/fonts/${key}`)
  return isForeign(fonts) ? ['/fonts', ...parts] : parts
}
