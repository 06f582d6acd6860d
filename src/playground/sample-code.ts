import type { SampleLanguage } from '../request/samples/sample-languages.ts'
import type { WriteSample } from '../request/samples/usual-samples.ts'

type LoadWriter = () => Promise<WriteSample | undefined>

const script = () => import('../request/samples/to-javascript.ts')

/** Those that are asked for most each come alone, so that a reader loads the language that is shown. */
const usual: { readonly [language in SampleLanguage]?: LoadWriter } = {
  bash: async () => (await import('../request/samples/to-curl.ts')).toCurl,
  javascript: async () => (await script()).toJavaScript,
  typescript: async () => (await script()).toTypeScript,
  node: async () => (await script()).toNode,
  python: async () => (await import('../request/samples/to-python.ts')).toPython,
}

/** Loads what writes a language. */
export function toLoadWriter(language: SampleLanguage): LoadWriter {
  return usual[language] ?? (async () => (await import('../request/samples/other-samples.ts')).otherSamples[language])
}

/** A piece of a sample, with the class of its colour: keyword, string, number, name of a function. */
interface SamplePiece {
  readonly text: string
  readonly color: 'k' | 's' | 'n' | 'f' | undefined
}

/**
 * The pieces of a sample, which together are its text. It knows what our own samples have: literals, few keywords, no comments.
 *
 * The pages' own colours are made by grammars that weigh more than the playground.
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

/** In a shell nothing has a meaning between single quotes, and one of these is written as `'\\''`; what begins with `-` is an option. */
const shell = /('[^']*'(?:\\''[^']*')*|(?<![\\`])"(?:[^"\\`]|[\\`][\s\S])*"|(?<=\s)--?[a-zA-Z][\w-]*|^(?:curl|printf|cat)\b)/m

const words =
  'as|await|const|def|do|else|end|err|final|func|if|import|int|let|new|nil|null|None|NULL|print|require|return|static|struct|true|True|try|using|val|var|void'

const keyword = new RegExp(`^(?:${words})$`)

const others = new RegExp(
  `("""[\\s\\S]*?"""|'''[\\s\\S]*?'''|r#"[\\s\\S]*?"#|\`[^\`]*\`|"(?:[^"\\\\]|\\\\[\\s\\S])*"|'(?:[^'\\\\]|\\\\[\\s\\S])*'|\\b(?:${words})\\b|\\b\\d[\\d.]*\\b|\\b\\w+(?=\\())`,
)

const maxColored = 20_000
