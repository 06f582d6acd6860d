import table from '../../../texts/docs-keys.json' with { type: 'json' }
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { describeValue } from '../../docs/navigation/docs-config.ts'
import { findSampleLanguage, sampleLanguages } from '../../playground/samples/sample-languages.ts'
import {
  entriesOf,
  isObject,
  type JsonObject,
  listOf,
  pointerChild,
  readOwn,
  readText,
  stringOf,
  valueAtPointer,
} from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { isAllowedUrl } from '../../text/plain/paths.ts'
import { type BrandColors, formatColor, isReadableGround, parseColor } from './plan-colors.ts'
import type { SiteSettings } from './types.ts'

/**
 * Reports settings of `docs.json` that a site does not support: colors with too little contrast, fonts from other hosts, and unknown languages of code
 * samples. `check-key-support.ts` reports keys without effect.
 */
export function checkSettings(
  docsConfig: JsonObject,
  settings: SiteSettings,
  colors: BrandColors | undefined,
  file: string,
): Finding[] {
  const findings: Finding[] = []
  const report = (code: Finding['code'], pointer: string, message: string, hint?: string) =>
    findings.push({ code, message, file, pointer, hint })
  for (const { key, from, to, contrast, use } of colors?.adjustedColors ?? []) {
    const measured = (Math.floor(contrast * 10) / 10).toFixed(1)
    report(
      'color-contrast',
      `/colors/${key}`,
      `Cannot use \`${from}\` for ${use}: its contrast ratio is ${measured}:1, so the site uses \`${to}\``,
      'Choose a color with a contrast ratio of at least 4.5:1 on every background of the theme',
    )
  }
  for (const theme of ['light', 'dark'] as const) {
    const color = settings.background.color[theme]
    if (color === undefined || isReadableGround(color, theme)) continue
    report(
      'color-contrast',
      `/background/color/${theme}`,
      `Cannot use \`${formatColor(parseColor(color))}\` as the background: gray text on it would be unreadable`,
      `Choose a ${theme === 'light' ? 'lighter' : 'darker'} color`,
    )
  }
  for (const pointer of listForeignFonts(docsConfig)) {
    report(
      'setting-not-used',
      pointer,
      'Cannot load this font: the site does not load fonts from other hosts',
      'Add the font to the repository and set `source` to its path',
    )
  }
  for (const [index, name] of listOf(valueAtPointer(docsConfig, '/api/examples/languages')).entries()) {
    if (typeof name !== 'string' || findSampleLanguage(name) !== undefined) continue
    report(
      'setting-not-used',
      `/api/examples/languages/${index}`,
      `Cannot write samples in \`${name}\``,
      `Use a supported language: ${Object.keys(sampleLanguages).join(', ')}`,
    )
  }
  return findings
}

function listForeignFonts(docsConfig: JsonObject): string[] {
  return ['/fonts', '/fonts/body', '/fonts/heading'].filter((pointer) => {
    const font = valueAtPointer(docsConfig, pointer)
    const family = readText(font, 'family')
    const source = readOwn(font, 'source')
    if (family === undefined || (source === undefined && isInter(family))) return false
    return typeof source !== 'string' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(source)
  })
}

/** A site-wide URL in `docs.json`, with its location. */
export interface SettingLink {
  readonly href: string
  readonly file: string
  readonly pointer: string
}

/** The expected shape of a value. Only keys that a site reads are checked. */
type Shape =
  | 'text'
  | 'flag'
  | 'color'
  /** The target of a link. */
  | 'url'
  /** An absolute URL. */
  | 'webUrl'
  /** An image in the repository or on another host. */
  | 'image'
  | { readonly choices: readonly string[] }
  | { readonly list: Shape; readonly orString?: Shape }
  | { readonly values: Shape }
  | {
      readonly fields: { readonly [key: string]: Shape }
      readonly needs?: readonly (readonly string[])[]
      readonly orString?: Shape
    }

/** The settings of `docs.json` that a site reads. */
const settings = table.values as { readonly [key: string]: Shape } // As `texts/schema.json` says.

/** The settings that a language can have too. */
const languageSettings = ['navbar', 'footer', 'banner']

/**
 * Reports settings of `docs.json` with an unexpected value, which would otherwise be ignored silently. Also lists the URLs of valid settings. Divisions
 * have separate checks.
 */
