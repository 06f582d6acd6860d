/** The schemes of URLs that text from a document or page may link to. Browsers run no code for them. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel', 'sms', 'vscode', 'cursor']
