/**
 * A text without the characters that HTML and Markdown have no place for, each replaced by U+FFFD: controls but for tabs and ends of lines.
 *
 * Source: HTML, "Preprocessing the input stream"; CommonMark, section 2.3.
 */
export function withoutControls(text: string): string {
  return controls.test(text) ? text.replace(new RegExp(controls, 'g'), '\uFFFD') : text
}

const controls = /[\0-\x08\x0b\x0e-\x1f\x7f]/
