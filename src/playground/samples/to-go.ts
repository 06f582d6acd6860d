import type { HttpRequest } from '../request/http-request.ts'
import { toContent } from '../request/http-request.ts'
import { printText, type TextStyle } from './print-text.ts'

/** Generates the request with the Go standard library, for use inside a function that returns an error. */
export function toGo(request: HttpRequest): string {
  const { headers, pieces } = toContent(request)
  const check = 'if err != nil {\n\treturn err\n}\n'
  let files = 0
  let before = ''
  const readers = pieces?.map((piece) => {
    if (typeof piece === 'string') return `strings.NewReader(${text(piece)})`
    const name = `file${++files === 1 ? '' : files}`
    before += `${name}, err := os.Open(${text(piece.name)})\n${check}defer ${name}.Close()\n`
    return name
  })
  if (readers) before += `body := ${readers.length === 1 ? readers[0] : `io.MultiReader(\n\t${readers.join(',\n\t')},\n)`}\n`
  const lines = headers.map(({ name, value }) => `req.Header.Set(${text(name)}, ${text(value)})\n`).join('')
  return `${before}req, err := http.NewRequest(${text(request.method)},
	${text(request.url)}, ${readers ? 'body' : 'nil'})
${check}${lines}res, err := http.DefaultClient.Do(req)
${check}defer res.Body.Close()
data, err := io.ReadAll(res.Body)
${check}fmt.Println(res.Status, string(data))`
}

const text = (value: string) => printText(value, style)

const style: TextStyle = {
  // Raw strings have no escapes. Source: the Go specification, "String literals".
  raw: (value) => (value.includes('`') ? undefined : `\`${value}\``),
  join: (literals) => literals.join(' +\n\t'),
}
