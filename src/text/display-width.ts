/**
 * How many cells of a terminal a text takes: two for wide characters and emoji, none for marks that join the one before.
 *
 * An approximation by Unicode properties, as terminals differ among themselves; the text has no control characters.
 */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += joining.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

const joining = /^(?:\p{Mark}|\u200c|\u200d|\p{Emoji_Modifier})$/u
const wide =
  /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u
