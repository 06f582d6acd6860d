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