export function checkSettingValues(
  docsConfig: JsonObject,
  file: string,
): { findings: readonly Finding[]; links: readonly SettingLink[] } {
  const findings: Finding[] = []
  const links: SettingLink[] = []
  const report = (pointer: string, message: string) =>
    findings.push({ code: 'setting-not-used', severity: 'warning', message, file, pointer })
  const visit = (value: unknown, shape: Shape, key: string, pointer: string): void => {
    const mismatch = findMismatch(value, shape)
    if (mismatch !== undefined) {
      report(pointer, `Unexpected ${mismatch.found} for \`${key}\`, expected ${mismatch.expected}`)
      return
    }
    if ((shape === 'url' || shape === 'image') && value !== '') links.push({ href: String(value), file, pointer })
    if (typeof shape === 'string') return
    if ('list' in shape) {
      for (const [index, one] of listOf(value).entries()) visit(one, shape.list, key, pointerChild(pointer, index))
    }
    if (!isObject(value)) {
      if ('fields' in shape && shape.orString !== undefined) visit(value, shape.orString, key, pointer)
      return
    }
    if ('values' in shape) {
      for (const name of Object.keys(value)) visit(value[name], shape.values, name, pointerChild(pointer, name))
    }
    if (!('fields' in shape)) return
    const has = (name: string) => Object.hasOwn(value, name)
    for (const names of shape.needs ?? []) {
      if (!names.some(has)) report(pointer, `Missing ${listChoices(names)} in \`${key}\``)
    }
    visitAll(value, shape.fields, pointer)
  }
  const visitAll = (value: unknown, shapes: { readonly [key: string]: Shape }, pointer: string, names?: readonly string[]) => {
    for (const [name, inside] of entriesOf(value)) {
      const shape = names?.includes(name) === false ? undefined : readOwn(shapes, name)
      if (shape !== undefined) visit(inside, shape, name, pointerChild(pointer, name))
    }
  }
  visitAll(docsConfig, settings, '')
  for (const [index, language] of listOf(valueAtPointer(docsConfig, '/navigation/languages')).entries())
    visitAll(language, settings, `/navigation/languages/${index}`, languageSettings)
  return { findings, links }
}

function findMismatch(value: unknown, shape: Shape): { found: string; expected: string } | undefined {
  const text = stringOf(value)
  // Templates contain empty strings as placeholders. Ignore them.
  if (text === '') return undefined
  const wrongKind = (expected: string) => ({ found: describeValue(value), expected })
  const wrongValue = (expected: string) => (text === undefined ? wrongKind(expected) : { found: `\`${text}\``, expected })
  if (shape === 'text') return text === undefined ? wrongKind('a string') : undefined
  if (shape === 'flag') return typeof value === 'boolean' ? undefined : wrongKind('`true` or `false`')
  if (shape === 'color') return text !== undefined && isColor(text) ? undefined : wrongValue('a color such as `#0D9373`')
  if (shape === 'url' || shape === 'image') {
    const isAllowed = text !== undefined && isAllowedUrl(text, shape === 'url' ? 'link' : 'media')
    return isAllowed ? undefined : wrongValue('a path or URL')
  }
  if (shape === 'webUrl') return isWebUrl(text) ? undefined : wrongValue('a URL such as `https://example.com`')
  if ('choices' in shape) {
    return text !== undefined && shape.choices.includes(text) ? undefined : wrongValue(listChoices(shape.choices))
  }
  if ('list' in shape) {
    if (Array.isArray(value) || (shape.orString !== undefined && text !== undefined)) return undefined
    return wrongKind(shape.orString === undefined ? 'a list' : 'a string or a list')
  }
  if (isObject(value)) return undefined
  const hasText = 'fields' in shape && shape.orString !== undefined
  return hasText && text !== undefined ? undefined : wrongKind(hasText ? 'a string or an object' : 'an object')
}

export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value)
}

/** Whether a string is a hexadecimal color, the only kind that `docs.json` allows. */
export function isColor(text: string): boolean {
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)
}

/** Whether a font family is the one that is part of this package. */
export function isInter(family: unknown): boolean {
  return typeof family === 'string' && family.trim().toLowerCase() === 'inter'
}
