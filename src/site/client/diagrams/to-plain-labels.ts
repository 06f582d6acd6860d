/** Tags of known elements or with attributes. Others, such as `<id>`, are text. */
const tag =
  /<\/?(?:(?:a|b|big|center|code|div|em|font|h[1-6]|i|iframe|math|p|pre|s|script|small|span|strong|style|sub|sup|svg|u)(?:\s[^<>]{0,1000})?\/?|[a-z][\w:-]{0,100}\s[^<>=]{0,1000}=[^<>]{0,1000})>/gi
const image = /<img\s[^<>]{0,2000}>/gi
/** `click A href "https://…"`. Images have no links. */
const click = /^[ \t]*click[ \t]+[^\s"]+[ \t]+(?:"|href\b|call\b|[\w$]+[ \t]+").*$/gm
/** The image of a node: `A@{ img: "https://…", label: "A" }`. */
const nodeImage = /(@\{[^{}\n]{0,1000}?)\bimg:\s*(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'),?/g

/**
 * Removes links, and HTML and formulas from the labels of a diagram, except line breaks. An image shows its `alt`, because images inside of
 * images are not loaded. A formula shows its source.
 */
export function toPlainLabels(source: string): string {
  return (
    source
      .replace(image, (text) => {
        const alt = /\salt=(?:"([^"]*)"|'([^']*)')/.exec(text)
        return (alt?.[1] ?? alt?.[2] ?? '') || 'Image'
      })
      .replace(tag, '')
      // Mermaid rejects empty labels.
      .replace(/([[({|]\s?)""/g, '$1" "')
      .replace(click, '')
      .replace(nodeImage, '$1')
      .replaceAll('$$', '$')
      .replaceAll('&nbsp;', '\u00a0')
      // In the syntax of Mermaid.
      .replace(/&(lt|gt|quot|amp);/g, '#$1;')
  )
}
