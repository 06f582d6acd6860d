import type { Element } from 'hast'
import { type Schema, sanitize } from 'hast-util-sanitize'
import { type MdxProps, type MdxValue, toProps } from '../../../script/values/values.ts'
import { setOwn } from '../../../text/json/json-values.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { readStyle } from './allowed-style.ts'

const toNames = (text: string) => text.split(' ')

/** Video players and code editors allowed in an `iframe`. The Content Security Policy of a site lists them too. */
export const frameHosts: readonly string[] = [
  'www.youtube.com',
  'www.youtube-nocookie.com',
  'player.vimeo.com',
  'www.loom.com',
  'fast.wistia.net',
  'www.tella.tv',
  'supercut.ai',
  'codesandbox.io',
  'stackblitz.com',
  'codepen.io',
]

/**
 * HTML allowed in pages and descriptions: text, tables, images and videos, but nothing that runs scripts, sends data or frames
 * other sites.
 *
 * Attribute names are in lowercase HTML spelling, since pages write them in several ways.
 */
const schema: Schema = {
  tagNames: toNames(
    'a abbr address article aside audio b bdi bdo blockquote br caption center cite code col colgroup data dd del details dfn div dl dt em ' +
      'figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img ins kbd label li main mark nav ol p picture pre q rp rt ruby s samp ' +
      'section small source span strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr title desc',
  ),
  // The text inside these elements is not content.
  strip: toNames('script style template noscript object embed applet noembed noframes xmp math input select textarea'),
  attributes: {
    '*': [
      ...toNames(
        'id class style dark-style href alt align valign width height title lang dir role start reversed type value colspan rowspan headers scope span open ' +
          'datetime cite loading controls loop muted playsinline autoplay srcset sizes media kind label srclang default allowfullscreen name target ' +
          'rel download',
      ),
      ...toNames(
        'activedescendant atomic autocomplete busy checked colcount colindex colspan controls current describedby description details disabled ' +
          'dropeffect errormessage expanded flowto grabbed haspopup hidden invalid keyshortcuts label labelledby level live modal multiline ' +
          'multiselectable orientation owns placeholder posinset pressed readonly relevant required roledescription rowcount rowindex rowspan ' +
          'selected setsize sort valuemax valuemin valuenow valuetext',
      ).map((name) => `aria-${name}`),
    ],
    video: ['src', 'poster'],
    ...Object.fromEntries(toNames('iframe img audio source track').map((name) => [name, ['src']])),
  },
  ancestors: {},
  clobber: [],
  // `isAllowedUrl` is the judge of URLs.
  protocols: {},
  required: {},
}

/** Roles of controls. Pages run no code, so an element with such a role would promise what it does not do. */
const controlRoles =
  /^(?:button|checkbox|combobox|link|menuitem\w*|option|radio|scrollbar|searchbox|slider|spinbutton|switch|tab|textbox|treeitem)$/i
/** What only elements with such a role have. */
const controlStates = /^(?:aria-(?:autocomplete|checked|expanded|haspopup|pressed|selected|value\w+)|tabindex)$/

/** Elements that are refused, but whose content is shown. */
const refusedNames = toNames(
  'acronym big blink body button canvas dialog fieldset form head hgroup html legend link marquee menu meta meter nobr optgroup option output ' +
    'progress search slot',
)
const htmlNames: ReadonlySet<string> = new Set([...(schema.tagNames ?? []), ...(schema.strip ?? []), ...refusedNames])
/** Elements without an end tag, or whose end tag is often left out. */
const openNames: ReadonlySet<string> = new Set(
  toNames(
    'br caption col colgroup dd div dl dt embed hr img input li link meta ol optgroup option p rp rt source table tbody td tfoot th thead tr ' +
      'track ul wbr',
  ),
)

const tagStart = /<(?:[?]|!(?!--)|(\/?)([a-z][^\s/>]*))/gi

/**
 * Escapes what only looks like HTML in a text of Markdown, such as `Bearer <token>`, `List<String>` and `/files/<path>`: names that HTML does
 * not have, elements that are never opened or never closed, and declarations. Readers see it as it was written.
 *
 * @param all all HTML of the text, in which the other tag of an element is looked for.
 */
export function createTagEscape(all: string): (html: string) => string {
  const opened = new Set<string>()
  const closed = new Set<string>()
  for (const [, slash, name] of all.matchAll(tagStart)) if (name) (slash ? closed : opened).add(name.toLowerCase())
  const isDrawing = opened.has('svg') && closed.has('svg')
  const isTag = (name: string) => {
    // HTML reads `</br>` as `<br>`.
    if (isDrawing || name === 'br') return true
    if (!opened.has(name)) return false
    return htmlNames.has(name) && (openNames.has(name) || closed.has(name))
  }
  return (html) =>
    html.replace(tagStart, (start, _slash, name?: string) =>
      name !== undefined && isTag(name.toLowerCase()) ? start : start.replace('<', '&lt;'),
    )
}

/** A text of Markdown with something else in place of its HTML tags. What only looks like one stays. */
export function replaceTags(text: string, by: string): string {
  const toText = createTagEscape(text)
  return text.replace(/<[^<>]*>/g, (tag) => (toText(tag) === tag ? by : tag))
}

/** What remains of an HTML element: the element with its allowed attributes, only its children, or nothing. */
export type CleanElement =
  | { readonly kind: 'element'; readonly name: string; readonly props: MdxProps }
  | { readonly kind: 'children' | 'nothing' }

/**
 * Removes everything from an HTML element that pages may not use. Props keep their names, except that `className` and `CLASS`
 * become `class`.
 */
export function cleanElement(name: string, props: MdxProps): CleanElement {
  const properties: Element['properties'] = Object.create(null)
  const isControl = props['href'] === undefined && controlRoles.test(String(props['role']))
  for (const [written, value] of Object.entries(props)) {
    const attribute = toAttribute(written)
    if (isControl && (attribute === 'role' || controlStates.test(attribute))) continue
    setOwn(properties, attribute, isStyle(attribute) ? readStyle(value) || null : toSafeValue(attribute, value))
  }
  const children: Element['children'] = [{ type: 'text', value: 'inside' }]
  const clean = sanitize({ type: 'element', tagName: name.toLowerCase(), properties, children }, schema)
  if (clean.type !== 'element') return { kind: clean.type === 'text' ? 'children' : 'nothing' }
  const keptProps = Object.entries(props).flatMap(([written, value]): [string, MdxValue][] => {
    const attribute = toAttribute(written)
    if (!Object.hasOwn(clean.properties, attribute)) return []
    if (isStyle(attribute)) return [[attribute, readStyle(value)]]
    return [[attribute === 'class' ? 'class' : written, value]]
  })
  return { kind: 'element', name: clean.tagName, props: toProps(keptProps) }
}

const isStyle = (attribute: string) => attribute === 'style' || attribute === 'dark-style'

function toAttribute(written: string): string {
  const lower = written.toLowerCase()
  return lower === 'classname' ? 'class' : lower
}

const urlAttributes = new Set(['href', 'src', 'poster', 'cite'])

function toSafeValue(attribute: string, value: MdxValue): string | number | boolean | null {
  if (typeof value === 'object') return null
  if (!urlAttributes.has(attribute)) return value
  return typeof value === 'string' && isAllowedUrl(value, attribute === 'href' || attribute === 'cite' ? 'link' : 'media')
    ? value
    : null
}

/** Whether an `iframe` may show a URL. */
export function isAllowedFrame(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && frameHosts.includes(hostname)
}
