import { testCases } from './cases.ts'

testCases('check-fix')
