import type { Finding } from '../diagnostic/diagnostic.ts'
import { locatePointers, syntaxOf } from '../text/parse-source.ts'
import type { SourceFile } from '../text/source-file.ts'

/**
 * Adds `quote it: …` to findings of a number or boolean where text is expected, and of a text that is a comment as it begins with `#`.
 *
 * The hint needs the value as it is written (`1.0` is the number 1), which is looked up here once for each file.
 *
 * @param unquoted Indexes of such findings, each with the key of its value.
 */
export async function addQuoteHints(
  findings: readonly Finding[],
  unquoted: ReadonlyMap<number, string>,
  sources: ReadonlyMap<string, SourceFile>,
): Promise<Finding[]> {
  const result = [...findings]
  const byFile = new Map<string, number[]>()
  for (const index of unquoted.keys()) {
    const file = findings[index]?.file
    if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), index])
  }
  for (const [file, indexes] of byFile) {
    const source = sources.get(file)
    if (!source) continue
    const places = await locatePointers(
      source,
      indexes.flatMap((index) => findings[index]?.pointer ?? []),
    )
    for (const index of indexes) {
      const finding = findings[index]
      const place = finding && places.get(finding.pointer)
      const key = unquoted.get(index)
      if (!finding || !place || key === undefined) continue
      if (finding.hint !== undefined) {
        const comment = place.key && readComment(source.text, place.key.end)
        if (comment !== undefined)
          result[index] = { ...finding, hint: `a \`#\` behind a blank begins a comment, quote it: \`${key}: '${comment}'\`` }
        continue
      }
      const written = source.text.slice(place.value.start, place.value.end)
      const json = syntaxOf(source) === 'json'
      result[index] = { ...finding, hint: json ? `quote it: \`"${key}": "${written}"\`` : `quote it: \`${key}: "${written}"\`` }
    }
  }
  return result
}

/** What stands behind a key as a comment, less the half of a pair of quotes: `$ref: #/components/schemas/Pet`. */
function readComment(text: string, keyEnd: number): string | undefined {
  const end = text.indexOf('\n', keyEnd)
  const rest = text.slice(keyEnd, Math.min(end === -1 ? text.length : end, keyEnd + 300))
  // A remark has a blank behind its sign.
  return /^['"]?:[ \t]+(#[^\s'"]+(?: [^'"]*[^\s'"])?)['"]?\s*$/.exec(rest)?.[1]
}
