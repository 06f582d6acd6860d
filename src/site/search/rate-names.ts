/** Columns of the search files with a line for each page. */
interface NameColumns {
  readonly methods: readonly string[]
  /** The paths of operations. */
  readonly details: readonly string[]
  readonly titles: string
  readonly operationIds: string
}

/** What an operation gets for its path: more than all words of a query together. */
const pathRating = 10_000
/** For what its path returns, which readers look at if they type no method. */
const getRating = 100
/** For its `operationId`. */
const idRating = 1_000
/** For its title. */
const titleRating = 10
/** For a parameter or property with a name such as `per_page`. */
const compoundRating = 15
/** For one with a name such as `limit`: more than for a text that mentions it, less than for a heading. */
const wordRating = 3

/**
 * Creates a function that returns how well a query names an operation or webhook as a whole, 0 if not at all: by its path, its `operationId`, its
 * title, or one of its parameters.
 *
 * @param parametersOf returns the names of the parameters and properties of a page, separated by spaces.
 */
export function createNameRating(
  { methods, details, titles, operationIds }: NameColumns,
  parametersOf: (page: number) => string,
): (query: string) => (page: number) => number {
  const columns = new Map<string, readonly string[]>()
  /** Read when a query needs it. */
  const readColumn = (column: string) => {
    const known = columns.get(column) ?? toName(column).split('\n')
    columns.set(column, known)
    return known
  }
  return (query) => {
    const path = readPathQuery(query)
    const name = toName(query)
    const piece = /^\s*(\S+)\s*$/.exec(query)?.[1]?.toLowerCase()
    const isCompound = piece !== undefined && /[a-z\d][A-Z]|\w[^\w\s]\w|\w_\w/.test(query)
    return (page) => {
      const detail = details[page] ?? ''
      if (path && (path.method === '' || path.method === methods[page])) {
        const quality = matchPath(path, detail)
        if (quality > 0) return quality * pathRating + (methods[page] === 'GET' ? getRating : 0)
      }
      if (name === '') return 0
      if (isCompound && readColumn(operationIds)[page] === name) return idRating
      const hasParameter =
        piece !== undefined &&
        (` ${parametersOf(page)} `.toLowerCase().includes(` ${piece} `) || detail.toLowerCase().includes(`{${piece}}`))
      const rating = hasParameter ? (isCompound ? compoundRating : wordRating) : 0
      return rating + (readColumn(titles)[page] === name ? titleRating : 0)
    }
  }
}

/** Names regardless of their spelling: `repos/get` and `reposGet` are the same. */
function toName(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d\n]+/g, '')
}

/** A path in a query, such as `/users/{id}`, `GET /users/42` or `https://api.example.com/v1/users?page=2`. */
interface PathQuery {
  /** In upper case, `''` for any. */
  readonly method: string
  readonly path: string
}

function readPathQuery(query: string): PathQuery | undefined {
  const [, method = '', path] = /^([a-z]* +)?(?:https?:\/\/[^/\s]*)?(\/[^?\s]+)(?:\?\S*)?$/i.exec(query.trim()) ?? []
  return path === undefined ? undefined : { method: method.trim().toUpperCase(), path: path.toLowerCase() }
}

/**
 * How well a path in a query matches the path template of an operation, from 0 to 1. Any value and spelling matches a parameter. The path
 * in the query can start with the path of the server.
 */
function matchPath({ path }: PathQuery, template: string): number {
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
