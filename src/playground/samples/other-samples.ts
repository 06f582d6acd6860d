import { remarkDigest } from './print-text.ts'
import type { SampleLanguage, WriteSample } from './sample-languages.ts'
import { toC } from './to-c.ts'
import { toCsharp } from './to-csharp.ts'
import { toDart } from './to-dart.ts'
import { toGo } from './to-go.ts'
import { toJava } from './to-java.ts'
import { toJavaScript, toNode, toTypeScript } from './to-javascript.ts'
import { toKotlin } from './to-kotlin.ts'
import { toPhp } from './to-php.ts'
import { toPowershell } from './to-powershell.ts'
import { toPython } from './to-python.ts'
import { toRuby } from './to-ruby.ts'
import { toRust } from './to-rust.ts'
import { toSwift } from './to-swift.ts'

/** The writers of all languages but curl. The playground loads them together. */
export const otherSamples: Readonly<Record<Exclude<SampleLanguage, 'bash'>, WriteSample>> = {
  javascript: toJavaScript,
  typescript: toTypeScript,
  node: toNode,
  python: toPython,
  go: remarkDigest(toGo),
  java: remarkDigest(toJava),
  php: toPhp,
  ruby: remarkDigest(toRuby, '#'),
  csharp: toCsharp,
  dotnet: toCsharp,
  rust: remarkDigest(toRust),
  powershell: toPowershell,
  kotlin: remarkDigest(toKotlin),
  swift: remarkDigest(toSwift),
  dart: remarkDigest(toDart),
  c: toC,
  'c++': toC,
}
