import { suggest } from '../../text/suggest.ts'
import { toLooseId } from '../../text/to-loose-id.ts'
import { readReaderLink } from './read-reader-link.ts'

/** What links can name of a description, with the routes of its pages; what has no page is not there. */
export interface NamedParts {
  readonly operations: readonly NamedOperation[]
  /** The page to begin with: the overview of a tag, else its first operation. */
  readonly tags: readonly NamedPage[]
  readonly schemas: readonly NamedPage[]
  /** The page that shows `info.description`, with the addresses of its parts; absent where none does. */
  readonly introduction: { readonly route: string; readonly ids: readonly string[] } | undefined
}

interface NamedPage {
  readonly name: string
  readonly route: string
}

interface NamedOperation {
  /** `GET /pets`. */
  readonly target: string
  readonly operationId: string | undefined
  readonly route: string
}

/** A page, and the part of it where there is one. */
export interface FoundPart {
  readonly route: string
  readonly id: string | undefined
}

/** Finds the page that a fragment leads to which was written for another reader of descriptions; absent where it leads nowhere. */
export function findNamedPart(fragment: string, { operations, tags, schemas, introduction }: NamedParts): FoundPart | undefined {
  const named = readReaderLink(fragment)
  switch (named?.kind) {
    case 'operation':
      return (
        toFound(findByName(operations, ({ operationId }) => operationId, named.id)) ??
        toFound(findByName(operations, ({ target }) => target, named.id))
      )
    case 'request':
      return toFound(findByName(operations, ({ target }) => target, `${named.method.toUpperCase()} ${named.path}`))
    case 'tag':
      // After the tag there may be a heading of its description.
      return toFound(
        findByName(tags, ({ name }) => name, named.name) ??
          findByName(tags, ({ name }) => name, named.name.replace(/\/.*$/s, '')),
      )
    case 'schema':
      return toFound(findByName(schemas, ({ name }) => name, named.name))
    default: {
      const id = introduction && findByName(introduction.ids, (one) => one, named?.heading ?? fragment)
      return introduction && id !== undefined ? { route: introduction.route, id } : undefined
    }
  }
}

/** The fragment that one which leads nowhere may have meant, in the form in which it is written. */
export function suggestNamedPart(fragment: string, { operations, tags, schemas, introduction }: NamedParts): string | undefined {
  const named = readReaderLink(fragment)
  if (!named || named.kind === 'request') return undefined
  const [written, names] =
    named.kind === 'operation'
      ? [named.id, operations.flatMap(({ operationId }) => operationId ?? [])]
      : named.kind === 'section'
        ? [named.heading, introduction?.ids ?? []]
        : [named.name, (named.kind === 'tag' ? tags : schemas).map(({ name }) => name)]
  const near = suggest(written, names)
  const at = fragment.lastIndexOf(written)
  // What is written in another way, encoded for instance, cannot be replaced in it.
  return near === undefined || near === written || at === -1
    ? undefined
    : fragment.slice(0, at) + near.replaceAll(' ', '-') + fragment.slice(at + written.length)
}

/** The one of this name, else the first whose name differs in signs, blanks and capitals only: readers make addresses of names in many ways. */
function findByName<One>(all: readonly One[], nameOf: (one: One) => string | undefined, name: string): One | undefined {
  const exact = all.find((one) => nameOf(one) === name)
  if (exact !== undefined) return exact
  const loose = toLooseId(name)
  return loose === '' ? undefined : all.find((one) => toLooseId(nameOf(one) ?? '') === loose)
}

function toFound(found: { readonly route: string } | undefined): FoundPart | undefined {
  return found && { route: found.route, id: undefined }
}
