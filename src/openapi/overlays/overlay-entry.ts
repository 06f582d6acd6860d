import type { Finding } from '../../diagnostics/diagnostic.ts'
import { settleNumbers } from '../../text/json/json-values.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { recordOrigins } from '../../text/plain/source-file.ts'
import type { DocumentSet } from '../walk.ts'
import { applyOverlays } from './apply-overlay.ts'
import { type Overlay, type OverlayOptions, parseOverlay } from './parse-overlay.ts'

/**
 * Loads Overlay documents and applies them to the entry document of a set. The files become part of the set. Later, diagnostics of
 * values from an overlay are located in its file, see `toOrigin`.
 */
export async function overlayEntry(
  entryPath: string,
  set: DocumentSet,
  { paths, query, onReplaced, skipsMissing = false }: OverlayOptions,
  limits: Limits,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const overlays: Overlay[] = []
  for (const path of paths) {
    await set.load(path)
    const failure = set.failures.get(path)
    if (failure) {
      const { code, reason, hint, severity } = failure
      const message = `Cannot read the overlay \`${path}\`: ${reason}`
      const finding = { code, message, file: path, pointer: '', ...(hint && { hint }), ...(severity && { severity }) }
      if (!skipsMissing || code !== 'file-missing') findings.push(finding)
      continue
    }
    const value = set.find(path)?.parsed.value
    if (value === undefined) continue
    const parsed = parseOverlay(path, value)
    findings.push(...parsed.findings)
    if (parsed.overlay) overlays.push(parsed.overlay)
  }
  const entry = set.documents.get(entryPath)
  if (!entry || overlays.length === 0) return findings
  const overlaid = applyOverlays(entry.parsed.value, overlays, { path: entryPath, query, onReplaced, limits })
  set.documents.set(entryPath, { ...entry, parsed: { ...entry.parsed, value: settleNumbers(overlaid.value) } })
  recordOrigins(entry.parsed.source, overlaid.findOrigin)
  return [...findings, ...overlaid.findings]
}
