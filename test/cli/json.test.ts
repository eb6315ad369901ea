// Of Node what is asked of the Worker.
import '../json.test.ts'
