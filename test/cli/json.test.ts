// The same tests in Node.
import '../json.test.ts'
