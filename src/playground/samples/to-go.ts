import { type HttpRequest, type RequestFile, toContent } from '../request/http-request.ts'
import { printText, type TextStyle } from './print-text.ts'

/** Generates the request with the Go standard library, for use inside a function that returns an error. */
export function toGo(request: HttpRequest): string {
  const check = 'if err != nil {\n\treturn err\n}\n'
  let files = 0
  let before = ''
  const toReader = (file: RequestFile) => {
    const name = `file${++files === 1 ? '' : files}`
    before += `${name}, err := os.Open(${text(file.name)})\n${check}defer ${name}.Close()\n`
    return name
  }
  const { headers, pieces } = toContent(request, (piece) => `strings.NewReader(${text(piece)})`, toReader)
  if (pieces) before += `body := ${pieces.length === 1 ? pieces[0] : `io.MultiReader(\n\t${pieces.join(',\n\t')},\n)`}\n`
  const lines = headers.map(({ name, value }) => `req.Header.Set(${text(name)}, ${text(value)})\n`).join('')
  return `${before}req, err := http.NewRequest(${text(request.method)},
	${text(request.url)}, ${pieces ? 'body' : 'nil'})
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
