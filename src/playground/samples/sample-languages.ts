import type { HttpRequest } from '../request/http-request.ts'

/** A language of samples, by its key in docs.json. */
export type SampleLanguage = keyof typeof sampleLanguages

/**
 * The label of each language, most used first.
 *
 * Source of the keys and aliases: Mintlify's documentation, "API playground", `api.examples.languages`.
 */
export const sampleLanguages = {
  bash: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  typescript: 'TypeScript',
  node: 'Node.js',
  java: 'Java',
  php: 'PHP',
  ruby: 'Ruby',
  csharp: 'C#',
  dotnet: '.NET',
  rust: 'Rust',
  powershell: 'PowerShell',
  kotlin: 'Kotlin',
  swift: 'Swift',
  dart: 'Dart',
  c: 'C',
  'c++': 'C++',
} as const

const aliases: Readonly<Record<string, SampleLanguage>> = {
  curl: 'bash',
  sh: 'bash',
  shell: 'bash',
  js: 'javascript',
  py: 'python',
  golang: 'go',
  ts: 'typescript',
  nodejs: 'node',
  'node.js': 'node',
  rb: 'ruby',
  'c#': 'csharp',
  '.net': 'dotnet',
  'dot-net': 'dotnet',
  rs: 'rust',
  kt: 'kotlin',
  flutter: 'dart',
  cpp: 'c++',
}

/** Finds a language by name, ignoring case; absent if there are no samples in it. */
export function findSampleLanguage(name: string): SampleLanguage | undefined {
  const key = name.trim().toLowerCase()
  if (Object.hasOwn(sampleLanguages, key)) return key as SampleLanguage // It is one of its keys.
  return Object.hasOwn(aliases, key) ? aliases[key] : undefined
}

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

/** Generates a request in a language. */
export type WriteSample = (request: HttpRequest) => string
