import type { PathItemEntry } from '../openapi/read/collect-operations.ts'
import { severityOf } from '../openapi/walk.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, reportPath, shareMethod } from './check-context.ts'
import { findRepeated, findTemplateProblem, templateNames } from './template-names.ts'

/**
 * Reports path templates that differ only in parameter names, invalid templates, and templates with duplicate names.
 *
 * If two such paths share no method, it is a warning: each request still matches one operation, and large real descriptions rely on
 * that.
 *
 * @see OpenAPI 3.1.1, "Paths Object"; 3.2.0, "Path Templating"
 */
export const pathTemplate: Check = ({ release, paths, operationsOf }, report) => {
  const firstByShape = new Map<string, PathItemEntry>()
  for (const path of paths) {
    const shape = path.name.replace(/\{[^{}]*\}/g, '{}')
    const first = firstByShape.get(shape)
    const [at] = path.places
    const reportName = (message: string, hint: string) => {
      if (at) report({ at, message, on: 'key', hint, section: 'Path Templating', severity: severityOf('path-template', release) })
    }
    const name = shorten(path.name)
    // Before 3.2, names in a query string are reported as missing parameters.
    const hasQueryName = path.name.includes('?') && path.name.includes('{', path.name.indexOf('?'))
    const fault = release !== '3.2' && hasQueryName ? undefined : findTemplateProblem(path.name, release)
    if (fault) reportName(`Unexpected ${fault.found} in path \`${name}\`, expected ${fault.expected}`, fault.hint)
    const repeated = fault ? undefined : findRepeated(templateNames(path.name))
    if (repeated !== undefined)
      reportName(
        `Unexpected duplicate \`{${shorten(repeated)}}\` in path \`${name}\`, expected each name once`,
        'Rename one of the two',
      )
    if (!first) {
      firstByShape.set(shape, path)
      continue
    }
    reportPath(report, path, first, {
      message: `it matches the same requests as \`${shorten(first.name)}\``,
      hint: 'Move the operations of both under one path',
      severity: shareMethod(operationsOf.get(path), operationsOf.get(first)) ? 'error' : 'warning',
    })
  }
}
