/** The media type of a `Content-Type`, lower case and without parameters. */
export function toMediaType(contentType: string | null): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}

/** Whether a media type is JSON for sure, as one value and not lines of them; `chooseReading` knows the rest. */
export function isSurelyJson(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^application\/(?:(?!.*stream\+)[\w.+-]+\+)?json$/.test(mediaType)
}
