import { formatCount, formatNumber } from '../diagnostic/diagnostic.ts'
import { escapeText } from '../text/escape-text.ts'
import { groupBy } from '../text/group-by.ts'
import { joinPath } from '../text/relative-path.ts'
import type { AdoptReport, AreaReport } from '../update/run-adopt.ts'
import type { UpdateFormatOptions } from './format-update.ts'

const whys = {
  'faulty-document': 'because errors in their document hide what they are bound to',
  ambiguous: 'until their binding names one of the documents that have it',
  unresolved: 'since nothing has what they are bound to',
} as const

const listedAreas = 12
const listedOperations = 5

/** Shows what was taken over: each part of the navigation with its pages, how they are made, and what has no page there. */
export function formatAdopt(report: AdoptReport, options: UpdateFormatOptions): string {
  const { palette, all } = options
  const shown = all ? report.areas : report.areas.slice(0, listedAreas)
  const blocks = shown.map((area) => formatArea(area, report.root, options))
  const left = report.areas.length - shown.length
  if (left > 0) blocks.push(palette.dim(`  … and ${formatCount(left, 'more document')} (--all shows them)\n`))
  for (const [reason, pages] of groupBy(report.unbound, (page) => page.reason)) {
    const paths = (all ? pages : pages.slice(0, listedOperations)).map(({ path }) =>
      escapeText(options.toShown(joinPath(report.root, path))),
    )
    const rest = pages.length - paths.length
    const more = rest > 0 ? ` and ${formatNumber(rest)} more` : ''
    const count = palette.warning(`${formatCount(pages.length, 'page')} left alone`)
    blocks.push(`${count}, ${whys[reason]}: ${paths.join(', ')}${more}\n`)
  }
  return blocks.map((block) => `${block}\n`).join('')
}

function formatArea(area: AreaReport, root: string, { palette, toShown, all }: UpdateFormatOptions): string {
  const { label, division, source, pages, unwritten, pattern, adopted } = area
  const place = escapeText(label === '' ? division : label)
  const kept = pages.filter(({ isKept }) => isKept).length
  const words = [
    `${formatCount(pages.length, 'page')} of ${escapeText(toShown(joinPath(root, source)))}`,
    ...(kept > 0 ? [`${formatNumber(kept)} with a text of ${kept === 1 ? 'its' : 'their'} own`] : []),
  ]
  const lines = [`${palette.strong(place)}   ${words.join(', ')}`]
  if (pattern) {
    const name = pattern.name === undefined ? 'names of their own' : `named after ${pattern.name}`
    const folder = escapeText(toShown(joinPath(root, pattern.folder)))
    lines.push(`  files     ${folder}/…${pattern.extension}, ${name}`)
    const title = pattern.title === undefined ? '' : `, title from ${pattern.title}`
    lines.push(
      `  header    ${escapeText(pattern.keys.join(', '))}${title}${pattern.sharesBody ? ', and a text that most share' : ''}`,
    )
    lines.push(`  binding   openapi: ${escapeText(pattern.binding)}`)
  }
  lines.push(
    adopted === 'growing'
      ? '  new       an operation that comes gets a page here, made likewise'
      : '  new       an operation that comes gets no page here: these are but a few of all',
  )
  if (unwritten.length > 0) {
    const some = all ? unwritten : unwritten.slice(0, listedOperations)
    const more = unwritten.length > some.length ? ` and ${formatNumber(unwritten.length - some.length)} more` : ''
    const verb = unwritten.length === 1 ? 'has' : 'have'
    lines.push(
      `  missing   ${formatCount(unwritten.length, 'operation')} ${verb} no page: ${some.map(escapeText).join(', ')}${more}`,
    )
    lines.push(palette.dim('            (`unlisted: add` in openapi-pages.config.yaml gets them with the next update)'))
  }
  return `${lines.join('\n')}\n`
}
