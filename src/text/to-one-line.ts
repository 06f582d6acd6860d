/** Our own text of several lines on one, for where a line is all there is. */
export function toOneLine(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ')
}
