import { toWellFormed } from '../encode.ts'
import type { HttpRequest, RequestBody } from '../http-request.ts'

/** The request with the standard library of Go: what stands inside a function that returns an error. */
export function toGo({ method, url, headers, body }: HttpRequest): string {
  const lines: string[] = []
  const reader = body ? toReader(body, lines) : 'nil'
  lines.push(`req, err := http.NewRequest(${text(method)},`, `\t${text(url)}, ${reader})`, 'if err != nil {', '\treturn err', '}')
  for (const { name, value } of headers) lines.push(`req.Header.Set(${text(name)}, ${text(value)})`)
  if (body?.kind === 'multipart') lines.push('req.Header.Set("Content-Type", form.FormDataContentType())')
  lines.push('res, err := http.DefaultClient.Do(req)', 'if err != nil {', '\treturn err', '}', 'defer res.Body.Close()')
  return lines.join('\n')
}

function toReader(body: RequestBody, lines: string[]): string {
  switch (body.kind) {
    case 'json':
      lines.push(`body := strings.NewReader(${toRaw(JSON.stringify(body.value, null, 2))})`)
      return 'body'
    case 'text':
      lines.push(`body := strings.NewReader(${text(body.text)})`)
      return 'body'
    case 'form':
      lines.push('form := url.Values{}', ...body.fields.map(({ name, value }) => `form.Add(${text(name)}, ${text(value)})`))
      return 'strings.NewReader(form.Encode())'
    case 'multipart':
      lines.push('body := &bytes.Buffer{}', 'form := multipart.NewWriter(body)')
      for (const { name, value, file } of body.parts) {
        if (!file) lines.push(`form.WriteField(${text(name)}, ${text(value)})`)
        else
          lines.push(
            `file, err := form.CreateFormFile(${text(name)}, ${text(file.name)})`,
            '// Write the file to it, and mind err.',
          )
      }
      lines.push('form.Close()')
      return 'body'
    default:
      lines.push(`body, err := os.Open(${text(body.file.name)})`, 'if err != nil {', '\treturn err', '}')
      return 'body'
  }
}

/** Between backticks nothing has a meaning; carriage returns are dropped there. Source: the Go specification, "String literals". */
function toRaw(value: string): string {
  return /[`\r]/.test(value) ? text(value) : `\`${toWellFormed(value)}\``
}

/** Go's strings have the escapes of JSON. */
function text(value: string): string {
  return JSON.stringify(toWellFormed(value))
}
