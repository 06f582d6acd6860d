import { find, svg } from 'property-information'
import { type MdxProps, type MdxValue, toProps } from '../../../script/values/values.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { readStyle } from './allowed-style.ts'
import { cleanCssValue } from './css-values.ts'

const toNames = (text: string) => new Set(text.split(' '))

/** Elements of SVG, without those that HTML has too: they draw, or are drawn where something refers to them. Animations and `foreignObject` are not allowed. */
const elements = toNames(
  'svg g path circle rect line polyline polygon ellipse defs symbol use text tspan textpath image marker pattern mask clippath ' +
    'lineargradient radialgradient stop filter feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting ' +
    'fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur femerge femergenode femorphology ' +
    'feoffset fepointlight fespecularlighting fespotlight fetile feturbulence',
)

/** Attributes in the spelling of SVG. */
const attributes = toNames(
  'id class style href role aria-hidden aria-label aria-labelledby aria-describedby lang xmlns width height x y x1 x2 y1 y2 cx cy r rx ry fx fy fr d ' +
    'points pathLength dx dy rotate textLength lengthAdjust startOffset method spacing side viewBox preserveAspectRatio transform transform-origin ' +
    'fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity ' +
    'stroke-width color opacity display visibility overflow paint-order vector-effect shape-rendering text-rendering image-rendering ' +
    'color-interpolation-filters mix-blend-mode clip-path clip-rule mask filter marker-start marker-mid marker-end font-family font-size font-style ' +
    'font-weight letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode ' +
    'direction offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform ' +
    'maskUnits maskContentUnits clipPathUnits filterUnits primitiveUnits markerWidth markerHeight markerUnits refX refY orient in in2 result ' +
    'type values mode operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant ' +
    'specularConstant specularExponent kernelUnitLength scale xChannelSelector yChannelSelector azimuth elevation pointsAtX pointsAtY pointsAtZ ' +
    'limitingConeAngle stdDeviation flood-color flood-opacity lighting-color radius baseFrequency numOctaves seed stitchTiles tableValues slope ' +
    'intercept amplitude exponent',
)

/** Whether an element is allowed in drawings only. */
export function isSvgName(name: string): boolean {
  return elements.has(name.toLowerCase())
}

/**
 * The allowed attributes of an SVG element, in the spelling of SVG. References can only be to elements of the page, and nothing loads a
 * file, except images of the site.
 */
export function cleanSvgProps(name: string, props: MdxProps): MdxProps {
  return toProps(
    Object.entries(props).flatMap(([written, value]): [string, MdxValue][] => {
      const attribute = find(svg, written).attribute.replace(/^xlink:(?=href$)/, '')
      if (!attributes.has(attribute)) return []
      if (attribute === 'style') return readStyle(value) === '' ? [] : [['style', readStyle(value)]]
      if (typeof value === 'boolean' && attribute.startsWith('aria-')) return [[attribute, String(value)]]
      if (typeof value !== 'string' && typeof value !== 'number') return []
      const clean = attribute === 'href' ? cleanReference(name.toLowerCase(), String(value)) : cleanValue(String(value))
      return clean === undefined ? [] : [[attribute, clean]]
    }),
  )
}

function cleanReference(name: string, url: string): string | undefined {
  if (name !== 'image') return /^#[^\s"'()<>\\]{1,200}$/.test(url) ? url : undefined
  const isOwn = !/^[^/?#]*:|^[\s/\\]*[/\\]{2}/.test(url) || /^data:image\//i.test(url)
  return isOwn && isAllowedUrl(url, 'media') ? url : undefined
}

/** Attributes such as `fill` are CSS, which can load files with `url()`. */
function cleanValue(value: string): string | undefined {
  const reference = /^url\(\s*(["']?)#([^\s"'()<>\\]{1,200})\1\s*\)$/.exec(value.trim())
  if (reference) return `url(#${reference[2]})`
  if (!/[(\\@]|\/\*/.test(value)) return value
  return cleanCssValue(value) === undefined ? undefined : value
}
