/** GitHub REST, "Create a deployment status"; commit statuses have the same limit. */
const characters = 140

/** Cuts a line to what GitHub takes as the description of a commit status or of a deployment status. */
export function toShortDescription(text: string): string {
  const all = [...text]
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`
}
