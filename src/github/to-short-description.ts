import { escapeText } from '../text/escape-text.ts'

/** GitHub REST, "Create a deployment status"; commit statuses have the same limit. */
const characters = 140

/** Makes a line safe to show, and cuts it to what GitHub takes as the description of a commit status or of a deployment status. */
export function toShortDescription(text: string): string {
  const shown = escapeText(text)
  const all = [...shown]
  return all.length <= characters ? shown : `${all.slice(0, characters - 1).join('')}…`
}
