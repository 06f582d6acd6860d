/** A path in a query, such as `/users/{id}`, `GET /users/42` or `https://api.example.com/v1/users?page=2`. */
export interface PathQuery {
  /** In upper case, `''` for any. */
  readonly method: string
  readonly path: string
}

export function readPathQuery(query: string): PathQuery | undefined {
  const [, method = '', path] = /^([a-z]* +)?(?:https?:\/\/[^/\s]*)?(\/[^?\s]+)(?:\?\S*)?$/i.exec(query.trim()) ?? []
  return path === undefined ? undefined : { method: method.trim().toUpperCase(), path: path.toLowerCase() }
}

/**
 * How well a path in a query matches the path template of an operation, from 0 to 1. Any value and spelling matches a parameter. The path
 * in the query can start with the path of the server.
 */
export function matchPath({ path }: PathQuery, template: string): number {
  const segments = toSegments(path)
  const expected = toSegments(template.toLowerCase())
  const first = segments.length - expected.length
  const same = expected.filter((segment, at) => segment === segments[first + at]).length
  const isMatch = expected.every((segment, at) => segment === segments[first + at] || /^\{.*\}$/.test(segment))
  return first < 0 || same === 0 || !isMatch ? 0 : (1 + same / segments.length) / 2
}

function toSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
