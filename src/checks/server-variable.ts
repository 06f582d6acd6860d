import { readServers, type Server } from '../model/servers.ts'
import { countIn, listPlaces, mapPlaces } from '../openapi/references/follow-reference.ts'
import { severityOf } from '../openapi/walk.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckContext, listOwners } from './check-context.ts'
import { findRepeated, templateNames } from './template-names.ts'

/**
 * Reports names in a server URL that `variables` does not define or that are duplicates (3.2), unused variables, and defaults that are
 * not in their `enum`. Source: OpenAPI 3.1.1 and 3.2.0, "Server Object" and "Server Variable Object".
 */
export const serverVariable: Check = (context, report) => {
  const owners = [context.root, ...listOwners(context)].filter((owner) => countIn(owner, 'servers') > 0)
  for (const owner of owners) {
    for (const server of readServers(listPlaces(owner, 'servers'))) checkServer(server, context, report)
  }
}

function checkServer(
  { place: at, url, variables }: Server,
  { release, suggest }: CheckContext,
  report: Parameters<Check>[1],
): void {
  const declared = new Map(mapPlaces(at, 'variables').map(({ name, place }) => [name, place]))
  const names = new Set(templateNames(url))
  const repeated = findRepeated(templateNames(url))
  const inUrl = { at, key: 'url', section: 'Server Object' }
  if (repeated !== undefined) {
    const message = `Unexpected duplicate \`{${shorten(repeated)}}\` in a server URL, expected each name once`
    report({ ...inUrl, message, severity: severityOf('server-template', release) })
  }
  for (const name of names) {
    if (declared.has(name)) continue
    report({
      ...inUrl,
      message: `Unexpected \`{${shorten(name)}}\` in a server URL, expected a name declared in \`variables\``,
      hint: didYouMean(suggest(name, () => [...declared.keys()])) ?? `Add \`${name}\` with a \`default\` to \`variables\``,
    })
  }
  for (const [name, place] of declared) {
    if (names.has(name) || name.startsWith('x-')) continue
    const near = suggest(name, () => [...names].filter((each) => !declared.has(each)))
    report({
      at: place,
      message: `Unexpected server variable \`${shorten(name)}\`, expected a name used in the server URL`,
      on: 'key',
      hint: didYouMean(near) ?? `Add \`{${shorten(name)}}\` to \`url\`, or remove the variable`,
      section: 'Server Object',
      severity: 'info',
    })
  }
  for (const { name, default: value, enum: choices } of variables) {
    const place = declared.get(name) ?? at
    if (choices.length === 0 || value === undefined || choices.includes(value)) continue
    const near = suggest(value, () => choices) ?? (choices.length === 1 ? shorten(choices[0] ?? '') : undefined)
    report({
      at: place,
      key: 'default',
      message: `Unexpected \`${shorten(value)}\` for \`default\` of server variable \`${shorten(name)}\`, expected one of its \`enum\` values`,
      hint: didYouMean(near) ?? `Add \`${shorten(value)}\` to \`enum\`, or change \`default\``,
      section: 'Server Variable Object',
      severity: severityOf('server-default', release),
    })
  }
}
