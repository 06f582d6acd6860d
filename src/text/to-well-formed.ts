/** Replaces halves of surrogate pairs, which no UTF-8 file can hold, by U+FFFD. JSON escapes can bring them in. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
