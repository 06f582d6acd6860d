import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { GroupMark } from '../../openapi/public/restriction-marks.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { Audience } from '../config/audience-settings.ts'

/** Reports groups that no audience has, and what the order of the audiences hides from readers in groups of two. @param file The configuration file. */
export function checkGroups(marks: readonly GroupMark[], audiences: readonly Audience[], file: string): Finding[] {
  const known = audiences.flatMap(({ groups }) => groups)
  const all = marks.flatMap((mark) => mark.groups.map((group) => ({ ...mark, group })))
  const unknown = [...groupBy(all, ({ group }) => group)].flatMap(([group, places]): Finding[] => {
    const [first] = places
    if (!first || known.includes(group)) return []
    // The same name with an issuer is the nearest.
    const near = known.find((one) => one.endsWith(`/${group}`)) ?? suggest(group, known)
    const more = places.length > 1 ? `, here and in ${places.length - 1} more` : ''
    const message = `No audience has the group \`${group}\`: no reader can see what is only for it${more}`
    const hint = didYouMean(near) ?? 'Add it to the `groups` of an audience in `site.audiences`'
    return [{ code: 'content-restricted', severity: 'warning', message, file: first.file, pointer: first.pointer, hint }]
  })
  const order = audiences.flatMap((later, index) =>
    audiences.slice(0, index).flatMap((earlier) => {
      const isFor = ({ groups }: GroupMark, audience: Audience) => groups.some((group) => audience.groups.includes(group))
      const [first, ...others] = marks.filter((mark) => isFor(mark, later) && !isFor(mark, earlier))
      return first ? [reportOrder(earlier, later, first, others.length, { file, index })] : []
    }),
  )
  return [...unknown, ...order]
}

function reportOrder(
  { name: earlier }: Audience,
  { name: later }: Audience,
  hidden: GroupMark,
  moreCount: number,
  { file, index }: { readonly file: string; readonly index: number },
): Finding {
  const place = `\`${hidden.file}${hidden.pointer && `#${hidden.pointer}`}\`${moreCount > 0 ? ` and ${moreCount} more` : ''}`
  return {
    code: 'content-restricted',
    severity: 'warning',
    message: `Readers with groups of both \`${earlier}\` and \`${later}\` get the site of \`${earlier}\`, without ${place}`,
    file,
    pointer: `/site/audiences/${index}`,
    hint: `Add a group of \`${earlier}\` there, or write \`${later}\` before it`,
  }
}
