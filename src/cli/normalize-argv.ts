import { ConfigError } from '../errors.ts'

/**
 * Rewrites the spellings of options that the original tool takes into those of ours.
 *
 * Its parser reads `-w false`, `-w=false`, `--writeFiles=false` and `-o=folder`, takes a following word for the value of `-w` only
 * when it is a boolean, and knows `--outDir` and `--writeFiles` with dashes too.
 *
 * @throws {ConfigError} for another value than `true` or `false` of `--writeFiles`.
 */
export function normalizeArgv(argv: readonly string[]): string[] {
  const out: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') return [...out, ...argv.slice(index)]
    const [, name, value] = /^(-w|-o|--writeFiles|--write-files|--out-dir)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined) out.push(word)
    else if (name === '-o' || name === '--out-dir') {
      out.push(name === '-o' ? name : '--outDir', ...(value === undefined ? [] : [value]))
    } else {
      const next = argv[index + 1]
      const given = value ?? (next === 'true' || next === 'false' ? next : undefined)
      if (given !== undefined && value === undefined) index++
      if (given === undefined || given === 'true') out.push('--writeFiles')
      else if (given === 'false') out.push('--no-writeFiles')
      else throw new ConfigError(`unexpected value ${given} of --writeFiles, expected true or false`)
    }
  }
  return out
}
