import type { SampleLanguage } from './sample-languages.ts'

/** A token of a code sample and its color: keyword, string, number or function name. */
interface SamplePiece {
  readonly text: string
  readonly color: 'k' | 's' | 'n' | 'f' | undefined
}

/**
 * Splits a code sample into tokens. Supports only the syntax of generated samples: literals and a few keywords.
 *
 * Pages and the playground use it, so that a sample has the same colors in both. Grammars would be larger than the playground.
 */
export function highlightSample(language: SampleLanguage, code: string): SamplePiece[] {
  if (code.length > maxColored) return [{ text: code, color: undefined }]
  const isShell = language === 'bash' || language === 'powershell'
  const pattern = isShell ? shell : others
  return code.split(pattern).flatMap((text, index): SamplePiece[] => {
    if (text === '') return []
    if (index % 2 === 0) return [{ text, color: undefined }]
    const color = /^(?:r?#?["'`]|r#")/.test(text)
      ? 's'
      : /^[\d-]/.test(text)
        ? isShell && text.startsWith('-')
          ? 'k'
          : 'n'
        : 'k'
    return [{ text, color: color === 'k' && !isShell && !keyword.test(text) ? 'f' : color }]
  })
}

/** Matches strings in single quotes (with `'\\''` for a quote), strings in double quotes, options and commands. */
const shell = /('[^']*'(?:\\''[^']*')*|(?<![\\`])"(?:[^"\\`]|[\\`][\s\S])*"|(?<=\s)--?[a-zA-Z][\w-]*|^(?:curl|printf|cat)\b)/m
const keywords =
  'as|await|const|def|do|else|end|err|final|func|if|import|int|let|new|nil|null|None|NULL|print|require|return|static|struct|true|True|try|using|val|var|void'

const keyword = new RegExp(`^(?:${keywords})$`)
const others = new RegExp(
  `("""[\\s\\S]*?"""|'''[\\s\\S]*?'''|r#"[\\s\\S]*?"#|\`[^\`]*\`|"(?:[^"\\\\]|\\\\[\\s\\S])*"|'(?:[^'\\\\]|\\\\[\\s\\S])*'|\\b(?:${keywords})\\b|\\b\\d[\\d.]*\\b|\\b\\w+(?=\\())`,
)
const maxColored = 20_000
