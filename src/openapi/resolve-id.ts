/** An `$id` as seen from the one around it; left as it is where neither is an address. */
export function resolveId(base: string | undefined, id: string): string {
  return URL.parse(id, base)?.href ?? id
}
