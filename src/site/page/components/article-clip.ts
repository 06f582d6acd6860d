/**
 * Keeps content inside the article: it can cover or move nothing else, even with `position: fixed` or a huge shadow. Written to the stylesheet of a page only
 * if its styles need it, because tooltips at the edge are clipped too.
 */
export const articleClip = ':is(.page>article,.panel,.banner>div){contain:paint;overflow-clip-margin:16px}\n'

/** Properties whose values are colors, numbers without a unit, or durations. */
const harmless =
  /^(?:--c|(?:background-|border-|outline-|text-decoration-)?color|background|background-image|color-scheme|fill|stroke|opacity|font-weight|font-family|z-index|order|flex-(?:grow|shrink)|line-height|transition(?:-.*)?)$/
const moving =
  /^(?:position|inset.*|top|right|bottom|left|transform.*|translate|rotate|scale|float|.*filter|text-indent|.*shadow|outline.*|mix-blend-mode)$/
/** Lengths that can exceed the width of the article, and values that are not known. */
const large =
  /(?:^|[\s(,])-[\d.]|(?<![\d.])\d{3,}(?:\.\d+)?(?!%|[\d.])|\de\d|(?<![\d.])\d{2,}(?:\.\d+)?(?:r?em|ch|v\w+|cm|in|pc|rlh|lh)\b|calc|min\(|max\(|clamp|var\(|visible/i

/** Whether declarations can put an element, or a part of it, outside of the article. */
export function mayLeaveArticle(declarations: string): boolean {
  return declarations.split(';').some((declaration) => {
    const colon = declaration.indexOf(':')
    const [name, value] = [declaration.slice(0, colon), declaration.slice(colon + 1)]
    if (colon < 0 || harmless.test(name)) return false
    if (moving.test(name)) return !/^(?:none|static|0|0px)$/.test(value)
    // The content is never wider than its element with these, so only the element counts.
    if (/^(?:max-|min-height|height|block-size)/.test(name)) return false
    return large.test(value)
  })
}
