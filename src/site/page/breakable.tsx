import type { ComponentChildren } from 'preact'

/** Names without spaces that are longer, and paths, can be too long for a line. */
const longName = /[\w.]{18}|^\//

/**
 * A title or path in which long names, such as `MessageReactionCountDetailsResponse`, break between their words. Browsers break them after any letter
 * otherwise.
 */
export function toBreakable(title: string): ComponentChildren {
  if (!longName.test(title)) return title
  return title.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[_.])(?=[\p{L}\d])|(?=\/)/u).map((word, index) => (
    <>
      {index > 0 && <wbr />}
      {word}
    </>
  ))
}
