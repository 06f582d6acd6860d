import { type Finding, formatCount } from '../../../diagnostics/diagnostic.ts'

/** Problems that many pages can have in common. */
const shared: ReadonlySet<Finding['code']> = new Set(['icon-unknown', 'property-not-used', 'site-file-conflict'])

/**
 * Keeps the first report of each unknown icon and unused property that is not among the earlier ones, and says in how many other files it is. Keeps everything
 * else.
 */
export function reportOnce(findings: readonly Finding[], earlier: readonly Pick<Finding, 'message'>[]): Finding[] {
  const filesOf = new Map<string, Set<string>>()
  for (const { code, message, file } of findings) {
    if (shared.has(code)) filesOf.set(message, (filesOf.get(message) ?? new Set()).add(file))
  }
  const seen = new Set(earlier.map(({ message }) => message))
  return findings.flatMap((finding) => {
    const { code, message } = finding
    if (!shared.has(code)) return [finding]
    if (seen.has(message)) return []
    seen.add(message)
    const others = (filesOf.get(message)?.size ?? 1) - 1
    if (others === 0) return [finding]
    return [{ ...finding, message: `${message} (and in ${formatCount(others, 'more file')})` }]
  })
}

/** Collects findings of a file. Each message is reported once, with the number of the others. */
export function reportOnceInFile(file: string, collect: (report: (finding: Omit<Finding, 'file'>) => void) => void): Finding[] {
  const found = new Map<string, { readonly finding: Finding; others: number }>()
  collect((finding) => {
    const same = found.get(finding.message)
    if (same) same.others++
    else found.set(finding.message, { finding: { ...finding, file }, others: 0 })
  })
  return [...found.values()].map(({ finding, others }) => {
    if (others === 0) return finding
    return { ...finding, message: `${finding.message} (and in ${formatCount(others, 'more place')} of the file)` }
  })
}
