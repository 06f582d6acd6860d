/** Encodes text for a part of a URL. Lone surrogates, which cannot be encoded, become U+FFFD. */
export function encodeUrlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Encodes a path for a URL, except its `/`. */
export function encodeFilePath(path: string): string {
  return path.split('/').map(encodeUrlPart).join('/')
}

/** Encodes what a whole URL cannot contain, such as spaces. Lone surrogates become U+FFFD. */
export function encodeUrl(text: string): string {
  return encodeURI(text.toWellFormed())
}
