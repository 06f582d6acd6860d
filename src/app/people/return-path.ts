/** Where to go after a sign-in when nothing else was asked for. */
export const homePath = '/projects'

/** A path of ours that a person wanted before the sign-in; everything that could lead elsewhere becomes the home page. */
export function toReturnPath(text: string | undefined): string {
  return toOwnPath(text) ?? homePath
}

/** A path with its query on the host that it is read on; `undefined` for what could lead elsewhere. */
export function toOwnPath(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return undefined
  // The browser's own reading of the address has the last word.
  const base = 'https://own.invalid'
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url?.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : undefined
}
