/**
 * The part of a page's path that a summary, tag, path template or webhook name gives. Links of readers depend on every step of it.
 *
 * Keeps what is not named here, so the result can still be unfit for a URL or a disk: see `toPagePath`.
 */
export function slug(text: string): string {
  return text
    .replaceAll(' ', '-')
    .replace(/\{[^{}]*\}/g, '-')
    .replace(/^-/, '')
    .replace(/-$/, '')
    .replace(/[{}(),.'\n/]/g, '')
    .replaceAll('--', '-')
    .toLowerCase()
}
