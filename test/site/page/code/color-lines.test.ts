import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import bash from 'shiki/langs/bash.mjs'
import go from 'shiki/langs/go.mjs'
import javascript from 'shiki/langs/javascript.mjs'
import python from 'shiki/langs/python.mjs'
import { expect, test } from 'vitest'
import { createLineColors } from '../../../../src/site/page/code/color-lines.ts'

const theme = createCssVariablesTheme({ name: 'site', variablePrefix: '--', variableDefaults: {} })
const highlighter = createHighlighterCoreSync({
  themes: [theme],
  langs: [bash, go, javascript, python].flat(),
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

// Lines that occur in several samples, inside and outside of strings, at different positions.
const codes: Readonly<Record<string, readonly string[]>> = {
  python: [
    'x = 1\n"""\nx = 1\n"""\n\nx = 1',
    '"""\nx = 1',
    'x = 1',
    '\n\nx = 1\r\nprint("a")\n',
    'def f():\n    return {"x": 1}  # x = 1',
    'requests.get("https://api.example.com/v1/{owner}/a-b.c/{a.b}/{0}?q=x&r={r!r}", "https://a.test/%s", f"https://a.test/{self}")',
    'requests.get(\n    "https://api.example.com/v2/{repo}/c-d.e/{a.b}/{1}?q=x&r={r!r}",\n)',
    'f("a b", \'if\', {"return": "not here", "from": ["import", "x"]}, "%s", f"{a}", r"b", "c"if"d"else"e")',
    '"""\n"if" not "return"\n"""',
    'x = {\n    "a": 12,\n        "a": 123,\n    "b": [1, 20, 300, -45, 6.7, 0x1F, 1_000, 08],\n}',
    'f("a.b, c: d/e@f+g=(h)", "https://a.test/b?c=d&e#f", "https://a.test/%20", "(b) [c]", \'d: "e"\', "1", "")',
    'f(\n"a, b", 12)',
  ],
  javascript: [
    'const a = `\nconst b = 1\n` + a\nconst b = 1',
    '/*\nconst b = 1\n*/ const b = 1',
    'const b = 1',
    '}\nconst b = 1',
    'f({ "return": "if", \'a b\': 1, c: "\\n", d: "this"in"that" }); if (a === "if") throw "use strict"',
    '`\n"if" + \'return\'\n`',
    'const a = {\n  b: 12,\n      b: 123,\n  c: [1, 20, 300n, -45, 6.7, 0x1F],\n}',
    'f("a.b, c: d/e@f+g=(h)", \'https://a.test/{b}/%20?c=d&e#f\', "1", "", \'use strict\')\n`$' +
      '{12} "a, $' +
      '{b}, c" $' +
      '{1}`',
    'if (a) return /"a, b"/.test("c, d") ? 12 : 13',
  ],
  bash: [
    "curl -X POST 'a\n-H b' \\\n  -H b",
    '  -H b',
    'cat <<E\n  -H b\nE\n  -H b',
    'curl \'https://a.test/{b}/c\' "https://a.test/$b"',
    "curl 'https://aa.test/{bb}/cc' x",
    'cat << "ENDS"\n  "if"\nENDS\necho "if" "then" "$x" "a b"',
    'curl -d \'{\n  "if": "done",\n  "a": ["b"]\n}\' -H "if: b" "fi"',
    'if [ "$a" = "done" ]; then "echo" "done"; fi',
    'f 12 2>&1 "a.b, c: d/e@f+g=(h)" \'x, y\' "https://a.test/b?c=d&e" "50%" "#a" $12 -45 a=12\n      -H 12 \\\n    -H 13',
    'curl -d \'{\n  "a": 12,\n      "a": 123,\n  "b": "c, (d)"\n}\' x',
  ],
  go: [
    'x := `\nx := 1\n`\nx := 1',
    'package main\nx := 1\n\tx := 1',
    'f("https://a.test/%d/{b}/c", nil)',
    'f("https://aa.test/{bb}/cc", nil)',
    'import "fmt"\nvar x = map[string]any{"func": "return", "a b": []string{"if"}} // "go"',
    'x := `\n"if": "return"\n` + "else"',
    'f(12, "a.b, c: d/e@f+g=(h)", "%d, a", "https://a.test/{b}?c=d&e#f", "", 07)\n\t"a", 12)\n      "b": 123,\n    "b": 45,',
  ],
}

const shown = (lines: readonly (readonly { readonly content: string; readonly color?: string }[])[]) =>
  lines.map((line) => line.map(({ content, color }) => `${content} ${color ?? ''}`))

test.each(Object.keys(codes))('%s has the same tokens line by line as in one piece', (lang) => {
  const color = createLineColors(highlighter, lang, 'site')
  // Twice, so that the second run uses the cache.
  for (const code of [...(codes[lang] ?? []), ...(codes[lang] ?? [])])
    expect(shown(color(code)), code).toEqual(shown(highlighter.codeToTokensBase(code, { lang, theme: 'site' })))
})
