import { remarkDigest } from './print-text.ts'
import type { SampleLanguage, WriteSample } from './sample-languages.ts'
import { toC } from './to-c.ts'
import { toCsharp } from './to-csharp.ts'
import { toDart } from './to-dart.ts'
import { toGo } from './to-go.ts'
import { toJava } from './to-java.ts'
import { toKotlin } from './to-kotlin.ts'
import { toPhp } from './to-php.ts'
import { toPowershell } from './to-powershell.ts'
import { toRuby } from './to-ruby.ts'
import { toRust } from './to-rust.ts'
import { toSwift } from './to-swift.ts'

/** The less common languages. The playground loads them together. */
export const otherSamples = {
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
} satisfies { readonly [language in SampleLanguage]?: WriteSample }
