/** A language of samples, by its key in docs.json. */
export type SampleLanguage = keyof typeof sampleLanguages

/**
 * The label and the highlighting grammar of each language, most used first.
 *
 * Source of the keys and aliases: Mintlify's documentation, "API playground", `api.examples.languages`.
 */
export const sampleLanguages = {
  bash: { label: 'curl', color: 'bash' },
  javascript: { label: 'JavaScript', color: 'javascript' },
  python: { label: 'Python', color: 'python' },
  go: { label: 'Go', color: 'go' },
  typescript: { label: 'TypeScript', color: 'typescript' },
  node: { label: 'Node.js', color: 'javascript' },
  java: { label: 'Java', color: 'java' },
  php: { label: 'PHP', color: 'php' },
  ruby: { label: 'Ruby', color: 'ruby' },
  csharp: { label: 'C#', color: 'csharp' },
  dotnet: { label: '.NET', color: 'csharp' },
  rust: { label: 'Rust', color: 'rust' },
  powershell: { label: 'PowerShell', color: 'powershell' },
  kotlin: { label: 'Kotlin', color: 'kotlin' },
  swift: { label: 'Swift', color: 'swift' },
  dart: { label: 'Dart', color: 'dart' },
  c: { label: 'C', color: 'c' },
  'c++': { label: 'C++', color: 'cpp' },
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
