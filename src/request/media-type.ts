/** Whether a media type is JSON as a whole, and not lines of it. */
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
 * The media type to send where a list of types and ranges is written: the first that is no range, and `known`, where there is one, instead of a range or
 * where it is in the list. Absent where there is none.
 */
export function toConcreteType(mediaTypes: string | undefined, known = ''): string | undefined {
  const all = (mediaTypes ?? '').split(',').map((one) => one.trim())
  const [first] = all.filter((one) => one !== '' && !one.includes('*'))
  if (known !== '' && (first === undefined || all.includes(known))) return known
  return first ?? (all[0] === 'text/*' ? 'text/plain' : undefined)
}

/** A value as a reader writes it: text as it is, all else as JSON on one line. */
export function toJsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
