import { testCases } from './cases.ts'

testCases('status')
