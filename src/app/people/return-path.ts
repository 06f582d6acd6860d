/** Where to go after a sign-in when nothing else was asked for. */
export const homePath = '/projects'

/** A path of ours that a person wanted before the sign-in; everything that could lead elsewhere becomes the home page. */
export function toReturnPath(text: string | undefined): string {
  if (text === undefined || text.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return homePath
  // The browser's own reading of the address has the last word.
  const base = 'https://own.invalid'
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url?.origin === base ? `${url.pathname}${url.search}` : homePath
}
