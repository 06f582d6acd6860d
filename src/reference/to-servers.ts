import type { Place } from '../openapi/follow-reference.ts'
import { listPlaces, mapPlaces, readField, readText } from './read-fields.ts'
import type { ServerView } from './types.ts'

/** The servers of the nearest object that has some: the operation, the path item, the document. Source: OpenAPI 3.2.0, "Server Object". */
export function toServers(owners: readonly Place[]): ServerView[] {
  for (const owner of owners) {
    const servers = listPlaces(owner, 'servers').flatMap(toServer)
    if (servers.length > 0) return servers
  }
  return [{ url: '/', name: undefined, description: undefined, variables: [] }]
}

/**
 * The address of a server as it counts for a reader: a relative one of a document that came from the network is relative to that document, not to the
 * page. Variables stay. Source: OpenAPI 3.2.0, "Server Object".
 */
export function resolveServerUrl(url: string, file: string): string {
  if (!/^https?:/.test(file) || /^[a-z{][^/]*:/i.test(url) || !URL.canParse(url, file)) return url
  return new URL(url, file).href.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

function toServer(place: Place): ServerView[] {
  const url = readText(place.value, 'url')
  if (url === undefined) return []
  const variables = mapPlaces(place, 'variables').map(({ name, place: { value } }) => {
    const choices = readField(value, 'enum')
    const fallback = readField(value, 'default')
    return {
      name,
      // Numbers are common though not allowed.
      default: typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : '',
      enum: Array.isArray(choices) ? choices.map(String) : [],
      description: readText(value, 'description'),
    }
  })
  return [
    {
      url: resolveServerUrl(url, place.file),
      name: readText(place.value, 'name'),
      description: readText(place.value, 'description'),
      variables,
    },
  ]
}
