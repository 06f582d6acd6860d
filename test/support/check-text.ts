import { checkDescription, type DescriptionCheck } from '../../src/checks/check-description.ts'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../src/diagnostics/finish-diagnostics.ts'
import { joinPath } from '../../src/text/plain/paths.ts'

/** A check with the positions of its diagnostics. */
interface CheckedText extends DescriptionCheck {
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks the first of some files, given by path and text, as a description. The others can be referenced. */
export async function checkFiles(files: { readonly [path: string]: string }): Promise<CheckedText> {
  const [entryPath = ''] = Object.keys(files)
  const checked = await checkDescription(entryPath, async (path) => {
    if (path.startsWith('../')) return { kind: 'failed', code: 'file-outside-boundary', reason: 'it is outside the boundary' }
    const text = files[joinPath('', path)]
    return text === undefined
      ? { kind: 'failed', code: 'file-missing', reason: 'no such file' }
      : { kind: 'loaded', bytes: new TextEncoder().encode(text) }
  })
  return { ...checked, diagnostics: await finishDiagnostics(checked.findings, (file) => checked.sources.get(file)) }
}

/** Checks a value as a JSON document. */
export async function checkValue(value: unknown): Promise<DescriptionCheck> {
  return checkDescription('openapi.json', async () => ({
    kind: 'loaded',
    bytes: new TextEncoder().encode(JSON.stringify(value)),
  }))
}

/** The diagnostics of the first of some files: `line:column code message`, each with its hint on a second line. */
export async function diagnosticLines(files: { readonly [path: string]: string } | string): Promise<string[]> {
  const { diagnostics } = await checkFiles(typeof files === 'string' ? { 'openapi.yaml': files } : files)
  return diagnostics.map(({ file, range, severity, code, message, hint }) => {
    const place = `${file === 'openapi.yaml' ? '' : `${file}:`}${range.start.line}:${range.start.column}`
    const level = severity === 'error' ? '' : `${severity} `
    return `${place} ${level}${code} ${message}${hint === undefined ? '' : ` · ${hint}`}`
  })
}
