/**
 * Replaces by U+FFFD what no file of ours can hold: halves of surrogate pairs, which UTF-8 cannot write, and U+FFFE and U+FFFF, which YAML
 * cannot (YAML 1.2.2, section 5.1). JSON escapes can bring them in.
 */
export function toWellFormed(text: string): string {
  return text.replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd')
}
