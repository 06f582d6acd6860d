import { testCases } from './cases.ts'

testCases('accept')
