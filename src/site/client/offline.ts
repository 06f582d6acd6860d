// The script of the pages of an exported site.
import './local-files.ts'
import './page.ts'
