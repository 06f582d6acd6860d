import { answerCheck } from './answer-check.ts'
import { serveOneRequest } from './untrusted-child.ts'

// The process that reads untrusted documents.

serveOneRequest(answerCheck)
