import { reservedPaths } from '../../docs/pages/generated-page.ts'

/**
 * The directories of a site that have pages but no index page, with the first page in or below each. Its URL opens that page, as on other
 * hosts.
 *
 * @param routes the routes of all pages, in the order of the navigation.
 */
export function listPageDirectories(routes: Iterable<string>): Map<string, string> {
  const all = [...routes]
  // File systems may ignore the case of names.
  const taken = new Set([...reservedPaths, ...all.map((route) => route.toLowerCase())])
  const directories = new Map<string, string>()
  for (const route of all) {
    for (let end = route.indexOf('/'); end !== -1; end = route.indexOf('/', end + 1)) {
      const directory = route.slice(0, end)
      if (directories.has(directory)) continue
      if (taken.has(directory.toLowerCase())) continue
      taken.add(directory.toLowerCase())
      directories.set(directory, route)
    }
  }
  return directories
}
