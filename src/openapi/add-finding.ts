import type { Finding } from '../diagnostic/diagnostic.ts'

/** More than anybody reads; a file of 64 MiB can hold millions of faults, which would not fit into memory. */
const maxFindings = 100_000

/** Adds a finding unless there are too many already, which is then said once. */
export function addFinding(findings: Finding[], finding: Finding): void {
  if (findings.length < maxFindings) {
    findings.push(finding)
  } else if (findings.length === maxFindings) {
    const message = `Unexpected number of faults: more than ${maxFindings}, the rest is not told`
    findings.push({ code: 'too-complex', message, file: finding.file, pointer: '' })
  }
}
