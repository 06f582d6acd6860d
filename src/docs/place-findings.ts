import type { Finding } from '../diagnostic/diagnostic.ts'
import type { DocsConfig } from './types.ts'

/** Gives findings about a `docs.json` the file and pointer where what they are about stands; see `ConfigPlaces`. */
export function placeFindings(findings: readonly Finding[], docsConfig: DocsConfig | undefined): Finding[] {
  if (!docsConfig) return [...findings]
  const { source, places } = docsConfig
  return findings.map((finding) => {
    if (finding.file !== source.path || finding.offsets) return finding
    const related = finding.related?.map((place) => {
      const isHere = (place.file ?? finding.file) === source.path && !place.offsets
      return isHere ? { ...place, ...places.placeOf(place.pointer, place.on ?? 'value') } : place
    })
    return { ...finding, ...places.placeOf(finding.pointer, finding.on ?? 'value'), ...(related ? { related } : {}) }
  })
}
