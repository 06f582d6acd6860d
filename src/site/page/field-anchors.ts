/**
 * The ID that Mintlify gives to a parameter or property, so that links to its pages keep working. `undefined` if it is the same, or if there is none.
 *
 * Examples: `parameter-user-id` for `path-userId`, `body-user-name` for `body-user_name`, `response-user-name` for `r200-user_name`.
 */
export function toForeignFieldId(id: string): string | undefined {
  const [, place = '', path = ''] = /^(path|query|header|cookie|body|r\d{3}|rdefault)-(.+)$/s.exec(id) ?? []
  if (place === '') return undefined
  const prefix = place === 'body' ? 'body' : place.startsWith('r') ? 'response' : 'parameter'
  const foreign = `${prefix}-${toKebabCase(path)}`
  return foreign === id ? undefined : foreign
}

/** Converts a name to Mintlify's spelling: `baseUrl`, `base_url` and `filter[baseUrl]` become `base-url` and `filter-base-url`. */
export function toKebabCase(name: string): string {
  // Most names have no capital letters.
  const words = /\p{Lu}/u.test(name)
    ? name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1-$2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
    : name
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** The part of a `SiteContext` that is needed, because scripts of pages use this file, too. */
interface IdNotes {
  readonly notes?: { readonly deferExtraId?: ((id: string) => string) | undefined } | undefined
}

/** The `id` attribute for an additional ID; none if it is `undefined`, or if another element of the page has it. */
export function extraId(id: string | undefined, { notes }: IdNotes): { readonly id?: string } {
  return id === undefined || notes?.deferExtraId === undefined ? {} : { id: notes.deferExtraId(id) }
}
