/** Whether a media type is a single JSON value, not a sequence of them. */
export function isJsonType(mediaType: string): boolean {
  return /[/+]json\b(?!-)/i.test(mediaType)
}

export function isFormType(mediaType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(mediaType)
}

export function isXmlType(mediaType: string): boolean {
  return /[/+]xml\b/i.test(mediaType)
}

/**
 * The media type to send for a list of types and ranges: the first that is not a range. `known` is preferred if it is in the list or if there are only
 * ranges. Absent if there is none.
 */
export function toConcreteType(mediaTypes: string | undefined, known = ''): string | undefined {
  const all = (mediaTypes ?? '').split(',').map((one) => one.trim())
  const [first] = all.filter((one) => one !== '' && !one.includes('*'))
  if (known !== '' && (first === undefined || all.includes(known))) return known
  return first ?? (all[0] === 'text/*' ? 'text/plain' : undefined)
}

/** Converts a value to text: strings unchanged, everything else as JSON on one line. */
export function toJsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
