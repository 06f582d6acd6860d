import { childPlace } from '../openapi/references/follow-reference.ts'
import { citedEdition } from '../openapi/walk.ts'
import { isObject, type Place, pointerChild } from '../text/json/json-values.ts'
import { didYouMean, type Suggest, shorten } from '../text/plain/suggest.ts'
import type { Check } from './check-context.ts'
import { findRepeated, templateNames } from './template-names.ts'

/**
 * Reports names in a server URL that `variables` does not define or that are duplicates (3.2), unused variables, and defaults that are
 * not in their `enum`. Source: OpenAPI 3.1.1 and 3.2.0, "Server Object" and "Server Variable Object".
 */
export const serverVariable: Check = ({ release, root, operations, webhookOperations, suggest }, report) => {
  const edition = citedEdition[release]
  const checkServer = (server: Place) => {
    const url = childPlace(server, 'url').value
    const variables = childPlace(server, 'variables')
    if (!isObject(server.value) || typeof url !== 'string') return
    const declared = isObject(variables.value) ? Object.keys(variables.value) : []
    const known = new Set(declared)
    const names = new Set(templateNames(url))
    const repeated = release === '3.2' ? findRepeated(templateNames(url)) : undefined
    if (repeated !== undefined) {
      report({
        code: 'server-variable',
        message: `Unexpected duplicate \`{${shorten(repeated)}}\` in a server URL, expected each name once`,
        file: server.file,
        pointer: pointerChild(server.pointer, 'url'),
        section: `OpenAPI ${edition}, Server Object`,
        severity: 'error',
      })
    }
    for (const name of names) {
      if (known.has(name)) continue
      report({
        code: 'server-variable',
        message: `Unexpected \`{${shorten(name)}}\` in a server URL, expected a name declared in \`variables\``,
        file: server.file,
        pointer: pointerChild(server.pointer, 'url'),
        hint: didYouMean(suggest(name, () => declared)) ?? `Add \`${name}\` with a \`default\` to \`variables\``,
        section: `OpenAPI ${edition}, Server Object`,
      })
    }
    for (const name of declared) {
      const variable = childPlace(variables, name)
      if (!names.has(name) && !name.startsWith('x-')) {
        report({
          code: 'server-variable',
          message: `Unexpected server variable \`${shorten(name)}\`, expected a name used in the server URL`,
          file: server.file,
          pointer: variable.pointer,
          on: 'key',
          hint:
            didYouMean(suggest(name, () => [...names].filter((each) => !known.has(each)))) ??
            `Add \`{${shorten(name)}}\` to \`url\`, or remove the variable`,
          section: `OpenAPI ${edition}, Server Object`,
          severity: 'info',
        })
      }
      const choices = childPlace(variable, 'enum').value
      const value = childPlace(variable, 'default').value
      if (!Array.isArray(choices) || choices.length === 0 || typeof value !== 'string' || choices.includes(value)) continue
      report({
        code: 'server-variable',
        message: `Unexpected \`${shorten(value)}\` for \`default\` of server variable \`${shorten(name)}\`, expected one of its \`enum\` values`,
        file: server.file,
        pointer: pointerChild(variable.pointer, 'default'),
        hint:
          didYouMean(nearestChoice(value, choices, suggest)) ?? `Add \`${shorten(value)}\` to \`enum\`, or change \`default\``,
        section: `OpenAPI ${edition}, Server Variable Object`,
        // From 3.1 on the specification says MUST.
        ...(release === '3.0' ? {} : { severity: 'error' }),
      })
    }
  }
  const checkOwner = (owner: Place) => {
    if (!isObject(owner.value) || owner.value['servers'] === undefined) return
    const servers = childPlace(owner, 'servers')
    if (!Array.isArray(servers.value)) return
    servers.value.forEach((_, index) => {
      checkServer(childPlace(servers, index))
    })
  }
  checkOwner(root)
  let pathItem: unknown
  for (const operation of [...operations, ...webhookOperations]) {
    if (operation.pathItem.value !== pathItem) checkOwner(operation.pathItem)
    pathItem = operation.pathItem.value
    checkOwner(operation.operation)
  }
}

function nearestChoice(value: string, choices: readonly unknown[], suggest: Suggest): string | undefined {
  const near = suggest(value, () => choices.filter((choice) => typeof choice === 'string'))
  return near ?? (choices.length === 1 && typeof choices[0] === 'string' ? shorten(choices[0]) : undefined)
}
